/**
 * Imports many files, each to the object that its name matches. It can be run again: files that an object already has
 * are recognised by their checksum and skipped.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Account } from "../caller.ts";
import { newId } from "../ids.ts";
import { type Said, said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Services, Sql } from "../services.ts";
import { takeIn } from "./intake.ts";
import { areAlike, createMatcher, type Match, type Matcher } from "./matching.ts";
import type { Visibility } from "./medium.ts";
import { TELLING_BYTES, typeOf, unsupportedType } from "./type.ts";
import { saveUpload } from "./upload.ts";

export type FileAtHand = {
  /** For display, with `/` between directories. */
  path: string;
  bytes: number;
  open(): AsyncIterable<Uint8Array>;
};

/** `idno`: the number of the object that the file belongs to. */
export type Outcome =
  | { what: "added" | "would_add" | "there"; objectId: string; idno: string }
  | { what: "refused"; reason: Said };

export type BulkOptions = {
  dryRun: boolean;
  visibility: Visibility;
  signal: AbortSignal;
  tell(file: FileAtHand, outcome: Outcome): Promise<void>;
};

/** `awaited`: file names from imports whose files are still missing. */
export async function importMedia(
  services: Services,
  caller: Account,
  files: readonly FileAtHand[],
  options: BulkOptions,
): Promise<{ awaited: number }> {
  const matcher = await readNames(services.sql);
  const plan = files.map((file) => ({ file, matches: uniqueOf(matcher.of(file.path)) })).sort(inOrder);
  for (const { file, matches } of plan) {
    options.signal.throwIfAborted();
    await options.tell(file, await addFile(services, caller, file, matches, options));
  }
  return { awaited: await countAwaited(services.sql) };
}

async function countAwaited(sql: Sql): Promise<number> {
  let awaited = 0;
  const names = sql<{ filename: string; there: string[] }[]>`
    select n.filename, array(
      select m.filename from object_media m where m.object_id = n.record_id and m.deleted_at is null) as there
    from media_names n join records r on r.id = n.record_id where r.deleted_at is null`;
  for await (const rows of names.cursor(5_000))
    for (const { filename, there } of rows) if (!there.some((name) => areAlike(name, filename))) awaited += 1;
  return awaited;
}

async function readNames(sql: Sql): Promise<Matcher> {
  const matcher = createMatcher();
  const numbers = sql<{ id: string; idno: string }[]>`
    select id, idno from records where record_type = 'object' and deleted_at is null`;
  for await (const rows of numbers.cursor(5_000)) for (const { id, idno } of rows) matcher.knows(id, idno);
  const names = sql<{ record_id: string; idno: string; filename: string; position: number }[]>`
    select n.record_id, r.idno, n.filename, n.position from media_names n join records r on r.id = n.record_id
    where r.deleted_at is null and r.record_type = 'object'`;
  for await (const rows of names.cursor(5_000))
    for (const { record_id, idno, ...wish } of rows) matcher.awaits(record_id, idno, wish);
  return matcher;
}

const uniqueOf = (matches: readonly Match[]): Match[] =>
  matches.filter(
    ({ objectId }, index) => matches.findIndex((other) => other.objectId === objectId) === index,
  );

type Planned = { file: FileAtHand; matches: readonly Match[] };

/** In the order of the list, then by name, so that "2" comes before "10". */
function inOrder(one: Planned, other: Planned): number {
  const place = ({ matches }: Planned) => matches[0]?.wish?.position ?? Number.MAX_SAFE_INTEGER;
  return place(one) - place(other) || one.file.path.localeCompare(other.file.path, "en", { numeric: true });
}

async function addFile(
  services: Services,
  caller: Account,
  file: FileAtHand,
  matches: readonly Match[],
  options: BulkOptions,
): Promise<Outcome> {
  const [match, ...more] = matches;
  if (!match) return { what: "refused", reason: said("fault.file.no_object") };
  if (more.length > 0) return { what: "refused", reason: fitsSeveral(matches) };
  const { objectId, idno } = match;
  if (await isThere(services.sql, objectId, file)) return { what: "there", objectId, idno };
  if (options.dryRun) {
    const reason = await refusedUnread(services, file);
    return reason === null ? { what: "would_add", objectId, idno } : { what: "refused", reason };
  }
  try {
    await add(services, caller, file, objectId, options.visibility);
  } catch (error) {
    if (!(error instanceof Problem) || error.code === "unavailable") throw error;
    return { what: "refused", reason: error.told };
  }
  return { what: "added", objectId, idno };
}

/** How many candidate objects of a file are named. */
const NAMED = 5;

function fitsSeveral(matches: readonly Match[]): Said {
  const numbers = matches.slice(0, NAMED).map(({ idno }) => idno);
  const more = matches.length > NAMED ? " …" : "";
  return said("fault.file.several_objects", {
    count: matches.length,
    numbers: `${numbers.join(", ")}${more}`,
  });
}

/** Only a file of the same length is read for its checksum. */
async function isThere(sql: Sql, objectId: string, file: FileAtHand): Promise<boolean> {
  const alike = await sql<{ sha256: string }[]>`
    select sha256 from object_media where object_id = ${objectId} and bytes = ${file.bytes} and deleted_at is null`;
  if (alike.length === 0) return false;
  const hash = sha256.create();
  for await (const chunk of file.open()) hash.update(chunk);
  const found = bytesToHex(hash.digest());
  return alike.some((medium) => medium.sha256 === found);
}

/** Why a file will be refused, judged by its length and first bytes. */
async function refusedUnread({ config }: Services, file: FileAtHand): Promise<Said | null> {
  if (file.bytes > config.mediaMaxBytes) return said("fault.file.too_large");
  let head = new Uint8Array(0);
  for await (const chunk of file.open()) {
    head = Uint8Array.of(...head, ...chunk.subarray(0, TELLING_BYTES));
    if (head.length >= TELLING_BYTES) break;
  }
  return typeOf(head) ? null : unsupportedType(head);
}

async function add(
  services: Services,
  caller: Account,
  file: FileAtHand,
  objectId: string,
  visibility: Visibility,
): Promise<void> {
  const intake = takeIn(services, newId(), services.config.mediaMaxBytes);
  try {
    for await (const chunk of file.open()) await intake.take(chunk);
    const sent = { name: file.path, change: { visibility } };
    await saveUpload(services, caller, objectId, await intake.end(), sent);
  } catch (error) {
    await intake.abandon(error instanceof Problem).catch(() => undefined);
    throw error;
  }
}
