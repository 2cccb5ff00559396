/** Files in a directory of this machine: what is expected of the port, and what only a disk needs. */
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { diskFiles } from "../../src/adapters/files/disk.ts";
import { filesExpectations } from "../ports/files.ts";

filesExpectations("a directory", async () => {
  const root = await mkdtemp(join(tmpdir(), "svc-files-"));
  return { files: diskFiles(root), close: () => rm(root, { recursive: true }) };
});

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "svc-files-"));
});
afterAll(() => rm(root, { recursive: true }));

const letters = (text: string) => new Response(text).body!;

it("leaves no empty directories behind", async () => {
  const files = diskFiles(root);
  await files.put("objects/a/b/c.jpg", letters("c"));
  await files.put("objects/a/d.jpg", letters("d"));
  await files.remove("objects/a/b/c.jpg");
  expect(await readdir(join(root, "objects/a"))).toEqual(["d.jpg"]);
  await files.remove("objects/a/d.jpg");
  expect(await readdir(root)).toEqual([]);
});

it("lets an image server on the same machine read, whatever the umask", async () => {
  await diskFiles(root).put("objects/e.jpg", letters("e"));
  expect(((await stat(join(root, "objects/e.jpg"))).mode & 0o777).toString(8)).toBe("644");
});

it("lists no drafts, and deletes those that a killed process left a day ago", async () => {
  await mkdir(join(root, "drafts"));
  const [old, young] = ["old", "young"].map((name) => join(root, "drafts", `.draft-${name}`)) as [
    string,
    string,
  ];
  for (const path of [old, young]) await writeFile(path, "half a file");
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(old, yesterday, yesterday);
  for await (const { key } of diskFiles(root).list("drafts/")) expect.fail(key);
  expect(await readdir(join(root, "drafts"))).toEqual([".draft-young"]);
});
