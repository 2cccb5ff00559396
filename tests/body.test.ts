import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { chunksOf } from "../src/http/body.ts";

it("a large file is not kept in memory while it is read", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const chunks: WeakRef<Uint8Array>[] = [];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = new Uint8Array(1_000);
      chunks.push(new WeakRef(chunk));
      controller.enqueue(chunk);
      if (chunks.length === 100) controller.close();
    },
  });
  let kept = Number.POSITIVE_INFINITY;
  for await (const _chunk of chunksOf(stream)) {
    if (chunks.length < 100) continue;
    // a weak reference holds its object until the current turn of the event loop ends
    await setImmediate();
    collectGarbage();
    kept = chunks.filter((chunk) => chunk.deref() !== undefined).length;
    break;
  }
  expect(chunks).toHaveLength(100);
  expect(kept).toBeLessThan(10);
});
