/** svc-manage import-xml FILE --type TYPE --mapping MAPPING.json --record-xpath XPATH (contract §4.6, interface §8). */
import { defineCommand } from "citty";
import { ENDINGS, importArgs, mappedArgs, mappedReading, runImportCommand } from "./import-command.ts";

export const importXml = defineCommand({
  meta: {
    name: "import-xml",
    description: `Import records from an XML file through a JSON mapping

The keys of the mapping are XPaths, evaluated for each record. Names with a namespace are written {uri}name. Files may
have any size if --record-xpath is a path of names, such as /list/item, //{http://www.lido-schema.org}lido or /*/*; for
any other XPath, up to 32 million characters. Entities and DTDs are refused. A value has the language of its xml:lang,
unless the mapping gives one.

Refused records go to the rejects file, an XML file of the same form, each below a comment with its line and the reason:
correct them there and import that file. After an interruption, run the same command again: it continues and imports
nothing twice. If the file is damaged, everything before that place is imported.

${ENDINGS}`,
  },
  args: {
    file: { type: "positional", required: true, description: "The XML file" },
    ...mappedArgs,
    ...importArgs,
    "record-xpath": {
      type: "string",
      required: true,
      valueHint: "XPATH",
      description: "XPath that selects the records",
    },
    "media-selector": {
      type: "string",
      valueHint: "XPATH",
      description: "XPath, on a record, of the names of its media files (objects)",
    },
  },
  async run({ args }) {
    const reading = { ...(await mappedReading(args)), recordXPath: args["record-xpath"] };
    return runImportCommand({ ending: "xml", unit: "record" }, args, reading);
  },
});
