/**
 * The SQL around the rows of a dump. Before the rows: the schema from the files of sql/, without indexes, constraints and
 * triggers. After the rows: these, the values of sequences, and marks that rebuild the search index. All of it is one
 * transaction, so that psql also restores everything or nothing.
 */
import { VERSION } from "../../../config/version.ts";
import { MIGRATIONS_TABLE } from "../migrate/migrate.ts";
import type { MigrationFile } from "../migrate/migration-files.ts";
import type { Structure } from "./catalogue.ts";
import { quoted } from "./rows.ts";

/** Version of the format of dumps, not of the schema. */
export const DUMP_FORMAT = 1;
export const ABOUT = "-- backup ";
export const END = "-- end of backup ";

/** The first line of a dump, which shows whether this program can restore it. */
export type DumpAbout = {
  format: number;
  version: string;
  made_at: string;
  schema: { version: number; name: string; checksum: string }[];
};

/** The line after the rows. Without it, the dump is incomplete. Only psql reads what follows it (`afterRestore`). */
export type DumpEnd = { tables: Record<string, { rows: number; digest: string }> };

export function dumpAbout(files: readonly MigrationFile[], madeAt: string): DumpAbout {
  const schema = files.map(({ version, name, checksum }) => ({ version, name, checksum }));
  return { format: DUMP_FORMAT, version: VERSION, made_at: madeAt, schema };
}

export function dumpHead(
  about: DumpAbout,
  files: readonly MigrationFile[],
  tables: readonly string[],
  structures: readonly Structure[],
): string {
  const dropped = structures.toReversed().map(({ table, name, kind }) => {
    // an index that somebody created by hand does not exist at this point
    if (kind === "index") return `drop index if exists ${quoted(name)};`;
    return `alter table ${table} drop constraint if exists ${quoted(name)};`;
  });
  return `${ABOUT}${JSON.stringify(about)}
-- A catalogue as it was at that moment. It is restored by "svc-manage restore FILE", or into an empty database of
-- PostgreSQL 15 or later by "gunzip -c FILE | psql DATABASE". The search index is not in it: it is made anew.
\\set ON_ERROR_STOP on
begin;
set local client_encoding to 'UTF8';
set local timezone to 'UTC';
set local datestyle to 'ISO, MDY';
set local client_min_messages to warning;

${files.map(({ shown, text }) => `-- ${shown}\n${text}`).join("\n")}
${MIGRATIONS_TABLE};

${lines(tables.map((name) => `alter table ${quoted(name)} disable trigger user;`))}
${lines(dropped)}
truncate ${tables.map(quoted).join(", ")};

`;
}

/** Rows of one table, as lines of COPY's text format. */
export function copyBlock(table: string, columns: readonly { name: string }[], rows: string): string {
  return `copy ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(", ")}) from stdin;\n${rows}\\.\n`;
}

/**
 * What a restore changes once the rows are there. It forgets uploads that were under way: they have long ended, and their files
 * may belong to a newer backup. It notes its time where no backup copies it.
 *
 * @param madeAt of the dump
 */
export function afterRestore(madeAt: string): string {
  return `delete from stray_files where due_at > '${new Date(madeAt).toISOString()}';
insert into heartbeats (name, at) values ('restore', clock_timestamp())
on conflict (name) do update set at = excluded.at;`;
}

export function dumpFoot(
  { made_at }: DumpAbout,
  end: DumpEnd,
  structures: readonly Structure[],
  sequences: readonly { name: string; last: string | null }[],
): string {
  const tables = Object.keys(end.tables);
  const made = structures.map(({ table, name, kind, definition }) =>
    kind === "index"
      ? `${definition};`
      : `alter table ${table} add constraint ${quoted(name)} ${definition};`,
  );
  const numbered = sequences
    .filter(({ last }) => last !== null)
    .map(({ name, last }) => `select setval(to_regclass('${quoted(name)}'), ${last});`);
  return `
${lines(made)}
${lines(tables.map((name) => `alter table ${quoted(name)} enable trigger user;`))}
${lines(numbered)}
insert into outbox (target, record_id) select p.target, r.id from projections p cross join records r
where r.deleted_at is null and (p.about = 'all' or r.published_at is not null);
analyze;
${END}${JSON.stringify(end)}
${afterRestore(made_at)}
commit;
`;
}

const lines = (statements: readonly string[]) => statements.join("\n");
