/** The first sign-in: asks for the code of the first start, and a name, an email address and a password (contract §5.8). */
import { html } from "hono/html";
import { keepPageSession } from "../../accounts/sessions/page-session.ts";
import type { Api } from "../../http/endpoint.ts";
import { type FieldParts, faultSummary, field } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { PageView } from "../../pages/view.ts";
import { faultsJson, type Problem } from "../../problem.ts";
import { claimFirstAccount, findUnclaimed } from "../../staff/first-account.ts";
import { faultsOf } from "../asked.ts";
import { emailField, NO_STORE, narrowPage } from "./narrow-page.ts";
import { newPasswordFields, newPasswordOf } from "./new-password.ts";
import { FIRST_ACCOUNT, inWords, refusal } from "./sign-in.ts";

export function firstAccountRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const route = { path: FIRST_ACCOUNT, summary: "Make the first account yours", access: "public" } as const;
  const used = (view: PageView) => redirectTo(view, "/admin/sign-in", "firstAccount.used");

  page(api, pages, {
    ...route,
    show: async (view) => ((await findUnclaimed(services.sql)) ? claimPage(view, new Map()) : used(view)),
  });

  pageForm(api, pages, {
    ...route,
    async take(view, fields) {
      try {
        const claim = {
          code: (fields.get("code") ?? "").trim(),
          display_name: fields.get("display_name") ?? "",
          email: fields.get("email") ?? "",
          password: newPasswordOf(fields),
        };
        const entered = await claimFirstAccount(services, claim, view.c.get("client"));
        if (entered === null) return used(view);
        keepPageSession(view.c, services.config, entered.refresh);
        return redirectTo(view, "/admin", "firstAccount.done");
      } catch (error) {
        return claimPage(view, fields, refusal(error));
      }
    },
  });
}

function claimPage(view: PageView, sent: ReadonlyMap<string, string>, refused?: Problem): Promise<Response> {
  const { t, link, asset, nonce } = view;
  const required = true;
  const value = (name: string) => ({ name, value: sent.get(name) ?? "", required });
  const parts: FieldParts[] = [
    {
      ...value("code"),
      label: t("firstAccount.code"),
      help: t("firstAccount.codeHelp"),
      autocomplete: "off",
    },
    { ...value("display_name"), label: t("users.name"), autocomplete: "name" },
    emailField(view, sent.get("email")),
    ...newPasswordFields(view),
  ];
  const faults = refused?.status === 422 ? faultsJson(t, faultsOf(refused)) : [];
  const content = html`<p>${t("firstAccount.lead")}</p>
      ${refused && faults.length === 0 ? note("error", inWords(view, refused), "alert") : faultSummary(view, parts, faults)}
      <form class="stack" id="with-token" method="post" action="${link(FIRST_ACCOUNT)}">
        ${parts.map((each) => field(view, each, faults))}
        <button>${t("firstAccount.button")}</button>
      </form>`;
  return narrowPage(view, "firstAccount.title", content, {
    status: refused?.status,
    headers: { ...refused?.headers, ...NO_STORE },
    head: html`<script type="module" src="${asset("secret-link.js")}" nonce="${nonce}"></script>`,
  });
}
