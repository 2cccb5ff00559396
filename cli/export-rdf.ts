/** svc-manage export-rdf FILE [--type TYPE]: all public records as linked data, in one file. */
import { defineCommand } from "citty";
import { publicQuads } from "../src/linked-data/bulk-export.ts";
import { said } from "../src/messages/said.ts";
import { type Kind, kinds, PUBLIC_KINDS } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { runExportCommand } from "./export-command.ts";
import { exportPath, writeWhole } from "./export-file.ts";
import { demandKind } from "./kind-option.ts";

const BATCH = 500;

export const exportRdf = defineCommand({
  meta: {
    name: "export-rdf",
    description: `Write all public records into a file of linked data

CIDOC CRM and LRMoo as N-Quads, one named graph per record (urn:svc:graph:<type>:<uuid>), with what visitors see. The
file is compressed if its name ends in .gz. Until it is complete it has another name. Works while the service
runs; each record is exported as it is when it is read. Addresses begin with SVC_BASE_URL.`,
  },
  args: {
    file: {
      type: "positional",
      required: true,
      description: "The file, or a directory for a file named after the time",
    },
    type: {
      type: "string",
      valueHint: "TYPE",
      description: `Records of one type: ${PUBLIC_KINDS.join(", ")}`,
    },
    json: { type: "boolean", default: false, description: "Print the summary as JSON, and nothing else" },
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    if (kind !== null && !PUBLIC_KINDS.includes(kind))
      throw new Refusal(said("cli.export.never_public", { known: PUBLIC_KINDS.join(", ") }), 2);
    const chosen = kind === null ? PUBLIC_KINDS : [kind];
    const path = await exportPath(args.file, kind === null ? "everything" : kinds[kind].plural, "nq");
    return runExportCommand({ path, unit: "records", json: args.json }, (services, report) =>
      writeWhole(path, textsOf(services, chosen, report)),
    );
  },
});

async function* textsOf(
  services: Services,
  chosen: readonly Kind[],
  report: (count: number) => void,
): AsyncIterable<string> {
  let written = 0;
  for (const kind of chosen) {
    for await (const { records, text } of publicQuads(services, kind, BATCH)) {
      yield text;
      written += records;
      report(written);
    }
  }
}
