/** Copies a record, to be edited into a similar one. */
import { type Account, demandAction } from "../../caller.ts";
import type { Services } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { addRelationIn, listRelations, type RelationJson } from "../links/relations.ts";
import type { RecordRow } from "../record.ts";
import { schemaToWriteBy } from "../schema.ts";
import { visibleMetadata } from "../visibility.ts";
import { createRecordIn, demandRecord, retryWhenNumberTaken } from "./write.ts";

/** Links that are read together. */
const PART = 500;

/**
 * Creates a draft with the fields that the caller may see, and the next number. Media are not copied. @param
 * withLinks copies the relations that start from it, too
 */
export async function duplicateRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  withLinks: boolean,
): Promise<RecordRow> {
  demandAction(caller, "create", kind);
  const copy = await retryWhenNumberTaken(() =>
    services.sql.begin(async (tx) => {
      const schema = await schemaToWriteBy(services.sql, tx);
      const row = await demandRecord(tx, caller, kind, id, null);
      const { subtype, lat, lon, parent_id, start_date, end_date, due_date } = row;
      const made = await createRecordIn(tx, services, caller, kind, {
        ...{ subtype, lat, lon, parent_id, start_date, end_date, due_date },
        metadata: visibleMetadata(schema, caller, kind, row.metadata),
      });
      if (!withLinks) return made;
      const links: RelationJson[] = [];
      for (let total = 1; links.length < total; ) {
        const page = { limit: PART, offset: links.length };
        const found = await listRelations(tx, caller, schema, row, page);
        links.push(...found.items);
        total = found.items.length === 0 ? 0 : found.total;
      }
      for (const { relation_type, to_type, to_id, metadata_ } of links) {
        // relations that lead here belong to the other records
        if (!schema.relationTypes.has(relation_type)) continue;
        const wish = { relation_type, to_type, to_id, metadata_ };
        await addRelationIn(tx, services, caller, { kind, id: made.id }, wish, null);
      }
      return made;
    }),
  );
  await services.changed([copy.id]);
  return copy;
}
