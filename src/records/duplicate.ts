/** Another record like this one, to be changed into what is really there. */
import { type Account, demandAction } from "../caller.ts";
import type { Services } from "../services.ts";
import type { Kind } from "./kinds.ts";
import type { RecordRow } from "./record.ts";
import { addRelationIn, listRelations } from "./relations.ts";
import { schemaToWriteBy } from "./schema.ts";
import { visibleMetadata } from "./visibility.ts";
import { createRecordIn, demandRecord, untilNumbered } from "./write.ts";

/** Links that are copied; nothing has more that anybody would want twice. */
const MOST_LINKS = 500;

/**
 * Makes a draft with the fields of this record that the caller sees, and the next number. Media stay where they are.
 * @param withLinks also those that lead away from it
 */
export async function duplicateRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  withLinks: boolean,
): Promise<RecordRow> {
  demandAction(caller, "create", kind);
  const copy = await untilNumbered(() =>
    services.sql.begin(async (tx) => {
      const schema = await schemaToWriteBy(services.sql, tx);
      const row = await demandRecord(tx, caller, kind, id, null);
      const { subtype, lat, lon, parent_id, start_date, end_date, due_date } = row;
      const made = await createRecordIn(tx, services, caller, kind, {
        ...{ subtype, lat, lon, parent_id, start_date, end_date, due_date },
        metadata: visibleMetadata(schema, caller, kind, row.metadata),
      });
      if (!withLinks) return made;
      const { items } = await listRelations(tx, caller, schema, row, { limit: MOST_LINKS, offset: 0 });
      for (const { relation_type, to_type, to_id, metadata_ } of items) {
        // those that lead here belong to the others
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
