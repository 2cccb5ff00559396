/** Reads records for a list of hits. What is shown follows what the reader may see now, whatever the index has. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import { type Kind, kinds, type Status } from "../kinds.ts";
import { bestEntry } from "../record.ts";
import type { Schema } from "../schema.ts";
import { visibleMetadata } from "../visibility.ts";
import { findNamed } from "./store.ts";

/** `lang`: language of the title (BCP 47), if known. */
export type ShownRecord = {
  id: string;
  record_type: Kind;
  subtype: string;
  idno: string;
  title: string;
  lang?: string;
  status: Status;
};

/** The records by id, without those deleted or hidden meanwhile. The title is in the best language; without a title, the idno. */
export async function readHits(
  sql: Sql,
  schema: Schema,
  reader: Caller,
  ids: readonly string[],
  languages: readonly string[],
): Promise<Map<string, ShownRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await findNamed(sql, reader, ids);
  return new Map(
    rows.map(({ id, record_type, subtype, idno, status, names }) => {
      const { titleField } = kinds[record_type];
      const metadata = visibleMetadata(schema, reader, record_type, names ? { [titleField]: names } : {});
      const { value: title, lang } = bestEntry(metadata[titleField], languages) ?? { value: idno };
      const marks = lang === undefined ? {} : { lang };
      return [id, { id, record_type, subtype, idno, title, ...marks, status }];
    }),
  );
}
