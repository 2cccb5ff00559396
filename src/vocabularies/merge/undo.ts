/** Undoes a merge of terms within 30 days: all is as it was, except for what somebody has changed since. */
import type { Account } from "../../caller.ts";
import { demandUnchanged, type Expected } from "../../http/answer/resource-answers.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { returnDismissed } from "../../records/merge/dismissed.ts";
import { returnNaming } from "../../records/merge/naming.ts";
import { type Left, linksLeft, recordsLeft } from "../../records/merge/undo.ts";
import { currentSchema } from "../../records/schema.ts";
import { writerOf } from "../../records/write/store.ts";
import type { Services, Tx } from "../../services.ts";
import { changeConfiguration } from "../configuration-store.ts";
import {
  broaderOf,
  findTerm,
  insertTerms,
  markTermsSearched,
  placeBelow,
  placeOf,
  type TermRow,
  updateTerms,
} from "../terms/store.ts";
import { termJson } from "../terms/vocabulary-shape.ts";
import { demandTerm } from "../terms/write.ts";
import { demandBoth, MOST_AT_ONCE, termNote } from "./merge.ts";
import { kindsToReturn, returnRoles } from "./roles.ts";
import { undoneTerm } from "./state.ts";
import { deleteTermMerge, laterTermMerge, lockTermMerge, type MovedTerm } from "./store.ts";

/** `term`: the one that was merged; `other`: the one that it was merged into. */
export type UnmergedTerm = { term: TermRow; other: TermRow; left: Left[] };

/** `expected`: the state of the term that it was merged into. */
export async function unmergeTerm(
  services: Services,
  caller: Account,
  vocabulary: string,
  id: string,
  expected: Expected,
): Promise<UnmergedTerm> {
  const { back, ...done } = await changeConfiguration(services.sql, (tx) =>
    unmergeIn(tx, services, caller, vocabulary, id, expected),
  );
  await services.changed(back.slice(0, MOST_AT_ONCE));
  return done;
}

async function unmergeIn(
  tx: Tx,
  services: Services,
  caller: Account,
  vocabulary: string,
  id: string,
  expected: Expected,
): Promise<UnmergedTerm & { back: string[] }> {
  const merge = await lockTermMerge(tx, vocabulary, id);
  if (!merge) throw new Problem("not_found", said("problem.term.merge_not_found", { vocabulary, id }));
  const { moved, value } = merge;
  if (!moved) throw new Problem("conflict", said("problem.term.merge_expired", { value }));
  const { from, before, after, below, naming, roles, dismissed } = moved;
  const into = await findTerm(tx, vocabulary, merge.into_id);
  if (!into) throw new Problem("conflict", said("problem.term.merged_again", { value }));
  const later = await laterTermMerge(tx, id, merge.into_id);
  if (later !== undefined) throw new Problem("conflict", said("problem.term.merged_later", { value, later }));
  await demandUnchanged(expected, termJson(into));
  demandBoth(caller, [...naming.map((each) => each.kind), ...(await kindsToReturn(tx, roles))]);

  const schema = await currentSchema(services.sql, undefined, tx);
  await deleteTermMerge(tx, id);
  await markTermsSearched(tx, [into.id]);
  const { term, left } = undoneTerm(into, before, after);
  await insertTerms(tx, [await withPlace(tx, from)]);
  await updateTerms(tx, [await withPlace(tx, term)]);
  const belowLeft = await returnBelow(tx, below);
  const note = { unmerged_term: termNote(from), from_term: termNote(into) };
  const { back, left: records } = await returnNaming(tx, writerOf(services, caller), naming, note);
  const links = await returnRoles(tx, roles);
  await returnDismissed(tx, "not_duplicate_terms", dismissed);
  await markTermsSearched(tx, [id, into.id]);
  return {
    term: await demandTerm(tx, vocabulary, id),
    other: await demandTerm(tx, vocabulary, into.id),
    back,
    left: [
      ...left.map((name): Left => ({ what: "field", id: null, name })),
      ...belowLeft.map((each): Left => ({ what: "term", id: each.id, name: each.value })),
      ...(await linksLeft(tx, caller, schema, links)),
      ...(await recordsLeft(tx, caller, records)),
    ],
  };
}

/** Below those of its broader terms that there still are, and that are not below it now. */
async function withPlace(tx: Tx, term: TermRow): Promise<TermRow> {
  const broader: string[] = [];
  for (const id of broaderOf(term)) {
    const { found, below } = await placeOf(tx, term.vocabulary, id, term.id);
    if (found && !below) broader.push(id);
  }
  return { ...term, ...placeBelow(broader) };
}

/** Returns the terms that stay where they are, because somebody has moved them since, or they are above it now. */
async function returnBelow(tx: Tx, below: MovedTerm["below"]): Promise<TermRow[]> {
  const left: TermRow[] = [];
  for (const { before, after } of below) {
    const now = await findTerm(tx, before.vocabulary, before.id);
    const place = { broader_id: before.broader_id, also_broader: before.also_broader };
    const isMoved = !now || String(broaderOf(now)) !== String(broaderOf(after));
    const back = now && (await withPlace(tx, { ...now, ...place }));
    if (isMoved || String(broaderOf(back!)) !== String(broaderOf(before))) left.push(now ?? before);
    else await updateTerms(tx, [back!]);
  }
  return left;
}
