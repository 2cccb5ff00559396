/** Makes, lists and opens backups. The archive of the media is made after the dump of the database, so it lacks no record's files. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { Refusal } from "../../refusal.ts";
import type { BackupFile, Backups, Dump } from "../../services.ts";
import { directoryFault } from "../directories.ts";
import { dumpName, listBackups, mediaName, pruneBackups, stampOf, sweepBackups } from "./directory.ts";
import { archiveMedia, type MediaBucket } from "./media-archive.ts";
import { openPieceFile, type PieceFile } from "./piece-file.ts";
import { verifyApart } from "./verify.ts";

/**
 * @param places `bucket`: the object store with the media; null if all are in `mediaRoot`. `trash`: the folder below
 * `mediaRoot` that no archive contains
 */
export function backupFiles(places: {
  backupRoot: string;
  mediaRoot: string;
  bucket: MediaBucket | null;
  trash: string;
  dump: Dump;
  databaseUrl: string | null;
}): Backups {
  return {
    async make({ directory, media = true, signal, report } = {}) {
      const variable = directory === undefined ? "BACKUP_ROOT" : "--backup-dir";
      const root = resolve(directory ?? places.backupRoot);
      const fault = await directoryFault(variable, root);
      if (fault) throw new Refusal(`${fault}. No backup was made`);
      await sweepBackups(root);
      const { stamp, madeAt } = await freeStamp(root);
      const notes: string[] = [];
      const database = await written(join(root, dumpName(stamp)), madeAt, (file) =>
        places.dump(file, { signal, report: (part) => report?.("database", part) }),
      );
      if (!media) return { database, media: null, notes };
      const archive = await written(join(root, mediaName(stamp)), madeAt, async (file) => {
        const watch = {
          signal,
          report: (part: number) => report?.("media", part),
          bucket: places.bucket,
          leaveOut: places.trash,
        };
        notes.push(...(await archiveMedia(resolve(places.mediaRoot), file.put, watch)));
      });
      return { database, media: archive, notes };
    },
    prune: (days) => pruneBackups(places.backupRoot, days),
    list: () => listBackups(places.backupRoot),
    async open(name) {
      const file = (await listBackups(places.backupRoot)).find((each) => each.name === name);
      if (!file) return null;
      return { file, content: Readable.toWeb(createReadStream(file.path)) as ReadableStream<Uint8Array> };
    },
    async verify(name, signal) {
      const file = (await listBackups(places.backupRoot)).find((each) => each.name === name);
      return file?.kind === "db" ? verifyApart(file.path, places.databaseUrl, signal) : null;
    },
  };
}

async function written(
  path: string,
  madeAt: string,
  fill: (file: PieceFile) => Promise<void>,
): Promise<BackupFile> {
  const file = await openPieceFile(path);
  try {
    await fill(file);
    const bytes = await file.keep();
    return { name: basename(path), path, bytes, madeAt };
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

/** The first second from now on for which no backup exists, because two backups may be started in one second. */
async function freeStamp(root: string): Promise<{ stamp: string; madeAt: string }> {
  for (let moment = Date.now(); ; moment += 1000) {
    const stamp = stampOf(new Date(moment));
    const taken = await Promise.all(
      [dumpName(stamp), mediaName(stamp)].map((name) => stat(join(root, name)).catch(() => null)),
    );
    if (taken.every((found) => found === null)) {
      return { stamp, madeAt: `${new Date(moment).toISOString().slice(0, 19)}Z` };
    }
  }
}
