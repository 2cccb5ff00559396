/** Moving media to another place, and comparing them with the catalogue, loses no file and no byte. */

import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { diskFiles } from "../../src/adapters/files/disk.ts";
import { type Moved, moveMedia } from "../../src/media/care/move.ts";
import { type Verified, verifyMedia } from "../../src/media/care/verify.ts";
import { said } from "../../src/messages/said.ts";
import type { Files } from "../../src/services.ts";
import { newObject, send } from "../support/museum/media.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

type Sent = { media_id: string; storage_key: string; bytes: number };

describe.each(databases)("moving and verifying media (%s)", async (database) => {
  let there: Files;
  let sent: Sent[];
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  const here = museum.services.files;
  beforeEach(async () => {
    there = diskFiles(join(museum.dataDir, `there-${crypto.randomUUID()}`));
    await museum.services.sql`delete from object_media`;
    for (const key of await keysIn(here)) await here.remove(key);
    const object = await newObject(editor);
    sent = [];
    for (let number = 0; number < 12; number++) {
      const bytes = Buffer.from(`%PDF-1.4\n${number} ${"tide ".repeat(number * 100)}\n%%EOF\n`);
      const answer = await send(editor, object, bytes, `${number}.pdf`);
      sent.push((await answer.json()) as Sent);
    }
  });

  const disk = (key: string) => join(museum.dataDir, "media", key);
  const move = (change: Partial<Parameters<typeof moveMedia>[0]> = {}): Promise<Moved> =>
    moveMedia({
      sql: museum.services.sql,
      from: here,
      to: there,
      keep: false,
      signal: new AbortController().signal,
      report: () => undefined,
      ...change,
    });
  const verify = (files: Files, quick = false): Promise<Verified> =>
    verifyMedia({ sql: museum.services.sql, files, quick, report: () => undefined });

  it("moves every file and leaves none behind", async () => {
    await here.put(`pyramids/${sent[0]!.media_id}.tif`, new Response("tiles").body!);
    await here.put("themes/logo.png", new Response("logo").body!);
    const parts: number[] = [];
    const report = ({ bytes, ofBytes }: { bytes: number; ofBytes: number }) => parts.push(bytes / ofBytes);
    expect(await move({ report })).toMatchObject({ moved: 13, there: 0, left: [] });
    expect(parts.at(-1)).toBe(1);
    expect(await keysIn(here)).toEqual(["themes/logo.png"]);
    expect(await verify(there)).toMatchObject({ media: 12, faults: [] });
    expect(await verify(here, true)).toMatchObject({
      faults: sent
        .map(({ media_id, storage_key }) => ({ media_id, storage_key, fault: "missing" }))
        .sort((one, other) => (one.media_id < other.media_id ? -1 : 1)),
    });
  });

  it("leaves the files in place when they are only copied", async () => {
    expect(await move({ keep: true })).toMatchObject({ moved: 12, there: 0 });
    expect(await verify(here)).toMatchObject({ faults: [] });
    expect(await verify(there)).toMatchObject({ faults: [] });
    expect(await move()).toMatchObject({ moved: 0, there: 12, left: [] });
    expect(await keysIn(here)).toEqual([]);
  });

  it("completes a move that was stopped and started again", async () => {
    const stopping = new AbortController();
    const report = ({ files }: { files: number }) => files === 5 && stopping.abort();
    await expect(move({ signal: stopping.signal, report })).rejects.toThrow();
    const left = (await keysIn(here)).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(12);
    expect(await move()).toMatchObject({ moved: left, left: [] });
    expect(await verify(there)).toMatchObject({ media: 12, faults: [] });
  });

  it("keeps the files when the other place fails or returns different bytes", async () => {
    let puts = 0;
    const full: Files = {
      ...there,
      async put(key, content) {
        if (++puts > 3) throw new Error("no room is left");
        return there.put(key, content);
      },
    };
    await expect(move({ to: full })).rejects.toThrow("no room is left");
    const lying: Files = {
      ...there,
      put: async (key, content) => {
        await new Response(content as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer();
        return there.put(key, new Response("something else").body!);
      },
    };
    const { moved, left } = await move({ to: lying });
    expect([moved, left[0]!.reason]).toEqual([0, said("job.media.differs_after_copying")]);
    expect(await move()).toMatchObject({ left: [] });
    expect(await verify(there)).toMatchObject({ media: 12, faults: [] });
  });

  it("keeps files that differ from what was uploaded, or for which the other place has a different file", async () => {
    const [damaged, twice] = sent as [Sent, Sent];
    await writeFile(disk(damaged.storage_key), "damaged");
    await there.put(twice.storage_key, new Response("other").body!);
    const { moved, left } = await move();
    expect(moved).toBe(10);
    expect(left.sort((one) => (one.key === damaged.storage_key ? -1 : 1))).toEqual([
      { key: damaged.storage_key, reason: said("job.media.differs_from_upload") },
      { key: twice.storage_key, reason: said("job.media.in_both_places") },
    ]);
    expect((await keysIn(here)).sort()).toEqual([damaged.storage_key, twice.storage_key].sort());
    expect(await there.stat(damaged.storage_key)).toBeNull();
    expect(await readFile(disk(damaged.storage_key), "utf8")).toBe("damaged");
  });

  it("reports files that are missing, truncated, altered or without tiles, and files that belong to no medium", async () => {
    const [missing, cut, altered, plain] = sent as [Sent, Sent, Sent, Sent];
    await here.remove(missing.storage_key);
    await writeFile(disk(cut.storage_key), "cut");
    await writeFile(disk(altered.storage_key), "x".repeat(altered.bytes));
    await museum.services.sql`
      update object_media set pyramid_key = ${`pyramids/${plain.media_id}.tif`} where id = ${plain.media_id}`;
    await here.put("originals/0198c0de-0000-7000-8000-000000000000.jpg", new Response("left").body!);
    await here.put("originals/on-its-way.jpg", new Response("young").body!);
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(disk("originals/0198c0de-0000-7000-8000-000000000000.jpg"), old, old);
    const { media, faults, unreferenced } = await verify(here);
    expect(media).toBe(12);
    expect(Object.fromEntries(faults.map(({ media_id, fault }) => [media_id, fault]))).toEqual({
      [missing.media_id]: "missing",
      [cut.media_id]: "size",
      [altered.media_id]: "content",
      [plain.media_id]: "tiles",
    });
    expect(unreferenced).toEqual(["originals/0198c0de-0000-7000-8000-000000000000.jpg"]);
    const quick = await verify(here, true);
    expect(quick.faults.map(({ fault }) => fault).sort()).toEqual(["missing", "size", "tiles"]);
    expect(quick.bytes).toBe(0);
  });
});

async function keysIn(files: Files): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list("")) keys.push(key);
  return keys;
}
