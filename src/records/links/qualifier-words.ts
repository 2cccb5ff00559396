/**
 * Qualifiers of makers in the cells of lists. A cell has the value or a label of a term, words that no term says, or both
 * (`workshop_of: Werkstatt oder Umkreis des@de`). Words may end with their language; those of several languages are on lines of
 * their own. What our lists say (`wordsOfQualifier`) is read exactly.
 */
import { isLanguageTag } from "../../language-tag.ts";
import { fold } from "../../text.ts";
import type { Entry, Metadata } from "../record.ts";
import type { Schema } from "../schema.ts";
import { partedNotes, wordsAlone } from "./attributions.ts";

/** Empty lists for a cell without a qualifier: the source tells that there is none. */
export function qualifierOfWords({ qualifiers }: Pick<Schema, "qualifiers">, words: string): Metadata {
  const text = words.trim();
  const value = valueCalled(qualifiers, text);
  if (text === "" || value !== undefined) return { qualifier: value === undefined ? [] : [{ value }] };
  const before = ["", ...qualifiers.keys()].find((each) => text.startsWith(`${each}: `)) ?? null;
  return {
    qualifier: before ? [{ value: before }] : [],
    qualifier_text: (before === null ? text : text.slice(before.length + 2)).split("\n").map(entryOf),
  };
}

const valueCalled = (qualifiers: Schema["qualifiers"], text: string): string | undefined =>
  qualifiers.has(text)
    ? text
    : [...qualifiers].find(([, labels]) =>
        Object.values(labels).some((label) =>
          [label, wordsAlone(label)].some((each) => fold(each) === fold(text)),
        ),
      )?.[0];

function entryOf(words: string): Entry {
  const at = words.lastIndexOf("@");
  const lang = words.slice(at + 1);
  if (at < 0 || (lang !== "" && !isLanguageTag(lang))) return { value: words.trim() };
  const value = words.slice(0, at).trim();
  return lang === "" ? { value } : { value, lang };
}

export function wordsOfQualifier(schema: Pick<Schema, "qualifiers">, metadata: Metadata): string {
  const { qualifier = [], qualifier_text = [] } = partedNotes(metadata).qualifying;
  const code = qualifier[0]?.value ?? "";
  if (qualifier_text.length === 0) return code;
  const lines = qualifier_text.map(({ value, lang = "" }) =>
    lang !== "" || entryOf(value).value !== value ? `${value}@${lang}` : value,
  );
  const text = lines.join("\n");
  const isPlain =
    code === "" && qualifierOfWords(schema, text).qualifier?.length === 0 && !text.startsWith(": ");
  return isPlain ? text : `${code}: ${text}`;
}
