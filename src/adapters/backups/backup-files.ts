/** Makes, lists and opens backups. The archive of the media is made after the dump of the database, so it lacks no record's files. */

import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { type Said, said } from "../../messages/said.ts";
import type { BackupFile, Backups, Dump } from "../../services.ts";
import { demandDirectory } from "../directories.ts";
import { dumpName, freeStamp, listBackups, mediaName, pruneBackups, sweepBackups } from "./directory.ts";
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
    dump: places.dump,
    async make({ directory, media = true, signal, report } = {}) {
      const variable = directory === undefined ? "BACKUP_ROOT" : "--backup-dir";
      const root = resolve(directory ?? places.backupRoot);
      // if something is wrong with the directory, the next line says so
      await sweepBackups(root).catch(() => undefined);
      await demandDirectory(variable, root, said("cli.directory.no_backup"));
      const { stamp, madeAt } = await freeStamp(root);
      const notes: Said[] = [];
      const begun: PieceFile[] = [];
      const written = async (name: string, fill: (file: PieceFile) => Promise<void>): Promise<BackupFile> => {
        const path = join(root, name);
        const file = await openPieceFile(path);
        begun.push(file);
        await fill(file);
        return { name, path, bytes: await file.complete(), madeAt };
      };
      try {
        const database = await written(dumpName(stamp), (file) =>
          places.dump(file, { signal, report: (part) => report?.("database", part) }),
        );
        const archive = media
          ? await written(mediaName(stamp), async (file) => {
              const { bucket, trash: leaveOut } = places;
              const watch = { signal, report: (part: number) => report?.("media", part), bucket, leaveOut };
              notes.push(...(await archiveMedia(resolve(places.mediaRoot), file.put, watch)));
            })
          : null;
        // the dump last, so that none lacks its archive
        for (const file of begun.toReversed()) await file.publish();
        return { database, media: archive, notes };
      } catch (error) {
        for (const file of begun) await file.abandon();
        throw error;
      }
    },
    prune: (days, proven) => pruneBackups(places.backupRoot, days, proven),
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
