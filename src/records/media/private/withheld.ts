/** Replaces the private parts of a file for visitors (`private/parts.ts`) by other bytes of the same length. */
import type { PrivatePart } from "../medium.ts";

/** Replaces the private parts in a stream of the file. `first`: the position in the file where the stream begins. */
export function withhold(
  parts: readonly PrivatePart[],
  first: number,
): TransformStream<Uint8Array, Uint8Array> {
  let at = first;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(cover(chunk, at, parts));
      at += chunk.length;
    },
  });
}

/** The chunk at position `at`, with its private parts replaced. */
export function cover(chunk: Uint8Array, at: number, parts: readonly PrivatePart[]): Uint8Array {
  const end = at + chunk.length;
  const touched = parts.filter((part) => part.at < end && part.at + part.length > at);
  if (touched.length === 0) return chunk;
  // not slice(), which does not copy a Buffer of Node
  const covered = new Uint8Array(chunk);
  for (const { at: from, length, bytes } of touched) {
    const first = Math.max(from, at);
    const last = Math.min(from + length, end);
    covered.fill(0, first - at, last - at);
    if (bytes === undefined) continue;
    const instead = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0)).subarray(
      first - from,
      last - from,
    );
    covered.set(instead, first - at);
  }
  return covered;
}
