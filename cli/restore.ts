/** svc-manage restore FILE: replaces the catalogue with a backup. */

import { basename } from "node:path";
import { defineCommand } from "citty";
import { unpacked } from "../src/adapters/backups/backup-source.ts";
import type { MediaBucket } from "../src/adapters/backups/media-archive.ts";
import { checkArchive, hasMedia, unpackMedia } from "../src/adapters/backups/media-restore.ts";
import { migrate } from "../src/adapters/database/migrate.ts";
import { openDatabase } from "../src/adapters/database/open.ts";
import { otherUsers } from "../src/adapters/database/other-users.ts";
import { checkDump, contentsOf, restoreDump } from "../src/adapters/database/restore.ts";
import { demandDirectory } from "../src/adapters/directories.ts";
import { logOf, openMediaBucket } from "../src/compose.ts";
import type { Config } from "../src/config/read.ts";
import { withdrawDumps } from "../src/dumps/published.ts";
import { countProjected } from "../src/records/projections.ts";
import { Refusal } from "../src/refusal.ts";
import { searchProjection } from "../src/search/projection.ts";
import { drainOutbox, drainProjection } from "../workers/drain-outbox.ts";
import { backupPath, size, warnOfMissingChecksums, withoutChecksum } from "./backup-paths.ts";
import { interruptible } from "./interruptible.ts";
import { openCommandConfig, openServices } from "./open.ts";
import { openProgress } from "./progress.ts";
import { inWords } from "./words.ts";

export const restoreCommand = defineCommand({
  meta: {
    name: "restore",
    description: `Replace the catalogue with a backup

Restores into the database of DATABASE_URL, or into the embedded one; stop the service first. The backup is read
completely before anything changes, and everything is restored or nothing. An older backup is brought to this version;
one without its .sha256 file is restored with a warning. The search index is rebuilt; if that is interrupted, the
service continues it. Everybody has to sign in again.`,
  },
  args: {
    file: {
      type: "positional",
      required: true,
      description: "db_TIME.sql.gz: a path, or a name in BACKUP_ROOT",
    },
    media: {
      type: "string",
      valueHint: "FILE",
      description: "media_TIME.tar.gz, for the files of MEDIA_ROOT and of the bucket",
    },
    force: { type: "boolean", default: false, description: "Replace a catalogue that contains records" },
    json: { type: "boolean", default: false, description: "Print the result as JSON, and nothing else" },
  },
  async run({ args }) {
    const config = openCommandConfig();
    const path = await backupPath(args.file, config.backupRoot);
    const archive = args.media === undefined ? null : await backupPath(args.media, config.backupRoot);
    const source = () => unpacked(path);
    const unproven = await withoutChecksum(path);
    const checked = await checkDump(source);
    if (archive) unproven.push(...(await withoutChecksum(archive)));
    const media = archive === null ? null : await checkArchive(archive);
    warnOfMissingChecksums(unproven);

    const progress = openProgress();
    const database = await openToRestore(config);
    try {
      const bucket = archive ? await openMediaBucket(config) : null;
      await demandEmpty(config, database.sql, archive !== null, args.force, bucket);
      await interruptible("Interrupted: the catalogue did not change", async (signal) => {
        const files = archive
          ? await unpack(config, archive, media!.bytes, signal, progress.show, bucket)
          : null;
        try {
          await restoreDump(database.sql, source, checked, {
            signal,
            report: (done, whole) => progress.show(done / Math.max(1, whole), `${done} rows`),
            last: async () => files?.place(),
          });
        } finally {
          await files?.drop();
        }
      });
      await migrate(database.sql);
    } finally {
      progress.clear();
      await database.close();
    }
    if (!args.json) {
      const with_ = media ? ` with ${media.files} media files (${size(media.bytes)})` : "";
      console.log(`Restored the catalogue of ${checked.about.made_at} from ${basename(path)}${with_}`);
    }
    const indexed = await makeIndex(config);
    if (args.json) {
      const { made_at, version } = checked.about;
      const rows = Object.entries(checked.end.tables).map(([name, table]) => [name, table.rows]);
      const tables = Object.fromEntries(rows);
      console.log(JSON.stringify({ made_at, version, tables, media, indexed, without_checksum: unproven }));
    } else console.log(`${indexed} records are in the search index`);
    return 0;
  },
});

/** Refuses if anybody else uses the database. */
async function openToRestore(config: Config) {
  const log = logOf(config, process.stderr.isTTY);
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    role: "owner",
    max: 1,
    warn: (message) => log.warn(message),
  });
  if (!config.databaseUrl) return database;
  try {
    const others = await otherUsers(database.sql);
    if (others > 0) {
      throw new Refusal(
        `The catalogue is in use: ${others} connections by the service or by commands. Stop them first; nothing was changed`,
      );
    }
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function demandEmpty(
  config: Config,
  sql: Parameters<typeof contentsOf>[0],
  withMedia: boolean,
  force: boolean,
  bucket: MediaBucket | null,
): Promise<void> {
  const there = await contentsOf(sql);
  if (there && !force) {
    throw new Refusal(
      `The catalogue contains ${inWords(there)}, which would be replaced. Add --force to do that; make a backup with svc-manage backup`,
    );
  }
  if (withMedia && !force && (await hasMedia(config.mediaRoot, bucket))) {
    const places = bucket ? `${config.mediaRoot} or the bucket` : config.mediaRoot;
    throw new Refusal(
      `${places} already contains files; files with the same names would be replaced. Add --force to do that`,
    );
  }
}

async function unpack(
  config: Config,
  archive: string,
  whole: number,
  signal: AbortSignal,
  show: (part: number, text: string) => void,
  bucket: MediaBucket | null,
) {
  await demandDirectory("MEDIA_ROOT", config.mediaRoot);
  return unpackMedia(archive, config.mediaRoot, {
    signal,
    bucket,
    report: (bytes) => show(bytes / Math.max(1, whole), "media"),
  });
}

/** Rebuilds all projections, the search index first. After an interruption the service does the rest. */
async function makeIndex(config: Config): Promise<number> {
  const progress = openProgress();
  const { services, close } = await openServices(config);
  try {
    return await interruptible(
      "The catalogue is restored; the service continues with the search index",
      async (signal) => {
        await withdrawDumps(services.dumps);
        const whole = await countProjected(services.sql, searchProjection, null);
        const stopped = () => signal.aborted;
        let done = 0;
        await drainProjection(services, searchProjection, stopped, (count) => {
          done += count;
          progress.show(done / Math.max(1, whole), `${done} records in the search index`);
        });
        await drainOutbox(services, stopped);
        signal.throwIfAborted();
        await services.sql`vacuum (analyze)`;
        return done;
      },
    );
  } finally {
    progress.clear();
    await close();
  }
}
