/** SHA-256 of files as they pass by. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Files } from "../services.ts";

/** Passes a file on; `sha256` is asked when all of it has passed, and answers in hexadecimal. */
export function hashing(): { through: TransformStream<Uint8Array, Uint8Array>; sha256(): string } {
  const hash = sha256.create();
  const through = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      hash.update(chunk);
      controller.enqueue(chunk);
    },
  });
  return { through, sha256: () => bytesToHex(hash.digest()) };
}

/** Reads the whole file; null when there is none. */
export async function digestOf(files: Files, key: string): Promise<string | null> {
  const found = await files.get(key);
  if (found === null) return null;
  const hash = sha256.create();
  const reader = found.content.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) hash.update(read.value);
  return bytesToHex(hash.digest());
}
