/** svc-manage doctor: checks everything that the service needs, and says how to repair what is wrong. */

import { defineCommand } from "citty";
import { readConfig } from "../src/config/read.ts";
import { VERSION } from "../src/config/version.ts";
import { createLog } from "../src/log.ts";
import { said, sayAll } from "../src/messages/said.ts";
import { ENGLISH, type MessageKey } from "../src/messages/translate.ts";
import { runtimeName } from "../src/runtimes/serve.ts";
import { checkDatabase, openDoorToCheck, SCHEMA } from "./doctor/database.ts";
import { directories, secretFiles } from "./doctor/files.ts";
import { type Finding, fault, found, ok, warning } from "./doctor/finding.ts";
import { CONFIGURATION, configuration, partners, SEE_DOCS } from "./doctor/partners.ts";
import { work } from "./doctor/work.ts";
import { flag, meta } from "./terminal/options.ts";
import { inWords } from "./terminal/words.ts";

const STATES = {
  ok: "cli.doctor.state.ok",
  warning: "cli.doctor.state.warning",
  fault: "cli.doctor.state.fault",
} as const satisfies Record<Finding["state"], MessageKey>;

export const doctorCommand = defineCommand({
  meta: meta("doctor", "cli.help.doctor.about"),
  args: {
    json: flag("cli.help.option.json_only"),
  },
  async run({ args }) {
    const findings = await examine();
    if (args.json)
      console.log(JSON.stringify(sayAll(ENGLISH, { version: VERSION, runtime: runtimeName(), findings })));
    else console.log(shown(findings));
    return findings.some(({ state }) => state === "fault") ? 1 : 0;
  },
});

async function examine(): Promise<Finding[]> {
  const { SVC_CONTAINER, ...env } = process.env;
  const read = readConfig(env, { container: SVC_CONTAINER === "true" });
  const program = ok(
    said("cli.doctor.check.program"),
    said("cli.doctor.program", { version: VERSION, runtime: runtimeName() }),
  );
  if (!read.ok) {
    // the other checks need a valid configuration
    const faults = read.faults.map((says) => fault(CONFIGURATION, says, SEE_DOCS));
    const warnings = read.warnings.map((says) => warning(CONFIGURATION, says, SEE_DOCS));
    return [program, ...faults, ...warnings];
  }
  const { config } = read;
  const silent = createLog({ level: "error", format: "json", write: () => undefined });
  const outside = found(said("cli.doctor.check.partners"), () => partners(config, silent));
  const { door, findings } = await openDoorToCheck(config);
  try {
    const seen = door ? await checkDatabase(door) : [];
    // waiting work can only be counted in this version's schema
    const fits = !seen.some(({ check, state }) => check === SCHEMA && state === "fault");
    return [
      program,
      ...configuration(config),
      ...(await found(said("cli.doctor.check.directories"), () => directories(config))),
      ...(await found(said("cli.doctor.check.files"), () => secretFiles(config))),
      ...findings,
      ...seen,
      ...(door && fits ? await work(door.call, config, config.databaseUrl !== null || !door.own) : []),
      ...(await outside),
    ];
  } finally {
    await door?.close().catch(() => undefined);
  }
}

function shown(findings: readonly Finding[]): string {
  const rows = findings.map(({ check, state, says, mend }) => [
    inWords(said(STATES[state])),
    inWords(check),
    inWords(mend === undefined ? says : said("cli.doctor.repair", { says, mend })),
  ]) as [state: string, check: string, rest: string][];
  const widest = (at: 0 | 1) => Math.max(...rows.map((row) => row[at].length));
  const [first, second] = [Math.max(7, widest(0)), widest(1)];
  const lines = rows.map(
    ([state, check, rest]) => `${state.padEnd(first)}  ${check.padEnd(second)}  ${rest}`,
  );
  const count = (state: Finding["state"]) => findings.filter((each) => each.state === state).length;
  const counts = said("cli.doctor.counts", { faults: count("fault"), warnings: count("warning") });
  return [...lines, inWords(counts)].join("\n");
}
