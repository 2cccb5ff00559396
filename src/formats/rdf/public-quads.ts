/** All public records as N-Quads, one named graph per record, in batches that fit into memory. */
import type { Kind } from "../../records/kinds.ts";
import { publicIdPages } from "../../records/public/ids.ts";
import { loadPublic, type ReaderServices } from "../../records/public/load.ts";
import { graphName } from "../iris.ts";
import { graphOf } from "./map.ts";
import { nQuads } from "./syntax/n-quads.ts";

/**
 * The list of records is also read in batches, in the order of ids. Large batches are faster, small ones leave more
 * time for other requests in this process.
 */
export async function* publicQuads(
  services: ReaderServices,
  kind: Kind,
  batch: number,
): AsyncGenerator<{ records: number; text: string }> {
  for await (const ids of publicIdPages(services.sql, kind, batch)) {
    const { around, records } = await loadPublic(services, ids);
    const texts = records.map((record) =>
      nQuads(graphOf(around, record), graphName(record.row.record_type, record.row.id)),
    );
    yield { records: records.length, text: texts.join("") };
  }
}
