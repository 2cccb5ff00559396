/** Many records are read in batches: each statement is short, and others ask the database in between. */
import { plainArray } from "../../ids.ts";

const BATCH = 250;

/**
 * Between steps of one search: the embedded database answers within the same round of the event loop, in which nobody else
 * is heard.
 */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/**
 * @param read is given ids as the database reads an array of them
 * @param isEnough ends it early
 * @param size more where little is read of each
 */
export async function inBatches<T>(
  ids: readonly string[],
  read: (batch: string) => Promise<readonly T[]>,
  { isEnough = () => false, size = BATCH }: { isEnough?: () => boolean; size?: number } = {},
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < ids.length && !isEnough(); at += size) {
    if (at > 0) await pause();
    for (const row of await read(plainArray(ids.slice(at, at + size)))) all.push(row);
  }
  return all;
}
