/**
 * What the rules of the service say, in the reader's language. They speak English, as the API does, and reasons of jobs
 * are kept in English. Here each sentence that staff meet on pages stands beside its translations: `{value}` stands for
 * any text, `{n}` for a number, `{word}` for a word, and `{~why}` for a sentence that is told in turn. A sentence that is not here stays
 * English. `tests/sentences.test.ts` looks through the rules for sentences that are not here.
 */
import { html } from "hono/html";
import { say, type Told } from "../messages/said.ts";
import type { Translate } from "../messages/translate.ts";
import type { Fault, FaultJson } from "../problem.ts";
import { CONFIG_SENTENCES } from "./sentences-config.ts";
import { FILE_SENTENCES } from "./sentences-files.ts";
import { HEALTH_SENTENCES } from "./sentences-health.ts";
import { IMPORT_SENTENCES } from "./sentences-imports.ts";
import { RECORD_SENTENCES } from "./sentences-records.ts";
import { SETTINGS_SENTENCES } from "./sentences-settings.ts";
import { SYSTEM_SENTENCES } from "./sentences-system.ts";
import type { Html, View } from "./view.ts";

/** `en`: where a page says it in other words than the API. */
type Words = { de: string; fr: string; en?: string };

export const SENTENCES: Readonly<Record<string, Words>> = {
  ...RECORD_SENTENCES,
  ...FILE_SENTENCES,
  ...IMPORT_SENTENCES,
  ...CONFIG_SENTENCES,
  ...SETTINGS_SENTENCES,
  ...SYSTEM_SENTENCES,
  ...HEALTH_SENTENCES,
};

type Known = { sentence: string; texts: readonly string[]; pattern: RegExp; words: Words };

const HOLE = /\{(~?)(\w+)\}/g;

/** What stands in these holes; in others, any text. */
const HOLDS: Readonly<Record<string, string>> = { n: "[\\d,]+", word: "\\w+" };

const ownText = (sentence: string): number => sentence.replace(HOLE, "").length;

/** Those with the most text of their own first: they are nearest to what was meant. */
const KNOWN: readonly Known[] = Object.entries(SENTENCES)
  .map(([sentence, words]) => ({
    sentence,
    texts: sentence.split(/\{~?\w+\}/),
    pattern: patternOf(sentence),
    words,
  }))
  .sort((a, b) => ownText(b.sentence) - ownText(a.sentence));

function patternOf(sentence: string): RegExp {
  const source = sentence
    .split(/(\{~?\w+\})/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const name = part.replace(/\W/g, "");
      return `(?<${name}>${HOLDS[name] ?? ".*?"})`;
    })
    .join("");
  return new RegExp(`^${source}$`, "su");
}

/** Whether the texts around the holes are in the sentence, in order. Quick, whereas a pattern tries holes of every length. */
function mayBe({ texts }: Known, sentence: string): boolean {
  if (!sentence.startsWith(texts[0]!) || !sentence.endsWith(texts.at(-1)!)) return false;
  let at = 0;
  return texts.every((text) => {
    const found = sentence.indexOf(text, at);
    at = found + text.length;
    return found >= 0;
  });
}

/** French has a space before such marks. A part that became a sentence has ended with its full stop. */
function joined(t: Translate, head: string, mark: string, tail: string): string {
  const between = t.language === "fr" && /[:;]/.test(mark) ? `\u00a0${mark}` : mark;
  return head.endsWith(".") ? `${head} ${tail}` : `${head}${between}${tail}`;
}

/** Holes for numbers, which the rules write in English: `12,345`. */
const NUMBERS = new Set(["n", "most"]);

const writtenIn = ({ language }: Translate, value: string): string =>
  /^\d{1,3}(,\d{3})+$/.test(value)
    ? new Intl.NumberFormat(language).format(Number(value.replaceAll(",", "")))
    : value;

/** Longer ones are somebody's data. */
const LONGEST = 2_000;

/** Parts of one sentence that are looked up. Without this limit, each further semicolon of somebody's data doubles the time. */
const MOST_PARTS = 40;

/** The sentence in the reader's language; as it is, where nothing is known of it. */
export function translateSentence(t: Translate, sentence: string, limit = { parts: MOST_PARTS }): string {
  if (sentence.length > LONGEST || limit.parts === 0) return sentence;
  limit.parts -= 1;
  for (const known of KNOWN) {
    const found = mayBe(known, sentence) && known.pattern.exec(sentence);
    if (found) return filled(t, known, found.groups ?? {}, limit);
  }
  for (const mark of ["; ", ". ", ": "]) {
    const at = sentence.indexOf(mark);
    if (at < 0) continue;
    const [head, tail] = [sentence.slice(0, at), sentence.slice(at + mark.length)];
    // one word is the name of a field
    const first = head.includes(" ") ? translateSentence(t, head, limit) : head;
    const second = translateSentence(t, tail, limit);
    if (first !== head || second !== tail) return joined(t, first, mark, second);
  }
  return sentence;
}

function filled(
  t: Translate,
  { sentence, words }: Known,
  values: Record<string, string>,
  limit: { parts: number },
): string {
  const isTold = new Set([...sentence.matchAll(HOLE)].filter(([, told]) => told).map(([, , name]) => name));
  return (words[t.language as keyof Words] ?? sentence).replace(HOLE, (_all, _told, name: string) => {
    const value = values[name] ?? "";
    if (isTold.has(name)) return translateSentence(t, value, limit);
    return NUMBERS.has(name) ? writtenIn(t, value) : value;
  });
}

/** The sentences that name their field themselves: the words for them leave it to the label. */
const NAMES_FIELD = /(^|: )(\w+) (is required for publication|is not repeatable: .*)$/;

/** Where no label of a field stands before it. `nameOf`: what a field is called. */
export function translateReason(
  t: Translate,
  sentence: Told,
  nameOf = (field: string): string => field,
): string {
  if (typeof sentence !== "string") return say(t, sentence, nameOf);
  const named = sentence.replace(NAMES_FIELD, "$1$2: $2 $3");
  const [, field, rest] = /^(\w+): (.+)$/s.exec(named) ?? [];
  return field && rest
    ? joined(t, nameOf(field), ": ", translateSentence(t, rest))
    : translateSentence(t, named);
}

export const translateFaults = (t: Translate, faults: readonly Fault[]): FaultJson[] =>
  faults.map(({ pointer, detail }) => ({ pointer, detail: translateTold(t, detail) }));

export const translateTold = (t: Translate, told: Told): string =>
  typeof told === "string" ? translateSentence(t, told) : say(t, told);

/** For a page: marked as English where it stays so. */
export function sentenceHtml({ t }: View, sentence: Told): Html {
  if (typeof sentence !== "string") return html`${say(t, sentence)}`;
  const told = translateSentence(t, sentence);
  return told === sentence && t.language !== "en" ? html`<span lang="en">${told}</span>` : html`${told}`;
}
