/** The reader's own account: name, link to the password page, and API keys. */

import { html } from "hono/html";
import { createKey, ownerOfKeys, revokeKey } from "../../accounts/keys/keys.ts";
import { KeyDraft } from "../../accounts/keys/routes.ts";
import { scopesOf } from "../../accounts/keys/scopes.ts";
import { listKeys } from "../../accounts/keys/store.ts";
import { NameShape, renameSelf } from "../../accounts/own-name.ts";
import { type Api, requesterOf } from "../../http/endpoint.ts";
import { readAs } from "../../http/faults.ts";
import { csrfField, faultSummary } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { StaffView } from "../../pages/view.ts";
import { invalid, type Problem } from "../../problem.ts";
import { mergePatch } from "../../records/shape.ts";
import { findRole } from "../../staff/role-store.ts";
import { merged } from "../../vocabularies/shape.ts";
import { refusal, uuidIn } from "../asked.ts";
import { permissionIn } from "../code-names.ts";
import { adminAnswer } from "../layout.ts";
import { type Control, controlHtml, patchOf, type Values } from "./controls.ts";
import { keyList } from "./keys.ts";
import { faultsToShow } from "./resource-pages.ts";

const PATH = "/admin/account";

export function accountPages(api: Api, pages: Pages): void {
  const { services } = api;

  page(api, pages, {
    path: PATH,
    summary: "One's own account and its API keys",
    access: "account",
    show: (view) => accountPage(api, view, {}),
  });

  pageForm(api, pages, {
    path: `${PATH}/name`,
    summary: "Change one's own name",
    access: "account",
    async take(view, fields) {
      const wish = fields.get("display_name") ?? "";
      const name = readAs(NameShape, wish);
      if ("faults" in name) {
        const faults = name.faults.map((fault) => ({ ...fault, pointer: "/display_name" }));
        return accountPage(api, view, { display_name: wish }, { refused: invalid(faults) });
      }
      await renameSelf(services, requesterOf(view.c), name.data);
      return redirectTo(view, PATH, "account.renamed");
    },
  });

  pageForm(api, pages, {
    path: `${PATH}/keys`,
    summary: "Make an API key for oneself",
    access: "account",
    async take(view, fields) {
      const { caller } = view;
      const wish = mergePatch({}, patchOf(keyControls(view), fields, {})) as Values;
      try {
        const draft = merged(KeyDraft, {}, endOfDay(wish));
        const owner = await ownerOfKeys(services, caller, caller.id);
        const { key } = await createKey(services, requesterOf(view.c), owner, {
          ...draft,
          expires_at: draft.expires_at ?? null,
        });
        return accountPage(api, view, {}, { key });
      } catch (error) {
        return accountPage(api, view, wish, { refused: refusal(error) });
      }
    },
  });

  pageForm(api, pages, {
    path: `${PATH}/keys/{key}/revoke`,
    summary: "Revoke an API key of one's own",
    access: "account",
    async take(view) {
      const owner = await ownerOfKeys(services, view.caller, view.caller.id);
      await revokeKey(services, requesterOf(view.c), owner, uuidIn(view, "key"));
      return redirectTo(view, `${PATH}#keys`, "keys.revoked");
    },
  });
}

/** A key is valid to the end, in UTC, of the day on which it expires. */
const endOfDay = (wish: Values): Record<string, unknown> =>
  typeof wish.expires_at === "string" ? { ...wish, expires_at: `${wish.expires_at}T23:59:59Z` } : { ...wish };

function keyControls({ t, caller }: StaffView): Control[] {
  const options = scopesOf(caller.permissions).map((value) => ({
    value,
    label: `${permissionIn(t, value)} (${value})`,
  }));
  return [
    { as: "text", name: "name", label: t("keys.name"), help: t("keys.nameHelp"), required: true, empty: "" },
    { as: "ticks", name: "permissions", label: t("keys.may"), help: t("keys.mayHelp"), options },
    { as: "text", name: "expires_at", label: t("keys.expires"), help: t("keys.expiresHelp"), type: "date" },
  ];
}

async function accountPage(
  { services }: Api,
  view: StaffView,
  values: Values,
  { key, refused }: { key?: string; refused?: Problem } = {},
): Promise<Response> {
  const { caller, t, link } = view;
  const keys = await listKeys(services.sql, caller.id);
  const role = await findRole(services.sql, caller.role);
  const controls = keyControls(view);
  const faults = faultsToShow(view, refused);
  return adminAnswer(view, {
    at: PATH,
    title: t("account.title"),
    status: refused?.status,
    headers: { "Cache-Control": "no-store" },
    content: html`<h1>${t("account.title")}</h1>
      ${key ? note("success", html`<p>${t("keys.once")}</p><p><code class="secret">${key}</code></p>`, "status") : ""}
      ${faultSummary(view, controls, faults)}
      <section class="group" aria-labelledby="who"><h2 id="who">${t("account.who")}</h2>
        <form class="stack" method="post" action="${link(`${PATH}/name`)}">${csrfField(view)}
          ${controlHtml(view, { as: "text", name: "display_name", label: t("users.name"), empty: "" }, { display_name: caller.displayName, ...values }, faults)}
          <button class="quiet">${t("account.rename")}</button></form>
        <dl class="pairs-list"><dt>${t("signIn.email")}</dt><dd>${caller.email}</dd><dt>${t("users.role")}</dt><dd>${labelIn(role?.label ?? {}, t.language, caller.role)}</dd></dl>
        <p class="help">${t("account.whoHelp")}</p>
        <p><a class="button quiet" href="${link("/admin/password")}">${t("password.button")}</a></p></section>
      <section class="group" id="keys"><h2>${t("keys.title")}</h2>
        <p class="help">${t("keys.lead")}</p>
        ${keys.length === 0 ? html`<p>${t("keys.none")}</p>` : keyList(view, keys, PATH)}
        <h3>${t("keys.new")}</h3>
        <form class="stack" method="post" action="${link(`${PATH}/keys`)}">${csrfField(view)}
          ${controls.map((control) => controlHtml(view, control, values, faults))}
          <button>${t("keys.create")}</button></form></section>`,
  });
}
