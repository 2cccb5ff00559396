/** svc-manage import-lido FILE: imports objects from LIDO, without a mapping. */
import { defineCommand } from "citty";
import { LIDO_RECORDS } from "../../src/imports/lido/lido.ts";
import { argument, meta } from "../terminal/options.ts";
import { ENDINGS, importArgs, runImportCommand } from "./command.ts";

export const importLido = defineCommand({
  meta: meta("import-lido", "cli.help.import_lido.about", { endings: ENDINGS }),
  args: {
    file: argument("cli.help.import_lido.file"),
    ...importArgs,
  },
  run({ args }) {
    const reading = { type: "object", mapping: "", record_xpath: LIDO_RECORDS, format: "lido" } as const;
    return runImportCommand({ ending: "xml", unit: "record" }, args, reading);
  },
});
