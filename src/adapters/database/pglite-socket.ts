/**
 * postgres.js on PGlite: an in-memory socket for its `socket` option.
 *
 * Each of postgres.js's connections gets its own socket, all of them one session (`session-lease.ts` keeps them apart). What
 * was learnt the hard way is noted where it matters:
 * - an answer must never arrive inside write() (`virtual-connection.ts`, `#drain`);
 * - COPY FROM STDIN must be given to PGlite in one piece (`copy-in.ts`), and postgres.js may send a query behind it
 *   before it knows that it is a COPY: use `sql.reserve()` for COPY;
 * - PGlite uses the memory of its answers again: copy them (`session-lease.ts`, `#exchange`);
 * - a notification arrives at whichever connection runs (`shared-session.ts`, `notify`);
 * - the prepared statements of a connection outlive it in the one session: they are closed with it.
 */
import type { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import type { SharedSession } from "./shared-session.ts";
import { VirtualConnection } from "./virtual-connection.ts";

/** A factory for the `socket` option of postgres.js. */
export function pgliteSocket(session: SharedSession): () => PgliteSocket {
  return () => new PgliteSocket(session);
}

/** As much of `net.Socket` as postgres.js uses. */
export class PgliteSocket extends EventEmitter {
  readyState: "open" | "closed" = "open";
  readonly #connection: VirtualConnection;
  #greeted = false;
  #ending = false;

  constructor(session: SharedSession) {
    super();
    this.#connection = new VirtualConnection(session, {
      isClient: false,
      data: (bytes) => this.emit("data", bytes),
      ended: () => this.destroy(),
    });
  }

  write(bytes: Buffer, written?: () => void): boolean {
    let messages = bytes;
    if (!this.#greeted) {
      this.#greeted = true;
      messages = bytes.subarray(bytes.readUInt32BE(0)); // the startup message is answered from memory
      queueMicrotask(() => this.#connection.greet());
    }
    if (messages.length > 0)
      this.#connection.send(messages).catch((error: unknown) => this.emit("error", error));
    if (written) queueMicrotask(written);
    return true;
  }

  /** postgres.js ends a connection with the Terminate message, which PGlite must not see. */
  end(): void {
    this.destroy();
  }

  destroy(): void {
    if (this.#ending) return;
    this.#ending = true;
    void this.#close();
  }

  /** Stays "open" until all is rolled back: postgres.js waits for that only as long as it is not "closed". */
  async #close(): Promise<void> {
    await this.#connection.close();
    this.readyState = "closed";
    this.emit("close", false);
  }

  setKeepAlive(): void {}
  setNoDelay(): void {}
  ref(): void {}
  unref(): void {}
  /** An answer is made in one go: there is nothing to hold back. */
  pause(): void {}
  resume(): void {}
}
