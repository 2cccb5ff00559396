/** One page: who reads it, in which language, and how it becomes an answer. Templates escape by default (`hono/html`). */
import { getCookie, setCookie } from "hono/cookie";
import type { HtmlEscapedString } from "hono/utils/html";
import { type Caller, VISITOR } from "../accounts/caller.ts";
import { contentTag, isUnchanged } from "../http/caching.ts";
import type { Ctx } from "../http/route.ts";
import type { Services } from "../services.ts";
import { type AssetName, loadPageAssets, type PageAssets } from "./assets.ts";
import { type Formats, formatsOf } from "./formats.ts";
import { layout } from "./layout.ts";
import { LANGUAGES, type Language, languageFor, type Translate, translator } from "./messages.ts";

/** What templates put in: a template, a text (which is escaped), a number, nothing, or a list of them. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export type View = {
  t: Translate;
  formats: Formats;
  caller: Caller;
  /** Allows the scripts of this answer, and no others (CSP 3 §2.3.1). */
  nonce: string;
  /** A path of this service as an address for links: behind a proxy that puts a prefix before every path, with it. */
  link(path: string): string;
  asset(name: AssetName): string;
  /** The address of this page in another language. */
  inLanguage(language: Language): string;
};

/** Makes views; one for each service. */
export type Pages = {
  view(c: Ctx): Promise<View>;
  assets(): Promise<PageAssets>;
};

const LANGUAGE_COOKIE = "svc_language";

export function createPages({ config, assets }: Pick<Services, "config" | "assets">): Pages {
  let loading: Promise<PageAssets> | null = null;
  const loaded = () => {
    loading ??= loadPageAssets(assets).catch((error) => {
      // what fails once may be there the next time
      loading = null;
      throw error;
    });
    return loading;
  };
  const below = new URL(config.baseUrl).pathname.replace(/\/$/, "");
  const translators = new Map(LANGUAGES.map((language) => [language, translator(language)]));
  const formats = new Map(LANGUAGES.map((language) => [language, formatsOf(language, config.timeZone)]));
  return {
    assets: loaded,
    async view(c) {
      const files = await loaded();
      const url = new URL(c.req.url);
      const asked = url.searchParams.get("lang") ?? undefined;
      const language = languageFor(c.req.header("Accept-Language"), asked ?? getCookie(c, LANGUAGE_COOKIE));
      if (asked === language) {
        setCookie(c, LANGUAGE_COOKIE, language, { path: `${below}/`, sameSite: "Lax", maxAge: 31_536_000 });
      }
      return {
        t: translators.get(language)!,
        formats: formats.get(language)!,
        // a request that was refused before anybody knew who asks
        caller: c.get("caller") ?? VISITOR,
        nonce: crypto.randomUUID(),
        link: (path) => `${below}${path}`,
        asset: (name) => `${below}${files.path(name)}`,
        inLanguage(other) {
          const there = new URL(url);
          there.searchParams.set("lang", other);
          return `${below}${there.pathname}${there.search}`;
        },
      };
    },
  };
}

export type PageParts = {
  /** Null: the catalogue's name alone, on the first page. */
  title: string | null;
  content: Html;
  status?: 200 | 400 | 401 | 403 | 404 | 405 | 410 | 422 | 429 | 500 | 503;
  headers?: Readonly<Record<string, string>>;
};

/** Only what this service has, only scripts that this answer names, in nobody's frame. */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const VARY = "Accept, Accept-Language, Authorization, X-API-Key, Cookie";

/** The page, or 304. Visitors' pages may be kept for a minute; what only one reader sees is never kept. */
export async function pageAnswer(c: Ctx, view: View, parts: PageParts): Promise<Response> {
  const { status = 200, headers = {} } = parts;
  const content = await parts.content;
  const isShared =
    status === 200 && view.caller.kind === "visitor" && c.req.query("lang") === undefined && !setsCookies(c);
  const shared: Record<string, string> = {};
  if (isShared) {
    // not of the whole answer, whose nonce is another one each time
    shared.ETag = await contentTag([view.t.language, parts.title, String(content), view.asset("style.css")]);
    shared["Cache-Control"] = "public, max-age=60";
    if (isUnchanged(c, shared.ETag)) return c.body(null, 304, { ...shared, Vary: VARY });
  }
  const page = await layout(view, parts.title, content);
  return c.body(String(page), status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policyOf(view.nonce),
    "Cache-Control": "private, no-store",
    Vary: VARY,
    ...shared,
    ...headers,
  });
}

/** Whether this answer keeps something in the reader's browser. */
const setsCookies = (c: Ctx): boolean => c.res.headers.has("Set-Cookie");
