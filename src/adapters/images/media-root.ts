/** The health of the media directory: whether it is writable. */
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MEDIA_MODE, makeDirectory } from "../directories.ts";

/** Creates the directory. `ping` throws if that failed or if the directory is not writable now. */
export function mediaDirectory(mediaRoot: string): { ping(): Promise<void> } {
  // ping reports the failure
  const made = makeDirectory(mediaRoot, MEDIA_MODE).catch(() => undefined);
  return {
    async ping() {
      await made;
      const found = await stat(mediaRoot);
      if (!found.isDirectory())
        throw Object.assign(new Error("MEDIA_ROOT is not a directory"), { code: "ENOTDIR" });
      // writing a file is the only reliable test: permission bits do not show full disks, read-only mounts or root
      const probe = join(mediaRoot, `.writable-${crypto.randomUUID()}`);
      try {
        await writeFile(probe, "x", { flag: "wx" });
      } finally {
        await rm(probe, { force: true });
      }
    },
  };
}
