/** PGlite's only session, which all connections share. */
import { Buffer } from "node:buffer";
import { Lease } from "./lease.ts";

/**
 * Passes whole protocol messages to PGlite, and its answer to `onAnswer` in pieces. PGlite reuses the memory of the pieces, so
 * copy them. Rejects if PGlite has stopped.
 */
export type Exec = (messages: Uint8Array, onAnswer: (piece: Uint8Array) => void) => Promise<void>;

/** A connection, as the session sees it. */
export type Member = {
  /** The messages that prepare its statements again in a new session, each with a Sync. */
  readonly prepared: readonly Buffer[];
};

export type SharedSession = {
  readonly exec: Exec;
  readonly lease: Lease;
  /** The first answer to a connection: authentication passed, settings, process id, ready. */
  readonly greeting: Buffer;
  readonly members: Set<Member>;
  /** Called with a sentence for the operator about errors that no caller sees. */
  readonly warn: (sentence: string) => void;
  /** PGlite was restarted, so the state of its session is lost. Restores what the connections rely on. */
  startedAnew(): Promise<void>;
};

/** A minute: longer than any reasonable pause inside a transaction, but short enough to wait for. */
const IDLE_LIMIT = 60_000;

/** @param greeting PGlite's answer to the startup message */
export function shareSession(
  exec: Exec,
  greeting: Buffer,
  options: { idleLimit?: number; warn?: (sentence: string) => void } = {},
): SharedSession {
  const members = new Set<Member>();
  return {
    exec,
    lease: new Lease(options.idleLimit ?? IDLE_LIMIT),
    greeting,
    members,
    warn: options.warn ?? (() => {}),
    async startedAnew() {
      // postgres.js would repeat a query whose statement is unknown, and if others were already sent behind it on the same
      // connection, give each the rows of another or wait for ever
      const prepared = [...members].flatMap((member) => member.prepared);
      if (prepared.length > 0) await exec(Buffer.concat(prepared), () => {});
    },
  };
}
