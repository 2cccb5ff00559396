/** svc-manage schema-apply FILE: applies a configuration file. */
import { readFile } from "node:fs/promises";
import { defineCommand } from "citty";
import { readAs } from "../src/http/faults.ts";
import { Refusal } from "../src/refusal.ts";
import { applyConfiguration } from "../src/staff/configuration-apply.ts";
import { ConfigurationShape } from "../src/staff/configuration-file.ts";
import type { Step } from "../src/staff/configuration-plan.ts";
import { fileFault, openCatalogue, openCommandConfig } from "./open.ts";
import { ask, isSomebodyThere } from "./question.ts";
import { inWords } from "./words.ts";

/** The most faults of a file that are listed. */
const NAMED = 20;

export const schemaApply = defineCommand({
  meta: {
    name: "schema-apply",
    description: `Apply a configuration file that schema-export wrote

Shows the plan and asks. Everything is applied, or nothing: if a step would make a record lose a value or become
invalid, the whole file is refused. What the file does not contain stays, unless --remove is given. Works while the
service runs; changes take effect at once.

Exit codes: 0 done, or nothing to do, 1 refused, or something cannot be done, 2 the command was not understood.`,
  },
  args: {
    file: { type: "positional", required: true, description: "A file from schema-export" },
    "dry-run": { type: "boolean", default: false, description: "Show the plan; change nothing" },
    yes: { type: "boolean", default: false, description: "Do not ask" },
    remove: {
      type: "boolean",
      default: false,
      description: "Also remove what the file does not contain, if no record uses it",
    },
  },
  async run({ args }) {
    const wish = await read(args.file);
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const { remove } = args;
      const plan = await applyConfiguration(services, wish, { commit: false, remove });
      for (const step of plan) console.log(line(step));
      if (plan.length === 0) {
        console.log("Nothing to do: the configuration matches the file");
        return 0;
      }
      const refused = plan.filter(({ fault }) => fault !== undefined).length;
      if (refused > 0) {
        console.error(`${refused} of ${plan.length} steps cannot be done. Nothing was changed`);
        return 1;
      }
      if (args["dry-run"]) {
        console.log("Nothing was changed.");
        return 0;
      }
      if (!args.yes) {
        if (!isSomebodyThere())
          throw new Refusal(
            "Nothing was changed: there is no terminal to confirm this; add --yes to apply it without a question",
          );
        const answer = await ask("Apply these changes? (yes/no) ");
        if (!/^y(es)?$/i.test(answer)) throw new Refusal("Nothing was changed");
      }
      const done = await applyConfiguration(services, wish, { commit: true, remove });
      const fault = done.find((step) => step.fault !== undefined);
      // somebody changed a record or the configuration after the plan was shown
      if (fault) throw new Refusal(`Nothing was changed: ${line(fault)}`);
      console.log(`Done: ${done.length} ${done.length === 1 ? "step" : "steps"}`);
      return 0;
    } finally {
      await close();
    }
  },
});

function line({ what, step, parts, fault }: Step): string {
  const more = parts.length > 0 ? ` (${parts.map(inWords).join(", ")})` : "";
  return `${fault === undefined ? "" : "cannot "}${step} ${inWords(what)}${more}${fault === undefined ? "" : `: ${inWords(fault)}`}`;
}

async function read(file: string) {
  const text = await readFile(file, "utf8").catch((error) => {
    throw new Refusal(`${file} cannot be read: ${fileFault(error)}`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Refusal(`${file} is not JSON: ${(error as Error).message}`);
  }
  const read = readAs(ConfigurationShape, json);
  if (!("faults" in read)) return read.data;
  const faults = read.faults.slice(0, NAMED).map(({ pointer, detail }) => `  ${pointer} ${inWords(detail)}`);
  throw new Refusal([`${file} is not a configuration:`, ...faults].join("\n"));
}
