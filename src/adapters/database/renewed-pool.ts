/**
 * A pool whose place is taken by a new one in two cases.
 *
 * Some of its connections answer no more. A network in which packets vanish, or a server machine that loses its power,
 * ends no connection: postgres.js would wait on it, and put more requests behind those that wait, for as long as the
 * operating system does, which is a quarter of an hour and more. So all connections are asked now and then.
 *
 * One of its connections was lost. postgres.js would use it again, with what it was about to send
 * (https://github.com/porsager/postgres/issues/1208), or for what was never sent (postgres.ts): requests would hang for ever.
 */
import { clearInterval, setInterval } from "node:timers";
import { setTimeout } from "node:timers/promises";
import type { Sql } from "postgres";

/**
 * Milliseconds: between two questions; for their answers, since all connections may be busy for a while; between two
 * tries to reach a server that was lost.
 */
export type Patience = { every: number; silence: number; pause: number };

const PATIENCE: Patience = { every: 5_000, silence: 15_000, pause: 250 };

export type Pools = {
  /** Throws when the server cannot be reached. `lost` is told of each connection that was closed. */
  open(lost: () => void): Promise<Sql>;
  /** Without asking the server. */
  fresh(lost: () => void): Sql;
};

/** @throws what `open` throws, when the first pool cannot be opened */
export async function renewedPool(
  pools: Pools,
  warn: (sentence: string) => void,
  patience: Patience = PATIENCE,
): Promise<{ sql: Sql; close(timeout: number): Promise<void> }> {
  let pool: Sql;
  let asked: { at: number } | null = null;
  /** Why a new pool is wanted; null: the one that there is will do. */
  let fault: "lost" | "silent" | null = null;
  let renewing = false;
  let closed = false;

  /** For the connections of one pool, which are nothing to us once it is in use no more. */
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

  /** `timeout`: seconds that the old one has for what it was asked; without it, what is only slow comes to its end. */
  function replace(next: Sql, timeout?: number): void {
    const old = pool;
    pool = next;
    asked = null;
    fault = null;
    // a pool that is ended forgets what waits in it for a connection: this stands behind all of that
    const served = timeout === undefined ? old`select 1`.catch(() => undefined) : Promise.resolve();
    served.then(() => old.end({ timeout })).catch(() => undefined);
  }

  const ask = () => {
    const question = { at: performance.now() };
    asked = question;
    const answered = () => {
      if (asked === question) asked = null;
    };
    // as many as there are connections, so that each is asked; that one refuses or breaks is an answer too
    const all = Array.from({ length: pool.options.max }, () => pool`select 1`);
    Promise.allSettled(all).then(answered, answered);
  };

  pool = await opened();
  const timer = setInterval(() => {
    if (fault === "silent") return;
    if (asked === null) ask();
    else if (performance.now() - asked.at >= patience.silence) renew("silent");
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
