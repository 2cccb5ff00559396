/** Migrates a database to the schema of this program, and reports its state. */

import type { Sql, TransactionSql } from "postgres";
import { type Said, said } from "../../../messages/said.ts";
import type { MessageKey } from "../../../messages/translate.ts";
import { Refusal } from "../../../refusal.ts";
import { type MigrationFile, readMigrationFiles } from "./migration-files.ts";

export type SchemaState = {
  /** `altered`: an applied file was changed afterwards. */
  state: "current" | "missing" | "older" | "newer" | "altered";
  /** For the operator: what is wrong, and what to do; null if nothing. */
  says: Said;
  advice: Said | null;
  /** Both. */
  detail: Said;
};

/** `files`: other files than those of this program, for tests. */
export type Files = { files?: readonly MigrationFile[] };

const filesOf = async ({ files }: Files) => files ?? (await readMigrationFiles());

type Applied = { version: number; name: string; checksum: string };

/** Number of an advisory lock. */
const LOCK = 7_241_967_001;

/** Creates the table that records which files were applied, and when. */
export const MIGRATIONS_TABLE = `create table if not exists schema_migrations (
  version int primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

/** Compares the schema of the database with the files of this program. Changes nothing. */
export async function schemaState(sql: Sql, options: Files = {}): Promise<SchemaState> {
  return compare(await filesOf(options), await appliedIn(sql));
}

/**
 * Applies the missing files, each in its own transaction, so a failure does not undo earlier files. Two processes may do this
 * at the same time: the second waits for the first. `onStep` is called after each file.
 */
export async function migrate(
  sql: Sql,
  options: Files & { onStep?: (file: string) => void } = {},
): Promise<void> {
  const files = await filesOf(options);
  if (compare(files, await appliedIn(sql)).state === "current") return;
  await sql.begin(async (tx) => {
    await lock(tx);
    await tx.unsafe(MIGRATIONS_TABLE).catch(refuseWithoutRights);
  });
  for (const file of files) {
    const applied = await sql.begin((tx) => applyOnce(tx, file, files));
    if (applied) options.onStep?.(file.name);
  }
}

/** The files of this program. Throws if the schema of the database does not match them. */
export async function demandCurrent(sql: Sql | TransactionSql): Promise<MigrationFile[]> {
  const files = await readMigrationFiles();
  const { state, detail } = compare(files, await appliedIn(sql));
  if (state !== "current") throw new Refusal(detail);
  return files;
}

/** Compares these applied files with the files of this program. */
export async function compareApplied(applied: readonly Applied[], options: Files = {}): Promise<SchemaState> {
  return compare(await filesOf(options), applied);
}

async function applyOnce(
  tx: TransactionSql,
  file: MigrationFile,
  files: readonly MigrationFile[],
): Promise<boolean> {
  await lock(tx);
  // read again, because another process may have migrated while this one waited for the lock
  const applied = await appliedIn(tx);
  const { state, detail } = compare(files, applied);
  if (state === "altered" || state === "newer") throw new Refusal(detail);
  if (applied.some(({ version }) => version === file.version)) return false;
  try {
    await tx.unsafe(file.text);
  } catch (error) {
    const reason = reasonOf(error, file.text);
    throw new Refusal(said("cli.schema.not_applied", { file: file.shown, reason }), 1, { cause: error });
  }
  await tx`
    insert into schema_migrations (version, name, checksum) values (${file.version}, ${file.name}, ${file.checksum})`;
  return true;
}

/** Since PostgreSQL 15, only the owner of a database may create tables in it; on a standby, nobody may. */
function refuseWithoutRights(error: unknown): never {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== "42501" && code !== "25006") throw error;
  throw new Refusal(said("cli.schema.not_created", { reason: String(message) }), 1, { cause: error });
}

async function lock(tx: TransactionSql): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK})`;
}

async function appliedIn(sql: Sql | TransactionSql): Promise<Applied[]> {
  const [table] = await sql<
    { there: boolean }[]
  >`select to_regclass('schema_migrations') is not null as there`;
  if (!table?.there) return [];
  return sql<Applied[]>`select version, name, checksum from schema_migrations order by version`;
}

function compare(files: readonly MigrationFile[], applied: readonly Applied[]): SchemaState {
  for (const { version, checksum } of applied) {
    const file = files[version - 1];
    if (!file || file.checksum === checksum) continue;
    return lacking("altered", said("cli.schema.altered", { file: file.shown }), "cli.schema.restore_file");
  }
  const unknown = applied.find(({ version }) => version > files.length);
  if (unknown)
    return lacking("newer", said("cli.schema.newer", { file: unknown.name }), "cli.schema.start_newer");
  if (applied.length === 0 && files.length > 0)
    return lacking("missing", said("cli.schema.missing"), "cli.schema.migrate");
  if (applied.length < files.length) {
    const counts = { missing: files.length - applied.length, count: files.length };
    return lacking("older", said("cli.schema.older", counts), "cli.schema.migrate");
  }
  const says = said("cli.schema.current");
  return { state: "current", says, advice: null, detail: says };
}

function lacking(state: SchemaState["state"], says: Said, key: MessageKey): SchemaState {
  const advice = said(key);
  return { state, says, advice, detail: said("cli.schema.with_advice", { fault: says, advice }) };
}

/** The message of the database, with the line of the file if it is known. */
function reasonOf(error: unknown, text: string): string {
  const { message, position } = error as { message: string; position?: string };
  return position ? `${message} (line ${text.slice(0, Number(position)).split("\n").length})` : message;
}
