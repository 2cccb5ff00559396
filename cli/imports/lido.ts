/** svc-manage import-lido FILE: objects from LIDO, without a mapping. */
import { defineCommand } from "citty";
import { LIDO_RECORDS } from "../../src/imports/lido/lido.ts";
import { help } from "../terminal/words.ts";
import { ENDINGS, importArgs, runImportCommand } from "./command.ts";

export const importLido = defineCommand({
  meta: {
    name: "import-lido",
    description: help("cli.help.import_lido.about", { endings: ENDINGS }),
  },
  args: {
    file: { type: "positional", required: true, description: help("cli.help.import_lido.file") },
    ...importArgs,
  },
  run({ args }) {
    const reading = { type: "object", mapping: "", record_xpath: LIDO_RECORDS, format: "lido" } as const;
    return runImportCommand({ ending: "xml", unit: "record" }, args, reading);
  },
});
