/**
 * A pool that is replaced when it answers no more. A network in which packets vanish, or a server machine that loses its
 * power, ends no connection: postgres.js would wait on all of them for as long as the operating system does, which is a
 * quarter of an hour and more, and every request with it. So the pool is asked now and then, and when it is silent a new
 * one takes its place. What the old one was asked gets an error, or its answer if that comes soon.
 */
import { clearInterval, setInterval } from "node:timers";
import type { Sql } from "postgres";

export type Patience = {
  /** Milliseconds between two questions. */
  every: number;
  /** Milliseconds that a pool has for its answer; all its connections may be busy for a while. */
  silence: number;
  /** Seconds that the old pool has for what it was asked, when it was only slow. */
  farewell: number;
};

const PATIENCE: Patience = { every: 5_000, silence: 15_000, farewell: 10 };

/**
 * @param open makes a pool like the first one, and throws when the server cannot be reached
 * @param fresh makes a pool without asking the server
 */
export function renewedPool(
  first: Sql,
  pools: { open(): Promise<Sql>; fresh(): Sql },
  warn: (sentence: string) => void,
  patience: Patience = PATIENCE,
): { sql: Sql; close(timeout: number): Promise<void> } {
  let pool = first;
  let asked: number | null = null;
  let renewing = false;
  let closed = false;

  const renew = async () => {
    renewing = true;
    const silent = pool;
    const answering = await pools.open().catch(() => null);
    if (closed) return void answering?.end({ timeout: 0 });
    pool = answering ?? pools.fresh();
    asked = null;
    renewing = false;
    warn(
      answering
        ? "the database was silent on all connections and answers on new ones: those are used now"
        : "the database is silent: what waits for it is given up",
    );
    await silent.end({ timeout: answering ? patience.farewell : 0 }).catch(() => undefined);
  };

  const timer = setInterval(() => {
    if (renewing) return;
    if (asked !== null) {
      if (performance.now() - asked >= patience.silence) renew().catch(() => undefined);
      return;
    }
    const one = performance.now();
    asked = one;
    const answered = () => {
      if (asked === one) asked = null;
    };
    // that it refuses is an answer too
    pool`select 1`.then(answered, answered);
  }, patience.every);
  timer.unref();

  const sql = new Proxy(first, {
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
