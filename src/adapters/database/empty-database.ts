/**
 * The files of an empty database, as PGlite's initdb makes them. To make them takes it 6 s and 500 MB; to unpack
 * `empty-database.br` takes a tenth of a second. `tests/support/write-empty-database.ts` writes that file, and a test compares it
 * with what initdb makes now.
 */
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

const PACKED = new URL("empty-database.br", import.meta.url);
/** Files written at once: the file system writes its journal once for all that wait for it. */
const AT_ONCE = 16;

export type Contents = {
  /** Version of PGlite that made the files. */
  pglite: string;
  directories: string[];
  /** Path and content, in the order in which they are written. */
  files: { path: string; content: Uint8Array }[];
};

/** Packed: one line of JSON, which names directories and files with their sizes, then what is in the files. */
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

/** Writes an empty database into an empty directory; all of it is on the disk when this ends. */
export async function writeEmptyDatabase(directory: string): Promise<void> {
  const { directories, files } = await emptyDatabase();
  for (const path of directories) await mkdir(join(directory, path), { mode: 0o700 });
  const next = files.values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => writeEach(directory, next)));
  for (const path of [...directories, "."]) await syncDirectory(join(directory, path));
}

async function writeEach(directory: string, files: Iterable<Contents["files"][number]>): Promise<void> {
  for (const { path, content } of files) {
    const handle = await open(join(directory, path), "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** What was made, renamed or taken away in it is on the disk then. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
