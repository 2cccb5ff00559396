/** Who reads a page, and what every part of it needs. */
import type { HtmlEscapedString } from "hono/utils/html";
import type { Caller } from "../caller.ts";
import type { Language, MessageKey, Translate } from "../messages/translate.ts";
import type { Settings } from "../settings/settings.ts";
import type { AssetName } from "./assets.ts";
import type { Formats } from "./formats.ts";

/** What templates put in: a template, a text (which is escaped), a number, nothing, or a list of them. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export type View = {
  t: Translate;
  formats: Formats;
  caller: Caller;
  settings: Settings;
  /** What the catalogue is called. */
  name: string;
  /** Allows the scripts of this answer, and no others (CSP 3 §2.3.1). */
  nonce: string;
  /** A path of this service as an address for links: behind a proxy that puts a prefix before every path, with it. */
  link(path: string): string;
  asset(name: AssetName): string;
  /** Whether everything public can be had as files (`/dumps/`). */
  hasDumps: boolean;
  /** For the forms of whoever is signed in; null for visitors. */
  csrf: string | null;
  /** What the page before had to say. */
  flash: MessageKey | null;
  /** The state of the database that the page was built from; null if it was not asked. */
  sign: string | null;
  /** Takes the finished page where it may be answered again (`page-cache.ts`). */
  kept: ((html: string, headers: Readonly<Record<string, string>> & { ETag: string }) => void) | null;
  /** The language that the address itself names. */
  languageAsked: Language | null;
  /** The address of this page in another language. */
  inLanguage(language: Language): string;
};
