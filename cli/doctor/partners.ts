/** Checks the configuration and the external services that it names. */

import { existsSync } from "node:fs";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { upstashCounter } from "../../src/adapters/counter/upstash.ts";
import { s3Files } from "../../src/adapters/files/s3.ts";
import { graphServer } from "../../src/adapters/graph/server.ts";
import { cantaloupeImages } from "../../src/adapters/images/cantaloupe.ts";
import { checkRelay } from "../../src/adapters/mail/smtp.ts";
import { typesenseServer } from "../../src/adapters/search/typesense-server.ts";
import type { Config } from "../../src/config/read.ts";
import type { Log } from "../../src/log.ts";
import { inWords } from "../words.ts";
import { type Finding, found, ok, warning } from "./finding.ts";

export function configuration(config: Config): Finding[] {
  const variables = config.settings.filter(({ source }) => source === "set");
  return [
    ok("configuration", `${variables.length} variables are set and valid`),
    ...config.warnings.map((says) => warning("configuration", inWords(says), "see docs/configuration.md")),
    secretKey(config),
    zone(config),
  ];
}

/** The configuration already reports a weak key as a fault or warning. */
function secretKey({ secretKey, secretKeyPath, databaseUrl }: Config): Finding {
  if (secretKey !== null) return ok("SECRET_KEY", `set, ${secretKey.length} characters`);
  if (databaseUrl !== null) {
    return ok(
      "SECRET_KEY",
      "local development: generated once and stored in the database, for all processes that share it",
    );
  }
  const kept = existsSync(secretKeyPath)
    ? `stored in ${secretKeyPath}`
    : `the first start creates one in ${secretKeyPath}`;
  return ok("SECRET_KEY", `local development: ${kept}`);
}

function zone({ timeZone }: Config): Finding {
  const now = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return ok("TZ", `it is ${now.format(new Date())} in ${timeZone}`);
}

/** Writes, reads, lists and deletes a test file. */
async function tryBucket(s3: NonNullable<Config["s3"]>): Promise<string> {
  const files = s3Files(s3);
  const key = `probes/${crypto.randomUUID()}.txt`;
  try {
    await files.put(key, new Blob(["x"]).stream());
    let listed = false;
    let there: Awaited<ReturnType<typeof files.get>>;
    try {
      there = await files.get(key);
      await there?.content.cancel();
      for await (const file of files.list("probes/")) listed ||= file.key === key;
    } finally {
      await files.remove(key);
    }
    if (there && listed) return "stores, returns and lists files";
    throw new Error("a file was stored but is not there");
  } catch (error) {
    // the operator needs more details than callers get
    throw (error as Error).cause ?? error;
  }
}

/** Only services that are configured and used by this version. */
export async function partners(config: Config, log: Log): Promise<Finding[]> {
  const { typesense, upstash, smtp, cantaloupeUrl, triplestore, sparql, s3 } = config;
  const checks: Promise<readonly Finding[]>[] = [];
  const ask = (name: string, place: string, mend: string, question: () => Promise<unknown>) => {
    const check = async () => {
      await question();
      return [ok(name, `${place} answers`)];
    };
    checks.push(found(name, check, mend));
  };
  if (typesense) {
    const mend = "start Typesense, or correct TYPESENSE_*; until then, searches find nothing and say so";
    ask("Typesense", new URL(typesense.url).host, mend, () => typesenseServer(typesense).check());
  }
  if (upstash) {
    const counter = upstashCounter({ ...upstash, otherwise: inProcessCounter(), log });
    const mend = "correct UPSTASH_REDIS_REST_URL and _TOKEN; until then, each instance counts for itself";
    ask("Upstash Redis", new URL(upstash.url).host, mend, () => counter.ping());
  }
  if (smtp) {
    const mend = "correct SMTP_*; until then, nobody can reset a password by mail";
    ask("mail relay", `${smtp.host}:${smtp.port}`, mend, () => checkRelay(smtp));
  }
  if (cantaloupeUrl) {
    const mend = "start Cantaloupe, or correct CANTALOUPE_URL";
    ask("Cantaloupe", new URL(cantaloupeUrl).host, mend, () => cantaloupeImages(cantaloupeUrl).ping());
  }
  if (triplestore.enabled && triplestore.url !== null) {
    const server = graphServer({ ...triplestore, url: triplestore.url }, sparql);
    const mend = "start the triple store, or correct TRIPLESTORE_URL; missed changes are sent later";
    ask("triple store", new URL(triplestore.url).host, mend, () => server.ping());
  }
  if (s3) {
    const place = `the bucket ${s3.bucket}`;
    const mend = "correct S3_*, or the permissions of its keys; until then, media cannot be stored or shown";
    checks.push(
      found("object store", async () => [ok("object store", `${place} ${await tryBucket(s3)}`)], mend),
    );
  }
  return (await Promise.all(checks)).flat();
}
