/**
 * Reads rows as lines for `COPY … FROM stdin`, with SELECTs over ranges of pages. COPY TO is not used: the embedded database
 * would send all rows at once, and postgres.js may leave its connection paused.
 */
import type { Sql, Tx } from "../../../services.ts";
import type { Column, DumpTable } from "./catalogue.ts";

/** The rows in a range of pages. `rows` and `newest` show whether the range has changed since. */
export type PageRange = {
  lines: string;
  rows: number;
  /** The newest transaction that wrote one of these rows; null if there are no rows. */
  newest: bigint | null;
  /** The sum of 48 bits of the MD5 of each line, which does not depend on the order of rows. */
  digest: bigint;
};

/** Bytes that one statement reads, which keeps the session of the embedded database for about 10 ms. */
const RANGE_BYTES = 512 * 1024;

/** Bytes of a page, without large values outside it. */
const SMALLEST_PAGE = 8192;

/** Number of pages that one statement reads. */
export function rangeSize({ blocks, bytes }: DumpTable): number {
  const each = blocks === 0 ? SMALLEST_PAGE : Math.max(SMALLEST_PAGE, bytes / blocks);
  return Math.max(1, Math.floor(RANGE_BYTES / each));
}

/** The rows of pages `from` to `from + size`. */
export async function readRange(
  sql: Sql | Tx,
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

/** The same without the rows, which only reads their headers. */
export async function lookAtRange(
  sql: Sql | Tx,
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

/** Number and digest of the rows of a table, to compare with a dump. */
export async function tableDigest(
  sql: Sql | Tx,
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
/** The newest xmin as a 64-bit number, which never wraps around. */
const NEWEST = `(pg_snapshot_xmax(pg_current_snapshot())::text::bigint - min(age(x)))::text as newest`;

const pages = (from: number, size: number) => `ctid >= '(${from},0)' and ctid < '(${from + size},0)'`;

/** Types whose text never contains a character that COPY needs escaped. */
const PLAIN = new Set(
  "int2 int4 int8 float4 float8 numeric bool uuid date timestamp timestamptz time interval oid".split(" "),
);

/** SQL for a line in COPY's text format: tabs between values, \N for null, four characters escaped. */
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
