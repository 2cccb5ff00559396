/** A hash of the content of a file, so that the same file is recognised when an import runs again. */

const BLOCK = 1024 * 1024;

/** SHA-256 chained over blocks of 1 MiB, because Web Crypto cannot hash streams. */
export async function contentHash(stream: ReadableStream<Uint8Array>): Promise<string> {
  let chain: Uint8Array = new Uint8Array(32);
  const block = new Uint8Array(BLOCK);
  let size = 0;
  const close = async () => {
    chain = new Uint8Array(await crypto.subtle.digest("SHA-256", joined(chain, block.subarray(0, size))));
    size = 0;
  };
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (let from = 0; from < value.byteLength; ) {
      const part = value.subarray(from, from + BLOCK - size);
      block.set(part, size);
      size += part.byteLength;
      from += part.byteLength;
      if (size === BLOCK) await close();
    }
  }
  await close();
  return hex(chain);
}

/** Identifies an import by what decides its records: bytes of the file, record type, mapping, settings. Encoding and account do not count. */
export async function fingerprint(parts: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.byteLength + b.byteLength);
  both.set(a);
  both.set(b, a.byteLength);
  return both;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
