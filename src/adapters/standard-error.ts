/** The log of a service: lines that may wait are written together, and a reader that stops never stops the service. */
import { writeSync } from "node:fs";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import type { WriteLine } from "../log.ts";

/** Milliseconds that a line waits at most, and how much may wait: then all of it is written. */
const LONGEST_WAIT = 100;
const TOGETHER = 64 * 1024;
/** How much waits for a reader that does not keep up, or for a disk that is full. */
const MOST = 1024 * 1024;
/** Milliseconds that a process which ends waits for such a reader. */
const LAST_WAIT = 250;

/**
 * Writes to standard error. A line that may not wait is written before this returns, after all that waited. A line is refused
 * (false) while `MOST` waits.
 */
export function standardErrorLines(): WriteLine {
  // looking at it makes writes to a full pipe fail on Node and Bun; on Deno they still wait for the reader
  const { fd } = process.stderr;
  const encoder = new TextEncoder();
  let waiting = "";
  let encoded = new Uint8Array();
  let timer: NodeJS.Timeout | undefined;
  const isEmpty = () => waiting === "" && encoded.length === 0;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    try {
      while (!isEmpty()) {
        if (encoded.length === 0) [encoded, waiting] = [encoder.encode(waiting), ""];
        encoded = encoded.subarray(writeSync(fd, encoded));
      }
    } catch {
      // there is nowhere to say it
      timer = setTimeout(flush, LONGEST_WAIT).unref();
    }
  };
  process.once("exit", () => {
    const still = new Int32Array(new SharedArrayBuffer(4));
    for (
      const begun = performance.now();
      performance.now() - begun < LAST_WAIT;
      Atomics.wait(still, 0, 0, 5)
    ) {
      flush();
      if (isEmpty()) return;
    }
  });
  return (line, mayWait = false) => {
    if (waiting.length + encoded.length >= MOST) return false;
    waiting += `${line}\n`;
    if (!mayWait || (encoded.length === 0 && waiting.length >= TOGETHER)) flush();
    else timer ??= setTimeout(flush, LONGEST_WAIT).unref();
    return true;
  };
}
