/** The import options for LIDO files, which need no mapping. */
import { type Account, mayUse } from "../../caller.ts";
import type { Services } from "../../services.ts";
import { adoptTerms } from "../../vocabularies/terms/write.ts";
import type { ImportOptions } from "../options.ts";
import { lidoMapping, readLidoContext } from "./context.ts";
import { readLido } from "./row.ts";
import { LIDO } from "./xml.ts";

type LidoReading = Pick<ImportOptions, "kind" | "mapping" | "readRecord" | "beforeBatch"> & {
  recordXPath: string;
};

export const LIDO_RECORDS = `//{${LIDO}}lido`;

/** Uses the current fields, vocabularies and relation types of this catalogue. */
export async function lidoReading(
  services: Pick<Services, "sql" | "config">,
  caller: Account,
): Promise<LidoReading> {
  const known = await readLidoContext(services, mayUse(caller, "schemas:manage"));
  return {
    kind: "object",
    mapping: lidoMapping(known),
    recordXPath: LIDO_RECORDS,
    readRecord: (element, lang) => readLido(known, element, lang),
    beforeBatch: () => adoptTerms(services.sql, known.newTerms.splice(0)),
  };
}
