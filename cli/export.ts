/** svc-manage export FILE --all | --type TYPE: the catalogue as one file that can be imported again. */
import { defineCommand } from "citty";
import { headerLine } from "../src/exports/format.ts";
import { withReading } from "../src/exports/read.ts";
import { withRecordLines } from "../src/exports/record-lines.ts";
import { said } from "../src/messages/said.ts";
import { KINDS, kinds } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";
import { runExportCommand } from "./export-command.ts";
import { exportPath, sealed, writeWhole } from "./export-file.ts";
import { demandKind } from "./kind-option.ts";
import { help } from "./words.ts";

export const exportCommand = defineCommand({
  meta: {
    name: "export",
    description: help("cli.help.export.about"),
  },
  args: {
    file: {
      type: "positional",
      required: true,
      description: help("cli.help.option.file"),
    },
    all: { type: "boolean", default: false, description: help("cli.help.export.all") },
    type: {
      type: "string",
      valueHint: "TYPE",
      description: help("cli.help.export_rdf.type", { types: KINDS.join(", ") }),
    },
    history: {
      type: "boolean",
      default: false,
      description: help("cli.help.export.history"),
    },
    json: { type: "boolean", default: false, description: help("cli.help.option.json_summary") },
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    if (args.all === (kind !== null)) throw new Refusal(said("cli.export.either"), 2);
    if (args.history && kind) throw new Refusal(said("cli.export.history"), 2);
    const path = await exportPath(args.file, kind ? kinds[kind].plural : "everything");
    return runExportCommand({ path, unit: "rows", json: args.json }, (services, report) =>
      kind
        ? withRecordLines(services, kind, ({ total, pages }) =>
            writeWhole(
              path,
              joined(pages, (lines) => report(lines, total)),
            ),
          )
        : withReading(services, args.history, ({ total, pages }) => {
            const header = headerLine(args.history, new Date());
            return writeWhole(
              path,
              sealed(header, pages, (lines) => report(lines, total)),
            );
          }),
    );
  },
});

async function* joined(pages: AsyncIterable<readonly string[]>, onLines: (count: number) => void) {
  let lines = 0;
  for await (const page of pages) {
    lines += page.length;
    yield `${page.join("\n")}\n`;
    onLines(lines);
  }
}
