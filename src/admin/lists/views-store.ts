/** SQL of views: the parameters of a list, saved under a name. People see their own and the shared ones. */
import type { Account } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Sql } from "../../services.ts";

/** The most views of one account, for all kinds of records together. */
const MOST_VIEWS = 200;

/** `query`: the query string of the list. */
export type ListView = { id: string; name: string; query: string; is_shared: boolean; is_own: boolean };

/** The account's own views first, by name. */
export async function listViews(sql: Sql, account: Account, kind: Kind): Promise<ListView[]> {
  return sql<ListView[]>`
    select id, name, query, is_shared, account_id = ${account.id} as is_own
    from list_views where record_type = ${kind} and (account_id = ${account.id} or is_shared)
    order by account_id = ${account.id} desc, lower(name), id limit ${2 * MOST_VIEWS}`;
}

/** Saves a view; replaces one of the same account, kind and name. 409 if there are too many. */
export async function saveView(
  sql: Sql,
  account: Account,
  kind: Kind,
  { name, query, is_shared }: Pick<ListView, "name" | "query" | "is_shared">,
): Promise<void> {
  const kept = await sql`
    insert into list_views (id, account_id, record_type, name, query, is_shared)
    select ${newId()}, ${account.id}, ${kind}, ${name}, ${query}, ${is_shared}
    where (select count(*) from list_views where account_id = ${account.id}) < ${MOST_VIEWS}
    on conflict (account_id, record_type, lower(name))
      do update set name = excluded.name, query = excluded.query, is_shared = excluded.is_shared`;
  if (kept.count === 0) throw new Problem("conflict", said("problem.view.too_many", { most: MOST_VIEWS }));
}

/** @param anyShared also deletes a shared view of somebody else. Answers whether the view existed. */
export async function deleteView(
  sql: Sql,
  account: Account,
  kind: Kind,
  id: string,
  anyShared: boolean,
): Promise<boolean> {
  const gone = await sql`
    delete from list_views where id = ${id} and record_type = ${kind}
      and (account_id = ${account.id} or (is_shared and ${anyShared}))`;
  return gone.count > 0;
}
