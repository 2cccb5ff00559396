/** A hash of the content of a file, so that the same file is recognised when an import runs again. */
import { cutIntoParts, hex, joinBytes, sha256 } from "../bytes.ts";

const BLOCK = 1024 * 1024;

/** SHA-256 chained over blocks of 1 MiB, because Web Crypto cannot hash streams. */
export async function contentHash(stream: ReadableStream<Uint8Array>): Promise<string> {
  let chain = new Uint8Array(32);
  const blocks = cutIntoParts(BLOCK, async (block) => {
    chain = await sha256(joinBytes([chain, block]));
  });
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) await blocks.write(read.value);
  await blocks.end();
  return hex(chain);
}

/** Identifies an import by what decides its records: bytes of the file, record type, mapping, settings. Encoding and account do not count. */
export async function fingerprint(parts: unknown): Promise<string> {
  return hex(await sha256(JSON.stringify(parts)));
}
