/** The reader of a page, and what all its parts need. */
import type { HtmlEscapedString } from "hono/utils/html";
import type { Account, Caller } from "../caller.ts";
import type { Ctx } from "../http/route.ts";
import type { Language, MessageKey, Translate } from "../messages/translate.ts";
import type { Settings } from "../settings/settings.ts";
import type { AssetName } from "./assets.ts";
import type { Formats } from "./formats.ts";

/** A finished template. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The headers of a page that is the same for all visitors. */
export type SharedHeaders = Readonly<Record<string, string>> & {
  ETag: string;
  "Content-Security-Policy": string;
};

export type View = {
  t: Translate;
  formats: Formats;
  caller: Caller;
  settings: Settings;
  /** The name of the catalogue. */
  name: string;
  /** Only scripts with this nonce may run (CSP 3 §2.3.1). */
  nonce: string;
  /** The address of a path of this service, with the prefix that a proxy adds. */
  link(path: string): string;
  asset(name: AssetName): string;
  /** Whether there are dumps (`/dumps/`). */
  hasDumps: boolean;
  /** The token for forms; null for visitors. */
  csrf: string | null;
  /** A message that the previous page left for this one. */
  flash: MessageKey | null;
  /** The state of the database that the page was built from; null if it was not asked. */
  databaseVersion: string | null;
  /** Caches the finished page (`page-cache.ts`); null if the page may not be cached. */
  cache: ((html: string, headers: SharedHeaders) => void) | null;
  /** The language that the address names; null if it names none. */
  languageAsked: Language | null;
  /** The address of this page in another language. */
  inLanguage(language: Language): string;
};

/** The view with the request, for what answers it. What only draws a part of a page takes a `View`. */
export type PageView<C extends Caller = Caller> = View & { c: Ctx; caller: C };
/** The same for routes that visitors may not call. */
export type StaffView = PageView<Account>;
