/** SQL that reads and writes the parts of an export. The database makes and reads the JSON, so every value survives unchanged. */
import { QUALIFIERS } from "../records/links/attributions.ts";
import type { Sql, Tx } from "../services.ts";
import type { Part } from "./parts.ts";

/** Columns of keys whose order would otherwise depend on the database's locale. */
const TEXTS = ["name", "record_type", "naan", "filename"];

/** The next rows after `after`, the last row of the previous page; each as JSON. */
export async function readPart(
  sql: Sql | Tx,
  part: Part,
  after: Readonly<Record<string, string>> | null,
  limit: number,
): Promise<string[]> {
  const ordered = (column: string) =>
    TEXTS.includes(column) ? sql`${sql(column)} collate "C"` : sql`${sql(column)}`;
  const [first, second] = part.key.map(ordered);
  const order = second ? sql`${first!}, ${second}` : first!;
  const values = part.key.map((column) => after?.[column] ?? "");
  const behind =
    after === null
      ? sql``
      : second
        ? sql`and (${order}) > (${values[0]!}, ${values[1]!})`
        : sql`and ${order} > ${values[0]!}`;
  const rows = await sql<{ row: string }[]>`
    select row_to_json(x)::text as row from (
      select ${sql(part.columns as string[])} from ${sql(part.table)}
      where ${part.link ? sql`${sql(part.link)} is not null` : sql`true`} ${behind}
      order by ${order} limit ${limit}) x`;
  return rows.map(({ row }) => row);
}

/** Writes rows, given as a JSON array, to the columns of this part in the file. */
export async function writePart(
  tx: Tx,
  part: Part,
  columns: readonly string[],
  rows: string,
): Promise<Record<string, string>[]> {
  const table = tx(part.table);
  if (part.link) {
    return tx`
      update ${table} t set ${tx(part.link)} = x.${tx(part.link)}
      from json_populate_recordset(null::${table}, ${rows}::text::json) x where t.id = x.id`;
  }
  return tx`
    insert into ${table} (${tx(columns as string[])})
    select ${tx(columns as string[])} from json_populate_recordset(null::${table}, ${rows}::text::json)
    returning ${tx(part.key as string[])}`;
}

/** Whether there are already records, which the import would mix with its own. */
export async function isEmpty(tx: Tx): Promise<boolean> {
  const rows = await tx`select 1 from records limit 1`;
  return rows.length === 0;
}

/** Blocks other writes of records until the transaction ends. */
export async function lockRecords(tx: Tx): Promise<void> {
  await tx`lock table records, relations in exclusive mode`;
}

/** Lets an export of an older version be read, in which objects may be in several places. */
export async function allowSeveralPlaces(tx: Tx): Promise<void> {
  await tx`drop index relations_one_place`;
}

/**
 * As `sql/0056_one_current_place.sql`: keeps the newest place of each object, and notes the others in the history. An export of an
 * older version gets its movements as `sql/0067_movements.sql` makes them.
 */
export async function keepOnePlace(tx: Tx): Promise<void> {
  await tx`select end_earlier_places()`;
  await tx`create unique index relations_one_place on relations (from_id) where relation_type = 'stored_at'`;
  await tx`select trace_movements() where not exists (select 1 from movements)`;
  await tx`
    select note_movements(array_agg(from_id), null, null, null, null, null) from relations
    where relation_type = 'stored_at'`;
}

/**
 * Deletes the default schema, or the configuration left by earlier records. Keeps the vocabulary that links take their
 * qualifiers from: exports of earlier versions do not have it.
 */
export async function emptyConfiguration(tx: Tx): Promise<void> {
  await tx`delete from schema_fields`;
  await tx`delete from record_subtypes`;
  await tx`delete from relation_types`;
  await tx`delete from vocabularies where name <> ${QUALIFIERS}`;
  await tx`delete from idno_patterns`;
  await tx`delete from settings`;
}

/** Makes room for the vocabularies of these rows, given as a JSON array. */
export async function dropKeptVocabularies(tx: Tx, rows: string): Promise<void> {
  await tx`
    delete from vocabularies v using json_populate_recordset(null::vocabularies, ${rows}::text::json) x
    where v.name = x.name`;
}

/** The approximate number of rows of a complete export, for its progress. */
export async function countRows(sql: Sql | Tx, history: boolean): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select ((select count(*) from records) + (select count(*) from relations) +
      case when ${history} then (select count(*) from revisions) else 0 end)::float8 as n`;
  return row!.n;
}

export async function configurationVersion(sql: Sql | Tx): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select version::int as version from configuration`;
  return row!.version;
}
