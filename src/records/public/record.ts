/** One record for its page and its manifest. */
import { type Caller, VISITOR } from "../../caller.ts";
import type { Services } from "../../services.ts";
import { type Kind, kinds } from "../kinds.ts";
import { type FoundRecord, findRecord } from "../read/store.ts";
import type { Entry, Metadata } from "../record.ts";
import { currentSchema, type Schema } from "../schema.ts";
import { visibleMetadata } from "../visibility.ts";

/** Staff may see more records than visitors, but get the same values. */
type PublicRecord = {
  row: FoundRecord;
  schema: Schema;
  titles: readonly Entry[];
  /** All but the titles. */
  values: Metadata;
  /** The persistent address, if there is one. */
  ark: string | null;
};

/** Null if the reader may not see it. */
export async function publicRecord(
  { sql, arks }: Pick<Services, "sql" | "arks">,
  reader: Caller,
  kind: Kind,
  id: string,
): Promise<PublicRecord | null> {
  const [row, names] = await Promise.all([findRecord(sql, reader, kind, id), arks.of(sql, [id])]);
  if (!row) return null;
  const schema = await currentSchema(sql, row.configuration_version);
  const { [kinds[kind].titleField]: titles = [], ...values } = visibleMetadata(
    schema,
    VISITOR,
    kind,
    row.metadata,
  );
  return { row, schema, titles, values, ark: names.get(id)?.url ?? null };
}
