/** Fingerprints of all tables, to compare databases in tests of backups. */
import { readdir } from "node:fs/promises";
import { unpacked } from "../../../src/adapters/backups/backup-source.ts";
import { dumpTables } from "../../../src/adapters/database/dump/catalogue.ts";
import { checkDump, restoreDump } from "../../../src/adapters/database/dump/restore.ts";
import { tableDigest } from "../../../src/adapters/database/dump/rows.ts";
import type { Sql } from "../../../src/services.ts";
import { openScratch, type Scratch, type ScratchKind } from "../servers/databases.ts";

/** For each table in a backup, for example `11 rows, 91048734366233`. */
export async function everyTable(sql: Sql): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const table of await dumpTables(sql)) {
    const { rows, digest } = await tableDigest(sql, table);
    found[table.name] = `${rows} rows, ${digest}`;
  }
  return found;
}

/** The same without the version of the configuration, which a restore increases. */
export async function everythingEntered(sql: Sql): Promise<Record<string, string>> {
  const { configuration: _, ...rest } = await everyTable(sql);
  return rest;
}

/** A database with the content of a dump. */
export async function restored(path: string, kind: ScratchKind): Promise<Scratch> {
  const scratch = await openScratch(kind);
  const source = () => unpacked(path);
  await restoreDump(scratch.sql, source, await checkDump(source));
  return scratch;
}

export async function textOf(path: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of unpacked(path)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** All names, including hidden ones; none when the directory does not exist. */
export async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(() => [])).sort();
}

/** Thousands of records, each with a version and characters that COPY must escape. */
export async function fill(sql: Sql, count: number): Promise<void> {
  await sql`
    with made as (
      insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title)
      select gen_random_uuid(), 'object', 'F-' || n, 'painting', 'public', 'active',
        jsonb_build_object('title', jsonb_build_array(jsonb_build_object('value', repeat(md5(n::text), 20) || E'\\ \t \n "' || n))),
        E'tab\there, line\nthere, back\\slash, ' || n, n::text
      from generate_series(1, ${count}) n
      returning id)
    insert into revisions (record_id, version, action) select id, 1, 'created' from made`;
}
