/**
 * Connects postgres.js to PGlite with an in-memory socket (option `socket`).
 *
 * Each connection of postgres.js gets its own socket, but all share one session (`session-lease.ts`). Rules to keep:
 * - An answer must never arrive inside write() (`virtual-connection.ts`, `#drain`).
 * - PGlite must get a COPY FROM STDIN in one piece (`copy-in.ts`). Use `sql.reserve()` for COPY, because postgres.js may send
 *   another query before it knows that this is a COPY.
 * - PGlite reuses the memory of its answers, so they are copied (`session-lease.ts`, `#exchange`).
 * - No connection may change settings of the session, except in its transaction (`set local`), or use LISTEN.
 * - Prepared statements of a connection would stay in the session, so they are closed with it.
 */
import type { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import type { SharedSession } from "./shared-session.ts";
import { VirtualConnection } from "./virtual-connection.ts";

/** A factory for the `socket` option of postgres.js. */
export function pgliteSocket(session: SharedSession): () => PgliteSocket {
  return () => new PgliteSocket(session);
}

/** The part of `net.Socket` that postgres.js uses. */
export class PgliteSocket extends EventEmitter {
  readyState: "open" | "closed" = "open";
  readonly #connection: VirtualConnection;
  #greeted = false;
  #ending = false;

  constructor(session: SharedSession) {
    super();
    this.#connection = new VirtualConnection(session, (bytes) => this.emit("data", bytes));
  }

  write(bytes: Buffer, written?: () => void): boolean {
    let messages = bytes;
    if (!this.#greeted) {
      this.#greeted = true;
      messages = bytes.subarray(bytes.readUInt32BE(0)); // the startup message never reaches PGlite
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

  /** Stays "open" until everything is rolled back, because postgres.js only waits for an open socket. */
  async #close(): Promise<void> {
    await this.#connection.close();
    this.readyState = "closed";
    this.emit("close", false);
  }

  setKeepAlive(): void {}
  setNoDelay(): void {}
  ref(): void {}
  unref(): void {}
  /** Does nothing: PGlite sends an answer as a whole. */
  pause(): void {}
  resume(): void {}
}
