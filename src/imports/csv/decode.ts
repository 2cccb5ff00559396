/** Decodes the bytes of a file, and finds the first byte that is invalid in its encoding. */

import { joinBytes } from "../../bytes.ts";
import { type Said, said } from "../../messages/said.ts";
import { invalid } from "../../problem.ts";

/**
 * Yields the text of a file in chunks, without its byte order mark. Throws a problem for invalid bytes, with the line and column
 * of the first one. `damaged`: the number of invalid places, if the encoding is certain; the message then suggests no other one.
 */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  damaged?: number,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const places = new Places(encoding);
  const textOf = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      const place = { encoding, ...places.firstWrong(chunk ?? new Uint8Array()) };
      const detail =
        damaged === undefined
          ? said("fault.file.not_encoding", place)
          : said("fault.file.damaged", { ...place, count: damaged });
      throw invalid([{ pointer: "", detail }], detail);
    }
  };
  for await (const chunk of bytes) {
    const text = textOf(chunk);
    places.add(chunk);
    if (text !== "") yield text;
  }
  const text = textOf();
  if (text !== "") yield text;
}

/** Reads the whole file. Throws a problem if it is not text in this encoding. */
export async function demandDecodable(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  damaged?: number,
): Promise<void> {
  for await (const _ of decode(bytes, encoding, damaged));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\u0000-\u0008\u000e-\u0019\u001b\u007f]/;

/** Finds the first control character that does not occur in text; null if there is none. Line and column count from 1. */
export async function firstControl(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
): Promise<{ line: string; column: string; character: Said } | null> {
  const decoder = new TextDecoder(encoding);
  const ends = new LineEnds();
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    const found = CONTROL.exec(text);
    ends.add(text.slice(0, found?.index));
    if (!found) continue;
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return {
      line: String(ends.count + 1),
      column: String(ends.column + 1),
      character: said("character", { code }),
    };
  }
  return null;
}

/** Most bytes of a character, in any encoding. */
const LONGEST = 8;

/** Follows a decoder, a few bytes behind, to find where the first invalid character begins. */
class Places {
  readonly #decoder: TextDecoder;
  readonly #ends = new LineEnds();
  /** The last bytes, kept because a character may continue in the next chunk. */
  #last: Uint8Array = new Uint8Array();
  #before = 0;

  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  }

  /** Takes a valid chunk. */
  add(chunk: Uint8Array): void {
    const all = joinBytes([this.#last, chunk]);
    const count = Math.max(0, all.length - LONGEST);
    this.#ends.add(this.#decoder.decode(all.subarray(0, count), { stream: true }));
    this.#last = all.slice(count);
    this.#before += count;
  }

  /** Finds the invalid byte in this chunk. For the end of the file, the chunk is empty. */
  firstWrong(chunk: Uint8Array): { line: string; column: string; byte: string; number: string } {
    const all = joinBytes([this.#last, chunk]);
    let begin = 0;
    try {
      for (let at = 0; at < all.length; at++) {
        const text = this.#decoder.decode(all.subarray(at, at + 1), { stream: true });
        if (text === "") continue;
        this.#ends.add(text);
        begin = at + 1;
      }
    } catch {
      // the character that began last
    }
    const byte = (all[begin] ?? 0).toString(16).toUpperCase().padStart(2, "0");
    return {
      line: String(this.#ends.count + 1),
      column: String(this.#ends.column + 1),
      byte: `0x${byte}`,
      number: String(this.#before + begin + 1),
    };
  }
}

/** Counts line ends (LF, CR LF or CR), even if a chunk ends between CR and LF. `column`: characters since the last line end. */
class LineEnds {
  count = 0;
  column = 0;
  #afterReturn = false;

  add(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 13 || (code === 10 && !this.#afterReturn)) this.count += 1;
      // the second half of a surrogate pair and a byte order mark are not characters of their own
      if (code === 13 || code === 10) this.column = 0;
      else if ((code & 0xfc00) !== 0xdc00 && code !== 0xfeff) this.column += 1;
      this.#afterReturn = code === 13;
    }
  }
}
