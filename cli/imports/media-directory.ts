/** Finds and reads the files of a directory that may be media. */
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { fileFault } from "../catalogue/open.ts";
import { bytesOf } from "../terminal/bytes-of.ts";

export type FileAtHand = {
  /** For display, with `/` between directories. */
  name: string;
  path: string;
  bytes: number;
};

/** Files that operating systems leave in directories. */
const LITTER = /^(\.|thumbs\.db$|desktop\.ini$|__macosx$)/i;

/** Does not follow links, which may form a circle or lead out of the directory. */
export async function filesBelow(directory: string): Promise<FileAtHand[]> {
  const files: FileAtHand[] = [];
  async function walk(place: string, above: string): Promise<void> {
    const entries = await readdir(place, { withFileTypes: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOTDIR")
        throw new Refusal(said("cli.file.not_directory", { path: place }));
      const reason = fileFault(error, said("cli.file.no_directory"));
      throw new Refusal(said("cli.file.cannot_read", { path: place, reason }));
    });
    for (const entry of entries) {
      const path = join(place, entry.name);
      if (LITTER.test(entry.name)) continue;
      if (entry.isDirectory()) await walk(path, `${above}${entry.name}/`);
      else if (entry.isFile())
        files.push({ name: `${above}${entry.name}`, path, bytes: (await stat(path)).size });
    }
  }
  await walk(directory, "");
  return files;
}

/** SHA-256. */
export async function checksumOf({ path }: FileAtHand): Promise<string> {
  const hash = createHash("sha256");
  const reader = bytesOf(path).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) hash.update(next.value);
  return hash.digest("hex");
}
