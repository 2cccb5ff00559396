/** Records as search shows them: what the reader may see of them now, whatever the index says. */
import type { Caller } from "../caller.ts";
import { type Kind, kinds, type Status } from "../records/kinds.ts";
import { bestEntry } from "../records/record.ts";
import type { Schema } from "../records/schema.ts";
import { findNamed } from "../records/store.ts";
import { visibleMetadata } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

/** `lang`: of the title, where it is known (BCP 47). */
export type ShownRecord = {
  id: string;
  record_type: Kind;
  subtype: string;
  idno: string;
  title: string;
  lang?: string;
  status: Status;
};

/** By their ids; what vanished or was hidden meanwhile is not there. The title is in the best language, else the idno. */
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
