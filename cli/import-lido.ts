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
field. People, places, exhibitions and collections become records of their own, linked to the objects;
those that are there already are found by what authority files call them (GND, ULAN, VIAF, GeoNames,
TGN, Wikidata), else by number and name. With --upsert-strategy merge or replace these are given what
they lack (numbers of authorities, dates, coordinates); nothing of theirs is replaced. Concepts with an
address that no term has become terms.

Records that are refused go to the rejects file, a LIDO file, each below a comment with its line and the
reason. Interrupted, run the same command again: it goes on, nothing is doubled. A file that is broken
somewhere is imported up to there.

${ENDINGS}`,
  },
  args: {
    file: { type: "positional", required: true, description: "The LIDO file" },
    ...importArgs,
  },
  run: ({ args }) =>
    runImportCommand({ ending: "xml", unit: "record" }, args, (services) => lidoReading(services, OPERATOR)),
});
