/** What a process reads of the index to hold it in its memory (`mirror.ts`), packed by the database. */
import type { Sql } from "../../services.ts";
import type { Asked } from "./copy.ts";
import { overlaps } from "./scope.ts";
import { SLOTS } from "./slots.ts";
import type { Tables } from "./state.ts";

/** Who and what each record is, packed as `Copy` takes it; null when there are more than so many. */
export async function readRecordsOf(
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
    field > SLOTS
      ? sql``
      : sql`select s.no, s.terms[${field}] as term from ${rows} s where s.terms[${field}] <> 0 union all`;
  const [all] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(x.no) || int4send(x.term), '') as packed from (
      ${first}
      select s.no, t.term from ${rows} s, unnest(s.terms[${SLOTS + 1}:]) t(term)
      where cardinality(s.terms) > ${SLOTS} and t.term >> 24 = ${field}) x`;
  return all!.packed ?? new Uint8Array();
}

/** Numbers of the rows, which begin with 1; below zero where the row is among `some` as well. */
export async function readSet(sql: Sql, { rows }: Tables, all: Asked, some?: Asked): Promise<Uint8Array> {
  const met = ({ of, numbers }: Asked) =>
    of === "words" ? overlaps(sql, numbers) : sql`s.terms && ${numbers as number[]}::int[]`;
  const number = some ? sql`case when ${met(some)} then -s.no else s.no end` : sql`s.no`;
  const [read] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(${number}), '') as packed from ${rows} s where ${met(all)}`;
  return read!.packed ?? new Uint8Array();
}
