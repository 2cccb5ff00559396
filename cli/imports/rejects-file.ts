/** The rejects file is written under a temporary name and renamed at the end. There is none if no row was rejected. */
import { access, constants, type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Said, said, type Told } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { fileFault } from "../catalogue/open.ts";

export type RejectsFile = {
  write(text: string): Promise<void>;
  /**
   * Gives the file its final name. `path`: the file, if there is one. `moved`: the new name of an older rejects file, which
   * is kept because somebody may be correcting it.
   */
  keep(): Promise<{ path: string | null; moved: string | null }>;
  /** Deletes the file of an incomplete import. The next run refuses its rows again. */
  drop(): Promise<void>;
};

/** Finds faults of the path at the start, which would otherwise stop the import after its last row. */
export async function openRejects(path: string, source: string): Promise<RejectsFile> {
  await demandPlace(path, source);
  const part = `${path}.part`;
  let file: FileHandle | null = null;
  return {
    async write(text) {
      try {
        file ??= await open(part, "w");
        await file.write(text);
      } catch (error) {
        throw new Refusal(unwritable(part, fileFault(error)));
      }
    },
    async keep() {
      if (!file) return { path: null, moved: await makeRoom(path) };
      await file.close();
      file = null;
      const moved = await makeRoom(path);
      await rename(part, path);
      return { path, moved };
    },
    async drop() {
      if (!file) return;
      await file.close();
      file = null;
      await rm(part, { force: true });
    },
  };
}

const unwritable = (path: string, reason: Told): Said => said("cli.rejects.unwritable", { path, reason });

async function demandPlace(path: string, source: string): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there && !there.isFile()) throw new Refusal(unwritable(path, said("cli.rejects.name_taken")));
  // a pipe has no real path
  if (there && (await realpath(path)) === (await realpath(source).catch(() => null))) {
    throw new Refusal(said("cli.rejects.is_source"), 2);
  }
  await access(dirname(path), constants.W_OK).catch((error) => {
    throw new Refusal(unwritable(path, fileFault(error, said("cli.file.no_directory"))));
  });
}

/** Renames an existing file, with the next free number. */
async function makeRoom(path: string): Promise<string | null> {
  if (!(await exists(path))) return null;
  for (let number = 1; ; number++) {
    const free = path.replace(/(\.(?:csv|xml))?$/i, (end) => `.${number}${end}`);
    if (await exists(free)) continue;
    await rename(path, free);
    return free;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
