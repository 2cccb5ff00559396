/** The health of the media directory: whether it is writable. */
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory } from "../directories.ts";

/** An image server beside this one may read it, and come to it; nobody else writes there, whatever the umask. */
export const MEDIA_MODE = 0o755;

/** Makes the directory; when that fails, or the directory goes away later, `ping` says so. */
export function mediaDirectory(mediaRoot: string): { ping(): Promise<void> } {
  // that it failed is measured by ping, whose answer is current
  const made = makeDirectory(mediaRoot, MEDIA_MODE).catch(() => undefined);
  return {
    async ping() {
      await made;
      const found = await stat(mediaRoot);
      if (!found.isDirectory())
        throw Object.assign(new Error("MEDIA_ROOT is not a directory"), { code: "ENOTDIR" });
      // permission bits say nothing of full disks, read-only mounts and root: write, and see
      const probe = join(mediaRoot, `.writable-${crypto.randomUUID()}`);
      try {
        await writeFile(probe, "x", { flag: "wx" });
      } finally {
        await rm(probe, { force: true });
      }
    },
  };
}
