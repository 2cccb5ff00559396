/**
 * Makes a million records out of some ten thousand by copying each with new numbers, in the records and in the index.
 */
import { readState } from "../../src/adapters/search/tables/table-sets.ts";
import { type Ground, pace } from "./ground.ts";

/** Answers the new number of records. */
export async function multiply({ services: { sql } }: Ground, wanted: number): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from records`;
  const times = Math.ceil(wanted / row!.n) - 1;
  const begun = performance.now();
  const { current } = await readState(sql);
  const place = (table: string) => `search_${table}_${current}`;
  const indexes = await sql<{ name: string; made: string }[]>`
    select indexname as name, indexdef as made from pg_indexes
    where tablename = ${place("rows")} and indexdef like '%gin%'`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  const columns = `record_type, subtype, status, collection_status, metadata, title, sort_title, created_at, updated_at, published_at`;
  for (let copy = 1; copy <= times; copy++) {
    const id = `md5(id::text || '${copy}')::uuid`;
    await sql.unsafe(`
      insert into records (id, idno, ${columns})
      select ${id}, idno || '/${copy}', ${columns} from records where idno !~ '/[0-9]+$'`);
    for (const [table, rest] of [
      ["rows", "record_type, status, collection_status, terms, words"],
      ["texts", "words"],
      ["ranges", "field_no, low, high"],
    ]) {
      await sql.unsafe(`
        insert into ${place(table!)} (id, ${rest}) select ${id}, ${rest} from ${place(table!)}
        where id in (select id from records where idno !~ '/[0-9]+$')`);
    }
  }
  for (const { made } of indexes) await sql.unsafe(made);
  await sql`vacuum analyze records`;
  for (const table of ["rows", "texts", "ranges"]) await sql`vacuum analyze ${sql(place(table))}`;
  await sql`update search_changes set n = n + 1`;
  await sql`update search_state set generation = generation + 1`;
  const records = row!.n * (times + 1);
  console.log(
    `${records} records made of ${row!.n} in ${((performance.now() - begun) / 1000).toFixed(0)} s (pace ${pace().toFixed(0)} ms)`,
  );
  return records;
}
