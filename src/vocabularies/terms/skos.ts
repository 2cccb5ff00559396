/** Vocabularies from SKOS in Turtle, as `skos-write.ts` writes them and others do. */
import { readAs } from "../../http/faults.ts";
import { newId } from "../../ids.ts";
import { asIri } from "../../iri.ts";
import { type Said, said } from "../../messages/said.ts";
import { invalid } from "../../problem.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services } from "../../services.ts";
import { fold } from "../../text.ts";
import { changeConfiguration } from "../configuration-store.ts";
import { findMergedTerms, type MergedTerm } from "../merge/store.ts";
import { AddressShape, LAST_PLACE } from "../shape.ts";
import { type Concept, readSkos, type Unread } from "./skos-read.ts";
import { ownAddress, schemeAddress } from "./skos-write.ts";
import { broaderOf, listTerms, nextTermOrder, placeBelow, type TermRow } from "./store.ts";
import { TermDraftShape } from "./vocabulary-shape.ts";
import { demandVocabulary } from "./vocabulary-write.ts";
import { demandNoCircle, differences, writeTerms } from "./write.ts";

/** Bytes of a file. */
export const LARGEST_SKOS = 1024 * 1024;
const MOST_TERMS = 100_000;

/** What a term is (null: a new one), and what it will be. */
type Change = { before: TermRow | null; after: TermRow };

/** A term as it will be. `broader`: the values of those directly above it. */
type PlannedTerm = Pick<TermRow, "value" | "label" | "alt_label"> & { broader: string[] };

export type SkosPlan = {
  added: PlannedTerm[];
  /** `what`: the members that change. */
  changed: (PlannedTerm & { what: (keyof TermRow)[] })[];
  unchanged: number;
  /** What the file says besides, which is not imported. */
  unread: Unread[];
};

/**
 * Imports a file as a whole or not at all, in as many statements for one concept as for thousands. Terms are known by their
 * address, else by their value, else (those without an address) by a label; nothing is ever deleted.
 *
 * @param isTrial whether nothing is written
 * @returns what the import does, or would do
 */
export async function importSkos(
  { sql, config }: Services,
  vocabulary: string,
  text: string,
  isTrial: boolean,
): Promise<SkosPlan> {
  return changeConfiguration(sql, async (tx) => {
    const row = await demandVocabulary(tx, vocabulary);
    const terms = await listTerms(tx, vocabulary, {}, { limit: MOST_TERMS, offset: 0 });
    const own = ownAddress(config.baseUrl, vocabulary);
    const byAddress = new Map(terms.map((term) => [asIri(term.uri ?? "") ?? own + term.id, term]));
    const merged = new MergedConcepts(await findMergedTerms(tx, vocabulary), terms, own);
    const find = (iri: string) => byAddress.get(asIri(iri) ?? iri) ?? merged.find(iri);
    // as forms of pages send it, too
    const { concepts: all, unread } = readSkos(text.replaceAll("\r\n", "\n"), {
      ...{ isTerm: (iri) => find(iri) !== undefined, scheme: schemeAddress(row, config.baseUrl) },
      ...{ label: row.label, description: row.description },
    });
    const concepts = all.filter((concept) => !merged.isOne(concept));
    const next = await nextTermOrder(tx, vocabulary);
    const changes = changesOf(concepts, { vocabulary, own, terms, find, next });
    const after = changes.map((change) => change.after);
    if (isTrial) demandNoCircle([...terms, ...after]);
    else await writeTerms(tx, terms, after);
    const plan = planOf(changes, terms);
    return { ...plan, unchanged: plan.unchanged + all.length - concepts.length, unread };
  });
}

/** The concepts of a file that are merged terms: what is below them is below the terms that these are now. */
class MergedConcepts {
  readonly #byAddress = new Map<string, TermRow>();
  readonly #byValue = new Map<string, TermRow>();
  readonly #living: ReadonlySet<string>;

  constructor(merged: readonly MergedTerm[], terms: readonly TermRow[], own: string) {
    this.#living = new Set(
      terms.flatMap(({ id, uri, value }) => [asIri(uri ?? "") ?? own + id, ` ${value}`]),
    );
    const byId = new Map(terms.map((term) => [term.id, term]));
    for (const { id, value, uri, now_id } of merged) {
      const now = byId.get(now_id);
      if (!now) continue;
      this.#byValue.set(value, now);
      for (const address of [own + id, asIri(uri ?? "") ?? ""]) this.#byAddress.set(address, now);
    }
  }

  find(iri: string): TermRow | undefined {
    return this.#byAddress.get(asIri(iri) ?? iri);
  }

  isOne({ iri, value }: Concept): boolean {
    if (this.#living.has(asIri(iri) ?? iri)) return false;
    if (this.find(iri)) return true;
    const now = this.#living.has(` ${value}`) ? undefined : this.#byValue.get(value);
    if (now) this.#byAddress.set(asIri(iri) ?? iri, now);
    return now !== undefined;
  }
}

function planOf(changes: readonly Change[], terms: readonly TermRow[]): Omit<SkosPlan, "unread"> {
  const values = new Map(
    [...terms, ...changes.map(({ after }) => after)].map(({ id, value }) => [id, value]),
  );
  const planned = (term: TermRow): PlannedTerm => ({
    ...{ value: term.value, label: term.label, alt_label: term.alt_label },
    broader: broaderOf(term).map((id) => values.get(id)!),
  });
  const added = changes.flatMap(({ before, after }) => (before ? [] : planned(after)));
  const changed = changes.flatMap(({ before, after }) => {
    const what = before ? differences(before, after) : [];
    return what.length > 0 ? { ...planned(after), what } : [];
  });
  return { added, changed, unchanged: changes.length - added.length - changed.length };
}

type Terms = {
  vocabulary: string;
  /** What the addresses of terms begin with that have none elsewhere. */
  own: string;
  terms: readonly TermRow[];
  find(iri: string): TermRow | undefined;
  /** The place of the first new term. */
  next: number;
};

/** 422 with every concept that cannot become a term. */
function changesOf(concepts: readonly Concept[], there: Terms): Change[] {
  const { vocabulary, own, find, next } = there;
  const found = termsFor(concepts, there);
  const ids = new Map([...found].map(([iri, term]) => [iri, term?.id ?? newIdOf(iri, own)] as const));
  const taken = new Set<string>();
  const details: Said[] = [];
  const changes = concepts.flatMap((concept, place): Change[] => {
    const before = found.get(concept.iri) ?? null;
    const value = before?.value ?? concept.value;
    const shown = value.slice(0, 80);
    if (taken.has(value)) details.push(said("fault.skos.twice", { value: shown }));
    taken.add(value);
    const above = concept.broader.map((iri) => ids.get(iri) ?? find(iri)!.id);
    const read = readAs(TermDraftShape, {
      ...wishOf(concept, before, own),
      value,
      ...placeOf(above, before),
    });
    if ("faults" in read) {
      for (const { pointer, detail: fault } of read.faults)
        details.push(said("fault.skos.concept", { value: shown, part: pointer.slice(1), fault }));
      return [];
    }
    const label = withTexts(before?.label, read.data.label);
    const sort_order = before?.sort_order ?? Math.min(next + place * 10, LAST_PLACE);
    return [{ before, after: { ...read.data, label, id: ids.get(concept.iri)!, vocabulary, sort_order } }];
  });
  if (details.length > 0) throw invalid(details.slice(0, 20).map((detail) => ({ pointer: "", detail })));
  return changes;
}

/** The terms that the concepts are, by their addresses; null: a new one. Nobody can say which of two concepts of one name is meant. */
function termsFor(concepts: readonly Concept[], { own, terms, find }: Terms): Map<string, TermRow | null> {
  const byValue = new Map(terms.map((term) => [term.value, term]));
  const found = new Map(
    concepts.map(({ iri, value }) => [iri, find(iri) ?? byValue.get(value) ?? null] as const),
  );
  const known = new Set(found.values());
  const free = terms.filter((term) => term.uri === null && !known.has(term));
  const byName = new Map<string, TermRow[]>();
  for (const term of free)
    for (const name of namesOf(term)) byName.set(name, [...(byName.get(name) ?? []), term]);
  const claims = new Map<TermRow, string[]>();
  for (const concept of concepts) {
    if (found.get(concept.iri) || concept.iri.startsWith(own)) continue;
    const [term, ...others] = new Set(namesOf(concept).flatMap((name) => byName.get(name) ?? []));
    if (term && others.length === 0) claims.set(term, [...(claims.get(term) ?? []), concept.iri]);
  }
  for (const [term, [iri, ...others]] of claims) if (others.length === 0) found.set(iri!, term);
  return found;
}

/** The value and the label of each language, to be compared. */
const namesOf = ({ value, label }: Pick<TermRow, "value" | "label">): string[] =>
  Object.entries({ ...label, "": value }).map(([lang, text]) => `${lang.toLowerCase()} ${fold(text)}`);

/** A term that was deleted, or that another copy of this catalogue has, is given its old address. */
function newIdOf(iri: string, own: string): string {
  const id = IdShape.safeParse(iri.startsWith(own) ? iri.slice(own.length) : "");
  return id.success ? id.data : newId();
}

/** What the file says about a term, and what was said before. */
function wishOf(concept: Concept, before: TermRow | null, own: string) {
  const { iri, label, alt_label, hidden_label, definition, scope_note } = concept;
  const isForeign = !iri.startsWith(own) && (asIri(iri) ?? iri) !== asIri(before?.uri ?? "");
  const isNew = isForeign && AddressShape.safeParse(iri).success;
  const both = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])];
  return {
    label,
    uri: isNew ? iri : (before?.uri ?? null),
    alt_label: withTexts(before?.alt_label, alt_label, both),
    hidden_label: withTexts(before?.hidden_label, hidden_label, both),
    definition: withTexts(before?.definition, definition),
    scope_note: withTexts(before?.scope_note, scope_note),
  };
}

/** The place that the file gives a term: what was above it and still is comes first, so that the first stays the first. */
function placeOf(above: readonly string[], before: TermRow | null) {
  const known = before === null ? [] : broaderOf(before);
  if (above.length === 0) return placeBelow(known);
  return placeBelow([...new Set([...known.filter((id) => above.includes(id)), ...above])]);
}

/** What is added to what there is. A language keeps the case of its tag, which files do not tell. */
function withTexts<T>(
  own: Readonly<Record<string, T>> = {},
  added: Readonly<Record<string, T>>,
  join = (_own: T, other: T): T => other,
): Record<string, T> {
  const tags = new Map(Object.keys(own).map((tag) => [tag.toLowerCase(), tag]));
  const all = { ...own };
  for (const [lang, text] of Object.entries(added)) {
    const tag = tags.get(lang.toLowerCase()) ?? lang;
    all[tag] = own[tag] === undefined ? text : join(own[tag], text);
  }
  return all;
}
