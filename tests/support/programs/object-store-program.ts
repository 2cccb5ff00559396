/** Tries media in an object store on the runtime that runs it, and prints a line for each result. Argument: the bucket, as JSON. */
import { s3Files } from "../../../src/adapters/files/s3.ts";
import type { S3 } from "../../../src/adapters/files/s3-client.ts";
import { layCable } from "../servers/cable.ts";

const bucket = JSON.parse(process.argv[2]!) as S3;
const LARGE = 20_000_003;

function letters(length: number, end?: () => void): ReadableStream<Uint8Array> {
  let left = length;
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      const piece = new Uint8Array(Math.min(65_536, left)).fill(left & 255);
      if (left < length * 0.1) end?.();
      left -= piece.length;
      controller.enqueue(piece);
    },
  });
}

async function count(stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes += value.length;
  }
}

const failed = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing failed",
    (error: Error & { status?: number }) => String(error.status ?? error.message),
  );

const files = s3Files(bucket);
console.log("took", (await files.put("smoke/a.tif", letters(LARGE))).bytes);
console.log("gave", await count((await files.get("smoke/a.tif"))!.content));
const part = await files.get("smoke/a.tif", { first: 8_388_600, last: 8_388_619 });
console.log("gave a part of", await count(part!.content), "of", part!.file.bytes);
const brokenOff = letters(LARGE, () => {
  throw new Error("the line broke");
});
console.log(
  "broken off:",
  await failed(files.put("smoke/b.tif", brokenOff)),
  await files.stat("smoke/b.tif"),
);

const cable = await layCable(bucket.endpointUrl!);
const far = s3Files({ ...bucket, endpointUrl: cable.url }, { patienceMs: 1_000 });
const cut = far.put(
  "smoke/c.tif",
  letters(LARGE, () => cable.cut()),
);
console.log("cut while sending:", await failed(cut), await files.stat("smoke/c.tif"));
cable.mend();
// so slowly that most of it is still to come
cable.slow(20);
const ended = (await far.get("smoke/a.tif"))!.content;
cable.cut();
console.log("cut while reading:", (await failed(count(ended))) !== "nothing failed");
cable.mend();
const silent = (await far.get("smoke/a.tif"))!.content;
cable.silence();
console.log("silent while reading:", await failed(count(silent)));
console.log("silent:", await failed(far.stat("smoke/a.tif")));
await cable.close();
for await (const { key, bytes } of files.list("smoke/")) console.log("listed", key, bytes);
await files.remove("smoke/a.tif");
console.log("removed:", await files.stat("smoke/a.tif"));
process.exit(0);
