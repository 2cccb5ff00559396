/** One of several connections that share PGlite's session. Splits the client's messages into groups that PGlite can run. */
import { Buffer } from "node:buffer";
import { CopyIn } from "./copy-in.ts";
import { copyFromStdin } from "./copy-statement.ts";
import { SessionLease } from "./session-lease.ts";
import type { Member, SharedSession } from "./shared-session.ts";
import {
  COPY_IN_RESPONSE,
  closeStatement,
  cString,
  FRONTEND,
  messageEnd,
  parseMessage,
  raise,
  SYNC,
  simpleQuery,
} from "./wire.ts";

const COPY_REFUSED = raise(
  "0A000",
  "COPY … FROM STDIN needs the simple protocol and must stand alone in its query (postgres.js: .writable())",
);
const ENDS_TRANSACTION = /^\s*(commit|end|rollback|abort)\b(?!\s+to\b)/i;

/** `parse`: the message that prepares it. */
type Statement = { parse: Buffer; endsTransaction: boolean; isPrepared: boolean };

export class VirtualConnection implements Member {
  readonly #session: SharedSession;
  readonly #data: (bytes: Buffer) => void;
  readonly #lease: SessionLease;
  #inbox: Buffer[] = [];
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #copy: CopyIn | undefined;
  /** Prepared statements by name. */
  readonly #statements = new Map<string, Statement>();
  /** Those whose messages have not run yet. */
  #unprepared: Statement[] = [];

  /** @param data receives the answers */
  constructor(session: SharedSession, data: (bytes: Buffer) => void) {
    this.#session = session;
    this.#data = data;
    this.#lease = new SessionLease(session);
    session.members.add(this);
  }

  get prepared(): readonly Buffer[] {
    return [...this.#statements.values()].flatMap(({ parse, isPrepared }) =>
      isPrepared ? [parse, SYNC] : [],
    );
  }

  greet(): void {
    this.#answer(this.#session.greeting);
  }

  /** Takes whole messages; resolves when everything that was sent has been answered. */
  send(messages: Buffer): Promise<void> {
    this.#inbox.push(messages);
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  /** Rolls back an open transaction and closes prepared statements. */
  close(): Promise<void> {
    this.#closing ??= this.#leave();
    return this.#closing;
  }

  get #closed(): boolean {
    return this.#closing !== undefined;
  }

  #leave(): Promise<void> {
    this.#session.members.delete(this);
    const last = [...this.#statements.keys()].map(closeStatement);
    if (last.length > 0) last.push(SYNC);
    return this.#lease.leave(last, this.#draining);
  }

  #answer(bytes: Buffer): void {
    if (!this.#closed && bytes.length > 0) this.#data(bytes);
  }

  async #drain(): Promise<void> {
    // never inside the caller's write(): after socket.write() returns, postgres.js clears its write buffer, and would lose
    // what it wrote while handling an answer
    await null;
    try {
      while (this.#inbox.length > 0) {
        const messages = this.#inbox.length === 1 ? (this.#inbox[0] as Buffer) : Buffer.concat(this.#inbox);
        this.#inbox = [];
        await this.#handle(messages);
      }
    } finally {
      this.#draining = undefined;
    }
  }

  /** Runs all messages in as few groups as possible. */
  async #handle(bytes: Buffer): Promise<void> {
    let from = 0;
    for (let at = 0, next = 0; at + 5 <= bytes.length && !this.#closed; at = next) {
      next = messageEnd(bytes, at);
      const type = bytes[at];
      if (this.#copy) {
        from = next;
        if (this.#copy.take(type, bytes.subarray(at, next))) await this.#finishCopy(this.#copy);
      } else if (type === FRONTEND.query) {
        const copy = copyFromStdin(bytes.toString("latin1", at + 5, next));
        if (copy !== "no") {
          await this.#run(bytes.subarray(from, at));
          from = next;
        }
        this.#lease.batchOpen = false;
        if (copy === "mixed") await this.#run(simpleQuery(COPY_REFUSED));
        else if (copy === "alone") this.#beginCopy(bytes.subarray(at, next));
      } else if (type === FRONTEND.parse) {
        this.#lease.batchOpen = true;
        const name = cString(bytes, at + 5);
        const sql = bytes.toString("latin1", at + 6 + Buffer.byteLength(name), next);
        if (name !== "") {
          const parse = Buffer.from(bytes.subarray(at, next));
          const statement = { parse, endsTransaction: ENDS_TRANSACTION.test(sql), isPrepared: false };
          this.#statements.set(name, statement);
          this.#unprepared.push(statement);
        }
        if (copyFromStdin(sql) !== "no") {
          await this.#run(Buffer.concat([bytes.subarray(from, at), parseMessage(name, COPY_REFUSED)]));
          from = next;
        }
      } else if (type === FRONTEND.sync) {
        this.#lease.batchOpen = false;
      } else if (type === FRONTEND.copyData || type === FRONTEND.copyDone || type === FRONTEND.copyFail) {
        await this.#run(bytes.subarray(from, at)); // rest of a failed COPY, which the protocol ignores
        from = next;
      } else if (type !== FRONTEND.flush) this.#lease.batchOpen = true;
    }
    await this.#run(bytes.subarray(from));
  }

  async #run(messages: Buffer, isCopy = false): Promise<void> {
    if (messages.length === 0 || this.#closed) return;
    const statements = this.#unprepared;
    this.#unprepared = [];
    const answer = await this.#lease.run(messages, isCopy, this.#endsTransaction);
    for (const statement of statements) statement.isPrepared = true;
    this.#answer(answer);
  }

  #beginCopy(query: Buffer): void {
    this.#copy = new CopyIn(query);
    this.#answer(COPY_IN_RESPONSE);
  }

  async #finishCopy(copy: CopyIn): Promise<void> {
    this.#copy = undefined;
    await this.#run(copy.messages(), true);
    await this.#handle(copy.behind());
  }

  /** Whether one of these messages ends the transaction, so that its outcome is unknown after a stop. */
  #endsTransaction = (messages: Buffer): boolean => {
    for (let at = 0; at + 5 <= messages.length; at = messageEnd(messages, at)) {
      if (messages[at] === FRONTEND.query && ENDS_TRANSACTION.test(cString(messages, at + 5))) return true;
      // Bind: portal, then the name of the statement
      const statement = at + 6 + Buffer.byteLength(cString(messages, at + 5));
      if (
        messages[at] === FRONTEND.bind &&
        this.#statements.get(cString(messages, statement))?.endsTransaction
      )
        return true;
    }
    return false;
  };
}
