/** Changes of terms, and what must hold for them. */

import { demandUnchanged, type Expected } from "../../http/answer/resource-answers.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { invalidAt, Problem } from "../../problem.ts";
import { QUALIFIERS } from "../../records/links/attributions.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import { changeConfiguration, demandUnused } from "../configuration-store.ts";
import { findMergedTerm } from "../merge/store.ts";
import { demandSame } from "../shape.ts";
import {
  broaderOf,
  deleteTerm,
  findTerm,
  insertAdopted,
  insertTerms,
  markTermsSearched,
  narrowerTerms,
  nextTermOrder,
  placeBelow,
  placeOf,
  TERM_COLUMNS,
  type TermRow,
  termUsage,
  updateTerms,
} from "./store.ts";
import { type TermDraft, termJson } from "./vocabulary-shape.ts";
import { demandVocabulary } from "./vocabulary-write.ts";

export async function createTerm(services: Services, vocabulary: string, draft: TermDraft): Promise<TermRow> {
  return changeConfiguration(services.sql, async (tx) => {
    await demandVocabulary(tx, vocabulary);
    demandSame("vocabulary", draft.vocabulary, vocabulary);
    const sort_order = draft.sort_order ?? (await nextTermOrder(tx, vocabulary));
    const term: TermRow = {
      ...draft,
      ...placeBelow(broaderOf(draft)),
      id: newId(),
      vocabulary,
      sort_order,
    };
    await demandBroader(tx, term);
    await insertTerms(tx, [term]);
    // a field that takes free values may have it already
    if (term.broader_id !== null) await markTermsSearched(tx, [term.id]);
    return demandTerm(tx, vocabulary, term.id);
  });
}

/** A concept of others, as a term for it. */
export type AdoptedTerm = Pick<TermRow, "vocabulary" | "value" | "label" | "alt_label"> & { uri: string };

/** Adds those that a vocabulary does not have; a term of that value is given the address, unless it has one. */
export async function adoptTerms(sql: Sql, terms: readonly AdoptedTerm[]): Promise<void> {
  if (terms.length === 0) return;
  await changeConfiguration(sql, async (tx) => {
    await insertAdopted(tx, terms);
  });
}

/** `edit` makes the new state from the current one. */
export async function changeTerm(
  services: Services,
  vocabulary: string,
  id: string,
  expected: Expected,
  edit: (current: TermRow) => TermDraft,
): Promise<TermRow> {
  return changeConfiguration(services.sql, async (tx) => {
    const before = await demandTerm(tx, vocabulary, id);
    await demandUnchanged(expected, termJson(before));
    const wish = edit(before);
    demandSame("id", wish.id?.toLowerCase(), before.id);
    demandSame("vocabulary", wish.vocabulary, vocabulary);
    const after: TermRow = {
      ...wish,
      ...placeBelow(broaderOf(wish)),
      id: before.id,
      vocabulary,
      sort_order: wish.sort_order ?? before.sort_order,
    };
    if (after.value !== before.value) {
      await demandTermUnused(tx, before, "problem.term.value_in_use");
    }
    const moved = isMoved(before, after);
    if (moved) await demandBroader(tx, after);
    const marked = moved || after.value !== before.value || isRenamed(before, after) ? [after.id] : [];
    await markTermsSearched(tx, marked);
    await updateTerms(tx, [after]);
    await markTermsSearched(tx, marked);
    return demandTerm(tx, vocabulary, after.id);
  });
}

/**
 * Adds and changes many terms of one vocabulary in as many statements as one takes, behind the lock of the configuration.
 * Values stay as they are. 422 when a term would lie below itself.
 *
 * @param before all terms of the vocabulary; @param after those that are to be so, known by their ids
 */
export async function writeTerms(
  tx: Tx,
  before: readonly TermRow[],
  after: readonly TermRow[],
): Promise<void> {
  demandNoCircle([...before, ...after]);
  const termsBefore = new Map(before.map((term) => [term.id, term]));
  const marked = after.flatMap((term) => {
    const old = termsBefore.get(term.id);
    return isMoved(old, term) || (old && isRenamed(old, term)) ? [term.id] : [];
  });
  await markTermsSearched(tx, marked);
  await insertTerms(
    tx,
    after.filter(({ id }) => !termsBefore.has(id)),
  );
  await updateTerms(
    tx,
    after.filter(
      (term) => termsBefore.has(term.id) && differences(termsBefore.get(term.id)!, term).length > 0,
    ),
  );
  await markTermsSearched(tx, marked);
}

/** The term without what was above it: that is what is above the removed one now. */
const raised = (term: TermRow, removed: TermRow): TermRow => {
  const above = broaderOf(term).flatMap((id) => (id === removed.id ? broaderOf(removed) : [id]));
  return { ...term, ...placeBelow([...new Set(above)]) };
};

/** The members of a term that a change of it alters. */
export function differences(before: TermRow, after: TermRow): (keyof TermRow)[] {
  return TERM_COLUMNS.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

const isMoved = (before: TermRow | undefined, after: TermRow): boolean =>
  String(before ? broaderOf(before) : []) !== String(broaderOf(after));

/** Only the names of qualifiers are searched (`records/attributions.ts`). */
const isRenamed = (before: TermRow, after: TermRow): boolean =>
  after.vocabulary === QUALIFIERS && differences(before, after).includes("label");

/** 422 when a term would lie below itself. Of two rows with one id the later counts. */
export function demandNoCircle(terms: readonly TermRow[]): void {
  const byId = new Map(terms.map((term) => [term.id, term]));
  const sound = new Set<string>();
  for (const start of byId.keys()) {
    const way = sound.has(start) ? [] : [start];
    const onWay = new Set(way);
    for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
      const term = byId.get(at)!;
      const next = broaderOf(term).find((id) => byId.has(id) && !sound.has(id));
      if (next === undefined) {
        sound.add(at);
        way.pop();
      } else if (onWay.has(next)) {
        const detail = said("fault.term.below_itself", { value: term.value.slice(0, 80) });
        throw invalidAt("/broader_id", detail);
      } else {
        way.push(next);
        onWay.add(next);
      }
    }
  }
}

/** The terms below it move up to those above it. */
export async function removeTerm(
  services: Services,
  vocabulary: string,
  id: string,
  expected: Expected,
): Promise<void> {
  await changeConfiguration(services.sql, async (tx) => {
    const term = await demandTerm(tx, vocabulary, id);
    await demandUnchanged(expected, termJson(term));
    await demandTermUnused(tx, term, "problem.term.in_use");
    await markTermsSearched(tx, [term.id]);
    const below = await narrowerTerms(tx, term.id);
    await updateTerms(
      tx,
      below.map((each) => raised(each, term)),
    );
    await deleteTerm(tx, term.id);
  });
}

export async function demandTerm(sql: Sql | Tx, vocabulary: string, id: string): Promise<TermRow> {
  const term = await findTerm(sql, vocabulary, id);
  if (term) return term;
  await demandVocabulary(sql, vocabulary);
  const merged = await findMergedTerm(sql, vocabulary, id);
  const moved = merged && { from: id, to: merged.now_id };
  throw new Problem("not_found", said("problem.term.not_found", { vocabulary, id }), { moved });
}

/** Only fields that hold their values to the vocabulary count: elsewhere a value is free text anyway. */
async function demandTermUnused(tx: Tx, term: TermRow, key: MessageKey): Promise<void> {
  const usage = await termUsage(tx, term.vocabulary, term.value);
  demandUnused(usage, key, { value: term.value });
}

async function demandBroader(tx: Tx, term: TermRow): Promise<void> {
  for (const [place, broader] of broaderOf(term).entries()) {
    const { found, below } = await placeOf(tx, term.vocabulary, broader, term.id);
    if (found && !below) continue;
    const pointer = place === 0 ? "/broader_id" : `/also_broader/${place - 1}`;
    const detail = below
      ? said("fault.term.circle")
      : said("fault.term.not_found", { vocabulary: term.vocabulary });
    throw invalidAt(pointer, detail);
  }
}
