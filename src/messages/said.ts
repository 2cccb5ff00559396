/**
 * What the program says: the key of a message and its values. It becomes words when somebody reads it, in the reader's
 * language. It is plain JSON, so jobs store it as it is.
 */
import { datesOf } from "./dates.ts";
import { isMessageKey, type MessageKey, type Translate } from "./translate.ts";
import { columnsPlainly } from "./unnamed-columns.ts";

export type Said = { readonly key: MessageKey; readonly values?: SaidValues };
export type SaidValues = Readonly<Record<string, SaidValue>>;
/** Text is data and stays as it is; numbers, dates named `day` and columns without a name are written as the language writes them. */
export type SaidValue = string | number | Said;

/** Also a sentence that an earlier version stored, in English. */
export type Told = Said | string;

export const said = (key: MessageKey, values?: SaidValues): Said =>
  values === undefined ? { key } : { key, values };

/** `one or other`, of at least one. */
export const anyOf = (choices: readonly SaidValue[]): SaidValue =>
  choices.reduce((one, other) => said("list.or", { one, other }));

/** `one, other`, of at least one. */
export const listOf = (parts: readonly Said[]): Said =>
  parts.reduce((before, next) => said("job.count.list", { before, next }));

/** Names of values that are codes. */
const CODES: ReadonlySet<string> = new Set([
  ...["field", "fields", "relation", "vocabulary", "subtype", "subtypes", "role"],
]);

const COLUMNS: ReadonlySet<string> = new Set(["column", "columns"]);

/** Stands for the full stop at the end of a value: the sentence around it may have one there, too. */
const LAST_STOP = "\0";

/**
 * In words; the key where there are none: another version of the program may have stored it, with other values.
 * @param nameOf what the reader calls a code of the configuration, for values in `CODES`, which may be lists
 */
export function say(t: Translate, told: Told, nameOf?: (field: string) => string): string {
  if (typeof told === "string") return told;
  const { key, values = {} } = told;
  if (!isMessageKey(key)) return key;
  const inWords = (name: string, value: SaidValue): string | number => {
    if (typeof value === "object") return say(t, value, nameOf);
    if (name === "day") return dayPlainly(t, String(value));
    if (COLUMNS.has(name)) return typeof value === "string" ? columnsPlainly(t, value) : value;
    return nameOf && CODES.has(name) ? namesOf(String(value), nameOf) : value;
  };
  const written = Object.entries(values).map(([name, value]) => {
    const part = inWords(name, value);
    return [name, typeof part === "string" ? part.replace(/\.$/, LAST_STOP) : part];
  });
  try {
    const text = t(key, Object.fromEntries(written));
    return text.replaceAll(`${LAST_STOP}.`, ".").replaceAll(LAST_STOP, ".");
  } catch {
    return key;
  }
}

const namesOf = (codes: string, nameOf: (code: string) => string): string =>
  codes
    .split(", ")
    .map((code) => nameOf(code))
    .join(", ");

/** 31 January 2026; text that is not a date stays as it is. */
function dayPlainly({ language }: Translate, text: string): string {
  const day = new Date(text);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return text;
  return datesOf(language, { dateStyle: "long", timeZone: "UTC" })(day);
}

/** JSON for a reader: everything in it that is said, in words. */
export function sayAll<T>(t: Translate, json: T, nameOf?: (field: string) => string): T {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map((each) => sayAll(t, each, nameOf)) as T;
  if (isSaid(json)) return say(t, json, nameOf) as T;
  return Object.fromEntries(Object.entries(json).map(([name, each]) => [name, sayAll(t, each, nameOf)])) as T;
}

const isSaid = (json: object): json is Said =>
  "key" in json &&
  typeof json.key === "string" &&
  isMessageKey(json.key) &&
  Object.keys(json).length === Number("values" in json) + 1;

/** What an error says: a Problem and a Refusal have it as a key with values. */
export const toldOf = (error: unknown): Told => {
  if (!(error instanceof Error)) return String(error);
  return "told" in error ? (error.told as Told) : error.message;
};

/** For columns of text, and for messages of Zod. */
export const toldText = (told: Told): string => (typeof told === "string" ? told : JSON.stringify(told));

/** For messages of Zod: `toldText` has written each of ours. */
export function saidFrom(message: string): Said {
  const told = toldFrom(message);
  return typeof told === "string" ? said("fault.invalid") : told;
}

/** What `toldText` wrote, or a sentence as it is. */
export function toldFrom(text: string): Told {
  return text.startsWith('{"key":"') ? (JSON.parse(text) as Said) : text;
}
