/** Decodes the bytes of a file, and finds the first byte that is not text in its encoding. */
import { joinBytes } from "../bytes.ts";
import { invalid } from "../problem.ts";

/**
 * The text of a file, chunk by chunk, without its byte order mark. `fatal`: bytes that the encoding does not know
 * are a problem, which names the first of them, its line and its column; without it they become U+FFFD. `damaged`: how many
 * such places there are in a file that is of this encoding all the same, so that no other is offered.
 */
export function decode(
  stream: ReadableStream<Uint8Array>,
  encoding: string,
  options: { fatal?: boolean; damaged?: number } = {},
): ReadableStream<string> {
  const decoder = new TextDecoder(encoding, { fatal: options.fatal ?? false });
  const reader = stream.getReader();
  const ends = new LineEnds();
  let bytes = 0;
  let seed: Uint8Array = new Uint8Array();
  return new ReadableStream<string>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        let text: string;
        try {
          text = done ? decoder.decode() : decoder.decode(value, { stream: true });
        } catch {
          const { at, byte, text: read } = firstWrong(encoding, seed, value ?? new Uint8Array());
          ends.add(read);
          await reader.cancel().catch(() => undefined);
          const shown = `the byte 0x${byte.toString(16).toUpperCase().padStart(2, "0")} (number ${bytes + at + 1})`;
          const place = `line ${ends.count + 1}, column ${ends.column + 1}`;
          const { damaged } = options;
          const detail =
            damaged === undefined
              ? `The file is not ${encoding} text: ${place}, ${shown}. Mend it, or name the file's encoding.`
              : `The file is ${encoding} but for ${damaged === 1 ? "" : `${damaged} places, the first in `}${place}, ${shown}. Mend ${damaged === 1 ? "it" : "them"}.`;
          throw invalid([{ pointer: "", detail }], detail);
        }
        if (options.fatal) {
          ends.add(text);
          seed = seedOf(encoding, joinBytes([seed, value ?? new Uint8Array()]), bytes - seed.length);
        }
        bytes += value?.length ?? 0;
        if (text !== "") controller.enqueue(text);
        if (done) controller.close();
        if (done || text !== "") return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Reads the whole file; throws a problem if it is not text in this encoding. */
export async function demandDecodable(
  stream: ReadableStream<Uint8Array>,
  encoding: string,
  damaged?: number,
): Promise<void> {
  const reader = decode(stream, encoding, { fatal: true, damaged }).getReader();
  while (!(await reader.read()).done);
}

/** Bytes that are kept at most to know where a character begins. */
const LONGEST_SEED = 1_024;

/** The end of what was read, from a place where a character begins: what is still open can only be understood with it. */
function seedOf(encoding: string, all: Uint8Array, offset: number): Uint8Array {
  let from = Math.max(0, all.length - LONGEST_SEED);
  if (encoding.startsWith("utf-16")) {
    from = Math.max(0, all.length - 4);
    from += (from + offset) % 2;
    const high = all[encoding === "utf-16le" ? from + 1 : from] ?? 0;
    // the second half of a pair
    if (high >= 0xdc && high < 0xe0) from += 2;
  } else if (encoding === "utf-8") {
    from = Math.max(0, all.length - 1);
    while (from > 0 && (all[from]! & 0xc0) === 0x80) from -= 1;
  } else {
    // no such byte is part of a longer character, in any encoding of East Asia
    for (let at = all.length - 1; at > from; at--) if (all[at]! < 0x30) from = at;
  }
  return all.slice(from);
}

/** Where in the chunk (before it: below 0) the first character begins that is none, and the text of the chunk until there. */
function firstWrong(
  encoding: string,
  seed: Uint8Array,
  chunk: Uint8Array,
): { at: number; byte: number; text: string } {
  const all = joinBytes([seed, chunk]);
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
  const told = read(whole(seed.length), false)?.length ?? 0;
  return { at: end - seed.length, byte: all[end] ?? 0, text: (read(end, false) ?? "").slice(told) };
}

/**
 * Counts the ends of lines: LF, CR LF or CR, also when a chunk ends between the two. `column`: characters since the last
 * of them.
 */
class LineEnds {
  count = 0;
  column = 0;
  #afterReturn = false;

  add(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 13 || (code === 10 && !this.#afterReturn)) this.count += 1;
      // neither the second half of a pair nor a byte order mark is a character more
      if (code === 13 || code === 10) this.column = 0;
      else if ((code & 0xfc00) !== 0xdc00 && code !== 0xfeff) this.column += 1;
      this.#afterReturn = code === 13;
    }
  }
}
