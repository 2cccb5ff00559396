import { expect, it } from "vitest";
import { chunksOf } from "../src/http/body.ts";

it("a large file is not kept in memory while it is read", async () => {
  const megabyte = 1024 * 1024;
  let left = 600;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(megabyte));
      else controller.close();
    },
  });
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for await (const _chunk of chunksOf(stream))
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  expect(most).toBeLessThan(300 * megabyte);
});
