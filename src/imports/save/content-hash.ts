/** Hashes the content of a file, so that the same file is recognised when an import runs again. */
import { cutIntoParts, hex, joinBytes, sha256 } from "../../bytes.ts";

const BLOCK = 1024 * 1024;

/** SHA-256 chained over blocks of 1 MiB, because Web Crypto cannot hash streams. */
export class ContentHash {
  #chain = new Uint8Array(32);
  readonly #blocks = cutIntoParts(BLOCK, async (block) => {
    this.#chain = await sha256(joinBytes([this.#chain, block]));
  });

  add(bytes: Uint8Array): Promise<void> {
    return this.#blocks.write(bytes);
  }

  async end(): Promise<string> {
    await this.#blocks.end();
    return hex(this.#chain);
  }
}

/** Identifies an import that can be continued. Encoding and account do not matter. */
export async function fingerprint(parts: unknown): Promise<string> {
  return hex(await sha256(JSON.stringify(parts)));
}
