/** Rebuilds of the index: one of the two sets of tables answers, and the new index is built in the other. */
import type { SearchGenerations } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import type { FacetTerms } from "./facet-terms.ts";
import { FIRST_VALUES } from "./first-values.ts";
import { COUNTING, removeRows } from "./replace-rows.ts";
import { kindCode } from "./row-codes.ts";
import { countChange, otherTables, readState, tablesOf } from "./table-sets.ts";
import type { WordNumbers } from "./word-numbers.ts";
import { rowsOf, writeRows } from "./write-rows.ts";

/** The columns with a GIN index. */
const COLUMNS = ["words", "terms"] as const;

const TO_SERVER = { records: 300, atOnce: 6 };
/** The embedded database has only one session, so everybody waits for a batch. */
const TO_EMBEDDED = { records: 200, atOnce: 1 };

/** Rows copied in one transaction. Others use the session of the embedded database in between. */
const BATCH = 1_000;

export function databaseGenerations(
  sql: Sql,
  facetTerms: FacetTerms,
  numbers: WordNumbers,
  { isServer }: { isServer: boolean },
): SearchGenerations {
  const building = async () => otherTables((await readState(sql)).current);

  /**
   * Creating a GIN index for a full table is several times faster than filling it row by row, so a server drops the indexes
   * first. In the embedded database, creating one would block everybody for seconds. There, the indexes only collect more
   * rows before they sort them in.
   */
  async function loosenIndexes(): Promise<void> {
    const set = await building();
    for (const column of COLUMNS) {
      const index = sql(`search_rows_${set}_${column}`);
      if (isServer) await sql`drop index if exists ${index}`;
      else await sql`alter index if exists ${index} set (gin_pending_list_limit = 1024)`;
    }
  }

  async function tightenIndex(column: (typeof COLUMNS)[number]): Promise<void> {
    const set = await building();
    const index = `search_rows_${set}_${column}`;
    await sql.begin(async (tx) => {
      // with less memory it writes the same pages several times
      await tx`set local maintenance_work_mem = '256MB'`;
      await tx`
        create index if not exists ${tx(index)} on ${tx(`search_rows_${set}`)} using gin (${tx(column)})
        with (fastupdate = on, gin_pending_list_limit = 256)`;
      if (isServer) return;
      await tx`alter index ${tx(index)} set (gin_pending_list_limit = 256)`;
      await tx`select gin_clean_pending_list(${index}::regclass)`;
    });
  }

  const tightenIndexes = () => Promise.all(COLUMNS.map(tightenIndex));

  /** On a server, one statement makes all counts at the end. Writers wait for it, and from then on count their own changes. */
  async function countAll(): Promise<void> {
    const { rows, counts } = tablesOf(sql, await building());
    const who = sql`s.record_type, s.status, s.collection_status`;
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext(${COUNTING}))`;
      const [state] = await tx<
        { isUncounted: boolean }[]
      >`select is_uncounted as "isUncounted" from search_state`;
      if (!state!.isUncounted) return;
      await tx`delete from ${counts}`;
      await tx`
        insert into ${counts} (record_type, status, collection_status, term, n)
        select record_type, status, collection_status, term, count(*) from (
          select ${who}, 0 as term from ${rows} s
          union all
          select ${who}, t.term from ${rows} s, unnest(s.terms) t(term) where t.term <> 0
          union all
          select ${who}, f.term from ${rows} s,
            lateral (select distinct (x >> 24) << 24 as term from unnest(s.terms[${FIRST_VALUES + 1}:]) x) f
          where cardinality(s.terms) > ${FIRST_VALUES}) c
        group by 1, 2, 3, 4`;
      await tx`update search_state set is_uncounted = false`;
    });
  }

  async function truncateTables(): Promise<void> {
    const { rows, texts, ranges, counts } = tablesOf(sql, await building());
    await sql`truncate ${rows}, ${texts}, ${ranges}, ${counts} restart identity`;
  }

  return {
    async begin(kept) {
      await sql`update search_state set is_building = false`;
      await truncateTables();
      await loosenIndexes();
      if (kept.length > 0) await copyKinds(sql, kept.map(kindCode));
      await sql`update search_state set is_building = true, is_uncounted = ${isServer}`;
    },
    batch: isServer ? TO_SERVER : TO_EMBEDDED,
    isBuilding: async () => (await readState(sql)).isBuilding,
    async put(documents) {
      if (documents.length > 0)
        await writeRows(sql, await rowsOf(facetTerms, numbers, documents), await building());
    },
    async remove(ids) {
      await removeRows(sql, ids, await building());
    },
    async settle() {
      const { rows, texts, ranges, counts } = tablesOf(sql, await building());
      // without statistics, the planner would not know how large the new tables are
      const analyze = (table: typeof rows) => sql`analyze ${table}`;
      const counted = countAll().then(() => analyze(counts));
      await Promise.all([tightenIndexes(), counted, analyze(texts), analyze(ranges)]);
      await analyze(rows);
    },
    async swap() {
      await countAll();
      await sql.begin(async (tx) => {
        await tx`
          update search_state set is_building = false, generation = generation + 1,
            current = case current when 'a' then 'b'::"char" else 'a'::"char" end
          where is_building`;
        await countChange(tx);
      });
      // a search that still reads the old tables notices this and starts again
      await truncateTables();
    },
    async drop() {
      await sql`update search_state set is_building = false, is_uncounted = false`;
      await truncateTables();
      await tightenIndexes();
    },
  };
}

/** Copies the rows of kinds that are not rebuilt, and counts them. */
async function copyKinds(sql: Sql, codes: readonly string[]): Promise<void> {
  const { current } = await readState(sql);
  const from = tablesOf(sql, current);
  const to = tablesOf(sql, otherTables(current));
  for (let after: string | null = null; ; ) {
    const ids: { id: string }[] = await sql<{ id: string }[]>`
      select s.id from ${from.rows} s
      where s.record_type = any(${codes as string[]}::text[]::"char"[])
        and ${after === null ? sql`true` : sql`s.id > ${after}`}
      order by s.id limit ${BATCH}`;
    if (ids.length === 0) break;
    const batch = ids.map(({ id }) => id);
    await sql.begin(async (tx) => {
      await tx`set local synchronous_commit to off`;
      await tx`
        with copied as (
          insert into ${to.rows} (id, record_type, status, collection_status, terms, words)
          select id, record_type, status, collection_status, terms, words from ${from.rows} where id = any(${batch})
          order by id returning *),
        counted as (
          select c.record_type, c.status, c.collection_status, t.term
          from copied c cross join lateral (
            select 0 as term
            union select x from unnest(c.terms) x
            union select (x >> 24) << 24 from unnest(c.terms[${FIRST_VALUES + 1}:]) x) t)
        insert into ${to.counts} as c (record_type, status, collection_status, term, n)
        select record_type, status, collection_status, term, count(*) from counted group by 1, 2, 3, 4 order by 4, 1, 2, 3
        on conflict (term, record_type, status, collection_status) do update set n = c.n + excluded.n`;
      await tx`insert into ${to.texts} select * from ${from.texts} where id = any(${batch})`;
      await tx`insert into ${to.ranges} select * from ${from.ranges} where id = any(${batch})`;
    });
    after = batch.at(-1)!;
  }
}
