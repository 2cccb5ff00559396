/**
 * A database handle for Cloudflare Workers, where a socket belongs to the request that opened it, so each request needs its own
 * connection. The handle passes each call to the connection of the current request. So routes and adapters are created once,
 * as on other runtimes.
 *
 * Nothing may use the database outside of requests. So the search index must not keep a snapshot (`inMemory: false`).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import postgres, { type Sql } from "postgres";
import { DRIVER_SETTINGS } from "./driver-settings.ts";

/** Seconds that running queries may take when a connection is closed. */
const END_TIMEOUT = 5;

export type PerRequest = {
  /** Throws outside of `run` and `answer`. */
  sql: Sql;
  /** Runs the work, and everything that it starts, with this connection. */
  run<T>(own: Sql, work: () => T): T;
  /**
   * Answers a request with this connection, including its body, which may query the database while it is read. The
   * connection is closed when the body ends or is cancelled.
   */
  answer(own: Sql, request: () => Response | Promise<Response>): Promise<Response>;
};

/** Connects with the first query. The caller closes it. */
export const requestConnection = (url: string): Sql => postgres(url, { ...DRIVER_SETTINGS, max: 1 });

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

/** A stream that reads from `reader` inside of `run`. */
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
