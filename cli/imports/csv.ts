/** svc-manage import-csv FILE --type TYPE --mapping MAPPING.json (contract §4.6, interface §8). */
import { defineCommand } from "citty";
import { help } from "../terminal/words.ts";
import { ENDINGS, importArgs, mappedArgs, mappedReading, runImportCommand } from "./command.ts";

export const importCsv = defineCommand({
  meta: {
    name: "import-csv",
    description: help("cli.help.import_csv.about", { endings: ENDINGS }),
  },
  args: {
    file: { type: "positional", required: true, description: help("cli.help.import_csv.file") },
    ...mappedArgs,
    ...importArgs,
    "media-selector": {
      type: "string",
      valueHint: "COLUMN",
      description: help("cli.help.import_csv.media_selector"),
    },
    delimiter: {
      type: "string",
      valueHint: "CHAR",
      description: help("cli.help.import_csv.delimiter"),
    },
  },
  async run({ args }) {
    const reading = { ...(await mappedReading(args)), delimiter: args.delimiter };
    return runImportCommand({ ending: "csv", unit: "row" }, args, reading);
  },
});
