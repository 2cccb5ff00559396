/** Waiting that fails when nothing has changed for a while, not after a fixed time: a busy machine may be slow. */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

export const STILL_SECONDS = 60;

/** Returns a function to call while waiting. It answers whether `moved` has returned the same value for a minute. */
export function stuck(moved: () => unknown): () => boolean {
  let last: unknown;
  let since = performance.now();
  return () => {
    const now = moved();
    if (now !== last) since = performance.now();
    last = now;
    return performance.now() - since > STILL_SECONDS * 1_000;
  };
}

/** A different value whenever the process has worked: its processor time, where Linux reports it. */
export function workOf({ pid }: ChildProcess): string {
  try {
    const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return fields!.split(" ").slice(11, 13).join();
  } catch {
    return "";
  }
}
