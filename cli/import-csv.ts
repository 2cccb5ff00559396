/** svc-manage import-csv FILE --type TYPE --mapping MAPPING.json (contract §4.6, interface §8). */
import { defineCommand } from "citty";
import { ENDINGS, importArgs, mappedArgs, mappedReading, runImportCommand } from "./import-command.ts";

export const importCsv = defineCommand({
  meta: {
    name: "import-csv",
    description: `Import records from a CSV file through a JSON mapping

Encoding, delimiter and line ends are detected. Refused rows go to the rejects file with their line and the reason:
correct them there and import that file. After an interruption, run the same command again: it continues and imports
nothing twice.

In a row with fewer cells than the header, the others count as empty; the report counts such rows. They are refused
with another --upsert-strategy than skip (the default), in a rejects file and after a broken row. In the mapping, a
column without a name is called \`column 3 (no name)\`.

${ENDINGS}`,
  },
  args: {
    file: { type: "positional", required: true, description: "The CSV file" },
    ...mappedArgs,
    ...importArgs,
    "media-selector": {
      type: "string",
      valueHint: "COLUMN",
      description: "Column that names media files (objects)",
    },
    delimiter: {
      type: "string",
      valueHint: "CHAR",
      description: "Delimiter of the file (default: detected)",
    },
  },
  async run({ args }) {
    const reading = { ...(await mappedReading(args)), delimiter: args.delimiter };
    return runImportCommand({ ending: "csv", unit: "row" }, args, reading);
  },
});
