/**
 * Qualified makers: "workshop of", "copy after". A link to a maker says so in its metadata_, with a term of a vocabulary
 * (`qualifier`), or with words that no term says (`qualifier_text`). Nothing may present such a person as the maker.
 */
import { type Said, said } from "../../messages/said.ts";
import type { Translate } from "../../messages/translate.ts";
import { type Fault, jsonPointer } from "../../problem.ts";
import { nearest, withNear } from "../../text/nearest.ts";
import { beginning, fold } from "../../text.ts";
import { bestTitle, type Entry, entriesOf, type Metadata, renamedEntries } from "../record.ts";
import { type RelationType, type Schema, termNow } from "../schema.ts";

/** The vocabulary of the terms. */
export const QUALIFIERS = "attribution_qualifier";

/** The vocabulary of roles in links. */
export const ROLES = "role";

/** The names in the metadata_ of a link. */
const QUALIFYING = ["qualifier", "qualifier_text"] as const;

export const MADE_BY = "created_by";
/** A path in CIDOC CRM or LRMoo from what was made, through its making, to who made it. */
const MAKING = /\b(E12_Production|E65_Creation|F\d+_\w*Creation)\b.*\bP14_carried_out_by\b/;

/** Whether links of this type name a maker. Only these may be qualified. */
export const mayBeQualified = ({ name, to_types, mapping }: RelationType): boolean =>
  to_types.includes("entity") && (name === MADE_BY || MAKING.test(String(mapping.path ?? "")));

export const isQualified = (metadata: Metadata): boolean =>
  QUALIFYING.some((name) => (metadata[name]?.length ?? 0) > 0);

/** Tells links of one pair from each other that qualify the maker differently; empty if this one does not. */
export function attributionKey(metadata: Metadata): string {
  const entries = (name: string) => (metadata[name] ?? []).map(({ value, lang = "" }) => [value, lang]);
  return isQualified(metadata) ? JSON.stringify(QUALIFYING.map(entries)) : "";
}

/** What names a term of a vocabulary in the metadata_ of links. */
export const NOTES_OF_TERMS: Readonly<Record<string, string>> = { role: ROLES, qualifier: QUALIFIERS };

/** The same with the terms that merged ones are now, and with the words of a qualifier on one line each. */
export function tidyNotes(schema: Schema, notes: Metadata): Metadata {
  const metadata = { ...notes };
  for (const [name, vocabulary] of Object.entries(NOTES_OF_TERMS))
    if (metadata[name]) metadata[name] = renamedEntries(metadata[name], termNow(schema, vocabulary));
  const { qualifier_text: words } = metadata;
  if (!words) return metadata;
  const onOneLine = ({ value, ...lang }: Entry): Entry => ({
    value: value.replace(/\s+/g, " ").trim(),
    ...lang,
  });
  return { ...metadata, qualifier_text: words.map(onOneLine) };
}

/** Of what a link says: how it qualifies the maker, and what it says besides (roles, dates). */
export function partedNotes({ qualifier, qualifier_text, ...notes }: Metadata): {
  qualifying: Metadata;
  notes: Metadata;
} {
  return {
    qualifying: { ...(qualifier && { qualifier }), ...(qualifier_text && { qualifier_text }) },
    notes,
  };
}

/** Where the name of the maker stands in the words of a qualifier. Otherwise it stands after them. */
const NAME = "…";

/** The words of a qualifier without the place for a name. */
export const wordsAlone = (qualifier: string): string =>
  qualifier.replace(NAME, "").replace(/\s+/g, " ").trim();

/**
 * What is read with the name, for example "workshop of" or "… zugeschrieben": the museum's own words, else the name of the term; null
 * for a link without a qualifier.
 */
export function qualifierOf(schema: Schema, metadata: Metadata, language: string): string | null {
  const own = bestTitle(metadata.qualifier_text, [language]);
  if (own !== null) return own;
  const value = metadata.qualifier?.[0]?.value;
  if (value === undefined) return null;
  return bestTitle(entriesOf(schema.qualifiers.get(value) ?? {}), [language]) ?? value;
}

/** "atelier d’Ingres". No rule tells whether an h is mute. */
const ELIDING = /^([aeiou]|y(?![aeiou]))/;

/** "workshop of Joris van Eck", "Joris van Eck zugeschrieben". */
export function attributed(
  { language }: Pick<Translate, "language">,
  qualifier: string,
  name: string,
): string {
  const words = qualifier.includes(NAME) ? qualifier : `${qualifier} ${NAME}`;
  const elides = language === "fr" && ELIDING.test(fold(name));
  return (elides ? words.replace(/(^|\s)de …/, "$1d’…") : words).replace(NAME, () => name);
}

/** The name of a maker with the qualifier of the link, if it has one. */
export function attributedName(t: Translate, schema: Schema, metadata: Metadata, name: string): string {
  const qualifier = qualifierOf(schema, metadata, t.language);
  return qualifier === null ? name : attributed(t, qualifier, name);
}

/** Whether "created by" cannot stand before the name: it is "Maker: copy after Joris van Eck". */
export const readsAsMaker = (relationType: string, metadata: Metadata): boolean =>
  relationType === MADE_BY && isQualified(metadata);

/** By what a linked record is searched: its name with each name of the qualifier, in all languages; the name alone without one. */
export function qualifiedNames({ qualifiers }: Schema, metadata: Metadata, name: string): string[] {
  const { qualifier = [], qualifier_text = [] } = metadata;
  const terms = qualifier.flatMap(({ value }) => entriesOf(qualifiers.get(value) ?? {}));
  const words = [...qualifier_text, ...terms];
  if (words.length === 0) return [name];
  return [...new Set(words.map(({ value, lang = "" }) => attributed({ language: lang }, value, name)))];
}

/** Why a link of this type cannot be qualified like this. The pointers begin at the link. */
export function qualifierFaults(schema: Schema, type: RelationType, metadata: Metadata): Fault[] {
  if (!isQualified(metadata)) return [];
  const { qualifier = [] } = metadata;
  const fault = (detail: Said, ...path: (string | number)[]): Fault[] => [
    { pointer: jsonPointer("metadata_", ...path), detail },
  ];
  if (!mayBeQualified(type)) {
    const name = QUALIFYING.find((each) => (metadata[each]?.length ?? 0) > 0)!;
    return fault(said("fault.qualifier.not_a_maker", { relation: type.name }), name);
  }
  if (qualifier.length > 1) return fault(said("fault.qualifier.one"), "qualifier");
  return qualifier.flatMap(({ value, lang }: Entry) => {
    if (lang !== undefined) return fault(said("fault.qualifier.language"), "qualifier", 0, "lang");
    if (schema.qualifiers.has(value)) return [];
    const detail = said("fault.value.vocab", { value: beginning(value, 80), vocabulary: QUALIFIERS });
    return fault(withNear(detail, nearest(value, schema.qualifiers.keys())), "qualifier", 0, "value");
  });
}
