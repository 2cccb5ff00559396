/** Checks waiting work and unchanged initial passwords. */

import { emailKey } from "../../src/accounts/email.ts";
import { availablePasswords } from "../../src/adapters/passwords/available.ts";
import type { Config } from "../../src/config/read.ts";
import { type Said, said, say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import type { Call } from "../../src/operator.ts";
import type { FailedRecord } from "../../src/records/outbox.ts";
import { PROJECTIONS } from "../../workers/projections.ts";
import { type Finding, fault, found, ok, warning } from "./finding.ts";

const WORKER = said("cli.doctor.check.worker");
const OUTBOX = said("cli.doctor.check.outbox");
const MAIL = said("cli.doctor.check.mail");
const ADMINISTRATORS = said("cli.doctor.check.administrators");
/** Seconds without a sign of work before a warning. A worker sends a heartbeat every ten and looks for work every two. */
const SILENCE = 60;
/** How many failed records are named. */
const NAMED = 5;

/** @param hasWorker false for an embedded database that no service has open, because nothing works on it */
export async function work(call: Call, config: Config, hasWorker: boolean): Promise<Finding[]> {
  const checks = [
    await found(WORKER, () => worker(call, hasWorker)),
    await found(OUTBOX, () => outbox(call)),
    await found(MAIL, () => mails(call)),
    await found(ADMINISTRATORS, () => administrators(call, config)),
  ];
  return checks.flat();
}

async function worker(call: Call, isThere: boolean): Promise<Finding[]> {
  if (!isThere) return [ok(WORKER, said("cli.doctor.no_heartbeat"))];
  const age = await call("heartbeat", {});
  const mend = said("cli.doctor.worker_mend");
  if (age === null) return [warning(WORKER, said("cli.doctor.worker_never"), mend)];
  const says = said("cli.doctor.worker_seen", { seconds: Math.round(age) });
  return [age > SILENCE ? warning(WORKER, says, mend) : ok(WORKER, says)];
}

async function outbox(call: Call): Promise<Finding[]> {
  const all = await call("outbox", {});
  return Promise.all(
    all.map(async ({ target, is_filled, rows, failing, overdue }) => {
      const title = PROJECTIONS.find((each) => each.target === target)?.title ?? target;
      if (!is_filled) {
        const says = said("cli.doctor.not_filled", { title });
        return warning(OUTBOX, says, `svc-manage rebuild ${target}`);
      }
      if (rows === 0) return ok(OUTBOX, said("cli.doctor.none_waits", { title }));
      const says = said("cli.doctor.waiting", { count: rows, title, seconds: Math.round(overdue) });
      if (failing > 0) {
        const failures = await call("rebuild-failed", { target });
        const named = failures.slice(0, NAMED).map((each) => say(ENGLISH, failureLine(each)));
        const first = `${named.join("; ")}${failing > NAMED ? "; …" : ""}`;
        const all = said("cli.doctor.failing", { waiting: says, count: failing, first });
        return warning(OUTBOX, all, said("cli.doctor.failing_mend"));
      }
      return overdue > SILENCE ? warning(OUTBOX, says, said("cli.doctor.overdue_mend")) : ok(OUTBOX, says);
    }),
  );
}

export const failureLine = ({ id, record_type, reason }: FailedRecord): Said =>
  said("cli.failed_record", { type: record_type ?? said("cli.record"), id, reason });

async function mails(call: Call): Promise<Finding[]> {
  const { waiting, given_up, overdue } = await call("mails", {});
  const says = said("cli.doctor.mails", { waiting, given_up });
  if (given_up > 0) return [warning(MAIL, says, said("cli.doctor.given_up_mend"))];
  return [overdue > SILENCE * 10 ? warning(MAIL, says, said("cli.doctor.relay_mend")) : ok(MAIL, says)];
}

async function administrators(call: Call, config: Config): Promise<Finding[]> {
  const all = await call("administrators", {});
  const able = all.filter(({ disabled }) => !disabled);
  if (all.length === 0) return [ok(ADMINISTRATORS, said("cli.doctor.admins_none"))];
  if (able.length === 0) {
    return [
      fault(ADMINISTRATORS, said("cli.doctor.admins_disabled"), said("cli.doctor.admins_disabled_mend")),
    ];
  }
  const own = able.filter(({ must_change_password }) => !must_change_password);
  // accounts from `import --all` have an unknown password, which must be changed like an initial one
  const none = said("cli.doctor.admins_no_password", { count: able.length });
  const mend = said("cli.doctor.admins_no_password_mend");
  const findings =
    own.length > 0
      ? [ok(ADMINISTRATORS, said("cli.doctor.admins_able", { count: own.length }))]
      : [warning(ADMINISTRATORS, none, mend)];
  const { password, email } = config.firstAdmin;
  if (password !== null && able.some((account) => emailKey(account.email) === emailKey(email))) {
    await availablePasswords((says) =>
      findings.push(warning(said("cli.doctor.check.passwords"), says, said("cli.doctor.passwords_mend"))),
    );
    if (await call("has-password", { email, password })) {
      const mend = said("cli.doctor.default_password_mend");
      findings.push(warning(ADMINISTRATORS, said("cli.doctor.default_password", { email }), mend));
    }
  }
  return findings;
}
