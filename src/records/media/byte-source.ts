/** Random access to the bytes of a file without loading it. */
import type { Files } from "../../services.ts";

export type ByteSource = {
  /** Of the whole file. */
  bytes: number;
  /** `length` bytes from `at`, fewer at the end of the file. */
  read(at: number, length: number): Promise<Uint8Array>;
  /** From there to the end. */
  stream(at: number): Promise<ReadableStream<Uint8Array>>;
};

/** Bytes at the beginning of files, read together. */
const WINDOW = 64 * 1024;
/** The most reads; only a malicious file needs more. */
const MOST_READS = 250_000;

export function sourceOf(files: Files, key: string, bytes: number): ByteSource {
  let window: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  let begins = 0;
  let reads = 0;
  const open = async (first: number, last: number) => {
    const found = await files.get(key, { first, last });
    if (found === null) throw new Error(`There is no file ${key}`);
    return found.content;
  };
  return {
    bytes,
    async read(at, length) {
      reads += 1;
      if (reads > MOST_READS) throw new RangeError("too many pieces");
      const end = Math.min(at + length, bytes);
      if (at >= end) return new Uint8Array(0);
      if (at < begins || end > begins + window.length) {
        const last = Math.min(Math.max(end, at + WINDOW), bytes) - 1;
        const content = (await open(at, last)) as ReadableStream<Uint8Array<ArrayBuffer>>;
        window = new Uint8Array(await new Response(content).arrayBuffer());
        begins = at;
      }
      return window.subarray(at - begins, end - begins);
    },
    stream: (at) => open(at, bytes - 1),
  };
}

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Latin-1. */
export const lettersOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
