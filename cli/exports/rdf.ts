/** svc-manage export-rdf FILE [--type TYPE]: writes all public records as linked data to one file. */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import { kinds, PUBLIC_KINDS } from "../../src/records/kinds.ts";
import { Refusal } from "../../src/refusal.ts";
import { demandKind } from "../terminal/one-of.ts";
import { argument, flag, meta, option } from "../terminal/options.ts";
import { runExportCommand } from "./command.ts";
import { exportPath } from "./file.ts";

export const exportRdf = defineCommand({
  meta: meta("export-rdf", "cli.help.export_rdf.about"),
  args: {
    file: argument("cli.help.option.file"),
    type: option("TYPE", "cli.help.export_rdf.type", { types: PUBLIC_KINDS.join(", ") }),
    json: flag("cli.help.option.json_summary"),
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    if (kind !== null && !PUBLIC_KINDS.includes(kind))
      throw new Refusal(said("cli.export.never_public", { known: PUBLIC_KINDS.join(", ") }), 2);
    const path = await exportPath(args.file, kind === null ? "everything" : kinds[kind].plural, "nq");
    return runExportCommand({ path, unit: "records", json: args.json }, (door, onEvent) =>
      door.call("export-rdf", { kind }, { onEvent }),
    );
  },
});
