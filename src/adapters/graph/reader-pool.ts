/** The processes of the embedded triple store: hands them out to queries, and starts new ones. */
import { Problem } from "../../problem.ts";
import { type Reader, ReaderGone, startReader } from "./reader.ts";

const MOST_READERS = 2;
/** Milliseconds that a query waits for a process. */
const PATIENCE_MS = 10_000;

type Waiting = { resolve(reader: Reader): void; reject(error: unknown): void };

export type ReaderPool = {
  /** A process that only the caller uses until it is returned. */
  take(): Promise<Reader>;
  give(reader: Reader): void;
  /** Starts a process if there is none. Throws if the last start failed. */
  demand(): void;
  close(): void;
};

/** @param fill loads all graphs into a new process */
export function readerPool(fill: (reader: Reader) => Promise<void>): ReaderPool {
  const all = new Set<Reader>();
  const free: Reader[] = [];
  let waiting: Waiting[] = [];
  let fault: unknown = null;
  let isClosed = false;
  let isFilling = false;

  function grow(): void {
    const reader = startReader();
    all.add(reader);
    isFilling = true;
    fill(reader).then(
      () => {
        fault = null;
        isFilling = false;
        give(reader);
      },
      (error) => {
        fault = error;
        isFilling = false;
        reader.kill();
        all.delete(reader);
        if (all.size > 0) return;
        for (const { reject } of waiting) reject(error instanceof ReaderGone ? busy(error) : error);
        waiting = [];
      },
    );
  }

  function give(reader: Reader): void {
    if (reader.isGone()) {
      all.delete(reader);
      // queries wait, so replace the process
      if (waiting.length > 0 && !isClosed && !isFilling) grow();
      return;
    }
    const next = waiting.shift();
    if (next) next.resolve(reader);
    else free.push(reader);
  }

  return {
    give,
    take() {
      if (isClosed) throw new Problem("unavailable", "The service is stopping");
      let reader = free.pop();
      while (reader?.isGone()) {
        all.delete(reader);
        reader = free.pop();
      }
      if (reader) return Promise.resolve(reader);
      // only one start at a time, because two would take twice as long
      if (all.size < MOST_READERS && !isFilling) grow();
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          resolve(taken) {
            clearTimeout(late);
            resolve(taken);
          },
          reject(error) {
            clearTimeout(late);
            reject(error);
          },
        };
        const late = setTimeout(() => {
          waiting = waiting.filter((other) => other !== one);
          reject(busy());
        }, PATIENCE_MS);
        waiting.push(one);
      });
    },
    demand() {
      for (const reader of all) if (reader.isGone()) all.delete(reader);
      if (all.size === 0 && !isClosed) grow();
      if (fault !== null) throw fault;
    },
    close() {
      isClosed = true;
      for (const reader of all) reader.kill();
    },
  };
}

const busy = (cause?: unknown): Problem =>
  new Problem("unavailable", "The triple store is busy or loading; try again in some seconds", {
    headers: { "Retry-After": "10" },
    cause,
  });
