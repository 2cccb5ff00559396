/** Reads records for a list of hits. What is shown follows what the reader may see now, whatever the index has. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import { bestEntry, type RecordRow } from "../record.ts";
import type { Schema } from "../schema.ts";
import { findNamed, type NamedRecord } from "./neighbours.ts";

/** `lang`: language of the title (BCP 47), if known. */
export type ShownRecord = Pick<RecordRow, "id" | "record_type" | "subtype" | "idno" | "title" | "status"> & {
  lang?: string;
};

/** The records by id, without those deleted or hidden meanwhile. */
export async function readHits(
  sql: Sql,
  schema: Schema,
  reader: Caller,
  ids: readonly string[],
  languages: readonly string[],
): Promise<Map<string, ShownRecord>> {
  const named = await findNamed(sql, schema, reader, ids);
  return new Map([...named].map(([id, record]) => [id, shownAs(record, languages)]));
}

/** With the title in the best language; without a title, the idno. */
export function shownAs(record: NamedRecord, languages: readonly string[]): ShownRecord {
  const { id, record_type, subtype, idno, status, names } = record;
  const { value: title, lang } = bestEntry(names, languages) ?? { value: idno };
  return { id, record_type, subtype, idno, title, ...(lang === undefined ? {} : { lang }), status };
}
