/** The one session of PGlite, as it is shared by the service's connections and the clients on the socket. */
import { Buffer } from "node:buffer";
import process from "node:process";
import { Lease } from "./lease.ts";
import { type Settings, settingsOf } from "./reported-settings.ts";
import { BACKEND, messageEnd, readyForQuery } from "./wire.ts";

/**
 * Gives whole protocol messages to PGlite and hands on what it answers, piece by piece. The pieces are views of
 * memory that PGlite uses again: copy them. Rejects when PGlite has stopped.
 */
export type Exec = (messages: Uint8Array, onAnswer: (piece: Uint8Array) => void) => Promise<void>;

/** What the session has to know of a connection. */
export type Member = {
  readonly isClient: boolean;
  readonly listening: boolean;
  receive(notification: Buffer): void;
  /** Ends the connection from this side. */
  end(sqlState: string, reason: string): void;
};

export type SharedSession = {
  readonly exec: Exec;
  readonly lease: Lease;
  /** What a new connection is told: authentication passed, settings, process id, ready. */
  readonly greeting: Buffer;
  /** The settings that every connection begins with. */
  readonly home: Settings;
  /** The settings that PGlite's session has now. */
  applied: Settings;
  readonly members: Set<Member>;
  /** Told in a sentence when something went wrong that no caller may have seen. */
  readonly warn: (sentence: string) => void;
  /** Gives a notification to all that listen; PGlite gives it to whoever happens to run. */
  notify(notification: Buffer): void;
  /** PGlite was started anew: what lived in its session is gone. */
  startedAnew(reason: string): void;
};

/** A minute: longer than any honest pause inside a transaction, short enough to wait out. */
export const IDLE_LIMIT = 60_000;

/** Shares a session; `answer` is what PGlite answered to the startup message. */
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
    startedAnew(reason) {
      session.applied = home;
      // Plain connections go on: postgres.js prepares its statements again when they are unknown. LISTEN it repeats
      // only on a new connection, and clients cannot be expected to notice at all.
      for (const member of [...members]) if (member.isClient || member.listening) member.end("57P02", reason);
    },
  };
  return session;
}

/** PGlite's own greeting with our process id in BackendKeyData, so that a client can tell who serves it. */
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
