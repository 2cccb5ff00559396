/** Large files through nginx, configured as docs/deployment.md describes. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BehindNginx, canBeBehindNginx, openBehindNginx } from "../support/behind-nginx.ts";

const PIECE = Buffer.alloc(1_000_000, "a plate of the harbour, ");
const MEGABYTES = 500;
/** MEDIA_MAX_BYTES, where it is not set. */
const MOST_BYTES = 536_870_912;

describe.runIf(canBeBehindNginx())("behind nginx, a file", () => {
  let behind: BehindNginx;
  let object: string;
  beforeAll(async () => {
    behind = await openBehindNginx();
    object = await behind.newObject();
  });
  afterAll(() => behind?.close());

  /** A file of so many megabytes, no two pieces of it the same. `seen`: called now and then while it is read. */
  function* file(megabytes: number, hash = createHash("sha256"), seen = () => {}): Generator<Buffer> {
    for (let n = 0; n < megabytes; n++) {
      const piece = Buffer.from(PIECE);
      piece.write(n === 0 ? "%PDF-1.7" : `plate ${n}`);
      hash.update(piece);
      if (n % 50 === 0) seen();
      yield piece;
    }
  }
  const send = (body: Iterable<Buffer>, headers: Record<string, string> = {}) =>
    behind.staff(`/v1/objects/${object}/media`, { method: "POST", body: Readable.from(body), headers });
  const peaks = () => [behind.service.child.pid!, ...behind.nginx.pids()].map(peakOf);

  it(`of ${MEGABYTES} MB arrives and leaves byte for byte, and neither of them keeps it in memory`, async () => {
    const before = peaks();
    const buffered = new Set<string>();
    const look = () => {
      for (const name of behind.nginx.buffered()) buffered.add(name);
    };
    const hash = createHash("sha256");
    const length = { "Content-Length": String(MEGABYTES * PIECE.length) };
    const sent = await send(file(MEGABYTES, hash, look), length);
    const sha256 = hash.digest("hex");
    expect(sent).toMatchObject({ status: 201, json: { sha256, bytes: MEGABYTES * PIECE.length } });

    const got = createHash("sha256");
    let pieces = 0;
    const open = await behind.at("127.0.0.1").open(new URL(sent.json.links.file).pathname);
    for await (const piece of open) {
      got.update(piece);
      if (pieces++ % 5_000 === 0) look();
    }
    expect(got.digest("hex")).toBe(sha256);
    expect([...buffered]).toEqual([]);
    const grown = peaks().map((peak, n) => peak - before[n]!);
    for (const megabytes of grown) expect(megabytes, `${grown}`).toBeLessThan(150);
  });

  it("above MEDIA_MAX_BYTES is refused by the service itself, although the rest of it is still on its way", async () => {
    const tooLarge = {
      status: 413,
      json: { type: "urn:svc:problem:too_large", detail: "The request body is larger than 512 MiB" },
    };
    const megabytes = Math.ceil(MOST_BYTES / PIECE.length) + 1;
    const length = String(megabytes * PIECE.length);
    for (let n = 0; n < 5; n++)
      expect(await send(file(megabytes), { "Content-Length": length })).toMatchObject(tooLarge);
    expect(behind.nginx.buffered()).toEqual([]);
  });
});

/** Of a process, in megabytes. */
function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}
