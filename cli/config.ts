/** svc-manage config: shows the effective configuration and the source of each value. */

import { defineCommand } from "citty";
import type { Setting } from "../src/config/read.ts";
import { said, sayAll } from "../src/messages/said.ts";
import { ENGLISH } from "../src/messages/translate.ts";
import { openConfig } from "./catalogue/open.ts";
import { flag, meta } from "./terminal/options.ts";
import { printAside, words } from "./terminal/words.ts";

const SOURCES = {
  set: "cli.config.source.set",
  default: "cli.config.source.default",
  derived: "cli.config.source.derived",
} as const satisfies Record<Setting["source"], string>;

export const configCommand = defineCommand({
  meta: meta("config", "cli.help.config.about"),
  args: {
    set: flag("cli.help.config.set"),
    json: flag("cli.help.option.json_only"),
  },
  run({ args }) {
    const config = openConfig();
    const t = args.json ? ENGLISH : words();
    const settings = config.settings
      .filter(({ source }) => !args.set || source === "set")
      .map(({ source, ...setting }) => ({ ...setting, source: t(SOURCES[source]) }));
    if (args.json) {
      console.log(JSON.stringify({ settings, warnings: sayAll(t, config.warnings) }));
      return 0;
    }
    const widest = Math.max(0, ...settings.map(({ name }) => name.length));
    const wide = Math.max(...Object.values(SOURCES).map((each) => t(each).length));
    for (const { name, value, source } of settings) {
      // one line per setting
      const shown = value === "" ? t("cli.config.none") : value.replaceAll(/\r?\n/g, "\\n");
      console.log(`${name.padEnd(widest)}  ${source.padEnd(wide)}  ${shown}`);
    }
    for (const warning of config.warnings) printAside(said("cli.config.warning", { warning }));
    return 0;
  },
});
