/** Checks waiting work, and initial passwords that were not changed. */

import { emailKey } from "../../src/accounts/email.ts";
import { normalisePassword } from "../../src/accounts/passwords.ts";
import { findAccountByEmail } from "../../src/accounts/store.ts";
import type { Database } from "../../src/adapters/database/open.ts";
import { availablePasswords } from "../../src/adapters/passwords/available.ts";
import type { Config } from "../../src/config/read.ts";
import { mailBacklog, outboxBacklog } from "../../src/health/backlog-store.ts";
import { type FailedRecord, failedRecords } from "../../src/records/outbox.ts";
import type { Sql } from "../../src/services.ts";
import { listAdministrators } from "../../src/staff/user-store.ts";
import { PROJECTIONS } from "../../workers/projections.ts";
import { inWords } from "../words.ts";
import { type Finding, fault, found, ok, warning } from "./finding.ts";

/** Seconds. A worker sends a heartbeat every ten and looks for work every two. */
const SILENCE = 60;
/** How many records that failed are named. */
const NAMED = 5;

export async function work({ sql, kind }: Database, config: Config): Promise<Finding[]> {
  const checks = [
    await found("worker", () => worker(sql, kind)),
    await found("outbox", () => outbox(sql)),
    await found("mail", () => mails(sql)),
    await found("administrators", () => administrators(sql, config)),
  ];
  return checks.flat();
}

async function worker(sql: Sql, kind: Database["kind"]): Promise<Finding[]> {
  if (kind === "embedded") return [ok("worker", "no service is running, so no heartbeat is expected")];
  const [row] = await sql<{ age: number }[]>`
    select extract(epoch from clock_timestamp() - at)::float8 as age from heartbeats where name = 'worker'`;
  const mend = "start the service; if it is running, its log says why the work has stopped";
  if (!row) return [warning("worker", "no worker was ever seen", mend)];
  const says = `last seen ${Math.round(row.age)} seconds ago`;
  return [row.age > SILENCE ? warning("worker", says, mend) : ok("worker", says)];
}

async function outbox(sql: Sql): Promise<Finding[]> {
  const all = await outboxBacklog(sql);
  return Promise.all(
    all.map(async ({ target, is_filled, rows, failing, overdue }) => {
      const title = inWords(PROJECTIONS.find((each) => each.target === target)?.title ?? target);
      if (!is_filled) {
        const says = `${title} lacks records from before it was enabled`;
        return warning("outbox", says, `svc-manage rebuild ${target}`);
      }
      if (rows === 0) return ok("outbox", `no record waits for ${title}`);
      const says = `${rows} records wait for ${title}, the first for ${Math.round(overdue)} s`;
      if (failing > 0) {
        const first = (await failedRecords(sql, target, NAMED)).map(failureLine).join("; ");
        const mend = "it is retried automatically; if the error stays, remove its cause";
        return warning("outbox", `${says}; ${failing} failed: ${first}${failing > NAMED ? "; …" : ""}`, mend);
      }
      return overdue > SILENCE
        ? warning("outbox", says, "start the service, which processes them")
        : ok("outbox", says);
    }),
  );
}

/** A failed record with its type and the reason. */
export const failureLine = ({ id, record_type, reason }: FailedRecord): string =>
  `${record_type ?? "record"} ${id}: ${reason}`;

async function mails(sql: Sql): Promise<Finding[]> {
  const { waiting, given_up, overdue } = await mailBacklog(sql);
  const says = `${waiting} waiting, ${given_up} given up`;
  if (given_up > 0)
    return [warning("mail", says, "select * from mail_queue where given_up_at is not null says why")];
  return [
    overdue > SILENCE * 10 ? warning("mail", says, "check whether the relay accepts mail") : ok("mail", says),
  ];
}

async function administrators(sql: Sql, config: Config): Promise<Finding[]> {
  const all = await listAdministrators(sql);
  const able = all.filter(({ disabled }) => !disabled);
  if (all.length === 0) return [ok("administrators", "none yet; the service creates one when it starts")];
  if (able.length === 0) {
    return [fault("administrators", "all are disabled", "run svc-manage reset-admin --enable")];
  }
  const own = able.filter(({ must_change_password }) => !must_change_password);
  // accounts from import --all have an unknown password, which must be changed like the first one
  const none = `none of ${able.length} has chosen a password yet; accounts from import --all have none`;
  const mend = "sign in and change it; if nobody knows it, run svc-manage reset-admin";
  const findings =
    own.length > 0
      ? [ok("administrators", `${own.length} can sign in`)]
      : [warning("administrators", none, mend)];
  const { password, email } = config.firstAdmin;
  if (password !== null && able.some((account) => emailKey(account.email) === emailKey(email))) {
    const account = await findAccountByEmail(sql, email);
    const passwords = await availablePasswords((says) =>
      findings.push(warning("passwords", says, "npm ci installs it for this system and processor")),
    );
    if (account && (await passwords.verify(normalisePassword(password), account.password_hash))) {
      const mend = "change it before others can reach this service: POST /v1/auth/password";
      findings.push(warning("administrators", `${email} still has DEFAULT_ADMIN_PASSWORD`, mend));
    }
  }
  return findings;
}
