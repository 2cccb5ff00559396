/**
 * Gives one connection the lease of PGlite's session: from its first message until PGlite is idle again and no batch is open.
 * So batches and transactions of different connections never mix.
 */
import { Buffer } from "node:buffer";
import type { LeaseHolder } from "./lease.ts";
import type { SharedSession } from "./shared-session.ts";
import { BACKEND, crashAnswer, messageEnd, SYNC, simpleQuery, type TransactionStatus } from "./wire.ts";

export class SessionLease implements LeaseHolder {
  idleSince = 0;
  /** Messages of the extended protocol were sent without a Sync so far. */
  batchOpen = false;
  readonly #session: SharedSession;
  #status: TransactionStatus = "I";
  /** The transaction was aborted, and the client does not know it yet. */
  #lost = false;
  #givingUp: Promise<void> | undefined;
  #left = false;

  constructor(session: SharedSession) {
    this.#session = session;
  }

  /**
   * Runs whole messages when it is this connection's turn. Never rejects: if PGlite has stopped, the answer is an error.
   * `isCopy`: the client has already been told to send its data. `endsTransaction` is only called after a stop.
   */
  async run(
    messages: Buffer,
    isCopy: boolean,
    endsTransaction: (messages: Buffer) => boolean,
  ): Promise<Buffer> {
    const { lease } = this.#session;
    if (this.#givingUp) await this.#givingUp;
    const turn = lease.take(this);
    if (turn) await turn;
    if (this.#left) return NOTHING; // the client has gone meanwhile; leave() returns the lease
    this.idleSince = 0;
    let answer: Buffer;
    try {
      if (this.#lost) await this.#fail();
      answer = this.#read(await this.#exchange(messages), isCopy);
    } catch (error) {
      this.#lost = (this.#lost || this.#status !== "I") && !endsTransaction(messages);
      this.#status = "I";
      answer = crashAnswer(messages, error, this.#lost ? "E" : "I");
    }
    if (this.#status === "I" && !this.batchOpen) lease.give(this);
    else this.idleSince = performance.now();
    return answer;
  }

  /**
   * Runs nothing more. When the current work (`busy`) has ended, rolls back an open transaction and runs `last`, then returns
   * the lease.
   */
  async leave(last: readonly Buffer[], busy: Promise<void> | undefined): Promise<void> {
    this.#left = true;
    await busy?.catch(() => {});
    await this.#givingUp;
    const messages = [...this.#ending(), ...last];
    if (messages.length > 0) {
      await this.#session.lease.take(this);
      await this.#quietly(Buffer.concat(messages)).catch(() => {}); // in a stopped PGlite nothing is open
    }
    this.#session.lease.give(this);
  }

  async giveUp(): Promise<void> {
    this.idleSince = 0;
    this.#givingUp = this.#takeAway();
    await this.#givingUp;
    this.#givingUp = undefined;
  }

  async #takeAway(): Promise<void> {
    const inTransaction = this.#status !== "I";
    await this.#quietly(Buffer.concat(this.#ending())).catch(() => {});
    this.#status = "I";
    this.batchOpen = false;
    this.#lost = inTransaction;
    this.#session.lease.give(this);
    const what = inTransaction ? "A transaction was left open" : "A query was left unfinished";
    const end = inTransaction ? "rolled back" : "ended";
    this.#session.warn(`${what} and idle while others waited for the database; it was ${end}`);
  }

  /** Messages after which PGlite is idle. */
  #ending(): Buffer[] {
    return [...(this.batchOpen ? [SYNC] : []), ...(this.#status === "I" ? [] : [simpleQuery("rollback")])];
  }

  /** Restores the failed transaction: in one, PostgreSQL accepts only ROLLBACK, so the rest is not committed on its own. */
  async #fail(): Promise<void> {
    await this.#quietly(simpleQuery("begin; select 1/0"));
    this.#lost = false;
  }

  async #quietly(messages: Buffer): Promise<void> {
    this.#read(await this.#exchange(messages), false);
  }

  async #exchange(messages: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = [];
    // only collected here: this runs inside of PGlite, where nothing may throw
    await this.#session.exec(messages, (piece) => pieces.push(Buffer.from(piece)));
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  }

  /** Reads the state of the session from the answer. Leaves out the answer to a COPY that the client already has. */
  #read(answer: Buffer, isCopy: boolean): Buffer {
    let from = 0;
    for (let at = 0, next = 0; at + 5 <= answer.length; at = next) {
      next = messageEnd(answer, at);
      if (answer[at] === BACKEND.readyForQuery)
        this.#status = String.fromCharCode(answer[at + 5] as number) as TransactionStatus;
      else if (isCopy && answer[at] === BACKEND.copyInResponse) from = next;
    }
    return answer.subarray(from);
  }
}

const NOTHING = Buffer.alloc(0);
