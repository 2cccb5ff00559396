/** The entry point of the single file: unpacks its archive, once per version, and runs svc-manage from there. */
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The parts of Bun used here; its types are not installed. */
declare const Bun: {
  Archive: new (file: Blob) => { extract(directory: string): Promise<number> };
  embeddedFiles: readonly Blob[];
};
/** The hash of the archive, inserted by `binary.ts`. */
declare const ARCHIVE: string;

/** Beside the program if that is writable, otherwise in the user's cache directory. */
const PLACES = [
  join(dirname(process.execPath), ".svc-manage"),
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "svc-manage"),
].map((place) => join(place, ARCHIVE));

async function unpack(place: string): Promise<void> {
  const half = `${place}.${process.pid}`;
  await mkdir(half, { recursive: true, mode: 0o755 });
  try {
    await new Bun.Archive(Bun.embeddedFiles[0]!).extract(half);
    // a directory with the final name must be complete even after a power failure
    spawnSync("sync");
    await rename(half, place);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // another process was faster
    if (!existsSync(place)) throw error;
  }
}

/** Refuses a directory that other users could have changed. */
function demandOwn(place: string): void {
  for (const path of [dirname(place), place]) {
    const { uid, mode } = lstatSync(path);
    if ((uid !== 0 && uid !== process.getuid?.()) || (mode & 0o022) !== 0)
      throw new Error(`other users can change ${path}`);
  }
}

async function programPlace(): Promise<string | null> {
  const faults: string[] = [];
  for (const place of PLACES) {
    try {
      if (!existsSync(place)) await unpack(place);
      demandOwn(place);
      return place;
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  console.error(
    "svc-manage cannot unpack itself. Make its directory writable, or set XDG_CACHE_HOME to a writable directory:",
  );
  for (const fault of faults) console.error(`  ${fault}`);
  return null;
}

const place = await programPlace();
if (place === null) process.exitCode = 1;
else await import(join(place, "cli/svc-manage.mjs"));
