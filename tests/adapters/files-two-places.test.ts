/** Files in two places: some are still where they were stored before. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { diskFiles } from "../../src/adapters/files/disk.ts";
import { inTwoPlaces } from "../../src/adapters/files/two-places.ts";
import type { Files } from "../../src/services.ts";
import { filesExpectations } from "../ports/files.ts";

filesExpectations("two directories", async () => {
  const root = await mkdtemp(join(tmpdir(), "svc-files-"));
  const files = inTwoPlaces(diskFiles(join(root, "new")), diskFiles(join(root, "old")));
  return { files, close: () => rm(root, { recursive: true }) };
});

let root: string;
let now: Files;
let before: Files;
let both: Files;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "svc-files-"));
  now = diskFiles(join(root, "new"));
  before = diskFiles(join(root, "old"));
  both = inTwoPlaces(now, before);
});
afterAll(() => rm(root, { recursive: true }));

const letters = (text: string) => new Response(text).body!;
const textOf = async (key: string, range?: { first: number; last: number }) => {
  const found = await both.get(key, range);
  return found && new Response(found.content as ReadableStream<Uint8Array<ArrayBuffer>>).text();
};

it("finds files in the former place, and stores none there", async () => {
  await before.put("originals/old.txt", letters("harbour"));
  expect(await textOf("originals/old.txt")).toBe("harbour");
  expect(await textOf("originals/old.txt", { first: 1, last: 3 })).toBe("arb");
  expect(await both.stat("originals/old.txt")).toMatchObject({ bytes: 7 });
  await both.put("originals/new.txt", letters("quay"));
  expect(await before.stat("originals/new.txt")).toBeNull();
  expect(await textOf("originals/new.txt")).toBe("quay");
});

it("lists a file that is in both places once, and reads the newer one", async () => {
  await both.put("originals/old.txt", letters("harbour at dusk"));
  const found: [string, number][] = [];
  for await (const { key, bytes } of both.list("originals/")) found.push([key, bytes]);
  expect(found.sort()).toEqual([
    ["originals/new.txt", 4],
    ["originals/old.txt", 15],
  ]);
  expect(await textOf("originals/old.txt")).toBe("harbour at dusk");
});

it("removes a file from both places", async () => {
  await both.remove("originals/old.txt");
  expect(await textOf("originals/old.txt")).toBeNull();
  expect(await before.stat("originals/old.txt")).toBeNull();
});

it("finds a file that is moved while it is being read", async () => {
  await before.put("originals/moving.txt", letters("tide"));
  const moving = inTwoPlaces(now, {
    ...before,
    async get(key) {
      await now.put(key, letters("tide"));
      await before.remove(key);
      return before.get(key);
    },
  });
  expect((await moving.get("originals/moving.txt"))!.file.bytes).toBe(4);
});
