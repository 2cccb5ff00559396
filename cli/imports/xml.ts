/** svc-manage import-xml FILE --type TYPE --mapping MAPPING.json --record-xpath XPATH (contract §4.6, interface §8). */
import { defineCommand } from "citty";
import { help } from "../terminal/words.ts";
import { ENDINGS, importArgs, mappedArgs, mappedReading, runImportCommand } from "./command.ts";

export const importXml = defineCommand({
  meta: {
    name: "import-xml",
    description: help("cli.help.import_xml.about", { endings: ENDINGS }),
  },
  args: {
    file: { type: "positional", required: true, description: help("cli.help.import_xml.file") },
    ...mappedArgs,
    ...importArgs,
    "record-xpath": {
      type: "string",
      required: true,
      valueHint: "XPATH",
      description: help("cli.help.import_xml.record_xpath"),
    },
    "media-selector": {
      type: "string",
      valueHint: "XPATH",
      description: help("cli.help.import_xml.media_selector"),
    },
  },
  async run({ args }) {
    const reading = { ...(await mappedReading(args)), record_xpath: args["record-xpath"] };
    return runImportCommand({ ending: "xml", unit: "record" }, args, reading);
  },
});
