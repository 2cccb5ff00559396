/** svc-manage restore FILE: replaces the catalogue with a backup. */

import { basename } from "node:path";
import { defineCommand } from "citty";
import { unpacked } from "../../src/adapters/backups/backup-source.ts";
import type { MediaBucket } from "../../src/adapters/backups/media-archive.ts";
import { checkArchive, hasMedia, unpackMedia } from "../../src/adapters/backups/media-restore.ts";
import { checkDump, contentsOf, restoreDump } from "../../src/adapters/database/dump/restore.ts";
import { migrate } from "../../src/adapters/database/migrate/migrate.ts";
import { openDatabase } from "../../src/adapters/database/open.ts";
import { otherUsers } from "../../src/adapters/database/pglite/other-users.ts";
import { demandDirectory } from "../../src/adapters/directories.ts";
import { logOf, openMediaBucket } from "../../src/compose.ts";
import type { Config } from "../../src/config/read.ts";
import { withdrawDumps } from "../../src/dumps/published.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { countProjected } from "../../src/records/projections.ts";
import { Refusal } from "../../src/refusal.ts";
import { searchProjection } from "../../src/search/projection.ts";
import { drainOutbox, drainProjection } from "../../workers/drain-outbox.ts";
import { openCommandConfig, openServices } from "../catalogue/open.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { argument, flag, meta, option } from "../terminal/options.ts";
import { openProgress } from "../terminal/progress.ts";
import { print } from "../terminal/words.ts";
import { backupPath, size, warnOfMissingChecksums, withoutChecksum } from "./paths.ts";

export const restoreCommand = defineCommand({
  meta: meta("restore", "cli.help.restore.about"),
  args: {
    file: argument("cli.help.restore.file"),
    media: option("FILE", "cli.help.restore.media"),
    force: flag("cli.help.restore.force"),
    json: flag("cli.help.option.json"),
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
      await interruptible(said("cli.restore.interrupted"), async (signal) => {
        const files = archive
          ? await unpack(config, archive, media!.bytes, signal, progress.show, bucket)
          : null;
        try {
          await restoreDump(database.sql, source, checked, {
            signal,
            report: (done, whole) =>
              progress.show(done / Math.max(1, whole), said("job.count.rows", { count: done })),
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
      const from = { made: checked.about.made_at, file: basename(path) };
      print(
        media
          ? said("cli.restore.done_media", { ...from, count: media.files, size: size(media.bytes) })
          : said("cli.restore.done", from),
      );
    }
    const indexed = await makeIndex(config);
    if (args.json) {
      const { made_at, version } = checked.about;
      const rows = Object.entries(checked.end.tables).map(([name, table]) => [name, table.rows]);
      const tables = Object.fromEntries(rows);
      console.log(JSON.stringify({ made_at, version, tables, media, indexed, without_checksum: unproven }));
    } else print(said("cli.reindex.done", { count: indexed }));
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
    if (others > 0) throw new Refusal(said("cli.restore.in_use", { count: others }));
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
  if (there && !force) throw new Refusal(said("cli.restore.not_empty", { what: there }));
  if (withMedia && !force && (await hasMedia(config.mediaRoot, bucket))) {
    const one = config.mediaRoot;
    const place = bucket ? said("list.or", { one, other: said("cli.restore.bucket") }) : one;
    throw new Refusal(said("cli.restore.has_files", { place }));
  }
}

async function unpack(
  config: Config,
  archive: string,
  whole: number,
  signal: AbortSignal,
  show: (part: number, told: Said) => void,
  bucket: MediaBucket | null,
) {
  await demandDirectory("MEDIA_ROOT", config.mediaRoot);
  return unpackMedia(archive, config.mediaRoot, {
    signal,
    bucket,
    report: (bytes) => show(bytes / Math.max(1, whole), said("cli.progress.media")),
  });
}

/** Rebuilds all projections, the search index first. After an interruption the service does the rest. */
async function makeIndex(config: Config): Promise<number> {
  const progress = openProgress();
  const { services, close } = await openServices(config);
  try {
    return await interruptible(said("cli.restore.continues"), async (signal) => {
      await withdrawDumps(services.dumps);
      const whole = await countProjected(services.sql, searchProjection, null);
      const stopped = () => signal.aborted;
      let done = 0;
      await drainProjection(services, searchProjection, stopped, (count) => {
        done += count;
        progress.show(done / Math.max(1, whole), said("cli.search.progress", { count: done }));
      });
      await drainOutbox(services, stopped);
      signal.throwIfAborted();
      await services.sql`vacuum (analyze)`;
      return done;
    });
  } finally {
    progress.clear();
    await close();
  }
}
