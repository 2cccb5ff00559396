/** All public records as N-Quads, one named graph per record, in batches that fit into memory. */
import { VISITOR } from "../caller.ts";
import type { Kind } from "../records/kinds.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";
import { nQuads } from "./formats/n-quads.ts";
import { graphName } from "./iris.ts";
import { type GraphServices, loadForGraphs } from "./load.ts";
import { graphOf } from "./map.ts";

/**
 * The list of records is also read in batches, in the order of ids. Large batches are faster, small ones leave more
 * time for other requests in this process.
 */
export async function* publicQuads(
  services: GraphServices,
  kind: Kind,
  batch: number,
): AsyncGenerator<{ records: number; text: string }> {
  for await (const ids of publicIdPages(services.sql, kind, batch)) {
    const { around, records } = await loadForGraphs(services, ids);
    const texts = records.map((record) =>
      nQuads(graphOf(around, record), graphName(record.row.record_type, record.row.id)),
    );
    yield { records: records.length, text: texts.join("") };
  }
}

/** The ids of all public records of a kind, in their order. */
export async function* publicIdPages(sql: Sql, kind: Kind, batch: number): AsyncGenerator<string[]> {
  for (let after: string | null = null; ; ) {
    const ids: string[] = await publicIds(sql, kind, after, batch);
    if (ids.length > 0) yield ids;
    if (ids.length < batch) return;
    after = ids.at(-1)!;
  }
}

async function publicIds(sql: Sql, kind: Kind, after: string | null, batch: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from records r
    where r.record_type = ${kind} and ${visibleTo(sql, VISITOR)}
      ${after === null ? sql`` : sql`and r.id > ${after}`}
    order by r.id limit ${batch}`;
  return rows.map(({ id }) => id);
}
