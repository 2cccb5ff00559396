/** The processes of the embedded triple store: hands them out to queries, and loads new ones. */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { clientGone } from "./limits.ts";
import { type Reader, ReaderGone, startReader } from "./reader.ts";

const MOST_READERS = 2;
/** Milliseconds after which a query is slow. The first slow query adds a second process, so that others are answered. */
const SLOW_MS = 1_000;
/** Milliseconds that a query may take while others wait. */
const BUDGET_MS = 3_000;

type Waiting = { resolve(reader: Reader): void; reject(error: unknown): void; stopped(ms: number): void };
type Use = {
  since: number;
  stopped(ms: number): void;
  isOver: boolean;
  timers: ReturnType<typeof setTimeout>[];
};

export type ReaderPool = {
  /**
   * A process that only the caller uses until it is given back.
   *
   * @param stopped called with the milliseconds of its use, if the process is ended because others wait
   */
  take(until: AbortSignal, stopped: (ms: number) => void): Promise<Reader>;
  give(reader: Reader): void;
  /** Starts a process if there is none. Throws if the last start failed. */
  demand(): void;
  close(): void;
};

/** `patienceMs`: how long a query waits for a process. `freeMemory`: bytes; a second process needs as much as the first. */
type PoolLimits = { patienceMs: number; freeMemory: () => number };

/** @param fill loads all graphs into a new process */
export function readerPool(
  fill: (reader: Reader) => Promise<void>,
  { patienceMs, freeMemory }: PoolLimits,
): ReaderPool {
  const all = new Set<Reader>();
  /** Processes that queries use, the one used longest first. */
  const used = new Map<Reader, Use>();
  const waiting = new Set<Waiting>();
  let filling: Reader | null = null;
  let wasSlow = false;
  let fault: unknown = null;
  let isClosed = false;

  function grow(): void {
    const reader = startReader();
    all.add(reader);
    filling = reader;
    fill(reader).then(
      () => {
        filling = null;
        fault = null;
        review();
      },
      (error) => {
        filling = null;
        reader.kill();
        all.delete(reader);
        if (all.size > 0) return;
        fault = error;
        for (const { reject } of waiting) reject(error instanceof ReaderGone ? busy(error) : error);
      },
    );
  }

  const mayGrow = () => {
    if (isClosed || filling !== null) return false;
    if (all.size === 0) return true;
    const [first] = all;
    return wasSlow && all.size < MOST_READERS && freeMemory() > first!.bytes;
  };

  /** Called after every event: hands out, replaces and adds processes, and ends a query whose time is up while others wait. */
  function review(): void {
    for (const reader of all) {
      if (used.has(reader) || reader === filling) continue;
      const [next] = waiting;
      if (reader.isGone()) all.delete(reader);
      else if (next) lend(reader, next);
    }
    if (mayGrow()) grow();
    const over = [...used].find(([, { isOver }]) => isOver);
    // the process that is being loaded will soon be free
    if (!over || waiting.size === 0 || filling !== null) return;
    const [reader, { stopped, since }] = over;
    stopped(performance.now() - since);
    reader.kill();
    give(reader);
  }

  function lend(reader: Reader, { resolve, stopped }: Waiting): void {
    const slow = () => {
      wasSlow = true;
      review();
    };
    const over = () => {
      use.isOver = true;
      review();
    };
    const use: Use = {
      since: performance.now(),
      stopped,
      isOver: false,
      timers: [setTimeout(slow, SLOW_MS), setTimeout(over, BUDGET_MS)],
    };
    used.set(reader, use);
    resolve(reader);
  }

  function give(reader: Reader): void {
    used.get(reader)?.timers.forEach(clearTimeout);
    if (used.delete(reader)) review();
  }

  return {
    give,
    take(until, stopped) {
      if (isClosed) throw new Problem("unavailable", said("problem.service.stopping"));
      return new Promise((resolve, reject) => {
        const end = <T>(settle: (value: T) => void) => {
          return (value: T) => {
            clearTimeout(late);
            until.removeEventListener("abort", leave);
            waiting.delete(one);
            settle(value);
          };
        };
        const one: Waiting = { resolve: end(resolve), reject: end(reject), stopped };
        const leave = () => one.reject(clientGone());
        const late = setTimeout(() => one.reject(busy()), patienceMs);
        until.addEventListener("abort", leave);
        waiting.add(one);
        review();
      });
    },
    demand() {
      review();
      if (fault !== null) throw fault;
    },
    close() {
      isClosed = true;
      for (const reader of all) reader.kill();
    },
  };
}

const busy = (cause?: unknown): Problem =>
  new Problem("unavailable", said("problem.triplestore.loading"), {
    headers: { "Retry-After": "10" },
    cause,
  });
