/** svc-manage imports: lists imports with the ids that import-undo needs. */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import type { ListedImport } from "../../src/records/batch/imports-list.ts";
import { Refusal } from "../../src/refusal.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { flag, meta, option } from "../terminal/options.ts";
import { inWords, print } from "../terminal/words.ts";

export const importsCommand = defineCommand({
  meta: meta("imports", "cli.help.imports.about"),
  args: {
    limit: { ...option("N", "cli.help.imports.limit"), default: "20" },
    json: flag("cli.help.imports.json"),
  },
  async run({ args }) {
    const limit = Number(args.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
      throw new Refusal(said("cli.imports.limit", { value: args.limit }), 2);
    const all = await withDoor(knock(), (door) => door.call("imports", { limit }));
    if (args.json) {
      console.log(JSON.stringify(all));
      return;
    }
    if (all.length === 0) print(said("cli.imports.none"));
    for (const one of all) console.log(lineOf(one));
  },
});

const COUNTS = ["created", "updated", "unchanged", "skipped", "rejected"] as const;

function lineOf(one: ListedImport): string {
  const counts = COUNTS.filter((name) => one[name] > 0).map((name) =>
    inWords(said(`job.report.${name === "updated" ? "changed" : name}`, { count: one[name] })),
  );
  const parts = [
    inWords(
      said("cli.imports.import", {
        name: one.filename ?? said("cli.imports.over_api"),
        source: one.source,
        kinds: said(`kind.many.${one.record_type}`),
        state: said(`cli.imports.state.${one.state}`),
      }),
    ),
    ...(counts.length > 0 ? [`: ${counts.join(", ")}`] : []),
    ...(one.actor ? [`, ${inWords(said("cli.imports.by", { actor: one.actor }))}`] : []),
  ];
  return `${one.id}  ${one.started_at.slice(0, 16).replace("T", " ")}  ${parts.join("")}`;
}
