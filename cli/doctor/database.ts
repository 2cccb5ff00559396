/** Checks whether the database is reachable, who has it open, and whether the service can use it. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { schemaState } from "../../src/adapters/database/migrate/migrate.ts";
import { openDatabase } from "../../src/adapters/database/open.ts";
import { availablePasswords } from "../../src/adapters/passwords/available.ts";
import type { Config } from "../../src/config/read.ts";
import { type Said, said } from "../../src/messages/said.ts";
import type { Call } from "../../src/operator.ts";
import { Refusal } from "../../src/refusal.ts";
import type { Services, Sql } from "../../src/services.ts";
import { type Door, knock } from "../catalogue/door.ts";
import { type Finding, fault, found, ok, reasonOf, warning } from "./finding.ts";

const DATABASE = said("cli.doctor.check.database");
export const SCHEMA = said("cli.doctor.check.schema");
const CLOCK = said("cli.doctor.check.clock");
/** Milliseconds without an answer after which a database counts as unreachable. */
const PATIENCE = 15_000;
/** Seconds by which the clocks of two machines may differ. */
const CLOCK_DRIFT = 5;

/** Null if the database is missing or does not answer. */
export async function openDoorToCheck(config: Config): Promise<{ door: Door | null; findings: Finding[] }> {
  const none = (finding: Finding) => ({ door: null, findings: [finding] });
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "database", "PG_VERSION"))) {
    const says = said("cli.doctor.no_database", { directory: config.dataDir });
    return none(fault(DATABASE, says, said("cli.doctor.no_database_mend")));
  }
  const opening = knock(config, openOnlyDatabase);
  try {
    const pid = config.databaseUrl === null ? await ownerOf(config) : null;
    const seconds = PATIENCE / 1000;
    const late = pid
      ? said("cli.doctor.silent", { pid, seconds })
      : said("cli.doctor.no_answer", { seconds });
    const door = await within(late, () => opening);
    const call: Call = (name, input) => within(late, (signal) => door.call(name, input, { signal }));
    await call("database", {});
    return { door: { ...door, call }, findings: [ok(DATABASE, whose(config, door, pid))] };
  } catch (error) {
    // close a database that opens too late
    opening.then((door) => door.close()).catch(() => undefined);
    const mend =
      config.databaseUrl === null ? said("cli.doctor.embedded_mend") : said("cli.doctor.external_mend");
    return none(fault(DATABASE, reasonOf(error), mend));
  }
}

/** Opens only what the doctor's operations use. Migrates and creates nothing, and asks no external service. */
async function openOnlyDatabase(config: Config) {
  const { sql, close } = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    role: "client",
    warn: () => undefined,
  });
  const passwords = await availablePasswords(() => undefined);
  return { services: { sql, passwords } as Services, close };
}

async function within<T>(late: Said, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const patience = new AbortController();
  const { signal } = patience;
  const timer = setTimeout(() => patience.abort(new Refusal(late)), PATIENCE);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(signal), ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** The id of the process that has the data directory open, or had it last; null if unknown. */
async function ownerOf({ dataDir }: Config): Promise<string | null> {
  const [, pid] = (await readFile(join(dataDir, ".owner.pid"), "utf8").catch(() => "")).split(" ");
  return pid?.trim() || null;
}

function whose({ databaseUrl }: Config, { own }: Door, pid: string | null): Said {
  if (databaseUrl !== null) return said("cli.doctor.external");
  if (own) return said("cli.doctor.embedded");
  return pid ? said("cli.doctor.through_service_pid", { pid }) : said("cli.doctor.through_service");
}

export async function checkDatabase({ call, own }: Door): Promise<Finding[]> {
  const checks = [
    await found("PostgreSQL", () => version(call)),
    // a running service checked its schema at the start
    await found(SCHEMA, async () => (own ? schema(own.sql) : [ok(SCHEMA, said("cli.schema.current"))])),
    await found(CLOCK, () => clock(call)),
  ];
  return checks.flat();
}

async function version(call: Call): Promise<Finding[]> {
  const { version, encoding, may_create, standby } = await call("database", {});
  const findings = [ok("PostgreSQL", said("cli.doctor.version", { version }))];
  if (encoding !== "UTF8") {
    const says = said("cli.doctor.encoding", { encoding });
    findings.push(fault(said("cli.doctor.check.encoding"), says, said("cli.doctor.encoding_mend")));
  }
  if (standby) {
    findings.push(fault("PostgreSQL", said("cli.doctor.standby"), said("cli.doctor.standby_mend")));
  } else if (!may_create) {
    const mend = said("cli.doctor.may_not_create_mend");
    findings.push(warning("PostgreSQL", said("cli.doctor.may_not_create"), mend));
  }
  return findings;
}

async function schema(sql: Sql): Promise<Finding[]> {
  const { says, advice } = await schemaState(sql);
  return [advice === null ? ok(SCHEMA, says) : fault(SCHEMA, says, advice)];
}

async function clock(call: Call): Promise<Finding[]> {
  const before = Date.now();
  const { now } = await call("database", {});
  const drift = now - (before + Date.now()) / 2000;
  const says = said("cli.doctor.clock", { seconds: Math.round(Math.abs(drift) * 10) / 10 });
  const mend = said("cli.doctor.clock_mend");
  return [Math.abs(drift) > CLOCK_DRIFT ? fault(CLOCK, says, mend) : ok(CLOCK, says)];
}
