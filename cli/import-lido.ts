/** svc-manage import-lido FILE: objects from LIDO, without a mapping. */
import { defineCommand } from "citty";
import { OPERATOR } from "../src/caller.ts";
import { lidoReading } from "../src/imports/lido.ts";
import { ENDINGS, importArgs, runImportCommand } from "./import-command.ts";

export const importLido = defineCommand({
  meta: {
    name: "import-lido",
    description: `Import objects from a LIDO file

LIDO 1.0 and 1.1, files of any size. No mapping is needed: docs/aggregators.md says what goes into which
field. People, places, exhibitions and collections become linked records of their own. Existing ones are
found by their number in an authority file (GND, ULAN, VIAF, GeoNames, TGN, Wikidata), otherwise by number
and name. With --upsert-strategy merge or replace, existing ones also get the authority numbers, dates and
coordinates that they lack; their own values stay. If no term has the address of a concept, it becomes a term.

Refused records go to the rejects file, a LIDO file, each below a comment with its line and the reason.
After an interruption, run the same command again: it continues and imports nothing twice. If the file is
damaged, everything before that place is imported.

${ENDINGS}`,
  },
  args: {
    file: { type: "positional", required: true, description: "The LIDO file" },
    ...importArgs,
  },
  run: ({ args }) =>
    runImportCommand({ ending: "xml", unit: "record" }, args, (services) => lidoReading(services, OPERATOR)),
});
