/** Reads many records in batches, so that each statement is short and others can use the database in between. */
import { plainArray } from "../../../ids.ts";

const BATCH = 250;

/**
 * Lets the event loop run, between steps of one search. The embedded database answers without leaving the current round of
 * the event loop, so without a pause nobody else would be served.
 */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/**
 * @param read receives the ids in the syntax of a PostgreSQL array
 * @param isEnough whether to stop early
 */
export async function inBatches<T>(
  ids: readonly string[],
  read: (batch: string) => Promise<readonly T[]>,
  { isEnough = () => false }: { isEnough?: () => boolean } = {},
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < ids.length && !isEnough(); at += BATCH) {
    if (at > 0) await pause();
    for (const row of await read(plainArray(ids.slice(at, at + BATCH)))) all.push(row);
  }
  return all;
}
