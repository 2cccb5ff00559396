/**
 * An import reads its file twice (a request to the API has read it once before, to check it). The first reading finds the
 * encoding, the hash, the header and, if rows can refer to each other, these references. The second one reads the rows (`run.ts`).
 *
 * All bytes decide the encoding, but to be read, the text must be decoded before the last byte is known. So the encoding is assumed
 * from the beginning of the file, up to the first character beyond ASCII. If the rest says otherwise, the first reading is
 * repeated. This happens if the file is Windows-1252 or UTF-16 without a mark, and its beginning does not show
 * it, because it has no accent in 4 MiB, or its first accents happen to be UTF-8 (`ß“`).
 */
import { joinBytes } from "../bytes.ts";
import { ContentHash } from "./content-hash.ts";
import { decode } from "./decode.ts";
import { EncodingDetector, type EncodingRule } from "./encoding.ts";
import type { ImportSource } from "./source.ts";

/** Bytes that always belong to the beginning: the XML declaration is within them. */
const LEAST = 1024;
/** Most bytes of the beginning, if it has no character beyond ASCII. */
const MOST = 4 * 1024 * 1024;

/**
 * `use` reads as much of the text as it needs. Its faults are thrown after those of the encoding. For a check (`isCheck`)
 * no hash is computed. A table is read to its end, because all bytes decide its encoding; XML only as far as needed.
 */
export async function firstReading<T>(
  source: ImportSource,
  rule: EncodingRule,
  use: (text: AsyncIterable<string>) => Promise<T>,
  isCheck = false,
): Promise<{ encoding: string; hash: string; used: T }> {
  const detector = new EncodingDetector();
  const hash = new ContentHash();
  const reader = source.open().getReader();
  const next = async (): Promise<Uint8Array | undefined> => {
    const { value } = await reader.read();
    if (value) detector.add(value);
    if (value && !isCheck) await hash.add(value);
    return value;
  };
  try {
    const beginning = await readBeginning(next, detector);
    const encoding = rule.assume(joinBytes(beginning), detector.soFar());
    const text = decode(bytesFrom(beginning, next), encoding, { fatal: true });
    // without `return`: when `use` has stopped, the rest can still be read
    const shared = { [Symbol.asyncIterator]: () => ({ next: () => text.next() }) };
    const [used] = await Promise.allSettled([use(shared)]);
    const [rest] = await Promise.allSettled([rule.mustDecode?.(encoding) ? readToEnd(shared) : undefined]);
    if (rule.judge || !isCheck) while (await next());
    const judged = (await rule.judge?.(detector.end(), encoding)) ?? encoding;
    if (judged !== encoding) return firstReading(source, { ...rule, assume: () => judged }, use, isCheck);
    if (rest.status === "rejected") throw rest.reason;
    if (used.status === "rejected") throw used.reason;
    return { encoding, hash: await hash.end(), used: used.value };
  } finally {
    await reader.cancel();
  }
}

async function readBeginning(
  next: () => Promise<Uint8Array | undefined>,
  detector: EncodingDetector,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { ascii, bytes } = detector.soFar();
    if (bytes >= (ascii ? MOST : LEAST)) break;
    const chunk = await next();
    if (!chunk) break;
    chunks.push(chunk);
  }
  return chunks;
}

async function* bytesFrom(
  beginning: readonly Uint8Array[],
  next: () => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* beginning;
  for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
}

async function readToEnd(text: AsyncIterable<string>): Promise<void> {
  for await (const _ of text);
}
