/** Imports from LIDO: options that say how its records are read. */
import type { Services } from "../services.ts";
import { lidoMapping, readLidoKnown } from "./lido-known.ts";
import { readLido } from "./lido-row.ts";
import { LIDO } from "./lido-xml.ts";
import type { ImportOptions } from "./options.ts";

type LidoReading = Pick<ImportOptions, "kind" | "mapping" | "recordXPath" | "read">;

/** By the fields, words and relation types that this catalogue has now. */
export async function lidoReading(services: Pick<Services, "sql" | "config">): Promise<LidoReading> {
  const known = await readLidoKnown(services);
  return {
    kind: "object",
    mapping: lidoMapping(known),
    recordXPath: `//{${LIDO}}lido`,
    read: (element, lang) => readLido(known, element, lang),
  };
}
