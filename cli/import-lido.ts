/** svc-manage import-lido FILE: objects from LIDO, without a mapping. */
import { defineCommand } from "citty";
import { OPERATOR } from "../src/caller.ts";
import { lidoReading } from "../src/imports/lido.ts";
import { ENDINGS, importArgs, runImportCommand } from "./import-command.ts";
import { help } from "./words.ts";

export const importLido = defineCommand({
  meta: {
    name: "import-lido",
    description: help("cli.help.import_lido.about", { endings: ENDINGS }),
  },
  args: {
    file: { type: "positional", required: true, description: help("cli.help.import_lido.file") },
    ...importArgs,
  },
  run: ({ args }) =>
    runImportCommand({ ending: "xml", unit: "record" }, args, (services) => lidoReading(services, OPERATOR)),
});
