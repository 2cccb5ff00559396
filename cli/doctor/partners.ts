/** Checks the configuration and the external services that it names. */

import { existsSync } from "node:fs";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { upstashCounter } from "../../src/adapters/counter/upstash.ts";
import { s3Files } from "../../src/adapters/files/s3.ts";
import { graphServer } from "../../src/adapters/graph/server.ts";
import { cantaloupeImages } from "../../src/adapters/images/cantaloupe.ts";
import { checkRelay } from "../../src/adapters/mail/smtp.ts";
import { typesenseServer } from "../../src/adapters/search/typesense/server.ts";
import type { Config } from "../../src/config/read.ts";
import type { Log } from "../../src/log.ts";
import { type Said, said, type Told } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { type Finding, found, ok, warning } from "./finding.ts";

export const CONFIGURATION = said("cli.doctor.check.configuration");
export const SEE_DOCS = said("cli.doctor.see_docs");

export function configuration(config: Config): Finding[] {
  const variables = config.settings.filter(({ source }) => source === "set");
  return [
    ok(CONFIGURATION, said("cli.doctor.variables", { count: variables.length })),
    ...config.warnings.map((says) => warning(CONFIGURATION, says, SEE_DOCS)),
    secretKey(config),
    zone(config),
  ];
}

/** The configuration already reports a weak key as a fault or warning. */
function secretKey({ secretKey, secretKeyPath, databaseUrl }: Config): Finding {
  if (secretKey !== null) return ok("SECRET_KEY", said("cli.doctor.key_set", { count: secretKey.length }));
  if (databaseUrl !== null) return ok("SECRET_KEY", said("cli.doctor.key_in_database"));
  const path = secretKeyPath;
  return ok(
    "SECRET_KEY",
    existsSync(path) ? said("cli.doctor.key_in_file", { path }) : said("cli.doctor.key_to_come", { path }),
  );
}

function zone({ timeZone }: Config): Finding {
  const now = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return ok("TZ", said("cli.doctor.zone", { time: now.format(new Date()), zone: timeZone }));
}

/** Writes, reads, lists and deletes a test file. */
async function tryBucket(s3: NonNullable<Config["s3"]>): Promise<Said> {
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
    if (there && listed) return said("cli.doctor.bucket", { bucket: s3.bucket });
    throw new Refusal(said("cli.doctor.bucket_lost"));
  } catch (error) {
    // the operator needs more details than callers get
    throw (error as Error).cause ?? error;
  }
}

/** Checks only services that are configured and used by this version. */
export async function partners(config: Config, log: Log): Promise<Finding[]> {
  const { typesense, upstash, smtp, cantaloupeUrl, triplestore, sparql, s3 } = config;
  const checks: Promise<readonly Finding[]>[] = [];
  const ask = (name: Told, place: string, mend: Said, question: () => Promise<unknown>) => {
    const check = async () => {
      await question();
      return [ok(name, said("cli.doctor.answers", { place }))];
    };
    checks.push(found(name, check, mend));
  };
  if (typesense) {
    const mend = said("cli.doctor.typesense_mend");
    ask("Typesense", new URL(typesense.url).host, mend, () => typesenseServer(typesense).check());
  }
  if (upstash) {
    const counter = upstashCounter({ ...upstash, otherwise: inProcessCounter(), log });
    const mend = said("cli.doctor.upstash_mend");
    ask("Upstash Redis", new URL(upstash.url).host, mend, () => counter.ping());
  }
  if (smtp) {
    const mend = said("cli.doctor.smtp_mend");
    ask(said("cli.doctor.check.mail_relay"), `${smtp.host}:${smtp.port}`, mend, () => checkRelay(smtp));
  }
  if (cantaloupeUrl) {
    const mend = said("cli.doctor.cantaloupe_mend");
    ask("Cantaloupe", new URL(cantaloupeUrl).host, mend, () => cantaloupeImages(cantaloupeUrl).ping());
  }
  if (triplestore.enabled && triplestore.url !== null) {
    const server = graphServer({ ...triplestore, url: triplestore.url }, sparql);
    const mend = said("cli.doctor.triplestore_mend");
    ask(said("cli.doctor.check.triple_store"), new URL(triplestore.url).host, mend, () => server.ping());
  }
  if (s3) {
    const store = said("cli.doctor.check.object_store");
    checks.push(found(store, async () => [ok(store, await tryBucket(s3))], said("cli.doctor.bucket_mend")));
  }
  return (await Promise.all(checks)).flat();
}
