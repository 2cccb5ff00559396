/**
 * Gives one connection the lease of PGlite's session: from its first message until PGlite is idle again and no batch is open.
 * So batches and transactions of different connections never mix.
 */
import { Buffer } from "node:buffer";
import type { LeaseHolder } from "./lease.ts";
import { reportedSetting, type Settings, settingsChange } from "./reported-settings.ts";
import type { SharedSession } from "./shared-session.ts";
import { BACKEND, crashAnswer, messageEnd, SYNC, simpleQuery, type TransactionStatus } from "./wire.ts";

/** Called with an SQLSTATE and a sentence when the lease aborts something that its connection had started. */
export type Interrupted = (sqlState: string, sentence: string) => void;

export class SessionLease implements LeaseHolder {
  idleSince = 0;
  /** This connection has used LISTEN. */
  listening = false;
  /** Messages of the extended protocol were sent without a Sync so far. */
  batchOpen = false;
  readonly #session: SharedSession;
  readonly #answerLimit: number;
  readonly #interrupted: Interrupted;
  #status: TransactionStatus = "I";
  #settings: Settings;
  /** The transaction was aborted, and the client does not know it yet. */
  #lost = false;
  #givingUp: Promise<void> | undefined;
  #left = false;

  constructor(session: SharedSession, answerLimit: number, interrupted: Interrupted) {
    this.#session = session;
    this.#answerLimit = answerLimit;
    this.#interrupted = interrupted;
    this.#settings = session.home;
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
      if (this.#lost || this.#session.applied !== this.#settings) await this.#settle();
      answer = this.#read(await this.#exchange(messages), isCopy);
    } catch (error) {
      this.#lost = (this.#lost || this.#status !== "I") && !endsTransaction(messages);
      this.#status = "I";
      answer = crashAnswer(messages, error, this.#lost ? "E" : "I");
    }
    if (this.#status === "I" && !this.batchOpen) lease.give(this);
    else this.idleSince = Date.now();
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
    this.#interrupted("25P03", `${what} and idle while others waited for the database; it was ${end}`);
  }

  /** Messages after which PGlite is idle. */
  #ending(): Buffer[] {
    return [...(this.batchOpen ? [SYNC] : []), ...(this.#status === "I" ? [] : [simpleQuery("rollback")])];
  }

  /** Restores the session for this connection: its settings, and a failed transaction if its own was aborted. */
  async #settle(): Promise<void> {
    if (this.#session.applied !== this.#settings) {
      const change = settingsChange(this.#session.applied, this.#settings);
      this.#session.applied = this.#settings;
      if (change !== "") await this.#quietly(simpleQuery(change));
    }
    if (this.#lost) {
      // in a failed transaction PostgreSQL accepts only ROLLBACK, so the rest cannot be committed on its own
      await this.#quietly(simpleQuery("begin; select 1/0"));
      this.#lost = false;
    }
  }

  async #quietly(messages: Buffer): Promise<void> {
    const pieces: Buffer[] = [];
    await this.#session.exec(messages, (piece) => pieces.push(Buffer.from(piece)));
    this.#read(Buffer.concat(pieces), false);
  }

  async #exchange(messages: Buffer): Promise<Buffer> {
    let pieces: Buffer[] = [];
    let size = 0;
    // only collected here: this runs inside of PGlite, where nothing may throw
    await this.#session.exec(messages, (piece) => {
      size += piece.length;
      if (size <= this.#answerLimit) pieces.push(Buffer.from(piece));
    });
    if (size > this.#answerLimit) {
      pieces = [];
      this.batchOpen = false;
      await this.#quietly(SYNC); // to learn whether a transaction is open
      const limit = `${this.#answerLimit / 1024 / 1024} MB`;
      this.#interrupted("54000", `The answer is larger than ${limit}; ask for it in parts, or with a cursor`);
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  }

  /** Reads the state of the session from the answer, and removes what the client must not get. */
  #read(answer: Buffer, isCopy: boolean): Buffer {
    let kept: Buffer[] | undefined;
    let from = 0;
    for (let at = 0, next = 0; at + 5 <= answer.length; at = next) {
      next = messageEnd(answer, at);
      let leaveOut = false;
      switch (answer[at]) {
        case BACKEND.readyForQuery:
          this.#status = String.fromCharCode(answer[at + 5] as number) as TransactionStatus;
          break;
        case BACKEND.parameterStatus:
          this.#note(reportedSetting(answer, at));
          break;
        case BACKEND.commandComplete:
          if (answer[at + 5] === LISTEN[0] && answer.subarray(at + 5, next).equals(LISTEN))
            this.listening = true;
          break;
        case BACKEND.notification:
          this.#session.notify(Buffer.from(answer.subarray(at, next)));
          leaveOut = true;
          break;
        case BACKEND.copyInResponse:
          leaveOut = isCopy;
          break;
      }
      if (leaveOut) {
        kept ??= [];
        kept.push(answer.subarray(from, at));
        from = next;
      }
    }
    return kept ? Buffer.concat([...kept, answer.subarray(from)]) : answer;
  }

  #note(setting: [string, string] | undefined): void {
    const { applied } = this.#session;
    if (!setting || applied.get(setting[0]) === setting[1]) return;
    this.#settings = new Map(applied).set(...setting);
    this.#session.applied = this.#settings;
  }
}

const NOTHING = Buffer.alloc(0);
const LISTEN = Buffer.from("LISTEN\0");
