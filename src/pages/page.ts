/** Prepares the view of a page (reader, language, settings) and makes the answer. Templates (`hono/html`) escape by default. */

import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { VISITOR } from "../caller.ts";
import { contentTag, FOR_A_MINUTE, isUnchanged } from "../http/answer/caching.ts";
import { languageFor } from "../http/answer/negotiate.ts";
import type { Ctx } from "../http/route.ts";
import { isMessageKey, languages, type MessageKey, translator } from "../messages/translate.ts";
import type { Services } from "../services.ts";
import { DEFAULTS, lastSettings, type Settings, settingsAndDatabaseVersion } from "../settings/settings.ts";
import { loadPageAssets, type PageAssets } from "./assets.ts";
import { formatsOf } from "./formats.ts";
import { choosing, LANGUAGE_COOKIE } from "./language-choice.ts";
import { type Layout, layout } from "./layout.ts";
import { createPageCache, type PageCache } from "./page-cache.ts";
import { pageHeaders } from "./policy.ts";
import { labelIn } from "./texts.ts";
import type { Html, PageView } from "./view.ts";

/** Makes views; one for each service. */
export type Pages = {
  /** `asking` false: uses the last known settings without a query, because the database may not answer. */
  view(c: Ctx, asking?: boolean): Promise<PageView>;
  assets(): Promise<PageAssets>;
  cache: PageCache;
};

const FLASH_COOKIE = "svc_flash";

/** Redirects to the page at this path of the service, which shows the message at the top. */
export function redirectTo({ c, link }: PageView, to: string, message?: MessageKey): Response {
  if (message !== undefined) {
    const path = link("/");
    setCookie(c, FLASH_COOKIE, message, { path, httpOnly: true, sameSite: "Lax", maxAge: 60 });
  }
  return c.body(null, 303, { Location: link(to), "Cache-Control": "no-store" });
}

/** Only known keys, so that a forged cookie cannot show text. */
function takeFlash(c: Ctx, basePath: string): MessageKey | null {
  const key = getCookie(c, FLASH_COOKIE);
  if (key === undefined) return null;
  deleteCookie(c, FLASH_COOKIE, { path: `${basePath}/` });
  return isMessageKey(key) ? key : null;
}

/** `sql`: null until the database is open. */
type NeededServices = Pick<Services, "config" | "assets"> & { sql: Services["sql"] | null };

async function settingsFor(
  sql: NeededServices["sql"],
  asking: boolean,
): Promise<{ settings: Settings; databaseVersion: string | null }> {
  if (sql === null) return { settings: DEFAULTS, databaseVersion: null };
  return asking
    ? settingsAndDatabaseVersion({ sql })
    : { settings: lastSettings({ sql }), databaseVersion: null };
}

export function createPages({ config, assets, sql }: NeededServices): Pages {
  let loading: Promise<PageAssets> | null = null;
  const loaded = () => {
    loading ??= loadPageAssets(assets).catch((error) => {
      // the next request tries again
      loading = null;
      throw error;
    });
    return loading;
  };
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, "");
  const formats = new Map(languages().map((language) => [language, formatsOf(language, config.timeZone)]));
  return {
    assets: loaded,
    cache: createPageCache(),
    async view(c, asking = true) {
      const files = await loaded();
      const { settings, databaseVersion } = await settingsFor(sql, asking);
      const url = new URL(c.req.url);
      const asked = url.searchParams.get("lang") ?? undefined;
      const language = languageFor(c.req.header("Accept-Language"), asked ?? getCookie(c, LANGUAGE_COOKIE));
      const t = translator(language);
      return {
        c,
        t,
        settings,
        name: labelIn(settings.name, language, t("catalogue")),
        formats: formats.get(language)!,
        // the request was refused before its caller was identified
        caller: c.get("caller") ?? VISITOR,
        nonce: crypto.randomUUID(),
        link: (path) => `${basePath}${path}`,
        hasDumps: config.dumps.enabled,
        asset: (name) => `${basePath}${files.path(name)}`,
        csrf: c.get("pageSession")?.csrf ?? null,
        flash: takeFlash(c, basePath),
        databaseVersion,
        cache: null,
        languageAsked: asked === language ? language : null,
        inLanguage: (other) => choosing(url.search, other),
      };
    },
  };
}

export type PageParts = {
  /** Null for the name of the catalogue alone, on the home page. */
  title: string | null;
  content: Html;
  head?: Html;
  /** The layout of the portal by default. */
  layout?: Layout;
  /** 200 by default. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** It shows 3D models. */
  hasModels?: boolean;
};

const VARY = "Accept, Accept-Language, Authorization, X-API-Key, Cookie";

/** The page, or 304. Caches never keep pages of signed-in readers. */
export async function pageAnswer(view: PageView, parts: PageParts): Promise<Response> {
  const { c } = view;
  const { status = 200, headers = {}, hasModels = false } = parts;
  const content = await parts.content;
  const isShared = status === 200 && view.caller.kind === "visitor" && !c.res.headers.has("Set-Cookie");
  const shared: Record<string, string> = {};
  if (isShared) {
    // without the nonce, which differs in each answer
    shared.ETag = await contentTag([
      view.t.language,
      view.settings.version,
      parts.title,
      ...[String(content), String(await parts.head)].map((text) => text.replaceAll(view.nonce, "")),
      view.asset("style.css"),
    ]);
    shared["Cache-Control"] = FOR_A_MINUTE;
    if (isUnchanged(c, shared.ETag)) return c.body(null, 304, { ...shared, ...headers, Vary: VARY });
  }
  const page = String(await (parts.layout ?? layout)(view, parts.title, content, parts.head ?? ""));
  const all = {
    ...{ "Cache-Control": "private, no-store", Vary: VARY, ...shared, ...headers },
    ...pageHeaders(view.nonce, hasModels),
  };
  // "no-store": a search of the page was not answered
  if (shared.ETag !== undefined && all["Cache-Control"] !== "no-store")
    view.cache?.(page, { ...all, ETag: shared.ETag });
  return c.body(page, status as 200, all);
}
