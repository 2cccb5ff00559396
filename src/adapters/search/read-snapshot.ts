/** Reads parts of the index for the snapshot in memory. The database packs each part into one value. */
import type { Sql } from "../../services.ts";
import { FIRST_VALUES } from "./first-values.ts";
import { overlaps } from "./scope.ts";
import type { SetName } from "./snapshot.ts";
import type { Tables } from "./table-sets.ts";

/** All records, in the format of the constructor of `Snapshot`; null if there are more than `most`. */
export async function readRecords(
  sql: Sql,
  { rows, counts }: Tables,
  most: number,
): Promise<Uint8Array | null> {
  const [size] = await sql<{ n: number }[]>`
    select coalesce(sum(n), 0)::int as n from ${counts} where term = 0`;
  if (size!.n > most) return null;
  const [all] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(no) || uuid_send(id) || charsend(record_type) || charsend(status)
      || charsend(collection_status), '' order by id) as packed
    from ${rows}`;
  return all!.packed ?? new Uint8Array();
}

export async function readColumn(sql: Sql, { rows }: Tables, field: number): Promise<Uint8Array> {
  const first =
    field > FIRST_VALUES
      ? sql``
      : sql`select s.no, s.terms[${field}] as term from ${rows} s where s.terms[${field}] <> 0 union all`;
  const [all] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(x.no) || int4send(x.term), '') as packed from (
      ${first}
      select s.no, t.term from ${rows} s, unnest(s.terms[${FIRST_VALUES + 1}:]) t(term)
      where cardinality(s.terms) > ${FIRST_VALUES} and t.term >> 24 = ${field}) x`;
  return all!.packed ?? new Uint8Array();
}

/** Numbers of the rows in `all`, packed; negative if the row is also in `some`. */
export async function readSet(sql: Sql, { rows }: Tables, all: SetName, some?: SetName): Promise<Uint8Array> {
  const isMet = ({ of, numbers }: SetName) =>
    of === "words" ? overlaps(sql, numbers) : sql`s.terms && ${numbers as number[]}::int[]`;
  const number = some ? sql`case when ${isMet(some)} then -s.no else s.no end` : sql`s.no`;
  const [read] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(${number}), '') as packed from ${rows} s where ${isMet(all)}`;
  return read!.packed ?? new Uint8Array();
}
