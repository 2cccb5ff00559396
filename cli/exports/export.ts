/** svc-manage export FILE --all | --type TYPE: writes the catalogue, or one record type, to a file that can be imported. */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import { KINDS, kinds } from "../../src/records/kinds.ts";
import { Refusal } from "../../src/refusal.ts";
import { demandKind } from "../terminal/one-of.ts";
import { argument, flag, meta, option } from "../terminal/options.ts";
import { runExportCommand } from "./command.ts";
import { exportPath } from "./file.ts";

export const exportCommand = defineCommand({
  meta: meta("export", "cli.help.export.about"),
  args: {
    file: argument("cli.help.option.file"),
    all: flag("cli.help.export.all"),
    type: option("TYPE", "cli.help.export_rdf.type", { types: KINDS.join(", ") }),
    history: flag("cli.help.export.history"),
    json: flag("cli.help.option.json_summary"),
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    if (args.all === (kind !== null)) throw new Refusal(said("cli.export.either"), 2);
    if (args.history && kind) throw new Refusal(said("cli.export.history"), 2);
    const path = await exportPath(args.file, kind ? kinds[kind].plural : "everything");
    const { history, json } = args;
    return runExportCommand({ path, unit: "rows", isSealed: args.all, json }, (door, onEvent) =>
      kind
        ? door.call("export-records", { kind }, { onEvent })
        : door.call("export", { history }, { onEvent }),
    );
  },
});
