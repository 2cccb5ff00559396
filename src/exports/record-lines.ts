/** The records of one type as lines for `POST /v1/<plural>/bulk`, without ids and times, which that assigns. */
import { OPERATOR } from "../caller.ts";
import type { Kind } from "../records/kinds.ts";
import { recordColumns } from "../records/read/store.ts";
import { type RecordRow, recordJson } from "../records/record.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { fromOneMoment, type Reading } from "./read.ts";

const PAGE = 500;

export async function withRecordLines<T>(
  services: Services,
  kind: Kind,
  use: (reading: Reading) => Promise<T>,
): Promise<T> {
  return fromOneMoment(services, async (handle) =>
    use({ total: await countRecords(handle, kind), pages: pagesOf(handle, kind) }),
  );
}

async function* pagesOf(sql: Sql | Tx, kind: Kind): AsyncIterable<string[]> {
  let after: string | null = null;
  for (;;) {
    const rows: RecordRow[] = await readRecords(sql, kind, after);
    if (rows.length > 0) yield rows.map((row) => JSON.stringify(lineOf(row)));
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

function lineOf(row: RecordRow): Record<string, unknown> {
  const { id: _id, created_at: _made, updated_at: _changed, ...own } = recordJson(row, row.metadata);
  return own;
}

async function readRecords(sql: Sql | Tx, kind: Kind, after: string | null): Promise<RecordRow[]> {
  return sql<RecordRow[]>`
    select ${recordColumns(sql)} from records r
    where r.record_type = ${kind} and ${visibleTo(sql, OPERATOR)}
      ${after === null ? sql`` : sql`and r.id > ${after}`}
    order by r.id limit ${PAGE}`;
}

async function countRecords(sql: Sql | Tx, kind: Kind): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::float8 as n from records r where r.record_type = ${kind} and r.deleted_at is null`;
  return row!.n;
}
