/** Finds and reads the files of a directory that may be media. */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileAtHand } from "../src/media/bulk.ts";
import { said } from "../src/messages/said.ts";
import { Refusal } from "../src/refusal.ts";
import { fileFault } from "./open.ts";

/** Files that operating systems leave in directories. */
const LITTER = /^(\.|thumbs\.db$|desktop\.ini$|__macosx$)/i;

/** Links are not followed: they may form a circle, or lead out of the directory. */
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
        files.push({
          path: `${above}${entry.name}`,
          bytes: (await stat(path)).size,
          open: () => createReadStream(path),
        });
    }
  }
  await walk(directory, "");
  return files;
}
