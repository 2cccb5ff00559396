/** Moves media files between two stores. A file is deleted only after its copy was compared. */
import { type Said, said } from "../../messages/said.ts";
import type { Files, Sql, StoredFile } from "../../services.ts";
import { digestOf, hashing } from "../digest.ts";
import { MEDIA_FOLDERS, mediumOfKey } from "../keys.ts";

export type Move = {
  sql: Sql;
  from: Files;
  to: Files;
  keep: boolean;
  signal: AbortSignal;
  report(done: { files: number; bytes: number; ofBytes: number }): unknown;
};

export type Moved = {
  /** Copied now. */
  moved: number;
  bytes: number;
  /** Already there, byte for byte. */
  there: number;
  /** Not moved, each with the reason. */
  left: { key: string; reason: Said }[];
};

/** How many files are moved at once, because most of the time is spent waiting for the other store. */
const AT_ONCE = 4;

/** After an interruption, moved files stay moved, and the next run does the rest. */
export async function moveMedia(move: Move): Promise<Moved> {
  const result: Moved = { moved: 0, bytes: 0, there: 0, left: [] };
  let ofBytes = 0;
  for await (const { bytes } of filesOf(move.from)) ofBytes += bytes;
  const queue = filesOf(move.from);
  let passed = { files: 0, bytes: 0 };
  let failed = false;
  const work = async () => {
    for (let next = await queue.next(); !next.done && !failed; next = await queue.next()) {
      move.signal.throwIfAborted();
      await moveOne(move, next.value, result);
      passed = { files: passed.files + 1, bytes: passed.bytes + next.value.bytes };
      await move.report({ ...passed, ofBytes });
    }
  };
  const all = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  const ended = await Promise.allSettled(all);
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return result;
}

async function* filesOf(files: Files): AsyncGenerator<StoredFile, undefined> {
  for (const folder of MEDIA_FOLDERS)
    for await (const file of files.list(folder)) if (mediumOfKey(file.key) !== null) yield file;
}

async function moveOne({ sql, from, to, keep }: Move, file: StoredFile, result: Moved): Promise<void> {
  const { key } = file;
  const known = await digestInCatalogue(sql, key);
  const there = await digestOf(to, key);
  const here = there === null ? await copy(from, to, key) : await digestOf(from, key);
  // purged meanwhile
  if (here === null) return;
  const leave = async (reason: Said) => {
    if (there === null) await to.remove(key);
    result.left.push({ key, reason });
  };
  if (known !== null && here !== known) return leave(said("job.media.differs_from_upload"));
  if (there !== null && here !== there) return leave(said("job.media.in_both_places"));
  if (there === null) {
    if ((await digestOf(to, key)) !== here) return leave(said("job.media.differs_after_copying"));
    result.moved++;
    result.bytes += file.bytes;
  } else result.there++;
  if (!keep) await from.remove(key);
}

/** Returns the SHA-256 of the copied file; null if there is no file. */
async function copy(from: Files, to: Files, key: string): Promise<string | null> {
  const found = await from.get(key);
  if (found === null) return null;
  const { through, sha256 } = hashing();
  await to.put(key, found.content.pipeThrough(through));
  return sha256();
}

/** The checksum in the catalogue; null for derived files, and for files that belong to no medium. */
async function digestInCatalogue(sql: Sql, key: string): Promise<string | null> {
  const [row] = await sql<{ sha256: string }[]>`select sha256 from object_media where storage_key = ${key}`;
  return row?.sha256 ?? null;
}
