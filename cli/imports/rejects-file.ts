/** The rejects file. It is written under a temporary name and renamed at the end. If no row was rejected, there is none. */
import { access, constants, type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Reject, type RejectsWriter, reasonOf } from "../../src/imports/csv/rejects.ts";
import { type Said, said, type Told } from "../../src/messages/said.ts";
import type { Fault } from "../../src/problem.ts";
import { Refusal } from "../../src/refusal.ts";
import { fileFault } from "../catalogue/open.ts";
import { inWords } from "../terminal/words.ts";

export type RejectsFile = {
  begin(writer: RejectsWriter): void;
  add(refused: readonly { row: Reject; faults: readonly Fault[] }[]): Promise<void>;
  /** What is in the file already as text, with its head and tail. */
  write(text: string): Promise<void>;
  /**
   * Gives the file its final name and returns its `path`, if there is one. A file of an earlier run is renamed, since
   * somebody may be correcting it; returns its new name.
   */
  keep(): Promise<{ path: string | null; moved: string | null }>;
  /** For an import that was not completed: the next run refuses these rows again. */
  drop(): Promise<void>;
};

/** Finds errors before the first row that would otherwise stop the import after the last. */
export async function openRejects(path: string, source: string): Promise<RejectsFile> {
  await demandPlace(path, source);
  const part = `${path}.part`;
  let writer: RejectsWriter | null = null;
  let file: FileHandle | null = null;
  const write = async (text: string) => {
    try {
      file ??= await open(part, "w");
      await file.write(text);
    } catch (error) {
      throw new Refusal(unwritable(part, fileFault(error)));
    }
  };
  return {
    begin(format) {
      writer = format;
    },
    async add(refused) {
      const lines = refused
        .map(({ row, faults }) => writer!.row(row, faults.map(reasonOf), inWords))
        .join("");
      if (lines !== "") await write(file ? lines : `${writer!.head}${lines}`);
    },
    write,
    async keep() {
      if (!file) return { path: null, moved: await makeRoom(path) };
      await file.write(writer?.tail?.() ?? "");
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
  // a pipe has no path
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
