/** SQL of merged terms: what each merge has moved, and what a term is now. */
import type { MovedDismissed } from "../../records/merge/dismissed.ts";
import type { Naming } from "../../records/merge/naming.ts";
import { isRecent, type MergeDone } from "../../records/merge/store.ts";
import type { Sql, Tx } from "../../services.ts";
import type { TermRow } from "../terms/store.ts";
import type { MovedRoles } from "./roles.ts";

/** `before` and `after`: the term that stays. `below`: terms below the merged one. */
export type MovedTerm = {
  from: TermRow;
  before: TermRow;
  after: TermRow;
  below: { before: TermRow; after: TermRow }[];
  naming: Naming;
  roles: MovedRoles;
  dismissed: MovedDismissed;
};

export async function insertTermMerge(tx: Tx, actor: string | null, moved: MovedTerm): Promise<void> {
  const { from, before: into } = moved;
  await tx`
    insert into term_merges (term_id, vocabulary, into_id, value, uri, actor_id)
    values (${from.id}, ${from.vocabulary}, ${into.id}, ${from.value}, ${from.uri}, ${actor})`;
  await tx`insert into term_undos (term_id, moved) values (${from.id}, ${tx.json(moved as never)})`;
}

/** `moved`: null if it is too late to undo it. */
export type TermMerge = { into_id: string; value: string; moved: MovedTerm | null };

export async function lockTermMerge(tx: Tx, vocabulary: string, id: string): Promise<TermMerge | undefined> {
  const [merge] = await tx<TermMerge[]>`
    select m.into_id, m.value, case when ${isRecent(tx)} then u.moved end as moved
    from term_merges m left join term_undos u using (term_id)
    where term_id = ${id} and m.vocabulary = ${vocabulary} for update of m`;
  return merge;
}

/** The value of the term that was last merged into this one after that one. */
export async function laterTermMerge(tx: Tx, from: string, into: string): Promise<string | undefined> {
  const [later] = await tx<{ value: string }[]>`
    select m.value from term_merges m
    where m.into_id = ${into} and m.at > (select at from term_merges where term_id = ${from})
    order by m.at desc limit 1`;
  return later?.value;
}

export async function deleteTermMerge(tx: Tx, from: string): Promise<void> {
  await tx`delete from term_merges where term_id = ${from}`;
}

export type MergedTerm = { id: string; value: string; uri: string | null; now_id: string; now: string };

/** What the merged terms of a vocabulary are now. */
export async function findMergedTerms(sql: Sql | Tx, vocabulary: string): Promise<MergedTerm[]> {
  return sql<MergedTerm[]>`
    select id, value, uri, now_id, now from merged_terms where vocabulary = ${vocabulary} order by at, id`;
}

export async function findMergedTerm(
  sql: Sql | Tx,
  vocabulary: string,
  id: string,
): Promise<MergedTerm | undefined> {
  const [row] = await sql<MergedTerm[]>`
    select id, value, uri, now_id, now from merged_terms where vocabulary = ${vocabulary} and id = ${id}`;
  return row;
}

/** The newest first. */
export async function findTermMerges(sql: Sql, vocabulary: string): Promise<MergeDone[]> {
  return sql<MergeDone[]>`
    select m.term_id as id, m.value, coalesce(t.value, i.value, '–') as into, m.at::text, a.display_name as by,
      u.term_id is not null and ${isRecent(sql)} as is_recent
    from term_merges m left join term_undos u using (term_id) left join accounts a on a.id = m.actor_id
      left join vocabulary_terms t on t.id = m.into_id left join term_merges i on i.term_id = m.into_id
    where m.vocabulary = ${vocabulary}
    order by m.at desc limit 100`;
}

/** What is too late to undo is forgotten; the addresses still lead to the other terms. */
export async function forgetTermUndos(tx: Tx): Promise<void> {
  await tx`delete from term_undos where term_id in (select term_id from term_merges m where not ${isRecent(tx)})`;
}
