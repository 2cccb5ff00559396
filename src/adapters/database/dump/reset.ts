/** Empties the catalogue, in one transaction (contract §4.6, db-reset). */

import type { Sql, TransactionSql } from "postgres";
import { said } from "../../../messages/said.ts";
import { Refusal } from "../../../refusal.ts";
import { demandCurrent } from "../migrate/migrate.ts";
import { quoted } from "./rows.ts";
import { emptiedBy, TABLE_KINDS } from "./table-kinds.ts";

/** A schema in which a fresh installation is created, to copy its preset rows. */
const FRESH = "svc_fresh";

/** Number of rows that a reset deletes, of kinds that people know. */
export type ResetCounts = { records: number; versions: number; relations: number; imports: number } & {
  accounts: number;
  roles: number;
  vocabularies: number;
  fields: number;
};

export async function countForReset(sql: Sql): Promise<ResetCounts> {
  const [row] = await sql<ResetCounts[]>`
    select (select count(*)::int from records) as records, (select count(*)::int from revisions) as versions,
      (select count(*)::int from relations) as relations, (select count(*)::int from imports) as imports,
      (select count(*)::int from accounts) as accounts, (select count(*)::int from roles) as roles,
      (select count(*)::int from vocabularies) as vocabularies, (select count(*)::int from schema_fields) as fields`;
  return { ...row! };
}

/**
 * Deletes all records and what belongs to them. With `all`, also deletes accounts and replaces the configuration by that of a
 * fresh installation. Running processes notice this by the version of the configuration. `before` and `also` run at the
 * beginning and at the end of the transaction.
 */
export async function resetCatalogue(
  sql: Sql,
  {
    all,
    before,
    also,
  }: {
    all: boolean;
    before?: (tx: TransactionSql) => Promise<void>;
    also?: (tx: TransactionSql) => Promise<void>;
  },
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local lock_timeout = '30s'`;
    await before?.(tx);
    await tx
      .unsafe(
        `truncate ${emptiedBy(all ? "all" : "always")
          .map(quoted)
          .join(", ")}`,
      )
      .catch(refuseWhenBusy);
    if (all) await insertDefaults(tx);
    else await tx`update idno_patterns set next_number = 1`;
    // tells all processes that the search index has changed
    await tx`update search_changes set n = n + 1 where place = 0`;
    await tx`update search_state set is_building = false, generation = generation + 1`;
    await tx`update configuration set version = version + 1, visibility_epoch = visibility_epoch + 1`;
    await also?.(tx);
  });
}

async function insertDefaults(tx: TransactionSql): Promise<void> {
  const files = await demandCurrent(tx);
  const [here] = await tx<{ schema: string; path: string }[]>`
    select current_schema() as schema, current_setting('search_path') as path`;
  await tx.unsafe(`create schema ${FRESH}`).catch(refuseWithoutRights);
  // the former path stays behind it, because the extensions are there
  await tx`select set_config('search_path', ${`${FRESH}, ${here!.path}`}, true)`;
  for (const { text } of files) await tx.unsafe(text).simple();
  await tx`select set_config('search_path', ${here!.path}, true)`;
  for (const [name, { preset }] of Object.entries(TABLE_KINDS)) {
    if (!preset) continue;
    await tx.unsafe(
      `insert into ${quoted(here!.schema)}.${quoted(name)} select * from ${FRESH}.${quoted(name)}`,
    );
  }
  await tx.unsafe(`drop schema ${FRESH} cascade`);
}

function refuseWhenBusy(error: unknown): never {
  if ((error as { code?: string }).code !== "55P03") throw error;
  throw new Refusal(said("cli.database.busy"), 1, { cause: error });
}

function refuseWithoutRights(error: unknown): never {
  if ((error as { code?: string }).code !== "42501") throw error;
  throw new Refusal(said("cli.database.not_owner"), 1, { cause: error });
}
