/** svc-manage export-rdf FILE [--type TYPE]: all public records as linked data, in one file. */
import { defineCommand } from "citty";
import { publicQuads } from "../src/linked-data/bulk-export.ts";
import { said } from "../src/messages/said.ts";
import { type Kind, kinds, PUBLIC_KINDS } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { runExportCommand } from "./export-command.ts";
import { exportPath, writeWhole } from "./export-file.ts";
import { demandKind } from "./kind-option.ts";
import { help } from "./words.ts";

const BATCH = 500;

export const exportRdf = defineCommand({
  meta: {
    name: "export-rdf",
    description: help("cli.help.export_rdf.about"),
  },
  args: {
    file: {
      type: "positional",
      required: true,
      description: help("cli.help.option.file"),
    },
    type: {
      type: "string",
      valueHint: "TYPE",
      description: help("cli.help.export_rdf.type", { types: PUBLIC_KINDS.join(", ") }),
    },
    json: { type: "boolean", default: false, description: help("cli.help.option.json_summary") },
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    if (kind !== null && !PUBLIC_KINDS.includes(kind))
      throw new Refusal(said("cli.export.never_public", { known: PUBLIC_KINDS.join(", ") }), 2);
    const chosen = kind === null ? PUBLIC_KINDS : [kind];
    const path = await exportPath(args.file, kind === null ? "everything" : kinds[kind].plural, "nq");
    return runExportCommand({ path, unit: "records", json: args.json }, (services, report) =>
      writeWhole(path, textsOf(services, chosen, report)),
    );
  },
});

async function* textsOf(
  services: Services,
  chosen: readonly Kind[],
  report: (count: number) => void,
): AsyncIterable<string> {
  let written = 0;
  for (const kind of chosen) {
    for await (const { records, text } of publicQuads(services, kind, BATCH)) {
      yield text;
      written += records;
      report(written);
    }
  }
}
