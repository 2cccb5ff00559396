/**
 * Collects a `COPY … FROM STDIN`. PGlite stops for good if it has to wait for copy data, so it gets statement, data and end in
 * one piece. The client is told at once that it may send its data.
 */
import { Buffer } from "node:buffer";
import { cString, FRONTEND, message, raise, simpleQuery } from "./wire.ts";

/** Bytes. A larger COPY is refused, because all of it would be in memory. */
const COPY_LIMIT = 256 * 1024 * 1024;

export class CopyIn {
  readonly #query: Buffer;
  #data: Buffer[] = [];
  #size = 0;
  #end: Buffer | undefined;
  #behind: Buffer[] = [];

  constructor(query: Buffer) {
    this.#query = query;
  }

  /** Takes the next message of the client; returns whether the COPY is complete. */
  take(type: number | undefined, bytes: Buffer): boolean {
    if (type === FRONTEND.copyData) {
      this.#size += bytes.length;
      if (this.#size > COPY_LIMIT) this.#data = [];
      else this.#data.push(bytes);
      return false;
    }
    if (type === FRONTEND.copyDone || type === FRONTEND.copyFail) {
      this.#end = bytes;
      return true;
    }
    // postgres.js may send a query before it knows that this is a COPY; that query runs afterwards
    this.#behind.push(bytes);
    return false;
  }

  /** Everything that PGlite must get, in one piece. */
  messages(): Buffer {
    if (this.#size > COPY_LIMIT) {
      const limit = `${COPY_LIMIT / 1024 / 1024} MB`;
      return simpleQuery(
        raise("54000", `COPY of more than ${limit} at once is not possible here; send it in parts`),
      );
    }
    if (this.#end?.[0] === FRONTEND.copyFail) {
      // The reason may not be longer than 10,000 bytes: PGlite would stop for good.
      const reason = message(FRONTEND.copyFail, Buffer.from(`${cString(this.#end, 5).slice(0, 500)}\0`));
      return Buffer.concat([this.#query, reason]);
    }
    return Buffer.concat([this.#query, ...this.#data, this.#end as Buffer]);
  }

  behind(): Buffer {
    return Buffer.concat(this.#behind);
  }
}
