/** Decodes the bytes of a file, and finds the first byte that is not text in its encoding. */
import { joinBytes } from "../bytes.ts";
import { invalid } from "../problem.ts";

/**
 * The text of a file, chunk by chunk, without its byte order mark. Invalid bytes become U+FFFD. With `fatal` they are a problem
 * instead, with the line and column of the first one. `damaged`: the number of such places if the file is certainly in this
 * encoding; the message then does not suggest another encoding.
 */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  options: { fatal?: boolean; damaged?: number } = {},
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: options.fatal ?? false });
  const ends = new LineEnds();
  let before = 0;
  let last: Uint8Array = new Uint8Array();
  const textOf = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      const { at, byte, text } = firstWrong(encoding, last, chunk ?? new Uint8Array());
      ends.add(text);
      const shown = `the byte 0x${byte.toString(16).toUpperCase().padStart(2, "0")} (number ${before + at + 1})`;
      const place = `line ${ends.count + 1}, column ${ends.column + 1}`;
      const { damaged } = options;
      const detail =
        damaged === undefined
          ? `The file is not ${encoding} text: ${place}, ${shown}. Correct it, or name the file's encoding.`
          : `The file is ${encoding} but for ${damaged === 1 ? "" : `${damaged} places, the first in `}${place}, ${shown}. Correct ${damaged === 1 ? "it" : "them"}.`;
      throw invalid([{ pointer: "", detail }], detail);
    }
  };
  for await (const chunk of bytes) {
    const text = textOf(chunk);
    if (options.fatal) {
      ends.add(text);
      last = lastCharacters(encoding, joinBytes([last, chunk]), before - last.length);
    }
    before += chunk.length;
    if (text !== "") yield text;
  }
  const text = textOf();
  if (text !== "") yield text;
}

/** Reads the whole file; throws a problem if it is not text in this encoding. */
export async function demandDecodable(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  damaged?: number,
): Promise<void> {
  for await (const _ of decode(bytes, encoding, { fatal: true, damaged }));
}

/** Most bytes that are kept to know where a character begins. */
const MOST_KEPT_BYTES = 1_024;

/** The last bytes that were read, from the beginning of a character: a character may continue in the next chunk. */
function lastCharacters(encoding: string, all: Uint8Array, offset: number): Uint8Array {
  let from = Math.max(0, all.length - MOST_KEPT_BYTES);
  if (encoding.startsWith("utf-16")) {
    from = Math.max(0, all.length - 4);
    from += (from + offset) % 2;
    const high = all[encoding === "utf-16le" ? from + 1 : from] ?? 0;
    // the second half of a surrogate pair
    if (high >= 0xdc && high < 0xe0) from += 2;
  } else if (encoding === "utf-8") {
    from = Math.max(0, all.length - 1);
    while (from > 0 && (all[from]! & 0xc0) === 0x80) from -= 1;
  } else {
    // in the encodings of East Asia, such a byte is never part of a longer character
    for (let at = all.length - 1; at > from; at--) if (all[at]! < 0x30) from = at;
  }
  return all.slice(from);
}

/** Where the first invalid character of the chunk begins (below 0: before the chunk), and the text of the chunk before it. */
function firstWrong(
  encoding: string,
  last: Uint8Array,
  chunk: Uint8Array,
): { at: number; byte: number; text: string } {
  const all = joinBytes([last, chunk]);
  const read = (length: number, stream: boolean): string | null => {
    try {
      return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(all.subarray(0, length), {
        stream,
      });
    } catch {
      return null;
    }
  };
  const whole = (length: number): number => {
    let end = length;
    while (end > 0 && read(end, false) === null) end -= 1;
    return end;
  };
  let [good, bad] = [0, all.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (read(middle, true) === null) bad = middle;
    else good = middle;
  }
  const end = whole(good);
  const before = read(whole(last.length), false)?.length ?? 0;
  return { at: end - last.length, byte: all[end] ?? 0, text: (read(end, false) ?? "").slice(before) };
}

/** Counts line ends (LF, CR LF or CR), also if a chunk ends between CR and LF. `column`: characters since the last line end. */
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
