/** svc-manage import-xml FILE --type TYPE --mapping MAPPING.json --record-xpath XPATH (contract §4.6, interface §8). */
import { defineCommand } from "citty";
import { argument, meta, option } from "../terminal/options.ts";
import { ENDINGS, importArgs, mappedArgs, mappedReading, runImportCommand } from "./command.ts";

export const importXml = defineCommand({
  meta: meta("import-xml", "cli.help.import_xml.about", { endings: ENDINGS }),
  args: {
    file: argument("cli.help.import_xml.file"),
    ...mappedArgs,
    ...importArgs,
    "record-xpath": { ...option("XPATH", "cli.help.import_xml.record_xpath"), required: true },
    "media-selector": option("XPATH", "cli.help.import_xml.media_selector"),
  },
  async run({ args }) {
    const reading = { ...(await mappedReading(args)), record_xpath: args["record-xpath"] };
    return runImportCommand({ ending: "xml", unit: "record" }, args, reading);
  },
});
