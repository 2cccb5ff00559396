/** svc-manage schema-apply FILE: applies a configuration file. */
import { readFile } from "node:fs/promises";
import { defineCommand } from "citty";
import { readAs } from "../../src/http/faults.ts";
import { demandSingleKeys } from "../../src/http/request/json-keys.ts";
import { readJson } from "../../src/http/request/json-text.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { ConfigurationShape } from "../../src/staff/configuration-file.ts";
import type { Step } from "../../src/staff/configuration-plan.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { cannotRead } from "../catalogue/open.ts";
import { argument, flag, meta } from "../terminal/options.ts";
import { demandYes } from "../terminal/question.ts";
import { inWords, print, printAside } from "../terminal/words.ts";

/** The most faults of a file that are listed. */
const NAMED = 20;

export const schemaApply = defineCommand({
  meta: meta("schema-apply", "cli.help.schema_apply.about"),
  args: {
    file: argument("cli.help.schema_apply.file"),
    "dry-run": flag("cli.help.schema_apply.dry_run"),
    yes: flag("cli.help.option.yes"),
    remove: flag("cli.help.schema_apply.remove"),
  },
  async run({ args }) {
    const text = await read(args.file);
    return withDoor(knock(), async (door) => {
      const apply = (commit: boolean) => {
        const content = new Blob([text]).stream();
        return door.call("schema-apply", { commit, remove: args.remove }, { content });
      };
      const plan = await apply(false);
      for (const step of plan) print(line(step));
      if (plan.length === 0) {
        print(said("cli.schema.nothing"));
        return 0;
      }
      const refused = plan.filter(({ fault }) => fault !== undefined).length;
      if (refused > 0) {
        printAside(said("cli.schema.refused", { refused, count: plan.length }));
        return 1;
      }
      if (args["dry-run"]) {
        print(said("cli.schema.unchanged"));
        return 0;
      }
      if (!args.yes) await demandYes(said("cli.schema.apply"));
      const done = await apply(true);
      const fault = done.find((step) => step.fault !== undefined);
      // a record or the configuration changed after the plan was shown
      if (fault) throw new Refusal(said("cli.schema.changed_since", { fault: line(fault) }));
      print(said("cli.schema.done", { count: done.length }));
      return 0;
    });
  },
});

function line({ what, step, parts, fault }: Step): Said {
  const only = said("cli.schema.step", { step, what });
  const whole =
    parts.length > 0
      ? said("cli.schema.step_parts", { step: only, parts: parts.map(inWords).join(", ") })
      : only;
  return fault === undefined ? whole : said("cli.schema.cannot", { step: whole, fault });
}

async function read(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(cannotRead(file));
  const json = readJson(text, (place) => new Refusal(said("cli.schema.not_json", { file, ...place })));
  demandSingleKeys(text);
  const read = readAs(ConfigurationShape, json);
  if (!("faults" in read)) return text;
  const faults = read.faults.slice(0, NAMED).map(({ pointer, detail }) => `  ${pointer} ${inWords(detail)}`);
  throw new Refusal(said("cli.schema.not_configuration", { file, faults: faults.join("\n") }));
}
