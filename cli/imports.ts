/** svc-manage imports: lists imports with their ids, which import-undo needs. */
import { defineCommand } from "citty";
import { count } from "../src/imports/counts.ts";
import { listImports } from "../src/records/imports-list.ts";
import { kinds } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { help } from "./words.ts";

const STATES = {
  running: "running or interrupted",
  finished: "finished",
  failed: "not finished",
  undoing: "partly undone",
  undone: "undone",
} as const;

export const importsCommand = defineCommand({
  meta: {
    name: "imports",
    description: help("cli.help.imports.about"),
  },
  args: {
    limit: {
      type: "string",
      default: "20",
      valueHint: "N",
      description: help("cli.help.imports.limit"),
    },
    json: { type: "boolean", default: false, description: help("cli.help.imports.json") },
  },
  async run({ args }) {
    const limit = Number(args.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
      throw new Refusal(`--limit must be a number from 1 to 10000, not ${JSON.stringify(args.limit)}`, 2);
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const all = await listImports(services.sql, limit);
      if (args.json) {
        console.log(JSON.stringify(all));
        return;
      }
      if (all.length === 0) console.log("There are no imports yet");
      for (const one of all) {
        const what = one.filename ?? "over the API";
        const counts = (["created", "updated", "unchanged", "skipped", "rejected"] as const)
          .filter((name) => one[name] > 0)
          .map(
            (name) =>
              `${count(one[name])} ${name === "updated" ? "changed" : name === "rejected" ? "refused" : name}`,
          );
        console.log(
          `${one.id}  ${one.started_at.slice(0, 16).replace("T", " ")}  ${what} (${one.source}, ${kinds[one.record_type].plural})  ` +
            `${STATES[one.state]}${counts.length > 0 ? `: ${counts.join(", ")}` : ""}${one.actor ? `, by ${one.actor}` : ""}`,
        );
      }
    } finally {
      await close();
    }
  },
});
