/** Restores a dump into a database, in one transaction that commits only if every table matches the dump. */

import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Sql, TransactionSql } from "postgres";
import { type Said, said } from "../../../messages/said.ts";
import { Refusal } from "../../../refusal.ts";
import { compareApplied, type Files, MIGRATIONS_TABLE } from "../migrate/migrate.ts";
import { readMigrationFiles } from "../migrate/migration-files.ts";
import { dumpTables } from "./catalogue.ts";
import { incompleteBackup, readDump } from "./reader.ts";
import { quoted, tableDigest } from "./rows.ts";
import { afterRestore, type DumpAbout, type DumpEnd } from "./text.ts";

/** Opens the uncompressed dump from its beginning. */
export type DumpSource = () => AsyncIterable<Uint8Array>;
export type Checked = { about: DumpAbout; end: DumpEnd; rows: number };
/** Receives the number of rows restored so far, and of all rows. */
export type RowsReport = (done: number, whole: number) => void;

/** Bytes of one COPY. The embedded database takes each COPY in one piece. */
const COPY_BYTES = 16 * 1024 * 1024;
/** How long to wait for others that use the tables. */
const LOCK_PATIENCE = "15s";

/**
 * Reads a dump to its end. Refuses it if it is incomplete or was made by a newer version. Changes nothing.
 */
export async function checkDump(source: DumpSource, options: Files = {}): Promise<Checked> {
  let about: DumpAbout | undefined;
  const found = new Map<string, number>();
  for await (const part of readDump(source())) {
    if (part.kind === "about") {
      about = part.about;
      const { state, says } = await compareApplied(about.schema, options);
      if (state === "newer" || state === "altered")
        throw new Refusal(
          said(`cli.backup_file.${state}_schema`, { version: about.version, ...says.values }),
        );
    } else if (part.kind === "copy") found.set(part.table, (found.get(part.table) ?? 0) + part.rows);
    else if (part.kind === "end") {
      for (const [name, { rows }] of Object.entries(part.end.tables)) {
        if ((found.get(name) ?? 0) !== rows) throw lacking(name, found.get(name) ?? 0, rows);
      }
      const rows = Object.values(part.end.tables).reduce((sum, table) => sum + table.rows, 0);
      return { about: about!, end: part.end, rows };
    }
  }
  throw incompleteBackup();
}

/** What a restore would replace, such as `3 records and 1 accounts`; null if nobody has entered anything. */
export async function contentsOf(sql: Sql | TransactionSql): Promise<Said | null> {
  const [is] = await sql<{ ours: boolean; others: number }[]>`
    select to_regclass('schema_migrations') is not null and to_regclass('records') is not null
        and to_regclass('accounts') is not null as ours,
      (select count(*)::int from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v', 'm'))
        as others`;
  if (!is!.ours) {
    if (is!.others === 0) return null;
    throw new Refusal(said("cli.database.others_tables", { count: is!.others }));
  }
  const [row] = await sql<{ records: number; accounts: number }[]>`
    select (select count(*)::int from records) as records, (select count(*)::int from accounts) as accounts`;
  if (!row || row.records + row.accounts === 0) return null;
  return said("cli.database.contents", row);
}

/**
 * Replaces the contents of the database by the dump. `last` runs after all checks, before the commit. Afterwards the schema is
 * that of the dump, and all records wait to be indexed.
 */
export async function restoreDump(
  sql: Sql,
  source: DumpSource,
  { about, rows }: Checked,
  options: { report?: RowsReport; signal?: AbortSignal; last?: () => Promise<void> } = {},
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(
      `set local lock_timeout = '${LOCK_PATIENCE}'; set local statement_timeout = 0;
       set local idle_in_transaction_session_timeout = 0; set local maintenance_work_mem = '128MB'`,
    );
    await dropAll(tx);
    let done = 0;
    const rowsInto = openCopies(tx);
    for await (const part of readDump(source())) {
      options.signal?.throwIfAborted();
      if (part.kind === "copy") {
        await rowsInto.write(part.statement, part.data);
        done += part.rows;
        options.report?.(done, rows);
        continue;
      }
      await rowsInto.end();
      if (part.kind === "sql") await tx.unsafe(part.text).simple();
      else if (part.kind === "end") await demandSame(tx, part.end);
    }
    // otherwise a version number could occur a second time with other contents, and caches would be wrong
    await tx`update configuration set version = version + 1, visibility_epoch = visibility_epoch + 1`;
    await tx.unsafe(afterRestore(about.made_at)).simple();
    await options.last?.();
  });
}

/** Joins pieces of one table in one COPY, because each COPY needs two round trips. */
function openCopies(tx: TransactionSql) {
  let statement = "";
  let into: Writable | undefined;
  let bytes = 0;
  async function end(): Promise<void> {
    if (!into) return;
    const ending = into;
    into = undefined;
    ending.end();
    await finished(ending);
  }
  return {
    end,
    async write(wanted: string, data: Uint8Array): Promise<void> {
      if (into && (wanted !== statement || bytes > COPY_BYTES)) await end();
      if (!into) {
        into = await tx.unsafe(wanted).writable();
        into.on("error", () => undefined); // the next write or end throws the error
        statement = wanted;
        bytes = 0;
      }
      bytes += data.length;
      if (into.errored) throw into.errored;
      if (!into.write(data)) await once(into, "drain");
    },
  };
}

async function demandSame(tx: TransactionSql, end: DumpEnd): Promise<void> {
  // the tables of the dump, because an older version may have had other tables than this program
  const there = await dumpTables(tx, (name) => name in end.tables);
  const tables = new Map(there.map((table) => [table.name, table]));
  for (const [name, { rows, digest }] of Object.entries(end.tables)) {
    const table = tables.get(name);
    const now = table ? await tableDigest(tx, table) : { rows: 0, digest: 0n };
    if (now.rows !== rows) throw lacking(name, now.rows, rows);
    if (String(now.digest) !== digest) {
      throw new Refusal(said("cli.backup_file.differs", { table: name }));
    }
  }
}

/** Drops everything that the files of sql/ create. What others have created in the schema stays. */
async function dropAll(tx: TransactionSql): Promise<void> {
  const files = await readMigrationFiles();
  const made = [MIGRATIONS_TABLE, ...files.map(({ text }) => text)].flatMap((text) => [
    ...text.matchAll(MADE),
  ]);
  for (const wanted of ["table", "sequence", "function"]) {
    const names = made.filter(([, kind]) => kind === wanted).map(([, , name]) => quoted(name!));
    if (names.length > 0)
      await tx.unsafe(`drop ${wanted} if exists ${[...new Set(names)].join(", ")} cascade`);
  }
}

const MADE = /^create (?:or replace )?(table|sequence|function) (?:if not exists )?(\w+)/gim;

function lacking(table: string, found: number, rows: number): Refusal {
  return new Refusal(said("cli.backup_file.damaged", { table, found, rows }));
}
