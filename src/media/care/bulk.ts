/**
 * Imports many files, each to the object that its name matches. It can be run again, because it recognises files that an object
 * already has by their checksum.
 */

import { joinBytes } from "../../bytes.ts";
import type { Account, Caller } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { type Said, said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Visibility } from "../../records/media/medium.ts";
import { TELLING_BYTES, typeOf, unsupportedType } from "../../records/media/type.ts";
import { seesPrivateMedia, visibleTo } from "../../records/visibility.ts";
import type { Services, Sql } from "../../services.ts";
import { type Received, takeIn } from "../intake.ts";
import type { MediumChange } from "../shape.ts";
import { saveUpload } from "../upload.ts";
import { areAlike, createMatcher, type Match, type Matcher, stemOf } from "./matching.ts";

/** The object of a file name, or why there is none. `position`: the position in the list of an import that named the file. */
export type Place = { position?: number } & ({ objectId: string; idno: string } | { refused: Said });

type Ordered = { position?: number | undefined; filename: string };
const names = new Intl.Collator("en", { numeric: true });

/**
 * The order in which files are added: first that of an import's list, then by name without ending, so that `1998.4.jpg` comes
 * before `1998.4_2.jpg`, and that before `1998.4_10.jpg`.
 */
export const inOrder = (one: Ordered, other: Ordered): number =>
  (one.position ?? LAST) - (other.position ?? LAST) ||
  names.compare(stemOf(one.filename), stemOf(other.filename)) ||
  names.compare(one.filename, other.filename);
const LAST = Number.MAX_SAFE_INTEGER;

/** Finds the objects of file names among those that the caller may see. @param paths with `/` between directories */
export async function placesOf(sql: Sql, caller: Caller, paths: readonly string[]): Promise<Place[]> {
  const matcher = await readNames(sql, caller, paths);
  return paths.map((path) => placeOf(uniqueOf(matcher.of(path))));
}

function placeOf(matches: readonly Match[]): Place {
  const [match, ...more] = matches;
  if (!match) return { refused: said("fault.file.no_object") };
  const position = match.listed ? { position: match.listed.position } : {};
  if (more.length > 0) return { ...position, refused: fitsSeveral(matches) };
  return { ...position, objectId: match.objectId, idno: match.idno };
}

/** How many file names from imports are still without a file. */
export async function countAwaited(sql: Sql): Promise<number> {
  let awaited = 0;
  const names = sql<{ filename: string; there: string[] }[]>`
    select n.filename, array(
      select m.filename from object_media m where m.object_id = n.record_id and m.deleted_at is null) as there
    from media_names n join records r on r.id = n.record_id where r.deleted_at is null`;
  for await (const rows of names.cursor(5_000))
    for (const { filename, there } of rows) if (!there.some((name) => areAlike(name, filename))) awaited += 1;
  return awaited;
}

async function readNames(sql: Sql, caller: Caller, paths: readonly string[]): Promise<Matcher> {
  const matcher = createMatcher(paths);
  const numbers = sql<{ id: string; idno: string }[]>`
    select r.id, r.idno from records r where r.record_type = 'object' and ${visibleTo(sql, caller, "object")}`;
  for await (const rows of numbers.cursor(5_000)) for (const { id, idno } of rows) matcher.knows(id, idno);
  if (!seesPrivateMedia(caller)) return matcher;
  const names = sql<{ record_id: string; idno: string; filename: string; position: number }[]>`
    select n.record_id, r.idno, n.filename, n.position from media_names n join records r on r.id = n.record_id
    where r.record_type = 'object' and ${visibleTo(sql, caller, "object")}`;
  for await (const rows of names.cursor(5_000))
    for (const { record_id, idno, ...listed } of rows) matcher.awaits(record_id, idno, listed);
  return matcher;
}

const uniqueOf = (matches: readonly Match[]): Match[] =>
  matches.filter(
    ({ objectId }, index) => matches.findIndex((other) => other.objectId === objectId) === index,
  );

/** How many candidate objects of a file a message names. */
const NAMED = 5;

function fitsSeveral(matches: readonly Match[]): Said {
  const numbers = matches.slice(0, NAMED).map(({ idno }) => idno);
  const more = matches.length > NAMED ? " …" : "";
  return said("fault.file.several_objects", {
    count: matches.length,
    numbers: `${numbers.join(", ")}${more}`,
  });
}

/** Checksums (SHA-256) of the object's files of this length. */
export async function checksumsOf(sql: Sql, objectId: string, bytes: number): Promise<string[]> {
  const alike = await sql<{ sha256: string }[]>`
    select sha256 from object_media where object_id = ${objectId} and bytes = ${bytes} and deleted_at is null`;
  return alike.map(({ sha256 }) => sha256);
}

export type FileSent = { path: string; bytes: number; objectId: string; visibility: Visibility };

/** Why a file would be refused, judging by its length and first bytes; null if it would not. */
export async function refusedUnread(
  { config }: Services,
  { bytes }: FileSent,
  content: ReadableStream<Uint8Array>,
): Promise<Said | null> {
  if (bytes > config.mediaMaxBytes) return said("fault.file.too_large");
  let head = new Uint8Array(0);
  for await (const chunk of piecesOf(content)) {
    head = joinBytes([head, chunk]);
    if (head.length >= TELLING_BYTES) break;
  }
  return typeOf(head) ? null : unsupportedType(head);
}

/** Adds a file to its object. Returns why the file was refused; null if it was not. */
export async function addFile(
  services: Services,
  caller: Account,
  { path, objectId, visibility }: FileSent,
  content: ReadableStream<Uint8Array>,
): Promise<Said | null> {
  const file = receiveFile(services, path);
  try {
    for await (const chunk of piecesOf(content)) if (!(await file.take(chunk))) break;
    return (await file.save(caller, objectId, { visibility }))?.told ?? null;
  } finally {
    await file.drop();
  }
}

/** A file that is arriving. Its faults are reported only at the end, so that they do not stop the files after it. */
export type ArrivingFile = {
  filename: string;
  /** Whether it has neither a name nor content, as browsers send for an empty control. */
  isNothing(): boolean;
  /** Returns false if more bytes are useless, because the file is refused. */
  take(bytes: Uint8Array): Promise<boolean>;
  /** Call it after the last bytes. */
  end(): Promise<void>;
  /** Adds the file to the object. Returns why it was refused; null if it was not. */
  save(caller: Account, objectId: string, change: MediumChange): Promise<Problem | null>;
  /** Removes the file unless it was saved. */
  drop(): Promise<void>;
};

export function receiveFile(services: Services, filename: string): ArrivingFile {
  const intake = takeIn(services, newId(), services.config.mediaMaxBytes);
  let received: Received | null = null;
  let refused: Problem | null = null;
  let isEmpty = true;
  let isOver = false;
  const unlessRefused = async (work: () => Promise<void>) => {
    if (refused) return;
    try {
      await work();
    } catch (error) {
      isOver = true;
      // otherwise the nightly job deletes it
      await intake.abandon(error instanceof Problem).catch(() => undefined);
      if (!(error instanceof Problem) || error.code === "unavailable") throw error;
      refused = error;
    }
  };
  const end = () =>
    unlessRefused(async () => {
      received ??= await intake.end();
    });
  return {
    filename,
    isNothing: () => filename === "" && isEmpty,
    async take(bytes) {
      isEmpty = false;
      await unlessRefused(() => intake.take(bytes));
      return refused === null;
    },
    end,
    async save(caller, objectId, change) {
      await end();
      await unlessRefused(async () => {
        await saveUpload(services, caller, objectId, received!, { name: filename, change });
        isOver = true;
      });
      return refused;
    },
    async drop() {
      if (!isOver) await intake.abandon(true).catch(() => undefined);
    },
  };
}

/** Never cancels the stream, which would close the sender's connection and lose the answer. */
async function* piecesOf(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = content.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
