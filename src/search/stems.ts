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

/** Returns the stems of a text in its language (BCP 47); in all languages if it has none. */
export type Stems = (text: string, lang: string | null) => readonly string[];

const NONE: readonly string[] = [];
const none: Stems = () => NONE;

export async function stemsOf(languages: readonly string[]): Promise<Stems> {
  if (languages.length === 0) return none;
  const stemmers = new Map<string, Stemmer>();
  for (const language of languages) stemmers.set(language, (await LOADERS[language]!()).stemmer);
  return (text, lang) => {
    const own = lang === null ? undefined : primary(lang);
    const wanted = [...stemmers].filter(([language]) => own === undefined || language === own);
    if (wanted.length === 0) return NONE;
    const words = searchWordsOf(text);
    return [
      ...new Set(wanted.flatMap(([language, stem]) => words.map((word) => `${language}:${stem(word)}`))),
    ];
  };
}

/** The language without region; `nb` and `nn` are Norwegian. */
function primary(lang: string): string {
  const language = lang.toLowerCase().split("-")[0]!;
  return language === "nb" || language === "nn" ? "no" : language;
}
