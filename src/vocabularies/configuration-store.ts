/** SQL that all changes of configuration share. */
import { type SaidValues, said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import { CONFIGURATION_LOCK } from "../records/schema.ts";
import type { Sql, Tx } from "../services.ts";

/**
 * One change of configuration at a time: rules that span rows (no circles among terms, each name once, so many facets)
 * then hold without a lock of their own. Nobody writes records meanwhile (`schemaToWriteBy`): what no record uses, none
 * uses in the end. Must be the first statement of the transaction.
 */
export async function lockConfiguration(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${CONFIGURATION_LOCK}))`;
}

/** A change of the configuration, behind its lock. */
export async function changeConfiguration<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done = await sql.begin(async (tx) => {
    await lockConfiguration(tx);
    return { result: await work(tx) };
  });
  return done.result as T;
}

/** The `sort_order` behind all of these rows: a table, with or without a condition. */
export async function orderBehind(tx: Tx, rows: ReturnType<Tx>): Promise<number> {
  const [row] = await tx<{ next: number }[]>`
    select least(coalesce(max(sort_order), 0)::bigint + 10, 2147483647)::int as next from ${rows}`;
  return row!.next;
}

/** How many records stand in the way of a change; those in the trash count, because they can be restored. */
export type Usage = { records: number; trashed: number };

/** 409 when records would lose something. `key`: what is said, beside these values, with `records` and `trashed`. */
export function demandUnused(usage: Usage, key: MessageKey, values: SaidValues): void {
  if (usage.records > 0) throw new Problem("conflict", said(key, { ...values, ...usage }));
}
