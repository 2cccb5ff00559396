/** Checks the database: is it reachable, who has it open, and can the service use it? */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { schemaState } from "../../src/adapters/database/migrate.ts";
import { type Database, openDatabase } from "../../src/adapters/database/open.ts";
import type { Config } from "../../src/config/read.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import type { Sql } from "../../src/services.ts";
import { type Finding, fault, found, ok, reasonOf, warning } from "./finding.ts";

const DATABASE = said("cli.doctor.check.database");
export const SCHEMA = said("cli.doctor.check.schema");
const CLOCK = said("cli.doctor.check.clock");
/** Milliseconds without an answer until a database counts as unreachable. */
const PATIENCE = 15_000;
/** Seconds by which the clocks of two machines may differ. */
const CLOCK_DRIFT = 5;

/** The open database; null if there is none. */
export async function reach(config: Config): Promise<{ database: Database | null; findings: Finding[] }> {
  const none = (finding: Finding) => ({ database: null, findings: [finding] });
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "database", "PG_VERSION"))) {
    const says = said("cli.doctor.no_database", { directory: config.dataDir });
    return none(fault(DATABASE, says, said("cli.doctor.no_database_mend")));
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Refusal(said("cli.doctor.no_answer", { seconds: PATIENCE / 1000 }))),
      PATIENCE,
    );
  });
  const opening = openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    role: "client",
    warn: () => undefined,
  });
  try {
    const database = await Promise.race([opening, late]);
    return { database, findings: [ok(DATABASE, await whose(database, config))] };
  } catch (error) {
    // if it opens too late, it is closed again
    opening.then((database) => database.close()).catch(() => undefined);
    const mend =
      config.databaseUrl === null ? said("cli.doctor.embedded_mend") : said("cli.doctor.external_mend");
    return none(fault(DATABASE, reasonOf(error), mend));
  } finally {
    clearTimeout(timer);
  }
}

async function whose({ kind }: Database, config: Config): Promise<Said> {
  if (kind === "external") return said("cli.doctor.external");
  if (kind === "embedded") return said("cli.doctor.embedded");
  const [, pid] = (await readFile(join(config.dataDir, ".owner.pid"), "utf8").catch(() => "")).split(" ");
  return pid
    ? said("cli.doctor.through_service_pid", { pid: pid.trim() })
    : said("cli.doctor.through_service");
}

export async function look(sql: Sql): Promise<Finding[]> {
  const checks = [
    await found("PostgreSQL", () => version(sql)),
    await found(SCHEMA, () => schema(sql)),
    await found(CLOCK, () => clock(sql)),
  ];
  return checks.flat();
}

async function version(sql: Sql): Promise<Finding[]> {
  const [row] = await sql<{ version: string; encoding: string; may_create: boolean; standby: boolean }[]>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      has_schema_privilege(current_schema(), 'create') as may_create, pg_is_in_recovery() as standby`;
  const { version, encoding, may_create, standby } = row!;
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

async function clock(sql: Sql): Promise<Finding[]> {
  const before = Date.now();
  const [row] = await sql<{ now: number }[]>`
    select extract(epoch from clock_timestamp())::float8 as now`;
  const drift = row!.now - (before + Date.now()) / 2000;
  const says = said("cli.doctor.clock", { seconds: Math.round(Math.abs(drift) * 10) / 10 });
  const mend = said("cli.doctor.clock_mend");
  return [Math.abs(drift) > CLOCK_DRIFT ? fault(CLOCK, says, mend) : ok(CLOCK, says)];
}
