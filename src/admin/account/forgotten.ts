/**
 * A forgotten password: the page that requests the mail, and the page that its link opens (contract §8.3). Both are the same
 * whether the reader is signed in or not (`SAME_FOR_ALL` in `accounts/identify.ts`).
 */

import { html } from "hono/html";
import { demandResetAllowed } from "../../accounts/passwords/attempts.ts";
import { confirmReset, requestReset } from "../../accounts/passwords/reset.ts";
import { RESET_MINUTES } from "../../accounts/passwords/reset-store.ts";
import type { Api } from "../../http/endpoint.ts";
import { faultSummary, field } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { PageView } from "../../pages/view.ts";
import { type FaultJson, faultsJson, type Problem } from "../../problem.ts";
import { faultsOf } from "../asked.ts";
import { emailField, NO_STORE, narrowPage } from "./narrow-page.ts";
import { newPasswordFields, newPasswordOf } from "./new-password.ts";
import { inWords, refusal } from "./sign-in.ts";

export function forgottenRoutes(api: Api, pages: Pages): void {
  const { services } = api;

  const access = "public";
  const requesting = { path: "/admin/forgotten", summary: "Request a new password by mail", access } as const;

  page(api, pages, {
    ...requesting,
    show: (view) => (services.mail === null ? noMailPage(view) : requestPage(view)),
  });

  pageForm(api, pages, {
    ...requesting,
    async take(view, fields) {
      if (services.mail === null) return noMailPage(view);
      const email = fields.get("email") ?? "";
      try {
        await demandResetAllowed(services, email);
        await requestReset(services, email, view.c.get("client"), view.t.language);
      } catch (error) {
        return requestPage(view, { email, refused: refusal(error) });
      }
      return redirectTo(view, "/admin/sign-in", "forgotten.sent");
    },
  });

  const setting = {
    path: "/admin/reset",
    summary: "Set a new password with the link of the mail",
    access,
  } as const;

  page(api, pages, { ...setting, show: resetPage });

  pageForm(api, pages, {
    ...setting,
    async take(view, fields) {
      const token = fields.get("token") ?? "";
      try {
        await confirmReset(services, token, newPasswordOf(fields), view.c.get("client"), view.t.language);
      } catch (error) {
        const faults = faultsOf(refusal(error));
        if (faults.some(({ pointer }) => pointer === "/token")) return usedPage(view);
        return resetPage(view, { token, faults: faultsJson(view.t, faults) });
      }
      return redirectTo(view, "/admin/sign-in", "password.changed");
    },
  });
}

const noMailPage = (view: PageView): Promise<Response> =>
  narrowPage(view, "forgotten.title", note("information", view.t("forgotten.noMail")), {
    status: 503,
    headers: NO_STORE,
  });

function requestPage(
  view: PageView,
  { email, refused }: { email?: string; refused?: Problem } = {},
): Promise<Response> {
  const { t, link } = view;
  const content = html`<p>${t("forgotten.lead")}</p>
      ${refused ? note("error", inWords(view, refused), "alert") : ""}
      <form class="stack" method="post" action="${link("/admin/forgotten")}">
        ${field(view, emailField(view, email))}
        <button>${t("forgotten.button")}</button>
      </form>`;
  const headers = { ...refused?.headers, ...NO_STORE };
  return narrowPage(view, "forgotten.title", content, { status: refused?.status, headers });
}

/** Without a token the form is hidden: `secret-link.js` takes the token out of the address and shows it. */
function resetPage(
  view: PageView,
  { token = "", faults = [] }: { token?: string; faults?: readonly FaultJson[] } = {},
): Promise<Response> {
  const { t, link, asset, nonce } = view;
  const parts = newPasswordFields(view);
  const content = html`${token === "" ? html`<div id="without-token">${note("information", t("forgotten.open"))}</div>` : ""}
      ${faultSummary(view, parts, faults)}
      <div class="narrow" id="with-token" ${token === "" ? html`hidden` : ""}>
        <form class="stack" method="post" action="${link("/admin/reset")}">
          <input type="hidden" name="token" value="${token}">
          ${parts.map((each) => field(view, each, faults))}
          <button>${t("password.button")}</button>
        </form>
      </div>`;
  return narrowPage(view, "password.title", content, {
    status: faults.length > 0 ? 422 : 200,
    headers: NO_STORE,
    head: html`<script type="module" src="${asset("secret-link.js")}" nonce="${nonce}"></script>`,
  });
}

/** The token is unknown, used or expired. */
function usedPage(view: PageView): Promise<Response> {
  const { t, link } = view;
  const content = html`${note("error", t("forgotten.used", { minutes: RESET_MINUTES }), "alert")}
      <p><a href="${link("/admin/forgotten")}">${t("forgotten.again")}</a></p>`;
  return narrowPage(view, "password.title", content, { status: 422, headers: NO_STORE });
}
