/**
 * Rows as the lines of `COPY … FROM stdin`, made by the database itself with ordinary SELECTs over ranges of pages: a
 * COPY TO would come in one burst from the embedded database, and postgres.js can leave its connection paused.
 */
import type { Sql, TransactionSql } from "postgres";
import type { Column, DumpTable } from "./dump-catalogue.ts";

/** A range of pages of a table, from the first on. `rows` and `newest` tell whether it is still the same. */
export type PageRange = {
  lines: string;
  rows: number;
  /** The newest transaction that wrote one of these rows; null when there are none. */
  newest: bigint | null;
  /** The sum of 48 bits of each line's MD5: the same for the same rows, in whatever order. */
  digest: bigint;
};

type Asker = Sql | TransactionSql;

/** Bytes read at once: about 10 ms of the embedded database's only session. */
const RANGE_BYTES = 512 * 1024;

/** What a page holds without what lies outside it. */
const SMALLEST_PAGE = 8192;

/** Pages of a table that are read at once. */
export function rangeSize({ blocks, bytes }: DumpTable): number {
  const each = blocks === 0 ? SMALLEST_PAGE : Math.max(SMALLEST_PAGE, bytes / blocks);
  return Math.max(1, Math.floor(RANGE_BYTES / each));
}

/** The rows of pages `from` to `from + size`. */
export async function readRange(
  sql: Asker,
  table: DumpTable,
  from: number,
  size: number,
): Promise<PageRange> {
  const [row] = await sql.unsafe<
    { lines: string | null; rows: number; newest: string | null; digest: string }[]
  >(
    `select string_agg(line, '') as lines, count(*)::int as rows, ${NEWEST}, ${DIGEST}
     from (select ${lineOf(table.columns)} as line, xmin as x from ${quoted(table.name)} where ${pages(from, size)}) s`,
  );
  return {
    lines: row!.lines ?? "",
    rows: row!.rows,
    newest: row!.newest === null ? null : BigInt(row!.newest),
    digest: BigInt(row!.digest),
  };
}

/** The same without the rows: reads their headers only. */
export async function lookAtRange(
  sql: Asker,
  table: DumpTable,
  from: number,
  size: number,
): Promise<{ rows: number; newest: bigint | null }> {
  const [row] = await sql.unsafe<{ rows: number; newest: string | null }[]>(
    `select count(*)::int as rows, ${NEWEST}
     from (select xmin as x from ${quoted(table.name)} where ${pages(from, size)}) s`,
  );
  return { rows: row!.rows, newest: row!.newest === null ? null : BigInt(row!.newest) };
}

/** What a table holds, to be compared with what a dump says of it. */
export async function tableDigest(
  sql: Asker,
  { name, columns }: Pick<DumpTable, "name" | "columns">,
): Promise<{ rows: number; digest: bigint }> {
  const [row] = await sql.unsafe<{ rows: number; digest: string }[]>(
    `select count(*)::int as rows, ${DIGEST} from (select ${lineOf(columns)} as line from ${quoted(name)}) s`,
  );
  return { rows: row!.rows, digest: BigInt(row!.digest) };
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const DIGEST = `coalesce(sum(('x' || left(md5(convert_to(line, 'UTF8')), 12))::bit(48)::bigint), 0)::text as digest`;
/** As a number that never wraps, unlike xmin itself. */
const NEWEST = `(pg_snapshot_xmax(pg_current_snapshot())::text::bigint - min(age(x)))::text as newest`;

const pages = (from: number, size: number) => `ctid >= '(${from},0)' and ctid < '(${from + size},0)'`;

/** Types whose text has nothing that COPY takes for something else. */
const PLAIN = new Set(
  "int2 int4 int8 float4 float8 numeric bool uuid date timestamp timestamptz time interval oid".split(" "),
);

/** COPY's text format: tabs between values, \N for none, and four characters escaped. */
function lineOf(columns: readonly Column[]): string {
  const values = columns.map(({ name, type, nullable }) => {
    let text = `${quoted(name)}::text`;
    if (!PLAIN.has(type)) text = `replace(${text}, E'\\\\', E'\\\\\\\\')`;
    if (!PLAIN.has(type) && type !== "jsonb") {
      text = `replace(replace(replace(${text}, E'\\t', E'\\\\t'), E'\\n', E'\\\\n'), E'\\r', E'\\\\r')`;
    }
    return nullable ? `coalesce(${text}, E'\\\\N')` : text;
  });
  return `${values.join(` || E'\\t' || `)} || E'\\n'`;
}
