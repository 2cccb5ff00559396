/** Checks the database: is it reachable, who has it open, and can the service use it? */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { schemaState } from "../../src/adapters/database/migrate.ts";
import { type Database, openDatabase } from "../../src/adapters/database/open.ts";
import type { Config } from "../../src/config/read.ts";
import type { Sql } from "../../src/services.ts";
import { inWords } from "../words.ts";
import { type Finding, fault, found, ok, reasonOf, warning } from "./finding.ts";

/** Milliseconds without an answer until a database counts as unreachable. */
const PATIENCE = 15_000;
/** Seconds by which the clocks of two machines may differ. */
const CLOCK_DRIFT = 5;

/** The open database; null if there is none. */
export async function reach(config: Config): Promise<{ database: Database | null; findings: Finding[] }> {
  const none = (finding: Finding) => ({ database: null, findings: [finding] });
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "database", "PG_VERSION"))) {
    const says = `there is no database yet in ${config.dataDir}`;
    return none(fault("database", says, "start the service, which creates it, or correct SVC_DATA_DIR"));
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE / 1000} seconds`)), PATIENCE);
  });
  const opening = openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    role: "client",
    warn: () => undefined,
  });
  try {
    const database = await Promise.race([opening, late]);
    return { database, findings: [ok("database", await whose(database, config))] };
  } catch (error) {
    // if it opens too late, it is closed again
    opening.then((database) => database.close()).catch(() => undefined);
    const mend =
      config.databaseUrl === null
        ? "stop the process that holds it, or read its log"
        : "start the server, or correct DATABASE_URL";
    return none(fault("database", reasonOf(error), mend));
  } finally {
    clearTimeout(timer);
  }
}

async function whose({ kind }: Database, config: Config): Promise<string> {
  if (kind === "external") return "the external server answers";
  if (kind === "embedded") return "the embedded database opens; no service is using it";
  const [, pid] = (await readFile(join(config.dataDir, ".owner.pid"), "utf8").catch(() => "")).split(" ");
  return `the embedded database answers through the running service${pid ? ` (pid ${pid.trim()})` : ""}`;
}

export async function look(sql: Sql): Promise<Finding[]> {
  const checks = [
    await found("PostgreSQL", () => version(sql)),
    await found("schema", () => schema(sql)),
    await found("clock", () => clock(sql)),
  ];
  return checks.flat();
}

async function version(sql: Sql): Promise<Finding[]> {
  const [row] = await sql<{ version: string; encoding: string; may_create: boolean; standby: boolean }[]>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      has_schema_privilege(current_schema(), 'create') as may_create, pg_is_in_recovery() as standby`;
  const { version, encoding, may_create, standby } = row!;
  const findings = [ok("PostgreSQL", `version ${version}, and no extension is needed`)];
  if (encoding !== "UTF8") {
    const mend = "create the database again with: createdb --encoding=UTF8 --template=template0 NAME";
    findings.push(
      fault("encoding", `the encoding of the database is ${encoding}, which lacks most letters`, mend),
    );
  }
  if (standby) {
    findings.push(
      fault(
        "PostgreSQL",
        "it is a standby, which accepts no changes",
        "set DATABASE_URL to the primary server",
      ),
    );
  } else if (!may_create) {
    const mend = "make the user of DATABASE_URL the owner of the database, before the next migrate";
    findings.push(warning("PostgreSQL", "this user may not create tables", mend));
  }
  return findings;
}

async function schema(sql: Sql): Promise<Finding[]> {
  const { says, advice } = await schemaState(sql);
  return [advice === null ? ok("schema", inWords(says)) : fault("schema", inWords(says), inWords(advice))];
}

async function clock(sql: Sql): Promise<Finding[]> {
  const before = Date.now();
  const [row] = await sql<{ now: number }[]>`
    select extract(epoch from clock_timestamp())::float8 as now`;
  const drift = row!.now - (before + Date.now()) / 2000;
  const says = `this machine and the database differ by ${Math.abs(drift).toFixed(1)} s`;
  const mend = "synchronise both clocks with NTP: tokens, sessions and the order of changes depend on them";
  return [Math.abs(drift) > CLOCK_DRIFT ? fault("clock", says, mend) : ok("clock", says)];
}
