/** svc-manage doctor: checks everything that the service needs, and says how to repair what is wrong. */

import { defineCommand } from "citty";
import { readConfig } from "../src/config/read.ts";
import { createLog } from "../src/log.ts";
import { runtimeName } from "../src/runtimes/serve.ts";
import { VERSION } from "../src/version.ts";
import { look, reach } from "./doctor/database.ts";
import { directories, secretFiles } from "./doctor/files.ts";
import { type Finding, fault, found, ok, warning } from "./doctor/finding.ts";
import { configuration, partners } from "./doctor/partners.ts";
import { work } from "./doctor/work.ts";
import { inWords } from "./words.ts";

export const doctorCommand = defineCommand({
  meta: {
    name: "doctor",
    description: `Check everything that the service needs, and say how to repair it

Checks configuration, database, disk, file permissions, clocks, external services, waiting work, and initial passwords
that were not changed. One line each: ok, warning or fault. Changes nothing; works while the service runs, and without a
database.

Exit codes: 0 no fault, 1 at least one fault, 2 the command was not understood.`,
  },
  args: {
    json: { type: "boolean", default: false, description: "Print JSON, and nothing else" },
  },
  async run({ args }) {
    const findings = await examine();
    if (args.json) console.log(JSON.stringify({ version: VERSION, runtime: runtimeName(), findings }));
    else console.log(shown(findings));
    return findings.some(({ state }) => state === "fault") ? 1 : 0;
  },
});

async function examine(): Promise<Finding[]> {
  const { SVC_CONTAINER, ...env } = process.env;
  const read = readConfig(env, { container: SVC_CONTAINER === "true" });
  const program = ok("program", `version ${VERSION} on ${runtimeName()}`);
  if (!read.ok) {
    // the other checks need a valid configuration
    const faults = read.faults.map((says) =>
      fault("configuration", inWords(says), "see docs/configuration.md"),
    );
    const warnings = read.warnings.map((says) =>
      warning("configuration", inWords(says), "see docs/configuration.md"),
    );
    return [program, ...faults, ...warnings];
  }
  const { config } = read;
  const silent = createLog({ level: "error", format: "json", write: () => undefined });
  const outside = found("partners", () => partners(config, silent));
  const { database, findings } = await reach(config);
  try {
    const seen = database ? await look(database.sql) : [];
    // with another version's schema, waiting work cannot be counted
    const fits = !seen.some(({ check, state }) => check === "schema" && state === "fault");
    return [
      program,
      ...configuration(config),
      ...(await found("directories", () => directories(config))),
      ...(await found("files", () => secretFiles(config))),
      ...findings,
      ...seen,
      ...(database && fits ? await work(database, config) : []),
      ...(await outside),
    ];
  } finally {
    await database?.close().catch(() => undefined);
  }
}

function shown(findings: readonly Finding[]): string {
  const widest = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ check, state, says, mend }) =>
      `${state.padEnd(7)}  ${check.padEnd(widest)}  ${says}${mend ? `; to repair it: ${mend}` : ""}`,
  );
  const count = (state: Finding["state"]) => {
    const { length } = findings.filter((each) => each.state === state);
    return `${length} ${state}${length === 1 ? "" : "s"}`;
  };
  return [...lines, `${count("fault")}, ${count("warning")}`].join("\n");
}
