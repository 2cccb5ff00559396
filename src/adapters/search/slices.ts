/** Many records are read in slices: each statement is short, and others ask the database in between. */
import { plainArray } from "../../ids.ts";

const SLICE = 250;

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
export async function inSlices<T>(
  ids: readonly string[],
  read: (slice: string) => Promise<readonly T[]>,
  { isEnough = () => false, size = SLICE }: { isEnough?: () => boolean; size?: number } = {},
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < ids.length && !isEnough(); at += size) {
    if (at > 0) await pause();
    for (const row of await read(plainArray(ids.slice(at, at + size)))) all.push(row);
  }
  return all;
}
