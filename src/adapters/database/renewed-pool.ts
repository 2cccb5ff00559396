/**
 * A pool that is replaced when some of its connections answer no more. A network in which packets vanish, or a server
 * machine that loses its power, ends no connection: postgres.js would wait on it, and put more requests behind those that
 * wait, for as long as the operating system does, which is a quarter of an hour and more. So all connections are asked
 * now and then, and when one is silent a new pool takes the place of the old.
 */
import { clearInterval, setInterval } from "node:timers";
import type { Sql } from "postgres";

/** Milliseconds: between two questions, and for their answers, since all connections may be busy for a while. */
export type Patience = { every: number; silence: number };

const PATIENCE: Patience = { every: 5_000, silence: 15_000 };

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
  let asked: { at: number } | null = null;
  let renewing = false;
  let closed = false;

  const renew = async () => {
    renewing = true;
    const old = pool;
    const answering = await pools.open().catch(() => null);
    if (closed) {
      await answering?.end({ timeout: 0 });
      return;
    }
    pool = answering ?? pools.fresh();
    asked = null;
    renewing = false;
    if (answering) {
      warn("some connections to the database were silent, and new ones answer: those are used now");
      // what was only slow comes to its end
      await old.end();
    } else {
      warn("the database is silent: what waits for it is given up");
      await old.end({ timeout: 0 });
    }
  };

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

  const timer = setInterval(() => {
    if (renewing) return;
    if (asked === null) ask();
    else if (performance.now() - asked.at >= patience.silence) renew().catch(() => undefined);
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
