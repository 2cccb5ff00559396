/** Makes the keys by which lists sort, for records that have none yet: after an upgrade, or from an export. */
import type { Sql } from "../../services.ts";
import { numberKey, sortKey } from "../../text.ts";
import { vacuumAfter } from "./table-maintenance.ts";

/** Records per batch; other queries use the embedded database's only session in between. */
const BATCH = 200;

/** @param stopped whether to leave the rest to the next call */
export async function makeSortKeys(sql: Sql, stopped: () => boolean = () => false): Promise<void> {
  let made = 0;
  while (!stopped()) {
    const rows = await sql<{ id: string; idno: string; title: string }[]>`
      select id, idno, title from records where sort_idno = '' and purged_at is null order by id limit ${BATCH}`;
    if (rows.length === 0) break;
    const keys = rows.map((row) => ({
      ...row,
      sort_idno: numberKey(row.idno),
      sort_title: sortKey(row.title),
    }));
    // a record that is written meanwhile gets its keys from the writer
    await sql`
      update records r set sort_idno = x.sort_idno, sort_title = x.sort_title
      from json_to_recordset(${sql.json(keys)}::json) as x(id uuid, idno text, title text, sort_idno text, sort_title text)
      where r.id = x.id and r.sort_idno = '' and r.idno = x.idno and r.title = x.title`;
    made += rows.length;
  }
  await vacuumAfter(sql, "records", made);
}
