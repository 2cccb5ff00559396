/** When a new program makes other words or documents than the last one, the search index is rebuilt once, while it is in use. */
import { SEARCH_TARGET } from "../ports/search-index.ts";
import type { Sql } from "../services.ts";
import { enqueueReindex } from "./enqueue-reindex.ts";

/** Raise this when records get other words (`text.ts`) or documents (`document.ts`) than before. */
const EDITION = 4;

/** Notes that this program built the index. */
export async function noteEdition(sql: Sql): Promise<void> {
  await sql`update projections set edition = ${EDITION} where target = ${SEARCH_TARGET}`;
}

/** Runs at the start. */
export async function followEdition(sql: Sql): Promise<void> {
  const [state] = await sql<{ edition: number; is_empty: boolean }[]>`
    select edition, not exists (select 1 from records) as is_empty from projections where target = ${SEARCH_TARGET}`;
  if (state!.edition >= EDITION) return;
  if (state!.is_empty) await noteEdition(sql);
  else await enqueueReindex(sql, null, null);
}
