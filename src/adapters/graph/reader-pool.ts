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
/** Milliseconds for which a client with a slow query leaves one process to the others. */
const REMEMBERED_MS = 600_000;
const MOST_REMEMBERED = 10_000;

type Waiting = Asking & { resolve(reader: Reader): void; reject(error: unknown): void };
type Use = Asking & {
  since: number;
  isOver: boolean;
  timers: ReturnType<typeof setTimeout>[];
};

type Asking = {
  client: string | undefined;
  /** Called with the milliseconds of its use, if the process is ended because others wait. */
  stopped(ms: number): void;
};

export type ReaderPool = {
  /** A process that only the caller uses until it is given back. */
  take(asking: Asking, until: AbortSignal): Promise<Reader>;
  give(reader: Reader): void;
  /** Starts a process if there is none. Throws if the last start failed. */
  demand(): void;
  close(): void;
};

const stopping = () => new Problem("unavailable", said("problem.service.stopping"));

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
  /** Clients with a slow query and when they are forgotten, the first to be forgotten first. */
  const slowUntil = new Map<string, number>();
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

  const isSlow = ({ client = "" }: Asking) => (slowUntil.get(client) ?? 0) > performance.now();

  function noteSlow({ client }: Asking): void {
    wasSlow = true;
    if (client === undefined) return;
    slowUntil.delete(client);
    slowUntil.set(client, performance.now() + REMEMBERED_MS);
    if (slowUntil.size > MOST_REMEMBERED) slowUntil.delete([...slowUntil.keys()][0]!);
  }

  /**
   * Who gets the next process. Of two processes, clients with slow queries hold one at most, and none while one is loaded. Of the
   * others, the last comes first: if many slow queries wait, it need not wait for all of them.
   */
  function next(): Waiting | undefined {
    const asking = [...waiting];
    const isKept = all.size > 1 && (filling !== null || [...used.values()].some(isSlow));
    return asking.findLast((one) => !isSlow(one)) ?? (isKept ? undefined : asking[0]);
  }

  /** Called after every event: replaces and adds processes, hands them out, and ends a query whose time is up while others wait. */
  function review(): void {
    const free = () => [...all].filter((reader) => !used.has(reader) && reader !== filling);
    for (const reader of free()) if (reader.isGone()) all.delete(reader);
    if (mayGrow()) grow();
    for (const reader of free()) {
      const first = next();
      if (first) lend(reader, first);
    }
    const over = [...used].find(([, { isOver }]) => isOver);
    // the process that is being loaded will soon be free
    if (!over || !next() || filling !== null) return;
    const [reader, { stopped, since }] = over;
    stopped(performance.now() - since);
    reader.kill();
    give(reader);
  }

  function lend(reader: Reader, { client, stopped, resolve }: Waiting): void {
    const slow = () => {
      noteSlow(use);
      review();
    };
    const over = () => {
      use.isOver = true;
      review();
    };
    const use: Use = {
      client,
      stopped,
      since: performance.now(),
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
    take(asking, until) {
      if (isClosed) throw stopping();
      return new Promise((resolve, reject) => {
        const end = <T>(settle: (value: T) => void) => {
          return (value: T) => {
            clearTimeout(late);
            until.removeEventListener("abort", leave);
            waiting.delete(one);
            settle(value);
          };
        };
        const one: Waiting = { ...asking, resolve: end(resolve), reject: end(reject) };
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
      for (const { reject } of waiting) reject(stopping());
    },
  };
}

const busy = (cause?: unknown): Problem =>
  new Problem("unavailable", said("problem.triplestore.loading"), {
    headers: { "Retry-After": "10" },
    cause,
  });
