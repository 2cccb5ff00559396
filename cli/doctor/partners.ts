/** What the configuration names outside this machine, and itself. */
import { existsSync } from "node:fs";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { upstashCounter } from "../../src/adapters/counter/upstash.ts";
import { s3Files } from "../../src/adapters/files/s3.ts";
import { graphServer } from "../../src/adapters/graph/server.ts";
import { cantaloupeImages } from "../../src/adapters/images/cantaloupe.ts";
import { greetRelay } from "../../src/adapters/mail/smtp.ts";
import { greetTypesense } from "../../src/adapters/search/typesense-server.ts";
import { type Config, describeConfig } from "../../src/config/read.ts";
import type { Log } from "../../src/log.ts";
import { type Finding, found, ok, warning } from "./finding.ts";

export function configuration(config: Config): Finding[] {
  const given = describeConfig(config).filter(({ source }) => source === "set");
  return [
    ok("configuration", `${given.length} variables are set, and are understood`),
    ...config.warnings.map((says) => warning("configuration", says, "see docs/configuration.md")),
    secretKey(config),
    zone(config),
  ];
}

/** A weak one is a fault or a warning of the configuration already. */
function secretKey({ secretKey, secretKeyPath, databaseUrl }: Config): Finding {
  if (secretKey !== null) return ok("SECRET_KEY", `set, ${secretKey.length} characters`);
  if (databaseUrl !== null) {
    return ok("SECRET_KEY", "local development: made once and kept in the database, for all that share it");
  }
  const kept = existsSync(secretKeyPath)
    ? `kept in ${secretKeyPath}`
    : `the first start makes one and keeps it in ${secretKeyPath}`;
  return ok("SECRET_KEY", `local development: ${kept}`);
}

function zone({ timeZone }: Config): Finding {
  const now = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return ok("TZ", `it is ${now.format(new Date())} in ${timeZone}`);
}

/** Puts a file there, reads, lists and deletes it. */
async function tryBucket(s3: NonNullable<Config["s3"]>): Promise<string> {
  const files = s3Files(s3);
  const key = `probes/${crypto.randomUUID()}.txt`;
  try {
    await files.put(key, new Blob(["x"]).stream());
    const there = await files.get(key);
    await there?.content.cancel();
    let listed = false;
    for await (const file of files.list("probes/")) listed ||= file.key === key;
    await files.remove(key);
    if (there && listed) return "takes, gives and lists files";
    throw new Error("a file that was put is not there");
  } catch (error) {
    // what callers are told is less than what the operator needs
    throw (error as Error).cause ?? error;
  }
}

/** Only those that are configured and that this version talks to. */
export async function partners(config: Config, log: Log): Promise<Finding[]> {
  const { typesense, upstash, smtp, cantaloupeUrl, triplestore, sparql, s3 } = config;
  const asked: Promise<readonly Finding[]>[] = [];
  const ask = (name: string, place: string, mend: string, question: () => Promise<unknown>) => {
    const check = async () => {
      await question();
      return [ok(name, `${place} answers`)];
    };
    asked.push(found(name, check, mend));
  };
  if (typesense) {
    const mend = "start Typesense, or mend TYPESENSE_*; until then search answers nothing and says so";
    ask("Typesense", new URL(typesense.url).host, mend, () => greetTypesense(typesense));
  }
  if (upstash) {
    const counter = upstashCounter({ ...upstash, otherwise: inProcessCounter(), log });
    const mend = "mend UPSTASH_REDIS_REST_URL and _TOKEN; until then each instance counts for itself";
    ask("Upstash Redis", new URL(upstash.url).host, mend, () => counter.ping());
  }
  if (smtp) {
    const mend = "mend SMTP_*; until then nobody gets a new password by mail";
    ask("mail relay", `${smtp.host}:${smtp.port}`, mend, () => greetRelay(smtp));
  }
  if (cantaloupeUrl) {
    const mend = "start Cantaloupe, or mend CANTALOUPE_URL";
    ask("Cantaloupe", new URL(cantaloupeUrl).host, mend, () => cantaloupeImages(cantaloupeUrl).ping());
  }
  if (triplestore.enabled && triplestore.url !== null) {
    const server = graphServer({ ...triplestore, url: triplestore.url }, sparql);
    const mend = "start the triple store, or mend TRIPLESTORE_URL; what it misses is sent later";
    ask("triple store", new URL(triplestore.url).host, mend, () => server.ping());
  }
  if (s3) {
    const place = `the bucket ${s3.bucket}`;
    const mend = "mend S3_*, or what may be done with its keys; until then media cannot be kept or shown";
    asked.push(
      found("object store", async () => [ok("object store", `${place} ${await tryBucket(s3)}`)], mend),
    );
  }
  return (await Promise.all(asked)).flat();
}
