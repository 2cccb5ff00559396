/**
 * The files under /dumps/. Each set has a folder, named after its time. A set is served once all its files are
 * complete and listed; until then, and if it is never completed, the previous set stays. A set is not served once something
 * in it is no longer public (`withdrawals.ts`).
 */
import type { Files, Services } from "../services.ts";
import { isAnythingWithdrawn } from "./withdrawals.ts";

export const DUMP_FORMATS = ["ndjson", "nquads", "lido"] as const;
export type DumpFormat = (typeof DUMP_FORMATS)[number];

export type DumpFile = {
  name: string;
  format: DumpFormat;
  records: number;
  bytes: number;
  /** Of the compressed file, in hexadecimal digits. */
  sha256: string;
};

/** `made_at`: when it was started, in UTC (ISO 8601). `seconds`: how long that took. */
export type DumpSet = { folder: string; made_at: string; seconds: number; files: DumpFile[] };

const LIST = "current.json";

export const keyOf = (folder: string, name: string): string => `${folder}/${name}`;

/** Null if there is none. */
export async function publishedDumps(files: Files): Promise<DumpSet | null> {
  const list = await files.get(LIST);
  return (
    list && ((await new Response(list.content as ReadableStream<Uint8Array<ArrayBuffer>>).json()) as DumpSet)
  );
}

/** Null if there is none; "withdrawn" if it may no longer be served. */
export async function servedDumps({
  sql,
  dumps,
}: Pick<Services, "sql" | "dumps">): Promise<DumpSet | "withdrawn" | null> {
  const set = await publishedDumps(dumps);
  return set !== null && (await isAnythingWithdrawn(sql)) ? "withdrawn" : set;
}

/** Serves this set from now on and deletes all others. Downloads under way continue. */
export async function publishDumps(files: Files, set: DumpSet): Promise<void> {
  await files.put(LIST, new Response(JSON.stringify(set)).body!);
  await removeAllBut(files, set);
}

/** Deletes all sets: the catalogue that they were made of is replaced. */
export async function withdrawDumps(files: Files): Promise<void> {
  await files.remove(LIST);
  await removeAllBut(files, null);
}

/** Deletes what a killed writer left. */
export async function removeUnfinished(files: Files): Promise<void> {
  await removeAllBut(files, await publishedDumps(files));
}

async function removeAllBut(files: Files, set: DumpSet | null): Promise<void> {
  for await (const { key } of files.list(""))
    if (key !== LIST && !(set && key.startsWith(`${set.folder}/`))) await files.remove(key);
}
