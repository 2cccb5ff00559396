/** The words of the program: one file of ICU messages for each language (`en.json`). A language needs nothing else. */
import { IntlMessageFormat } from "intl-messageformat";
import EN from "./en.json" with { type: "json" };

/** English has every key. */
export type MessageKey = keyof typeof EN;
export type Catalogue = Readonly<Record<MessageKey, string>>;
/** BCP 47, as the name of its file: `de`. */
export type Language = string;

type Values = Readonly<Record<string, string | number>>;

export type Translate = {
  /** The message with its values. Numbers are written as the language writes them. Throws if a value is missing. */
  (key: MessageKey, values?: Values): string;
  language: Language;
};

/** For logs, and for programs that ask for no language. */
export const ENGLISH = translatorOf("en", EN);
const translators = new Map<Language, Translate>([["en", ENGLISH]]);

/** Called once when a program starts, with the catalogues of all languages but English. */
export function setCatalogues(catalogues: Readonly<Record<Language, Catalogue>>): void {
  translators.clear();
  translators.set("en", ENGLISH);
  for (const [language, words] of Object.entries(catalogues))
    translators.set(language, translatorOf(language, words));
}

/** The languages that have a catalogue, English first. */
export const languages = (): Language[] => [...translators.keys()];

export const MESSAGE_KEYS = Object.keys(EN) as MessageKey[];

export const isMessageKey = (text: string): text is MessageKey => Object.hasOwn(EN, text);

/** English for a language without a catalogue. */
export function translator(language: Language): Translate {
  return translators.get(language) ?? ENGLISH;
}

function translatorOf(language: Language, words: Catalogue): Translate {
  const numbers = new Intl.NumberFormat(language);
  const known = new Map<MessageKey, Message>();
  const translate = (key: MessageKey, values: Values = {}) => {
    let message = known.get(key);
    if (message === undefined) {
      message = readMessage(words[key], language);
      known.set(key, message);
    }
    const { format, counted } = message;
    const written = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "number" && !counted.has(name) ? numbers.format(value) : value,
    ]);
    return format.format(Object.fromEntries(written)) as string;
  };
  return Object.assign(translate, { language });
}

/** `counted`: the arguments that choose a form. In a plain `{name}`, a number is written as the language writes it, as in ICU. */
type Message = { format: IntlMessageFormat; counted: ReadonlySet<string> };

function readMessage(text: string, language: Language): Message {
  const format = new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
  return { format, counted: new Set([...text.matchAll(/\{(\w+),/g)].map(([, name]) => name!)) };
}
