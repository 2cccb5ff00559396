/** PGlite's only session, which the service's connections and the clients on the socket share. */
import { Buffer } from "node:buffer";
import process from "node:process";
import { Lease } from "./lease.ts";
import { type Settings, settingsOf } from "./reported-settings.ts";
import { BACKEND, messageEnd, readyForQuery } from "./wire.ts";

/**
 * Passes whole protocol messages to PGlite, and its answer to `onAnswer` in pieces. PGlite reuses the memory of the pieces, so
 * copy them. Rejects if PGlite has stopped.
 */
export type Exec = (messages: Uint8Array, onAnswer: (piece: Uint8Array) => void) => Promise<void>;

/** A connection, as the session sees it. */
export type Member = {
  readonly isClient: boolean;
  readonly listening: boolean;
  /** The messages that prepare its statements again in a new session, each with a Sync. */
  readonly prepared: readonly Buffer[];
  receive(notification: Buffer): void;
  /** Ends the connection from this side. */
  end(sqlState: string, reason: string): void;
};

export type SharedSession = {
  readonly exec: Exec;
  readonly lease: Lease;
  /** The first answer to a connection: authentication passed, settings, process id, ready. */
  readonly greeting: Buffer;
  /** The settings of a new connection. */
  readonly home: Settings;
  /** The settings that PGlite's session has now. */
  applied: Settings;
  readonly members: Set<Member>;
  /** Called with a sentence for the operator about errors that no caller sees. */
  readonly warn: (sentence: string) => void;
  /** Sends a notification to all connections that listen. PGlite sends it to the one that happens to run. */
  notify(notification: Buffer): void;
  /** PGlite was restarted, so the state of its session is lost. Restores what the service's connections rely on. */
  startedAnew(reason: string): Promise<void>;
};

/** A minute: longer than any reasonable pause inside a transaction, but short enough to wait for. */
const IDLE_LIMIT = 60_000;

/** @param answer PGlite's answer to the startup message */
export function shareSession(
  exec: Exec,
  answer: Buffer,
  options: { idleLimit?: number; warn?: (sentence: string) => void } = {},
): SharedSession {
  const home = settingsOf(answer);
  const members = new Set<Member>();
  const session: SharedSession = {
    exec,
    lease: new Lease(options.idleLimit ?? IDLE_LIMIT),
    greeting: greetingFrom(answer),
    home,
    applied: home,
    members,
    warn: options.warn ?? (() => {}),
    notify(notification) {
      for (const member of members) if (member.listening) member.receive(notification);
    },
    async startedAnew(reason) {
      session.applied = home;
      // clients would not notice the restart, and postgres.js repeats LISTEN only on a new connection
      for (const member of [...members]) if (member.isClient || member.listening) member.end("57P02", reason);
      // postgres.js would repeat a query whose statement is unknown, and if others were already sent behind it on the same
      // connection, give each the rows of another or wait for ever
      const prepared = [...members].flatMap((member) => member.prepared);
      if (prepared.length > 0) await exec(Buffer.concat(prepared), () => {});
    },
  };
  return session;
}

/** PGlite's greeting with our process id in BackendKeyData, which psql shows. */
function greetingFrom(answer: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at + 5 <= answer.length; at = messageEnd(answer, at)) {
    const type = answer[at];
    if (type === BACKEND.readyForQuery) continue;
    const message = answer.subarray(at, messageEnd(answer, at));
    if (type === BACKEND.backendKeyData) message.writeUInt32BE(process.pid, 5);
    kept.push(message);
  }
  return Buffer.concat([...kept, readyForQuery("I")]);
}
