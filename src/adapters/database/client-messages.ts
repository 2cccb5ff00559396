/**
 * Checks the messages of clients on the socket before PGlite gets them, because PGlite stops for good at a message with an
 * unknown type or length.
 */
import { Buffer } from "node:buffer";
import { FRONTEND } from "./wire.ts";

const { bind, close, copyData, copyDone, copyFail, describe, execute, flush, functionCall, parse, query } =
  FRONTEND;
const { sync, terminate } = FRONTEND;

/** Types with a large body; PostgreSQL itself allows a gigabyte. */
const LARGE = new Set<number>([bind, copyData, functionCall, parse, query]);
/** Types whose body PostgreSQL limits to 10,000 bytes. */
const SMALL = new Set<number>([close, copyDone, copyFail, describe, execute, flush, sync, terminate]);
const LARGE_LIMIT = 256 * 1024 * 1024;
const SMALL_LIMIT = 10_000;
/** The first message of a connection may be as long as PostgreSQL itself allows. */
const STARTUP_LIMIT = 10_000;

const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;

/** The client violates the protocol; the message is sent to it. */
export class ProtocolViolation extends Error {}

/** What a client requests with its first bytes. */
export type Opening =
  | { kind: "incomplete" }
  | { kind: "encryption" | "cancel" | "startup"; length: number; minor: number };

/** Reads the first message, which has no type. */
export function readOpening(bytes: Buffer): Opening {
  if (bytes.length < 8) return { kind: "incomplete" };
  const length = bytes.readUInt32BE(0);
  const code = bytes.readUInt32BE(4);
  if (length < 8 || length > STARTUP_LIMIT) throw new ProtocolViolation("invalid length of startup packet");
  if (bytes.length < length) return { kind: "incomplete" };
  if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: "encryption", length, minor: 0 };
  if (code === CANCEL_REQUEST) return { kind: "cancel", length, minor: 0 };
  if (code >>> 16 !== 3) throw new ProtocolViolation("unsupported frontend protocol: this server speaks 3.0");
  return { kind: "startup", length, minor: code & 0xffff };
}

/** Splits a stream of bytes into whole messages. */
export class ClientMessages {
  /** The client has sent Terminate; everything after it is ignored. */
  ended = false;
  #pieces: Buffer[] = [];
  #size = 0;
  #needed = 0;

  /** Groups of whole messages that run together: each ends with a message that PostgreSQL answers with ReadyForQuery. */
  *take(piece: Buffer): Generator<Buffer> {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#needed) return; // a long message is incomplete: do not join its pieces each time
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    let from = 0;
    let at = 0;
    this.#needed = 0;
    while (at + 5 <= bytes.length) {
      const end = at + 1 + checkedLength(bytes, at);
      if (end > bytes.length) {
        this.#needed = end - at;
        break;
      }
      const type = bytes[at];
      if (type === terminate) {
        this.ended = true;
        break;
      }
      at = end;
      if (type === query || type === sync || type === functionCall) {
        yield bytes.subarray(from, at);
        from = at;
      }
    }
    if (at > from) yield bytes.subarray(from, at);
    const rest = bytes.subarray(at);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
  }
}

function checkedLength(bytes: Buffer, at: number): number {
  const type = bytes[at] as number;
  const length = bytes.readUInt32BE(at + 1);
  if (!LARGE.has(type) && !SMALL.has(type))
    throw new ProtocolViolation(`invalid frontend message type ${type}`);
  if (length < 4 || length > (LARGE.has(type) ? LARGE_LIMIT : SMALL_LIMIT)) {
    throw new ProtocolViolation("invalid message length");
  }
  return length;
}
