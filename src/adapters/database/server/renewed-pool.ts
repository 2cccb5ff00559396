/**
 * A pool of connections that is replaced by a new pool in two cases:
 *
 * - Connections have gone silent. If the network drops packets or the server machine loses power, connections do not end.
 *   postgres.js would wait for a quarter of an hour or more, as long as the operating system does. So all connections are
 *   asked every few seconds.
 * - A connection was lost. postgres.js would use it again in a wrong state, and requests would hang for ever (postgres.ts and
 *   https://github.com/porsager/postgres/issues/1208).
 */
import { clearInterval, setInterval } from "node:timers";
import { setTimeout } from "node:timers/promises";
import type { Sql } from "postgres";

/**
 * Milliseconds. `every`: between two checks. `silence`: for the answers, because connections may be busy. `pause`: between two
 * attempts to reach a lost server.
 */
export type Patience = { every: number; silence: number; pause: number };

const PATIENCE: Patience = { every: 5_000, silence: 15_000, pause: 250 };

export type Pools = {
  /** Throws if the server cannot be reached. `lost` is called for each closed connection. */
  open(lost: () => void): Promise<Sql>;
  /** The same without contacting the server. */
  fresh(lost: () => void): Sql;
};

/** Throws what `open` throws if the first pool cannot be opened. */
export async function renewedPool(
  pools: Pools,
  warn: (sentence: string) => void,
  patience: Patience = PATIENCE,
): Promise<{ sql: Sql; close(timeout: number): Promise<void> }> {
  let pool: Sql;
  let openCheck: { at: number } | null = null;
  /** Why a new pool is needed; null if the current one works. */
  let fault: "lost" | "silent" | null = null;
  let renewing = false;
  let closed = false;

  /** The `lost` of one pool. It has no effect once the pool has been replaced. */
  const lostBy = (mine: () => Sql | null) => () => {
    if (mine() === pool) renew("lost");
  };

  async function opened(): Promise<Sql> {
    let mine: Sql | null = null;
    mine = await pools.open(lostBy(() => mine));
    return mine;
  }

  function fresh(): Sql {
    const mine: Sql = pools.fresh(lostBy(() => mine));
    return mine;
  }

  function renew(why: "lost" | "silent"): void {
    if (fault !== "silent") fault = why;
    if (renewing || closed) return;
    renewing = true;
    untilRenewed().finally(() => {
      renewing = false;
    });
  }

  async function untilRenewed(): Promise<void> {
    while (fault !== null && !closed) {
      const next = await opened().catch(() => null);
      if (closed) {
        await next?.end({ timeout: 0 });
        return;
      }
      if (next !== null) {
        warn(`some connections to the database were ${fault}, and new ones answer: those are used now`);
        replace(next);
      } else if (fault === "silent") {
        warn("the database does not answer: waiting queries are given up");
        replace(fresh(), 0);
      }
      await setTimeout(patience.pause, undefined, { ref: false });
    }
  }

  /** `timeout`: seconds after which running queries of the old pool are aborted; without it they may finish. */
  function replace(next: Sql, timeout?: number): void {
    const old = pool;
    pool = next;
    openCheck = null;
    fault = null;
    // ending a pool drops queries that wait for a connection, so wait until a last query is answered
    const served = timeout === undefined ? old`select 1`.catch(() => undefined) : Promise.resolve();
    served.then(() => old.end({ timeout })).catch(() => undefined);
  }

  const ask = () => {
    const question = { at: performance.now() };
    openCheck = question;
    const answered = () => {
      if (openCheck === question) openCheck = null;
    };
    // one query for each connection; an error is also an answer
    const all = Array.from({ length: pool.options.max }, () => pool`select 1`);
    Promise.allSettled(all).then(answered, answered);
  };

  pool = await opened();
  const timer = setInterval(() => {
    if (fault === "silent") return;
    if (openCheck === null) ask();
    else if (performance.now() - openCheck.at >= patience.silence) renew("silent");
  }, patience.every);
  timer.unref();

  const sql = new Proxy(pool, {
    apply: (_first, _self, parameters) => Reflect.apply(pool as never, undefined, parameters),
    get: (_first, name) => Reflect.get(pool, name),
  });
  return {
    sql,
    async close(timeout) {
      closed = true;
      clearInterval(timer);
      await pool.end({ timeout });
    },
  };
}
