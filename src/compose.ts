/** The composition root: Config → Services. Each adapter is imported only when it is chosen. */

import "./adapters/catalogues.ts";
import { followChange } from "../workers/drain-outbox.ts";
import { arksBy } from "./arks/mint.ts";
import type { Config } from "./config/read.ts";
import { noteUnfitGraph } from "./linked-data/graph-projection.ts";
import { createLog, type Log, type WriteLine } from "./log.ts";
import { MEDIA_FOLDERS, mediumOfKey, TRASH } from "./media/keys.ts";
import type { SearchIndex } from "./ports/search-index.ts";
import type {
  Backups,
  Bucket,
  Counter,
  Dump,
  Files,
  Graphs,
  ImageServer,
  Images,
  Mail,
  Services,
  Sql,
} from "./services.ts";

export type Composed = {
  services: Services;
  /** Tells background work of adapters that the service stops. */
  beginToStop(): void;
  close(): Promise<void>;
};

/**
 * @param role `owner`: the service, which survives outages of a database server; `client`: a command
 * @param ready brings the schema to that of this program, or waits for it, before anything looks into the database
 */
export async function compose(
  config: Config,
  role: "owner" | "client",
  log: Log = logOf(config),
  ready: (database: { sql: Sql; kind: Services["database"] }) => Promise<void> = async () => undefined,
): Promise<Composed> {
  const { openDatabase } = await import("./adapters/database/open.ts");
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    buffersMb: config.databaseBuffersMb,
    role,
    warn: (message) => log.warn(message),
  });
  try {
    await ready(database);
    const { sql } = database;
    const stopping = new AbortController();
    const { availablePasswords } = await import("./adapters/passwords/available.ts");
    const { databaseDump } = await import("./adapters/database/dump/dump.ts");
    const { packageAssets } = await import("./adapters/files/assets.ts");
    const { credentialFiles } = await import("./adapters/files/credentials.ts");
    const { diskFiles } = await import("./adapters/files/disk.ts");
    const { namedFiles } = await import("./adapters/files/named-files.ts");
    const { ownProcess } = await import("./adapters/vitals/own-process.ts");
    const places = await openPlaces(config);
    const files = await inPlaces(config, places);
    const graphs = await openGraphs(config, sql, log);
    const services: Services = {
      config,
      sql,
      database: database.kind,
      search: await search(config, sql, database.kind === "external"),
      passwords: await availablePasswords((sentence) => log.warn(sentence)),
      givenPasswords: credentialFiles([config.firstRunCredentialsPath, config.resetCredentialsPath], log),
      namedFiles: namedFiles(config.databaseUrl === null ? config.dataDir : null),
      mail: await mail(config),
      images: await images(config, places, files),
      imageServer: await imageServer(config),
      graphs,
      counter: await counter(config, log),
      files,
      localFiles: places.local,
      dumps: diskFiles(config.dumps.directory, 0),
      bucket: places.s3,
      assets: packageAssets(),
      vitals: ownProcess(),
      backups: await openBackups(config, databaseDump(sql, database.kind)),
      arks: arksBy(config),
      signingKey: await signingKey(config, sql),
      log,
      stopping: stopping.signal,
      changed: (ids) => followChange(services, ids),
    };
    return {
      services,
      beginToStop: () => stopping.abort(),
      async close() {
        graphs?.close?.();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function logOf(config: Config, terminal = false, write?: WriteLine): Log {
  const { level, format } = config.log;
  return createLog({ level, format: format === "auto" ? (terminal ? "pretty" : "json") : format, write });
}

/** @param dump of the database, which another process may have open */
export async function openBackups(config: Config, dump: Dump): Promise<Backups> {
  const { backupFiles } = await import("./adapters/backups/backup-files.ts");
  const { backupRoot, mediaRoot, databaseUrl } = config;
  const bucket = config.s3 && mediaBucket(await inPlaces(config, await openPlaces(config)));
  return backupFiles({ backupRoot, mediaRoot, bucket, trash: TRASH, dump, databaseUrl });
}

type Places = { local: Files; s3: Bucket | null };

/** Where media may be (contract §8.6): MEDIA_ROOT, and the bucket when one is named. Logos and themes are always local. */
async function openPlaces({ mediaRoot, s3 }: Config): Promise<Places> {
  const { diskFiles } = await import("./adapters/files/disk.ts");
  const local = diskFiles(mediaRoot);
  if (s3 === null) return { local, s3 };
  const { s3Files } = await import("./adapters/files/s3.ts");
  return { local, s3: s3Files(s3) };
}

/** Changing STORAGE_BACKEND moves no files, so a file may be in either place. */
async function inPlaces({ storageBackend }: Config, { local, s3 }: Places): Promise<Files> {
  if (s3 === null) return local;
  const { inTwoPlaces } = await import("./adapters/files/two-places.ts");
  return storageBackend === "s3" ? inTwoPlaces(s3, local) : inTwoPlaces(local, s3);
}

/** The bucket for restored media; null: MEDIA_ROOT. */
export async function openMediaBucket(config: Config) {
  const { s3 } = await openPlaces(config);
  return config.storageBackend === "s3" && s3 ? mediaBucket(s3) : null;
}

/** Whether a key is that of a media file: a bucket may contain other files. */
const mediaBucket = (files: Files) => ({
  files,
  folders: MEDIA_FOLDERS,
  holds: (key: string) => mediumOfKey(key) !== null,
});

async function search(
  { typesense, searchInMemory, searchLanguages }: Config,
  sql: Sql,
  isServer: boolean,
): Promise<SearchIndex> {
  if (typesense !== null) {
    const { typesenseSearch } = await import("./adapters/search/typesense/typesense.ts");
    const { catalogueOf } = await import("./adapters/search/typesense/catalogue.ts");
    return typesenseSearch(typesense, catalogueOf(sql), searchLanguages);
  }
  const { inDatabaseSearch } = await import("./adapters/search/in-database.ts");
  return inDatabaseSearch(sql, { isServer, inMemory: searchInMemory });
}

async function images(
  { mediaRoot, mediaMaxPixels, imageCache }: Config,
  { local, s3 }: Places,
  files: Files,
): Promise<Images> {
  const { filePath } = await import("./adapters/files/disk.ts");
  const { sharpImages } = await import("./adapters/images/sharp-images.ts");
  return sharpImages({
    mediaRoot,
    maxPixels: mediaMaxPixels,
    cache: imageCache,
    files,
    // new files go to the bucket, but an older file may be here
    pathOf: async (key) => (s3 === null || (await local.stat(key)) ? filePath(mediaRoot, key) : null),
  });
}

async function imageServer({ cantaloupeUrl }: Config): Promise<ImageServer | null> {
  if (cantaloupeUrl === null) return null;
  const { cantaloupeImages } = await import("./adapters/images/cantaloupe.ts");
  return cantaloupeImages(cantaloupeUrl);
}

/** The triple store (contract §8.5); there is none while TRIPLESTORE_ENABLED is false. */
async function openGraphs(
  { triplestore, sparql }: Config,
  sql: Sql,
  log: Log,
): Promise<(Graphs & { close?(): void }) | null> {
  if (!triplestore.enabled) return null;
  const { url, updateUrl, token } = triplestore;
  if (url !== null) {
    const { graphServer } = await import("./adapters/graph/server.ts");
    return graphServer({ url, updateUrl, token }, sparql);
  }
  const { embeddedGraphs } = await import("./adapters/graph/embedded.ts");
  return embeddedGraphs(sql, sparql, (graph) => noteUnfitGraph({ sql, log }, graph));
}

async function counter(config: Config, log: Log): Promise<Counter> {
  const { inProcessCounter } = await import("./adapters/counter/in-process.ts");
  const own = inProcessCounter();
  if (config.upstash === null) return own;
  const { upstashCounter } = await import("./adapters/counter/upstash.ts");
  return upstashCounter({ ...config.upstash, otherwise: own, log });
}

/** The external relay (contract §8.3); there is none while SMTP_ENABLED is false. */
async function mail({ smtp }: Config): Promise<Mail | null> {
  if (!smtp) return null;
  const { smtpMail } = await import("./adapters/mail/smtp.ts");
  return smtpMail(smtp);
}

/**
 * SECRET_KEY, or in local development one that is made once: kept in the data directory, or in the external database, which
 * several processes may share that have no directory in common. There it is read when it is needed, and the tables are there.
 */
async function signingKey(config: Config, sql: Sql): Promise<Services["signingKey"]> {
  if (config.secretKey === null && config.databaseUrl !== null) {
    const { sharedSecretKey } = await import("./adapters/database/secret-key.ts");
    let kept: Uint8Array | null = null;
    return async () => {
      kept ??= new TextEncoder().encode(await sharedSecretKey(sql));
      return kept;
    };
  }
  const { keepSecretKey } = await import("./adapters/files/secret-key.ts");
  const key = new TextEncoder().encode(config.secretKey ?? (await keepSecretKey(config.secretKeyPath)));
  return async () => key;
}
