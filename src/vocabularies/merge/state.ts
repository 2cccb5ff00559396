/** What two terms say as one, and what an undo takes out again. Pure but for the places of the terms. */
import type { Tx } from "../../services.ts";
import { merged } from "../shape.ts";
import { NO_LANGUAGE } from "../terms/skos-write.ts";
import { broaderOf, placeBelow, placeOf, type TermRow, type Texts } from "../terms/store.ts";
import { TermDraftShape, termJson } from "../terms/vocabulary-shape.ts";

/**
 * The term that stays: what it lacks is filled, and all other names of the merged one become further names. 422 if these are too
 * many.
 */
export function mergedTerm(into: TermRow, from: TermRow, broader: readonly string[]): TermRow {
  const label = { ...from.label, ...into.label };
  const known = new Set([into.value, ...Object.values(label), ...Object.values(into.alt_label).flat()]);
  const further: [string, string][] = [
    [NO_LANGUAGE, from.value],
    ...Object.entries(from.label),
    ...Object.entries(from.alt_label).flatMap(([lang, texts]) =>
      texts.map((text): [string, string] => [lang, text]),
    ),
  ];
  const alt_label: Texts = { ...into.alt_label };
  for (const [lang, text] of further) {
    if (known.has(text)) continue;
    known.add(text);
    alt_label[lang] = [...(alt_label[lang] ?? []), text];
  }
  const hidden_label: Texts = { ...into.hidden_label };
  for (const [lang, texts] of Object.entries(from.hidden_label))
    hidden_label[lang] = [...new Set([...(hidden_label[lang] ?? []), ...texts])];
  const term: TermRow = {
    ...into,
    ...placeBelow(broader),
    ...{ label, alt_label, hidden_label, uri: into.uri ?? from.uri },
    definition: { ...from.definition, ...into.definition },
    scope_note: { ...from.scope_note, ...into.scope_note },
  };
  // refuses more names than a term may have
  merged(TermDraftShape, termJson(term), {});
  return term;
}

/** What is above the term that stays: as before, with what was above the merged one, but for what is below the two. */
export async function broaderOfBoth(tx: Tx, into: TermRow, from: TermRow): Promise<string[]> {
  const above = broaderOf(into).flatMap((id) => (id === from.id ? broaderOf(from) : [id]));
  const all = new Set([...above, ...broaderOf(from)]);
  for (const id of all) if ((await placeOf(tx, into.vocabulary, id, into.id)).below) all.delete(id);
  return [...all];
}

/** Members that change together or not at all. */
const TOGETHER = [
  ["broader_id", "also_broader"],
  ["label"],
  ["uri"],
  ["alt_label"],
  ["hidden_label"],
  ["definition"],
  ["scope_note"],
] as const satisfies (keyof TermRow)[][];

/** The term without what a merge has changed. `left`: members that somebody has changed since, which stay. */
export function undoneTerm(
  now: TermRow,
  before: TermRow,
  after: TermRow,
): { term: TermRow; left: (keyof TermRow)[] } {
  const same = (one: TermRow, other: TermRow, keys: readonly (keyof TermRow)[]) =>
    keys.every((key) => sorted(one[key]) === sorted(other[key]));
  const term = { ...now };
  const left: (keyof TermRow)[] = [];
  for (const keys of TOGETHER) {
    if (same(before, after, keys)) continue;
    if (!same(now, after, keys)) left.push(keys[0]);
    else for (const key of keys) Object.assign(term, { [key]: before[key] });
  }
  return { term, left };
}

/** As the database keeps it: in any order of languages. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
