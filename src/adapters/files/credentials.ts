/** Files with a password that only the user of the service may read: the first-run password, a reset password. */
import { randomUUID } from "node:crypto";
import { readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorFields, type Log } from "../../log.ts";
import type { GivenPasswords } from "../../services.ts";
import { makeDirectory } from "../directories.ts";
import { writeDurably } from "../durable-files.ts";

/** Writes the whole file or nothing. The old content stays until the new one is on the disk. */
export async function writeCredentials(path: string, text: string): Promise<void> {
  await makeDirectory(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeDurably(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Deletes those of the files that contain a password of the account. */
export const credentialFiles = (paths: readonly string[], log: Log): GivenPasswords => ({
  async forget(email) {
    for (const path of paths) {
      const text = await readFile(path, "utf8").catch(() => "");
      if (!text.split("\n").includes(`email: ${email}`)) continue;
      await rm(path).catch((error: unknown) =>
        log.warn("a file with an old password could not be removed", {
          path,
          ...errorFields(error),
        }),
      );
    }
  },
});
