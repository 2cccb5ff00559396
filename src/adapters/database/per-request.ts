/**
 * One handle for the whole program where each request must have a connection of its own: at the edge (Cloudflare Workers) a
 * socket belongs to the request that opened it. The handle gives each call to the connection of the request that is
 * running, so routes and adapters are made once and need not know.
 *
 * What works on beside the requests has no place there: give the search index `mostHeld: 0`, or it reads ahead for the next
 * question with a connection that has ended.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql } from "postgres";

/** Seconds that a connection has for what it was still asked. */
const END_TIMEOUT = 5;

export type PerRequest = {
  /** Throws when it is called outside of `run` and `answer`. */
  sql: Sql;
  /** Does this work, and everything that it begins, with this connection. */
  run<T>(own: Sql, work: () => T): T;
  /**
   * Answers a request with this connection: its body, too, which may ask the database while it is read. The connection is
   * ended when the body is at its end, or nobody reads it any more.
   */
  answer(own: Sql, request: () => Response | Promise<Response>): Promise<Response>;
};

export function perRequest(): PerRequest {
  const running = new AsyncLocalStorage<Sql>();

  function current(): Sql {
    const own = running.getStore();
    if (own === undefined)
      throw new Error("The database was used outside of a request, where there is no connection: see run()");
    return own;
  }

  const sql = new Proxy((() => undefined) as unknown as Sql, {
    apply: (_none, _self, parameters) => Reflect.apply(current() as never, undefined, parameters),
    get: (_none, name) => Reflect.get(current(), name),
  });

  return {
    sql,
    run: (own, work) => running.run(own, work),
    async answer(own, request) {
      const end = () => own.end({ timeout: END_TIMEOUT });
      try {
        const answer = await running.run(own, request);
        if (answer.body !== null) {
          const body = readWith((work) => running.run(own, work), answer.body.getReader(), end);
          return new Response(body, answer);
        }
        await end();
        return answer;
      } catch (error) {
        await end();
        throw error;
      }
    },
  };
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** What the reader reads, each time inside of `run`, whoever asks for it. */
function readWith(
  run: <T>(work: () => T) => T,
  reader: Reader,
  end: () => Promise<void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await run(() => reader.read());
        if (!done) return controller.enqueue(value);
      } catch (error) {
        await end();
        throw error;
      }
      await end();
      controller.close();
    },
    async cancel(reason) {
      await run(() => reader.cancel(reason)).finally(end);
    },
  });
}
