/**
 * Reads the file of an import once: finds its encoding and its hash while `use` takes the rows from its text. Damaged UTF-8 is
 * read a second time to find the byte.
 */
import { joinBytes } from "../bytes.ts";
import { decode } from "./csv/decode.ts";
import { BEGINNING, EncodingDetector, type EncodingRule } from "./csv/encoding.ts";
import { ContentHash } from "./save/content-hash.ts";
import type { ImportSource } from "./source.ts";

type Next = () => Promise<Uint8Array | undefined>;

/**
 * `use` reads as much of the text as it needs. Its faults are thrown after those of the encoding. A check (`isCheck`) computes
 * no hash, and reads to the end of the file only if the rule judges all bytes (`judge`).
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
  const next: Next = async () => {
    const { value } = await reader.read();
    if (value) detector.add(value);
    if (value && !isCheck) await hash.add(value);
    return value;
  };
  try {
    const beginning = await readBeginning(next);
    const isWhole = beginning.length < BEGINNING;
    const known = rule.encodingBy(beginning, isWhole ? detector.end() : detector.soFar());
    const text = textOf(beginning, next, known, detector);
    // without `return`, so that the rest can still be read after `use` has stopped
    const shared = { [Symbol.asyncIterator]: () => ({ next: () => text.next() }) };
    const [used] = await Promise.allSettled([use(shared)]);
    const mustDecode = known !== undefined && rule.mustDecode?.(known);
    const [rest] = await Promise.allSettled([mustDecode ? readToEnd(shared) : undefined]);
    if (rule.judge || !isCheck) while (await next());
    const found = detector.end();
    const encoding = rule.encodingBy(beginning, found)!;
    await rule.judge?.(found, encoding);
    if (rest.status === "rejected") throw rest.reason;
    if (used.status === "rejected") throw used.reason;
    return { encoding, hash: await hash.end(), used: used.value };
  } finally {
    await reader.cancel();
  }
}

async function readBeginning(next: Next): Promise<Uint8Array> {
  let beginning: Uint8Array = new Uint8Array();
  while (beginning.length < BEGINNING) {
    const chunk = await next();
    if (!chunk) break;
    beginning = joinBytes([beginning, chunk]);
  }
  return beginning;
}

/**
 * Decodes the file. If the encoding is unknown, ASCII is passed on at once, because it is the same in UTF-8 and Windows-1252.
 * From the first other character on, bytes are held until it is certain which of the two it is.
 */
async function* textOf(
  beginning: Uint8Array,
  next: Next,
  known: string | undefined,
  detector: EncodingDetector,
): AsyncGenerator<string, void, undefined> {
  let held = [beginning];
  let encoding = known;
  while (encoding === undefined) {
    const chunk = await next();
    if (chunk) held.push(chunk);
    const found = chunk ? detector.soFar() : detector.end();
    if (found.certain) encoding = found.encoding;
    else if (found.ascii) {
      yield new TextDecoder().decode(joinBytes(held));
      held = [];
    }
  }
  yield* decode(bytesFrom(held, next), encoding);
}

async function* bytesFrom(
  held: readonly Uint8Array[],
  next: Next,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* held;
  for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
}

async function readToEnd(text: AsyncIterable<string>): Promise<void> {
  for await (const _ of text);
}
