/** Small files and names that survive a power failure. */
import { open } from "node:fs/promises";

/**
 * Writes a file that only the user of the service may read, and resolves when its content is on the disk. The mode is set at
 * creation, so that others cannot open it even for a moment.
 *
 * @param flags `wx`: it must be a new file
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  flags: "w" | "wx" = "wx",
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Resolves when all created, renamed and removed entries of the directory are on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
