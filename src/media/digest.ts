/** SHA-256 of streams and files. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Files } from "../services.ts";

/** Hashes a file that passes through. `sha256` returns the hash in hexadecimal once the whole file has passed. */
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

/** Reads the whole file; null if it does not exist. */
export async function digestOf(files: Files, key: string): Promise<string | null> {
  const found = await files.get(key);
  if (found === null) return null;
  const hash = sha256.create();
  const reader = found.content.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) hash.update(read.value);
  return bytesToHex(hash.digest());
}
