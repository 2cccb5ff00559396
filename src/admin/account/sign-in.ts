/** Signing in and out on pages, and changing a password when the service demands it (contract §5.8). */

import { html } from "hono/html";
import { changePassword, signIn } from "../../accounts/login.ts";
import { endPageSession, keepPageSession } from "../../accounts/sessions/page-session.ts";
import type { Api } from "../../http/endpoint.ts";
import { say } from "../../messages/said.ts";
import { csrfField, type FieldParts, faultSummary, field } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { PageView, StaffView, View } from "../../pages/view.ts";
import { type FaultJson, faultsJson, Problem } from "../../problem.ts";
import { findUnclaimed } from "../../staff/first-account.ts";
import { faultsOf } from "../asked.ts";
import { emailField, NO_STORE, narrowPage } from "./narrow-page.ts";
import { newPasswordFields, newPasswordOf } from "./new-password.ts";

/** The page on which the owner takes over the first account (`first-account.ts`). */
export const FIRST_ACCOUNT = "/admin/first-account";

export function signInRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const { config } = services;

  const signing = { path: "/admin/sign-in", summary: "Sign in", access: "public" } as const;

  page(api, pages, {
    ...signing,
    show: async (view) =>
      (await findUnclaimed(services.sql))
        ? // the code behind `#` stays in the address
          redirectTo(view, FIRST_ACCOUNT)
        : signInPage(view, { to: view.c.req.query("to"), hasMail: services.mail !== null }),
  });

  pageForm(api, pages, {
    ...signing,
    async take(view, fields) {
      const { c } = view;
      const to = fields.get("to");
      const email = fields.get("email") ?? "";
      try {
        const entered = await signIn(services, email, fields.get("password") ?? "", c.get("client"), "page");
        // the new session replaces this one
        await endPageSession(services, c);
        keepPageSession(c, config, entered.refresh);
        return redirectTo(view, entered.account.must_change_password ? "/admin/password" : ownPath(to));
      } catch (error) {
        return signInPage(view, { to, email, refused: refusal(error), hasMail: services.mail !== null });
      }
    },
  });

  pageForm(api, pages, {
    path: "/admin/sign-out",
    summary: "Sign out",
    access: "self",
    async take(view) {
      await endPageSession(services, view.c);
      return redirectTo(view, "/admin/sign-in", "signIn.signedOut");
    },
  });

  const changing = { path: "/admin/password", summary: "Change your own password", access: "self" } as const;

  page(api, pages, {
    ...changing,
    show: (view) => passwordPage(view, []),
  });

  pageForm(api, pages, {
    ...changing,
    async take(view, fields) {
      const current = fields.get("current_password") ?? "";
      try {
        const chosen = newPasswordOf(fields);
        const entered = await changePassword(
          services,
          view.caller,
          current,
          chosen,
          view.c.get("client"),
          view.t.language,
          "page",
        );
        keepPageSession(view.c, config, entered.refresh);
        return redirectTo(view, "/admin", "password.changed");
      } catch (error) {
        return passwordPage(view, faultsJson(view.t, faultsOf(refusal(error))));
      }
    },
  });
}

/** Faults of the caller (4xx) are shown on the form. Everything else is a fault of the service. */
export function refusal(error: unknown): Problem {
  if (error instanceof Problem && error.status < 500) return error;
  throw error;
}

function signInPage(
  view: PageView,
  {
    to,
    email,
    refused,
    hasMail,
  }: { to?: string | undefined; email?: string; refused?: Problem; hasMail: boolean },
): Promise<Response> {
  const { t, link } = view;
  const fields: FieldParts[] = [
    emailField(view, email),
    {
      name: "password",
      label: t("signIn.password"),
      type: "password",
      autocomplete: "current-password",
      required: true,
    },
  ];
  const content = html`<p>${t("signIn.lead")}</p>
    ${refused ? note("error", inWords(view, refused), "alert") : to ? note("information", t("signIn.again")) : ""}
    <form class="stack" method="post" action="${link("/admin/sign-in")}">
      ${csrfField(view)}
      ${to ? html`<input type="hidden" name="to" value="${to}">` : ""}
      ${fields.map((parts) => field(view, parts))}
      <button>${t("signIn.button")}</button>
    </form>
    ${hasMail ? html`<p><a href="${link("/admin/forgotten")}">${t("forgotten.title")}</a></p>` : ""}
    <p class="help">${t("signIn.lost")} <code>svc-manage reset-admin</code></p>`;
  // never cached: the page depends on the reader and contains an address to return to
  const headers = { ...refused?.headers, ...NO_STORE };
  return narrowPage(view, "signIn.title", content, { status: refused?.status, headers });
}

function passwordPage(view: StaffView, faults: readonly FaultJson[]): Promise<Response> {
  const { caller, t, link } = view;
  const fields: FieldParts[] = [
    {
      name: "current_password",
      label: t("password.current"),
      type: "password",
      autocomplete: "current-password",
      required: true,
    },
    ...newPasswordFields(view),
  ];
  const content = html`${caller.mustChangePassword ? html`<p>${t("password.lead")}</p>` : ""}
      ${faultSummary(view, fields, faults)}
      <form class="stack" method="post" action="${link("/admin/password")}">
        ${csrfField(view)}
        ${fields.map((parts) => field(view, parts, faults))}
        <button>${t("password.button")}</button>
      </form>`;
  return narrowPage(view, "password.title", content, { status: faults.length > 0 ? 422 : 200 });
}

/** The refusal in the reader's language. */
export function inWords({ t }: View, { status, told, headers }: Problem): string {
  if (status === 401) return t("signIn.wrong");
  if (status !== 429) return say(t, told);
  const isLocked = /^"password(-strangers)?"/.test(headers["RateLimit-Policy"] ?? "");
  return t(isLocked ? "signIn.locked" : "signIn.wait", {
    minutes: String(Math.ceil(Number(headers["Retry-After"] ?? 60) / 60)),
  });
}

/** The page to open after signing in: always one of this service, even if a forged link names another. */
function ownPath(to: string | undefined): string {
  const home = "http://service.invalid";
  if (to === undefined || !to.startsWith("/") || !URL.canParse(to, home)) return "/admin";
  const there = new URL(to, home);
  // browsers read two leading slashes as a host, also if `.` segments between them have been removed
  const isOwn = there.origin === home && !there.pathname.startsWith("//");
  return isOwn ? there.pathname + there.search : "/admin";
}
