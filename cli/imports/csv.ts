/** svc-manage import-csv FILE --type TYPE --mapping MAPPING.json (contract §4.6, interface §8). */
import { defineCommand } from "citty";
import { argument, meta, option } from "../terminal/options.ts";
import { ENDINGS, importArgs, mappedArgs, mappedReading, runImportCommand } from "./command.ts";

export const importCsv = defineCommand({
  meta: meta("import-csv", "cli.help.import_csv.about", { endings: ENDINGS }),
  args: {
    file: argument("cli.help.import_csv.file"),
    ...mappedArgs,
    ...importArgs,
    "media-selector": option("COLUMN", "cli.help.import_csv.media_selector"),
    delimiter: option("CHAR", "cli.help.import_csv.delimiter"),
  },
  async run({ args }) {
    const reading = { ...(await mappedReading(args)), delimiter: args.delimiter };
    return runImportCommand({ ending: "csv", unit: "row" }, args, reading);
  },
});
