/** Changes of terms, and what must hold for them. */

import { demandUnchanged, type Expected } from "../http/resource-answers.ts";
import { newId } from "../ids.ts";
import { said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { invalid, Problem } from "../problem.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { changeConfiguration, demandUnused } from "./configuration-store.ts";
import { demandSame } from "./shape.ts";
import {
  deleteTerm,
  findTerm,
  insertAdopted,
  insertTerms,
  markTermsMoved,
  nextTermOrder,
  placeOf,
  raiseNarrower,
  type TermRow,
  termUsage,
  updateTerms,
} from "./term-store.ts";
import { type TermDraft, termJson } from "./vocabulary-shape.ts";
import { demandVocabulary } from "./vocabulary-write.ts";

export async function createTerm(services: Services, vocabulary: string, draft: TermDraft): Promise<TermRow> {
  return changeConfiguration(services.sql, async (tx) => {
    await demandVocabulary(tx, vocabulary);
    demandSame("vocabulary", draft.vocabulary, vocabulary);
    const sort_order = draft.sort_order ?? (await nextTermOrder(tx, vocabulary));
    const term: TermRow = { ...draft, id: newId(), vocabulary, sort_order };
    await demandBroader(tx, term);
    await insertTerms(tx, [term]);
    // a field that takes free values may have it already
    if (term.broader_id !== null) await markTermsMoved(tx, [term.id]);
    return demandTerm(tx, vocabulary, term.id);
  });
}

/** A concept of others, as a term for it. */
export type AdoptedTerm = Pick<TermRow, "vocabulary" | "value" | "label"> & { uri: string };

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
      id: before.id,
      vocabulary,
      sort_order: wish.sort_order ?? before.sort_order,
    };
    if (after.value !== before.value) {
      await demandTermUnused(tx, before, "problem.term.value_in_use");
    }
    const moved = after.broader_id !== before.broader_id;
    if (moved) await demandBroader(tx, after);
    if (moved || after.value !== before.value) await markTermsMoved(tx, [before.id]);
    await updateTerms(tx, [after]);
    if (moved || after.value !== before.value) await markTermsMoved(tx, [after.id]);
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
  const isMoved = ({ id, broader_id }: TermRow) => broader_id !== (termsBefore.get(id)?.broader_id ?? null);
  const moved = after.filter(isMoved).map(({ id }) => id);
  await markTermsMoved(tx, moved);
  await insertTerms(
    tx,
    after.filter(({ id }) => !termsBefore.has(id)),
  );
  await updateTerms(
    tx,
    after.filter((term) => termsBefore.has(term.id) && !isSame(termsBefore.get(term.id)!, term)),
  );
  await markTermsMoved(tx, moved);
}

const isSame = (a: TermRow, b: TermRow): boolean =>
  a.uri === b.uri &&
  a.broader_id === b.broader_id &&
  a.sort_order === b.sort_order &&
  JSON.stringify(a.label) === JSON.stringify(b.label);

/** Of two rows with one id the later counts. */
function demandNoCircle(terms: readonly TermRow[]): void {
  const byId = new Map(terms.map((term) => [term.id, term]));
  const sound = new Set<string>();
  for (const { id, value } of byId.values()) {
    const way = new Set<string>();
    for (let at: string | null = id; at !== null && !sound.has(at); at = byId.get(at)?.broader_id ?? null) {
      if (way.has(at)) {
        const detail = said("fault.term.below_itself", { value: value.slice(0, 80) });
        throw invalid([{ pointer: "/broader_id", detail }]);
      }
      way.add(at);
    }
    for (const each of way) sound.add(each);
  }
}

/** The terms below it move up to the one above it. */
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
    await markTermsMoved(tx, [term.id]);
    await raiseNarrower(tx, term);
    await deleteTerm(tx, term.id);
  });
}

export async function demandTerm(sql: Sql | Tx, vocabulary: string, id: string): Promise<TermRow> {
  const term = await findTerm(sql, vocabulary, id);
  if (term) return term;
  await demandVocabulary(sql, vocabulary);
  throw new Problem("not_found", said("problem.term.not_found", { vocabulary, id }));
}

/** Only fields that hold their values to the vocabulary count: elsewhere a value is free text anyway. */
async function demandTermUnused(tx: Tx, term: TermRow, key: MessageKey): Promise<void> {
  const usage = await termUsage(tx, term.vocabulary, term.value);
  demandUnused(usage, key, { value: term.value });
}

async function demandBroader(tx: Tx, term: TermRow): Promise<void> {
  if (term.broader_id === null) return;
  const { found, below } = await placeOf(tx, term.vocabulary, term.broader_id, term.id);
  if (!found) {
    throw invalid([
      { pointer: "/broader_id", detail: said("fault.term.not_found", { vocabulary: term.vocabulary }) },
    ]);
  }
  if (below) {
    throw invalid([{ pointer: "/broader_id", detail: said("fault.term.circle") }]);
  }
}
