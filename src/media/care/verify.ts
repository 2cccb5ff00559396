/** Compares the media files with the catalogue. */
import type { Files, Sql } from "../../services.ts";
import { digestOf } from "../digest.ts";
import { MEDIA_FOLDERS, mediumOfKey } from "../keys.ts";

export type MediaFault = "missing" | "size" | "content" | "tiles";

export type Verified = {
  media: number;
  /** Bytes that were read and compared. */
  bytes: number;
  faults: { media_id: string; storage_key: string; fault: MediaFault }[];
  /** Keys of files that belong to no medium and do not wait to be deleted. */
  unreferenced: string[];
};

type Row = { id: string; storage_key: string; pyramid_key: string | null; bytes: number; sha256: string };

const ROWS = 200;
/** Younger files are skipped, because a file is stored before its medium, and may belong to an upload under way. */
const YOUNG_MS = 60 * 60 * 1000;

export async function verifyMedia(options: {
  sql: Sql;
  files: Files;
  /** Checks only existence and length. */
  quick: boolean;
  report(done: { media: number; ofMedia: number }): unknown;
}): Promise<Verified> {
  const { sql, files, quick, report } = options;
  const found: Verified = { media: 0, bytes: 0, faults: [], unreferenced: [] };
  const [whole] = await sql<{ n: number }[]>`select count(*)::int as n from object_media`;
  let last: string | null = null;
  for (let rows = await rowsAfter(sql, last); rows.length > 0; rows = await rowsAfter(sql, last)) {
    for (const row of rows) {
      const faults = await faultsOf(files, row, quick, (bytes) => {
        found.bytes += bytes;
      });
      // a medium purged meanwhile needs no file
      if (faults.length > 0 && (await isThere(sql, row.id))) {
        const { id, storage_key } = row;
        found.faults.push(...faults.map((fault) => ({ media_id: id, storage_key, fault })));
      }
      await report({ media: ++found.media, ofMedia: whole!.n });
    }
    last = rows.at(-1)!.id;
  }
  for await (const key of unreferenced(sql, files)) found.unreferenced.push(key);
  return found;
}

async function rowsAfter(sql: Sql, id: string | null): Promise<Row[]> {
  return sql<Row[]>`
    select id, storage_key, pyramid_key, bytes::float8 as bytes, sha256 from object_media
    where ${id}::uuid is null or id > ${id} order by id limit ${ROWS}`;
}

async function isThere(sql: Sql, id: string): Promise<boolean> {
  return (await sql`select from object_media where id = ${id}`).length > 0;
}

async function faultsOf(
  files: Files,
  { storage_key: key, pyramid_key, bytes, sha256 }: Row,
  quick: boolean,
  read: (bytes: number) => void,
): Promise<MediaFault[]> {
  const faults: MediaFault[] = [];
  const about = await files.stat(key);
  if (about === null) faults.push("missing");
  else if (about.bytes !== bytes) faults.push("size");
  else if (!quick) {
    const digest = await digestOf(files, key);
    if (digest === null) faults.push("missing");
    else if (digest !== sha256) faults.push("content");
    read(bytes);
  }
  if (pyramid_key !== null && (await files.stat(pyramid_key)) === null) faults.push("tiles");
  return faults;
}

async function* unreferenced(sql: Sql, files: Files): AsyncGenerator<string> {
  for (const folder of MEDIA_FOLDERS) {
    let batch: string[] = [];
    for await (const { key, modifiedAt } of files.list(folder)) {
      if (Date.now() - modifiedAt.getTime() < YOUNG_MS) continue;
      batch.push(key);
      if (batch.length < ROWS) continue;
      yield* await withoutRow(sql, batch);
      batch = [];
    }
    yield* await withoutRow(sql, batch);
  }
}

/** The keys without a row: neither of a medium, nor of a file that is being written or waits to be deleted. */
export async function withoutRow(sql: Sql, keys: readonly string[]): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select k.key from unnest(${keys}::text[], ${keys.map(mediumOfKey)}::uuid[]) k (key, medium_id)
    where not exists (select 1 from object_media m where m.id = k.medium_id)
      and not exists (select 1 from object_media m where m.storage_key = k.key)
      and not exists (select 1 from stray_files s where s.key = k.key)`;
  return rows.map(({ key }) => key);
}
