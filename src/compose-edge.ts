/**
 * The composition root at the edge (docs/edge.md): all data is on other servers. What needs a disk, processes or native
 * code answers 501 with the reason.
 */

import { followChange } from "../workers/drain-outbox.ts";
import { inProcessCounter } from "./adapters/counter/in-process.ts";
import { upstashCounter } from "./adapters/counter/upstash.ts";
import { s3Files } from "./adapters/files/s3.ts";
import { graphServer } from "./adapters/graph/server.ts";
import { cantaloupeImages } from "./adapters/images/cantaloupe.ts";
import { portablePasswords } from "./adapters/passwords/portable.ts";
import { inDatabaseSearch } from "./adapters/search/in-database.ts";
import { catalogueOf } from "./adapters/search/typesense/catalogue.ts";
import { typesenseSearch } from "./adapters/search/typesense/typesense.ts";
import { arksBy } from "./arks/mint.ts";
import type { Config } from "./config/read.ts";
import { createLog } from "./log.ts";
import { said } from "./messages/said.ts";
import type { MessageKey } from "./messages/translate.ts";
import type { SearchIndex } from "./ports/search-index.ts";
import { Problem } from "./problem.ts";
import type { Assets, Backups, Files, Graphs, Images, Mail, Services, Sql } from "./services.ts";

/** The variables that the edge needs, each with the reason. */
const NEEDED = {
  SVC_BASE_URL: "addresses in answers are made from it",
  DATABASE_URL: "there is no embedded database at the edge",
  UPSTASH_REDIS_REST_URL: "an isolate that counts for itself limits nobody who guesses passwords",
  S3_BUCKET: "there is no disk at the edge for media",
} as const;

/** A line for each missing variable; empty if the service can be composed. */
export function edgeFaults(config: Config): string[] {
  const isSet = (name: string) => config.settings.some((each) => each.name === name && each.source === "set");
  return Object.entries(NEEDED).flatMap(([name, why]) => (isSet(name) ? [] : [`${name} is not set: ${why}`]));
}

/**
 * @param sql uses the connection of the current request
 * @param config without `edgeFaults`
 */
export function composeEdge(config: Config, sql: Sql, assets: Assets): Services {
  const log = createLog({ ...config.log, format: config.log.format === "auto" ? "json" : config.log.format });
  const bucket = s3Files(config.s3!);
  const signingKey = new TextEncoder().encode(config.secretKey!);
  const services: Services = {
    config,
    sql,
    database: "external",
    search: search(config, sql),
    passwords: portablePasswords(),
    mail: config.smtp && MAIL,
    images: IMAGES,
    imageServer: config.cantaloupeUrl === null ? null : cantaloupeImages(config.cantaloupeUrl),
    graphs: graphs(config),
    counter: upstashCounter({ ...config.upstash!, otherwise: inProcessCounter(), log }),
    files: bucket,
    localFiles: filesElsewhere("problem.edge.logos"),
    dumps: filesElsewhere("problem.edge.dumps"),
    bucket,
    assets,
    vitals: null,
    backups: BACKUPS,
    arks: arksBy(config),
    signingKey: async () => signingKey,
    log,
    stopping: new AbortController().signal,
    changed: (ids) => followChange(services, ids),
  };
  return services;
}

function search({ typesense, searchLanguages }: Config, sql: Sql): SearchIndex {
  if (typesense !== null) return typesenseSearch(typesense, catalogueOf(sql), searchLanguages);
  // a connection ends with its request, so no snapshot can be kept up to date
  return inDatabaseSearch(sql, { isServer: true, inMemory: false });
}

function graphs({ triplestore, sparql }: Config): Graphs | null {
  if (!triplestore.enabled) return null;
  const { url, updateUrl, token } = triplestore;
  return url === null ? GRAPHS : graphServer({ url, updateUrl, token }, sparql);
}

/** Answers every call with 501. */
const elsewhere = (key: MessageKey) => async (): Promise<never> => {
  throw new Problem("not_implemented", said(key));
};

function filesElsewhere(key: MessageKey): Files {
  const not = elsewhere(key);
  return {
    put: not,
    get: not,
    stat: not,
    remove: not,
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: not }) }),
  };
}

const noImages = elsewhere("problem.edge.images");
const IMAGES: Images = {
  describe: noImages,
  kept: async () => null,
  render: noImages,
  prepare: noImages,
  // there is nothing to check
  ping: async () => undefined,
};

const noGraphs = elsewhere("problem.edge.triplestore");
const GRAPHS: Graphs = {
  replace: noGraphs,
  idsAfter: noGraphs,
  query: noGraphs,
  ping: async () => undefined,
};

const noBackups = elsewhere("problem.edge.backups");
const BACKUPS: Backups = {
  dump: noBackups,
  make: noBackups,
  prune: noBackups,
  list: noBackups,
  open: noBackups,
  verify: noBackups,
};

/** Mails wait in the database; the process that runs the jobs sends them. */
const MAIL: Mail = { send: elsewhere("problem.edge.mails") };
