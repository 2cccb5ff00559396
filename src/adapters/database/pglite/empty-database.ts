/**
 * Creates an empty database by unpacking `empty-database.br`, which takes a tenth of a second. PGlite's initdb would take 6 s
 * and 500 MB. `tests/support/docs/write-empty-database.ts` writes that file, and a test compares it with what initdb makes.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { syncDirectory, writeDurably } from "../../durable-files.ts";

const PACKED = new URL("./empty-database.br", import.meta.url);
/** Files written at the same time, so that the file system writes its journal once for several files. */
const AT_ONCE = 16;

export type Contents = {
  /** Version of PGlite that made the files. */
  pglite: string;
  directories: string[];
  /** Path and content, in the order in which they are written. */
  files: { path: string; content: Uint8Array }[];
};

/** The packed format: one line of JSON with directories, files and sizes, then the contents of the files. */
export async function emptyDatabase(): Promise<Contents> {
  const bytes = brotliDecompressSync(await readFile(PACKED));
  let at = bytes.indexOf("\n") + 1;
  const head = JSON.parse(bytes.toString("utf8", 0, at)) as {
    pglite: string;
    directories: string[];
    files: [path: string, size: number][];
  };
  const files = head.files.map(([path, size]) => {
    const content = bytes.subarray(at, at + size);
    at += size;
    return { path, content };
  });
  return { ...head, files };
}

/** Writes an empty database into an empty directory, and resolves when everything is on the disk. */
export async function writeEmptyDatabase(directory: string): Promise<void> {
  const { directories, files } = await emptyDatabase();
  for (const path of directories) await mkdir(join(directory, path), { mode: 0o700 });
  const next = files.values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => writeEach(directory, next)));
  for (const path of [...directories, "."]) await syncDirectory(join(directory, path));
}

async function writeEach(directory: string, files: Iterable<Contents["files"][number]>): Promise<void> {
  for (const { path, content } of files) await writeDurably(join(directory, path), content);
}
