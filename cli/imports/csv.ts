/** svc-manage import-csv FILE --type TYPE --mapping MAPPING.json (contract §4.6, interface §8). */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
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
    sheet: option("NAME", "cli.help.import_csv.sheet"),
    "header-row": option("NUMBER", "cli.help.import_csv.header_row"),
  },
  async run({ args }) {
    const reading = {
      ...(await mappedReading(args)),
      delimiter: args.delimiter,
      sheet: args.sheet,
      header_row: rowOf(args["header-row"]),
    };
    return runImportCommand({ ending: "csv", unit: "row" }, args, reading);
  },
});

function rowOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const row = Number(value);
  if (Number.isInteger(row) && row >= 1 && row <= 1_048_576) return row;
  throw new Refusal(said("cli.import.header_row", { value }), 2);
}
