/** Small tools for bytes: joining, hashing, and writing them as text. */

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** All bytes of somebody's answer. Throws a RangeError, and reads no further, if it has more than `most`. */
export async function readAtMost(answer: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = answer.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.byteLength;
    if (size > most) {
      reader?.cancel().catch(() => undefined);
      throw new RangeError(`the answer has more than ${most} bytes`);
    }
    parts.push(next.value);
  }
  return joinBytes(parts);
}

/** The lines of bytes, without line ends. Throws a RangeError if one has more bytes than `longest`. */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      const rest = piece.subarray(from, end);
      yield begun.length === 0 ? rest : joinBytes([...begun, rest]);
      begun = [];
      length = 0;
      from = end + 1;
    }
    if (from === piece.byteLength) continue;
    begun.push(piece.subarray(from));
    length += piece.byteLength - from;
    if (length > longest) throw new RangeError(`a line has more than ${longest} bytes`);
  }
  if (length > 0) yield joinBytes(begun);
}

/**
 * Cuts bytes that come in chunks of any length into parts of one size. The last part, written by `end`, is shorter and may
 * be empty. Each part is an array of its own.
 */
export function cutIntoParts(size: number, put: (part: Uint8Array<ArrayBuffer>) => Promise<unknown>) {
  let part = new Uint8Array(size);
  let filled = 0;
  return {
    async write(bytes: Uint8Array): Promise<void> {
      for (let at = 0; at < bytes.byteLength; ) {
        const fits = bytes.subarray(at, at + size - filled);
        part.set(fits, filled);
        filled += fits.byteLength;
        at += fits.byteLength;
        if (filled < size) continue;
        const whole = part;
        part = new Uint8Array(size);
        filled = 0;
        await put(whole);
      }
    },
    end: () => put(part.subarray(0, filled)),
  };
}

/** SHA-256 of bytes, or of a text in UTF-8: 32 bytes. */
export async function sha256(data: Uint8Array<ArrayBuffer> | string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Two lower-case digits for each byte. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** RFC 4648 §5, without padding. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Null if the text is not base64url without padding. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return null;
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

/** Null if the bytes are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32 as in ZIP archives and PNG (https://www.w3.org/TR/png-3/#D-CRCAppendix). */
export class Crc32 {
  #rest = -1;

  add(bytes: Uint8Array): void {
    let rest = this.#rest;
    for (let i = 0; i < bytes.length; i++) rest = CRC_TABLE[(rest ^ bytes[i]!) & 0xff]! ^ (rest >>> 8);
    this.#rest = rest;
  }

  get value(): number {
    return ~this.#rest >>> 0;
  }
}
