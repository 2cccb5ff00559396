/** Reduces words to stems in the languages of SEARCH_LANGUAGES, so that "photographs" finds "photograph". Uses Snowball. */
import { searchWordsOf } from "../text.ts";

type Stemmer = (word: string) => string;
type Loaded = { stemmer: Stemmer };

const LOADERS: Record<string, () => Promise<Loaded>> = {
  ar: () => import("@orama/stemmers/arabic"),
  bg: () => import("@orama/stemmers/bulgarian"),
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  el: () => import("@orama/stemmers/greek"),
  en: () => import("@orama/stemmers/english"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  ga: () => import("@orama/stemmers/irish"),
  hu: () => import("@orama/stemmers/hungarian"),
  it: () => import("@orama/stemmers/italian"),
  lt: () => import("@orama/stemmers/lithuanian"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sv: () => import("@orama/stemmers/swedish"),
  tr: () => import("@orama/stemmers/turkish"),
};

/** Returns the stems of a text in its language (BCP 47), or in all languages if that is null. */
export type Stems = (text: string, lang: string | null) => readonly string[];

const NONE: readonly string[] = [];

const loaded = new Map<string, Stemmer>();

/** The most stems cached by language: a few words make up most texts. An `LruCache` would take longer than a stemmer. */
const MOST_KEPT = 10_000;
/** Longer words are rare, and with each, V8 would keep the whole text that it is a part of. */
const LONGEST_KEPT = 12;

async function load(language: string): Promise<Stemmer> {
  const { stemmer } = await LOADERS[language]!();
  const kept = new Map<string, string>();
  const stem = (word: string) => {
    const known = kept.get(word);
    if (known !== undefined) return known;
    const made = `${language}:${stemmer(word)}`;
    if (kept.size >= MOST_KEPT) kept.clear();
    if (word.length <= LONGEST_KEPT) kept.set(word, made);
    return made;
  };
  loaded.set(language, stem);
  return stem;
}

export async function stemsOf(languages: readonly string[]): Promise<Stems> {
  const stemmers = new Map<string, Stemmer>();
  for (const language of languages) stemmers.set(language, loaded.get(language) ?? (await load(language)));
  return (text, lang) => {
    const own = lang === null ? undefined : primary(lang);
    const wanted = [...stemmers].filter(([language]) => own === undefined || language === own);
    if (wanted.length === 0) return NONE;
    const words = searchWordsOf(text);
    return [...new Set(wanted.flatMap(([, stem]) => words.map(stem)))];
  };
}

/** The language without region; `nb` and `nn` are Norwegian. */
function primary(lang: string): string {
  const language = lang.toLowerCase().split("-")[0]!;
  return language === "nb" || language === "nn" ? "no" : language;
}
