/** svc-manage config: shows the effective configuration and the source of each value. */

import { defineCommand } from "citty";
import type { Setting } from "../src/config/read.ts";
import { openConfig } from "./open.ts";
import { inWords } from "./words.ts";

const SOURCES: Record<Setting["source"], string> = {
  set: "environment",
  default: "default",
  derived: "derived",
};

export const configCommand = defineCommand({
  meta: {
    name: "config",
    description: `Show the effective configuration, and where each value comes from

environment: the variable is set. default: it is not, and this is its default. derived: the default is made
from other variables. Secrets are masked. Faults are listed as at a start, with exit code 1.`,
  },
  args: {
    set: { type: "boolean", default: false, description: "Only the variables that are set" },
    json: { type: "boolean", default: false, description: "Print JSON, and nothing else" },
  },
  run({ args }) {
    const config = openConfig();
    const settings = config.settings
      .filter(({ source }) => !args.set || source === "set")
      .map(({ source, ...setting }) => ({ ...setting, source: SOURCES[source] }));
    if (args.json) {
      console.log(JSON.stringify({ settings, warnings: config.warnings.map(inWords) }));
      return 0;
    }
    const widest = Math.max(0, ...settings.map(({ name }) => name.length));
    for (const { name, value, source } of settings) {
      // a value with several lines is shown on one
      const shown = value === "" ? "(none)" : value.replaceAll(/\r?\n/g, "\\n");
      console.log(`${name.padEnd(widest)}  ${source.padEnd(11)}  ${shown}`);
    }
    for (const warning of config.warnings) console.error(`warning: ${inWords(warning)}`);
    return 0;
  },
});
