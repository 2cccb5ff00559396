/**
 * The parts of the PostgreSQL wire protocol 3 that this folder reads or writes. Everything else passes through unchanged.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { Buffer } from "node:buffer";

/** The status in ReadyForQuery: idle, in a transaction, in a failed transaction. */
export type TransactionStatus = "I" | "T" | "E";

const code = (letter: string) => letter.charCodeAt(0);

/** Types of the messages that a client sends. */
export const FRONTEND = {
  bind: code("B"),
  close: code("C"),
  copyData: code("d"),
  copyDone: code("c"),
  copyFail: code("f"),
  describe: code("D"),
  execute: code("E"),
  flush: code("H"),
  parse: code("P"),
  query: code("Q"),
  sync: code("S"),
} as const;

/** Types of the messages that a server sends. */
export const BACKEND = {
  copyInResponse: code("G"),
  error: code("E"),
  readyForQuery: code("Z"),
} as const;

/** One message: type, length (which counts itself), body. */
export function message(type: number, body: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(5 + body.length);
  whole[0] = type;
  whole.writeUInt32BE(4 + body.length, 1);
  whole.set(body, 5);
  return whole;
}

/** Position after the message that begins at `at`. */
export function messageEnd(bytes: Buffer, at: number): number {
  return at + 1 + bytes.readUInt32BE(at + 1);
}

/** The text up to the next zero byte. */
export function cString(bytes: Buffer, from: number): string {
  const end = bytes.indexOf(0, from);
  return bytes.toString("utf8", from, end < 0 ? bytes.length : end);
}

/** Runs SQL by the simple protocol; several statements are allowed. */
export function simpleQuery(sql: string): Buffer {
  return message(FRONTEND.query, Buffer.from(`${sql}\0`));
}

/** Ends a batch of the extended protocol. */
export const SYNC: Buffer = message(FRONTEND.sync, Buffer.alloc(0));

/** Closes a prepared statement. */
export function closeStatement(name: string): Buffer {
  return message(FRONTEND.close, Buffer.from(`S${name}\0`));
}

/** The first message of a connection. */
export function startupMessage(parameters: Record<string, string>): Buffer {
  const body = Buffer.from(`${Object.entries(parameters).flat().join("\0")}\0\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.writeUInt32BE(3 << 16, 4);
  return Buffer.concat([head, body]);
}

export function readyForQuery(status: TransactionStatus): Buffer {
  return message(BACKEND.readyForQuery, Buffer.from(status));
}

/** An error as the server would send it. */
function errorResponse(sqlState: string, text: string): Buffer {
  return message(BACKEND.error, Buffer.from(`SERROR\0VERROR\0C${sqlState}\0M${text}\0\0`));
}

/** Tells the client to send its COPY data. */
export const COPY_IN_RESPONSE: Buffer = message(BACKEND.copyInResponse, Buffer.from([0, 0, 0]));

/** Prepares a statement without stating types of parameters. */
export function parseMessage(name: string, sql: string): Buffer {
  return message(FRONTEND.parse, Buffer.from(`${name}\0${sql}\0\0\0`));
}

/** SQL that only fails, so that PostgreSQL itself sends the error and its state stays right. */
export function raise(sqlState: string, text: string): string {
  return `do $$ begin raise exception using errcode = '${sqlState}', message = '${text.replaceAll("'", "''")}'; end $$`;
}

/** The answer to messages that PGlite could not run because it has stopped: each query fails with the reason. */
export function crashAnswer(messages: Buffer, error: unknown, status: TransactionStatus): Buffer {
  const reason = errorResponse("57P02", error instanceof Error ? error.message : String(error));
  const answers: Buffer[] = [];
  let begun = false;
  for (let at = 0; at + 5 <= messages.length; at = messageEnd(messages, at)) {
    const type = messages[at];
    begun = true;
    if (type !== FRONTEND.query && type !== FRONTEND.sync) continue;
    answers.push(reason, readyForQuery(status));
    begun = false;
  }
  return Buffer.concat(begun ? [...answers, reason] : answers);
}
