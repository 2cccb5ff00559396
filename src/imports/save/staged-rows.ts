/**
 * The rows of an import, in tables of their own. The file is read into them once. They answer what a row must know about others:
 * whether the file has a row for a number or title, which rows repeat a number, and which links wait for later rows. Backups
 * leave these tables out, and their rows are deleted when the import ends.
 */
import { newId } from "../../ids.ts";
import type { DescribedEnd } from "../../records/batch/described-ends.ts";
import type { Kind } from "../../records/kinds.ts";
import { vacuumAfter } from "../../records/write/table-maintenance.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import type { ImportRow, MappedRow } from "../mapping/mapped-row.ts";
import { LISTED } from "../report/counts.ts";

/**
 * A row with its place among the rows of the file, from 1. `mapped`: what the mapping makes of it. `isRepeated`: an earlier row says
 * the same of its record.
 */
export type StagedRow = { number: number; row: ImportRow; mapped: MappedRow; isRepeated?: boolean };

/** A name that a row gives with a number of an authority file, and the record that the row describes with it. */
export type NumberedName = { kind: Kind; name: string; authority: string; iri: string; end: DescribedEnd };

/** How many rows are saved together: enough to be fast, but so few that other writers hardly wait. */
const SAVED_ROWS = 400;
/** Most characters of a batch, because XML records may be long. */
const MOST_TEXT = 4_000_000;

/** How many earlier rows with a name a dry run needs. Two with the same title make it ambiguous. */
const MOST_OF = { "#": 1_000, "=": 2, "~": 2 };

/** `names`: names by which other rows may refer to this row. */
type RowNames = { names: readonly string[]; numbered: readonly NumberedName[] };

type Stored = { number: number; content: string };

export type StagedRows = ReturnType<typeof stagedRows>;

export function stagedRows({ sql }: Pick<Services, "sql">, most: number = SAVED_ROWS) {
  const id = newId();
  let count = 0;
  /** Rows that are not yet written. */
  let next: (Stored & RowNames)[] = [];
  let length = 0;
  const hashed = (db: Sql | Tx, names: readonly string[]) =>
    db`(select name, md5(name)::uuid as hash from unnest(${[...new Set(names)]}::text[]) as u(name))`;

  async function write(): Promise<void> {
    const rows = next;
    const named = rows.flatMap(({ number, names }) => names.map((name) => ({ number, name })));
    const ends = rows.flatMap(({ numbered }) =>
      numbered.map(({ kind, end, ...one }) => ({ ...one, described: JSON.stringify({ kind, end }) })),
    );
    next = [];
    length = 0;
    await sql.begin(async (tx) => {
      await tx`
        insert into staged_rows (run_id, number, content)
        select ${id}::uuid, u.number, u.content
        from unnest(${rows.map(({ number }) => number)}::int[], ${rows.map(({ content }) => content)}::text[])
          as u(number, content)`;
      await tx`
        insert into staged_names (run_id, name, number)
        select ${id}::uuid, md5(u.name)::uuid, u.number
        from unnest(${named.map(({ name }) => name)}::text[], ${named.map(({ number }) => number)}::int[])
          as u(name, number)
        on conflict do nothing`;
      await tx`
        insert into staged_ends (run_id, name, authority, iri, described)
        select ${id}::uuid, md5(u.name)::uuid, u.authority, u.iri, u.described
        from json_to_recordset(${tx.json(ends)}::json) as u(name text, authority text, iri text, described text)
        on conflict do nothing`;
    });
  }

  /** All rows, or those with deferred links, in batches. */
  async function* batches<Row extends Stored>(
    columns: string[],
    isWaiting: boolean,
  ): AsyncGenerator<Row[], void, undefined> {
    for (let after = 0; ; ) {
      const rows = await sql<Row[]>`
        select ${sql(columns)} from (
          select *, sum(octet_length(content)) over (order by number) - octet_length(content) as before
          from (
            select * from staged_rows
            where run_id = ${id} and number > ${after} ${isWaiting ? sql`and waiting is not null` : sql``}
            order by number limit ${most}
          ) page
        ) sized where before < ${MOST_TEXT} order by number`;
      if (rows.length === 0) return;
      yield rows;
      after = rows.at(-1)!.number;
    }
  }

  return {
    /** How many rows the file has. */
    get count(): number {
      return count;
    },

    /** Adds the next row of the file. */
    async add(row: StagedRow, names: RowNames): Promise<void> {
      count += 1;
      const content = stored(row);
      next.push({ number: row.number, content, ...names });
      length += content.length;
      if (next.length >= most || length >= MOST_TEXT) await write();
    },

    /** Call it after the last row. */
    end: write,

    /** The rows in the order of the file. */
    async *inBatches(): AsyncGenerator<StagedRow[], void, undefined> {
      for await (const rows of batches<Stored>(["number", "content"], false)) yield rows.map(restored);
    },

    /** Those of these names that rows have. */
    async named(names: readonly string[]): Promise<Set<string>> {
      if (names.length === 0) return new Set();
      const rows = await sql<{ name: string }[]>`
        select distinct n.name from ${hashed(sql, names)} n
        join staged_names s on s.run_id = ${id} and s.name = n.hash and s.number > 0`;
      return new Set(rows.map(({ name }) => name));
    },

    /** Which of these names the file gives with authority numbers. `isShared`: with several of one authority. */
    async numbered(names: readonly string[]): Promise<Map<string, { isShared: boolean; end: DescribedEnd }>> {
      if (names.length === 0) return new Map();
      const rows = await sql<{ name: string; shared: boolean; described: string }[]>`
        select n.name, max(x.iris) > 1 as shared, min(x.described) as described
        from ${hashed(sql, names)} n cross join lateral (
          select count(*) as iris, min(s.described) as described from staged_ends s
          where s.run_id = ${id} and s.name = n.hash group by s.authority
        ) x group by n.name`;
      return new Map(
        rows.map((row) => [
          row.name,
          { isShared: row.shared, end: JSON.parse(row.described).end as DescribedEnd },
        ]),
      );
    },

    /** The first names that the file gives with several numbers of one authority, with all these numbers. */
    async shared(): Promise<Omit<NumberedName, "name">[]> {
      const rows = await sql<{ authority: string; iri: string; described: string }[]>`
        select s.authority, s.iri, s.described
        from (
          select name, authority from staged_ends where run_id = ${id}
          group by name, authority having count(*) > 1 order by name, authority limit ${LISTED}
        ) x join staged_ends s using (name, authority)
        where s.run_id = ${id} order by s.name, s.authority, s.iri`;
      return rows.map(({ described, ...one }) => ({ ...one, ...JSON.parse(described) }));
    },

    /** For each row and name: the first row of the file with the name, if it comes earlier. */
    async firsts(
      names: readonly { name: string; number: number }[],
    ): Promise<{ of: number; first: StagedRow }[]> {
      if (names.length === 0) return [];
      const rows = await sql<(Stored & { of: number })[]>`
        select u.number as of, r.number, r.content
        from unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ number }) => number)}::int[]) as u(name, number)
        cross join lateral (
          select r.number, r.content from staged_rows r
          where r.run_id = ${id} and r.number = (
            select min(s.number) from staged_names s
            where s.run_id = ${id} and s.name = md5(u.name)::uuid and s.number between 1 and u.number - 1
          )
          limit 1
        ) r`;
      return rows.map(({ of, ...stored }) => ({ of, first: restored(stored) }));
    },

    /** Earlier rows with one of these names, but only the first few of each name. */
    async earlier(names: readonly string[], number: number): Promise<StagedRow[]> {
      const found = new Map<number, StagedRow>();
      for (const [sign, limit] of Object.entries(MOST_OF)) {
        const own = names.filter((name) => name.startsWith(sign));
        if (own.length === 0) continue;
        const rows = await sql<Stored[]>`
          select r.number, r.content from staged_rows r
          where r.run_id = ${id} and r.number in (
            select s.number from ${hashed(sql, own)} n cross join lateral (
              select s.number from staged_names s
              where s.run_id = ${id} and s.name = n.hash and s.number between 1 and ${number - 1}
              order by s.number limit ${limit}
            ) s
          )`;
        for (const row of rows) found.set(row.number, restored(row));
      }
      return [...found.values()];
    },

    /** Saves the deferred links of rows. */
    async wait<Waiting>(rows: readonly { number: number; waiting: Waiting }[]): Promise<void> {
      if (rows.length === 0) return;
      const texts = rows.map(({ waiting }) => JSON.stringify(waiting));
      await sql`
        update staged_rows s set waiting = u.waiting
        from unnest(${rows.map(({ number }) => number)}::int[], ${texts}::text[]) as u(number, waiting)
        where s.run_id = ${id} and s.number = u.number`;
    },

    /** The rows with deferred links, in the order of the file. */
    async *waiting<Waiting>(): AsyncGenerator<(StagedRow & { waiting: Waiting })[], void, undefined> {
      const columns = ["number", "content", "waiting"];
      for await (const rows of batches<Stored & { waiting: string }>(columns, true))
        yield rows.map((row) => ({ ...restored(row), waiting: JSON.parse(row.waiting) as Waiting }));
    },

    /**
     * Remembers texts until the import ends. Inside a transaction, pass it as `db`: the embedded database has only one session,
     * so any other statement would wait for the transaction to end.
     */
    async remember(texts: readonly string[], db: Sql | Tx = sql): Promise<void> {
      if (texts.length > 0)
        await db`
          insert into staged_names (run_id, name, number)
          select ${id}::uuid, n.hash, 0 from ${hashed(db, texts)} n on conflict do nothing`;
    },

    /** Which of these texts were remembered. */
    async remembered(texts: readonly string[], db: Sql | Tx = sql): Promise<Set<string>> {
      if (texts.length === 0) return new Set();
      const rows = await db<{ name: string }[]>`
        select n.name from ${hashed(db, texts)} n
        join staged_names s on s.run_id = ${id} and s.name = n.hash and s.number = 0`;
      return new Set(rows.map(({ name }) => name));
    },

    async drop(): Promise<void> {
      for (const table of TABLES) {
        const deleted = await sql`delete from ${sql(table)} where run_id = ${id}`;
        await vacuumAfter(sql, table, deleted.count);
      }
    },
  };
}

const TABLES = ["staged_rows", "staged_names", "staged_ends"];

/** Stores values only if XPaths found them, for the report; those of tables are also in `cells`. */
const stored = ({ row, mapped }: StagedRow): string => {
  const values = [...row.values].filter(([, value]) => typeof value !== "string");
  return JSON.stringify({ row: { ...row, mapped: undefined, values }, mapped });
};

function restored({ number, content }: Stored): StagedRow {
  const { row, mapped } = JSON.parse(content);
  return { number, row: { ...row, values: new Map(row.values) }, mapped };
}

/** Deletes rows of imports that were killed. */
export async function forgetStagedRows(sql: Sql): Promise<void> {
  const weekAgo = (Date.now() - 7 * 86_400_000).toString(16).padStart(12, "0");
  // ids begin with their time
  const first = `${weekAgo.slice(0, 8)}-${weekAgo.slice(8)}-0000-0000-000000000000`;
  for (const table of TABLES) await sql`delete from ${sql(table)} where run_id < ${first}`;
}
