/** Proves that a backup can be restored, by restoring it into a temporary database. */
import { unpacked } from "../../src/adapters/backups/backup-source.ts";
import { checkArchive } from "../../src/adapters/backups/media-restore.ts";
import { checkDump, restoreDump } from "../../src/adapters/database/dump/restore.ts";
import { openTemporaryDatabase } from "../../src/adapters/database/dump/temporary-database.ts";
import { migrate } from "../../src/adapters/database/migrate/migrate.ts";
import type { Config } from "../../src/config/read.ts";
import { said } from "../../src/messages/said.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { openProgress } from "../terminal/progress.ts";
import { print } from "../terminal/words.ts";
import { mediaBeside, size, warnOfMissingChecksums, withoutChecksum } from "./paths.ts";

export async function verifyBackup(config: Config, path: string, json: boolean): Promise<number> {
  const archive = path.endsWith(".tar.gz") ? path : await mediaBeside(path);
  const dump = path === archive ? null : path;
  const unproven = dump === null ? [] : await withoutChecksum(dump);
  const database = dump === null ? null : await verifyDump(config, dump);
  if (archive !== null) unproven.push(...(await withoutChecksum(archive)));
  const media = archive === null ? null : await checkArchive(archive);
  warnOfMissingChecksums(unproven);
  if (json) {
    console.log(
      JSON.stringify({ file: dump, database, media_file: archive, media, without_checksum: unproven }),
    );
    return 0;
  }
  if (database) {
    for (const [name, rows] of Object.entries(database.tables))
      console.log(`${String(rows).padStart(10)}  ${name}`);
    const file = dump!;
    print(
      database.on === "an embedded"
        ? said("cli.backup.verified_embedded", { file })
        : said("cli.backup.verified_external", { file }),
    );
  }
  if (media) {
    const { files: count, bytes } = media;
    print(said("cli.backup.media_verified", { file: archive!, count, size: size(bytes) }));
  }
  return 0;
}

async function verifyDump(config: Config, path: string) {
  const source = () => unpacked(path);
  const checked = await checkDump(source);
  const scratch = await openTemporaryDatabase(config.databaseUrl);
  const progress = openProgress();
  try {
    await interruptible(said("cli.backup.not_verified"), (signal) =>
      restoreDump(scratch.sql, source, checked, {
        signal,
        report: (done, whole) =>
          progress.show(done / Math.max(1, whole), said("job.count.rows", { count: done })),
      }),
    );
    // a backup of an older version must also accept the later migrations
    await migrate(scratch.sql);
    const tables = Object.entries(checked.end.tables).map(([name, { rows }]) => [name, rows] as const);
    const on = scratch.kind === "embedded" ? "an embedded" : "an external";
    return {
      made_at: checked.about.made_at,
      version: checked.about.version,
      on,
      tables: Object.fromEntries(tables),
    };
  } finally {
    progress.clear();
    await scratch.close();
  }
}
