/**
 * Merges a term into another one of its vocabulary: records, links and the terms below it have the other one then. One transaction.
 * The address and the value of the merged term lead to the other one.
 */
import { type Account, actorId, demandAction } from "../../caller.ts";
import { demandUnchanged, type Expected } from "../../http/answer/resource-answers.ts";
import { said } from "../../messages/said.ts";
import { invalidAt } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import { moveDismissed } from "../../records/merge/dismissed.ts";
import { findNaming, moveNaming, type Names } from "../../records/merge/naming.ts";
import { currentSchema, fieldsHolding } from "../../records/schema.ts";
import { writerOf } from "../../records/write/store.ts";
import type { Services, Tx } from "../../services.ts";
import { changeConfiguration } from "../configuration-store.ts";
import {
  broaderOf,
  deleteTerm,
  findTerm,
  markTermsSearched,
  narrowerTerms,
  placeBelow,
  placeOf,
  type TermRow,
  updateTerms,
} from "../terms/store.ts";
import { termJson } from "../terms/vocabulary-shape.ts";
import { demandTerm } from "../terms/write.ts";
import { kindsOfLinks, moveRoles, planRoles, type RolesPlan } from "./roles.ts";
import { broaderOfBoth, mergedTerm } from "./state.ts";
import { findMergedTerm, insertTermMerge, type MovedTerm } from "./store.ts";

/** Of more records, the worker updates the index. */
export const MOST_AT_ONCE = 1_000;

type Wish = { into: string; expected: Expected };

/** What a merge does. `found`: the records that name the term, by kind. */
export type TermPlan = Pick<MovedTerm, "from" | "before" | "after" | "below"> & {
  names: Names;
  found: ReadonlyMap<Kind, readonly string[]>;
  roles: RolesPlan;
};

/** Tells what would be, and writes nothing. */
export async function planTermMerge(
  services: Services,
  caller: Account,
  vocabulary: string,
  id: string,
  wish: Wish,
): Promise<TermPlan> {
  const done = await services.sql.begin("read only", async (tx) => ({
    plan: await planIn(tx, services, caller, vocabulary, id, wish),
  }));
  return done.plan;
}

export async function mergeTerm(
  services: Services,
  caller: Account,
  vocabulary: string,
  id: string,
  wish: Wish,
): Promise<TermPlan> {
  const plan = await changeConfiguration(services.sql, async (tx) => {
    const planned = await planIn(tx, services, caller, vocabulary, id, wish);
    await mergeIn(tx, services, caller, planned);
    return planned;
  });
  await services.changed([...plan.found.values()].flat().slice(0, MOST_AT_ONCE));
  return plan;
}

async function planIn(
  tx: Tx,
  services: Services,
  caller: Account,
  vocabulary: string,
  id: string,
  wish: Wish,
): Promise<TermPlan> {
  if (wish.into === id) throw invalidAt("/into", said("fault.term.merge_itself"));
  const from = await demandTerm(tx, vocabulary, id);
  await demandUnchanged(wish.expected, termJson(from));
  const before = await findTerm(tx, vocabulary, wish.into);
  if (!before) {
    const merged = await findMergedTerm(tx, vocabulary, wish.into);
    const detail = merged
      ? said("fault.term.merged", { value: merged.now })
      : said("fault.term.not_found", { vocabulary });
    throw invalidAt("/into", detail);
  }
  const after = mergedTerm(before, from, await broaderOfBoth(tx, before, from));
  const below = await raisedOrMoved(tx, from, before);
  const schema = await currentSchema(services.sql, undefined, tx);
  const fields = fieldsHolding(schema, (field) => field.vocabulary === vocabulary);
  const names = { from: from.value, into: before.value, fields, areIds: false };
  const found = await findNaming(tx, names);
  const roles = await planRoles(tx, vocabulary, names);
  demandBoth(caller, [...found.keys(), ...(await kindsOfLinks(tx, roles.links))]);
  return { from, before, after, below, names, found, roles };
}

async function mergeIn(tx: Tx, services: Services, caller: Account, plan: TermPlan): Promise<void> {
  const { from, before, after, below, names, found } = plan;
  // before and after, as what is searched by their names and places changes
  await markTermsSearched(tx, [from.id, before.id]);
  const note = { merged_term: termNote(from), into_term: termNote(before) };
  const naming = await moveNaming(tx, writerOf(services, caller), names, found, note);
  const roles = await moveRoles(tx, plan.roles);
  const dismissed = await moveDismissed(tx, "not_duplicate_terms", { from: from.id, into: before.id });
  await updateTerms(tx, [...below.map((each) => each.after), after]);
  await deleteTerm(tx, from.id);
  await markTermsSearched(tx, [after.id]);
  const moved = { from, before, after, below, naming, roles, dismissed };
  await insertTermMerge(tx, actorId(caller), moved);
}

/** What a merge changes, the caller may read and change. */
export function demandBoth(caller: Account, kinds: Iterable<Kind>): void {
  for (const kind of new Set(kinds))
    for (const action of ["read", "update"] as const) demandAction(caller, action, kind);
}

export const termNote = ({ id, value }: TermRow) => ({ id, value });

/** The terms below the merged one are below the other one; those above that one are where the merged one was. */
async function raisedOrMoved(tx: Tx, from: TermRow, into: TermRow): Promise<MovedTerm["below"]> {
  const below = (await narrowerTerms(tx, from.id)).filter(({ id }) => id !== into.id);
  const moved: MovedTerm["below"] = [];
  for (const before of below) {
    const isAbove = (await placeOf(tx, into.vocabulary, into.id, before.id)).below;
    const now = isAbove ? broaderOf(from) : [into.id];
    const broader = broaderOf(before).flatMap((id) => (id === from.id ? now : [id]));
    moved.push({ before, after: { ...before, ...placeBelow([...new Set(broader)]) } });
  }
  return moved;
}
