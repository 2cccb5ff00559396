/**
 * Shows a problem as a page with advice if a browser requested a page. The status stays the same. Other programs, and all
 * callers of the API, get the problem itself (RFC 9457).
 */

import type { MiddlewareHandler } from "hono";
import { html } from "hono/html";
import type { Caller } from "../caller.ts";
import { negotiate } from "../http/answer/negotiate.ts";
import { isApiPath } from "../http/api-path.ts";
import type { Ctx, Env } from "../http/route.ts";
import { say } from "../messages/said.ts";
import type { Problem } from "../problem.ts";
import type { Layout } from "./layout.ts";
import { type PageParts, type Pages, pageAnswer, redirectTo } from "./page.ts";
import type { Html, PageView, View } from "./view.ts";

const PROBLEM = "application/problem+json";
/** Statuses whose pages list the faults. */
const WITH_FAULTS: readonly number[] = [400, 409, 413, 415, 422];
const KNOWN = new Set(["403", "404", "405", "410", "422", "429", "500", "501", "503"]);

/** The problem pages of staff. `faults`: the faults in the words of the page, or null for those of the API. */
export type StaffProblems = {
  layout(path: string): Layout;
  faults(path: string, view: View, problem: Problem): Promise<string[] | null>;
};

/** Without `staff`, everybody gets the layout of the portal. */
export function problemPages(pages: Pages, staff?: StaffProblems): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    if (c.res.headers.get("Content-Type") !== PROBLEM || !wantsPage(c)) return;
    const { headers } = c.res;
    const problem = c.get("problem");
    if (problem === undefined) return;
    const kept = Object.fromEntries(
      ["Allow", "Refresh", "Retry-After", "RateLimit", "RateLimit-Policy"].flatMap((name) => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    );
    // an empty answer, to which the view may add a cookie
    c.res = new Response();
    // from 429 on, the database may be overloaded or away
    const view = await pages.view(c, problem.status < 429);
    const { caller } = view;
    if (problem.status === 401) {
      const { pathname, search } = new URL(c.req.url);
      const back = c.req.method === "GET" ? `?to=${encodeURIComponent(pathname + search)}` : "";
      c.res = redirectTo(view, `/admin/sign-in${back}`);
      return;
    }
    if (problem.status === 403 && caller.kind === "account" && caller.mustChangePassword) {
      c.res = redirectTo(view, "/admin/password");
      return;
    }
    const path = new URL(c.req.url).pathname;
    const isStaff =
      staff !== undefined && /^\/admin(\/|$)/.test(path) && view.csrf !== null && mayUseAdmin(caller);
    const faults = WITH_FAULTS.includes(problem.status)
      ? ((isStaff ? await staff.faults(path, view, problem) : null) ?? faultsOf(view, problem))
      : [];
    const parts = problemPage(view, problem, kept, isStaff, faults);
    c.res = await pageAnswer(view, isStaff ? { ...parts, layout: staff.layout(path) } : parts);
  };
}

const mayUseAdmin = (caller: Caller): boolean => caller.kind === "account" && !caller.mustChangePassword;

function wantsPage(c: Ctx): boolean {
  if (isApiPath(new URL(c.req.url).pathname)) return false;
  return negotiate(c.req.header("Accept"), [PROBLEM, "application/json", "text/html"]) === "text/html";
}

function problemPage(
  view: PageView,
  problem: Problem,
  headers: Record<string, string>,
  isStaff: boolean,
  faults: readonly string[],
): PageParts {
  const { c, t, link } = view;
  const requestId = c.get("requestId");
  // a status without a message of its own gets that of 422 or 500
  const status = String(problem.status);
  const known = (KNOWN.has(status) ? status : problem.status < 500 ? "422" : "500") as "404";
  const seconds = Number(headers["Retry-After"] ?? 60);
  const title = t(`errorPage.${known}`);
  const advice =
    isStaff && known === "404"
      ? t("admin.notHere")
      : headers.Refresh
        ? t("errorPage.reloads")
        : isForeign(problem)
          ? say(t, problem.told)
          : t(`errorPage.${known}.do`, { seconds });
  return {
    title,
    status: problem.status,
    headers,
    content: html`<section class="fault-page">
      <p class="number">${problem.status}</p>
      <h1>${title}</h1>
      <p>${advice}</p>
      ${faults.length > 0 ? html`<ul>${faults.map((each) => html`<li>${each}</li>`)}</ul>` : ""}
      ${problem.status === 501 || problem.status === 503 ? html`<p class="help">${say(t, problem.told)}</p>` : ""}
      ${problem.status >= 500 && requestId ? html`<p class="help">${t("errorPage.id", { id: requestId })}</p>` : ""}
      ${isTemporary(problem) ? retryLink(view) : isStaff ? "" : searchForm(view)}
      ${isStaff ? html`<p><a href="${link("/admin")}">${t("errorPage.home")}</a></p>` : html`<p class="row"><a href="${link("/")}">${t("errorPage.home")}</a> <a href="${link("/browse")}">${t("browse.title")}</a></p>`}
    </section>`,
  };
}

/** The account may do this, but its form is out of date or from elsewhere. */
const isForeign = ({ told }: Problem): boolean => told.key === "problem.form.foreign";

/** Pages of temporary problems have no search form, because the search would fail too. */
const isTemporary = ({ status }: Problem): boolean => [429, 503, 504].includes(status);

/** Only for GET: a link cannot send a form again. */
const retryLink = ({ c, t }: PageView): Html =>
  c.req.method === "GET" ? html`<p><a class="button" href="">${t("errorPage.again")}</a></p>` : html``;

const searchForm = ({
  t,
  link,
}: View): Html => html`<form action="${link("/search")}" role="search" class="search">
    <label class="hidden" for="q">${t("search.label")}</label>
    <input id="q" type="search" name="q"><button>${t("search.button")}</button>
  </form>`;

function faultsOf({ t }: View, { told, errors }: Problem): string[] {
  const all = errors.length > 0 ? errors.map((fault) => fault.detail) : [told];
  return all.map((each) => say(t, each));
}
