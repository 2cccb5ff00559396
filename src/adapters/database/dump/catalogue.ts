/** Reads from the database what a dump needs to know about tables, constraints, indexes and sequences. */
import type { Sql, Tx } from "../../../services.ts";
import { kindOf, TABLE_KINDS } from "./table-kinds.ts";

export type Column = { name: string; type: string; nullable: boolean };

export type DumpTable = {
  name: string;
  columns: Column[];
  /** Number of pages of the table itself. */
  blocks: number;
  /** Size in bytes, with large values outside its pages (TOAST). */
  bytes: number;
  /** Changes when the table is rewritten (TRUNCATE, VACUUM FULL), after which all its pages differ. */
  file: number;
};

/** A constraint or an index, which is dropped before the rows are loaded and created again afterwards. */
export type Structure = {
  table: string;
  name: string;
  kind: "foreign" | "unique" | "index";
  definition: string;
};

/** The tables whose rows are in a backup, or other tables if asked for, in order of their names. */
export async function dumpTables(
  sql: Sql | Tx,
  wanted: (name: string) => boolean = (name) => kindOf(name).backup,
): Promise<DumpTable[]> {
  const rows = await sql<DumpTable[]>`
    select c.relname as name, pg_relation_filenode(c.oid)::int as file,
      (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as blocks,
      pg_table_size(c.oid)::float8 as bytes,
      (select json_agg(json_build_object('name', a.attname, 'type', t.typname, 'nullable', not a.attnotnull)
          order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    order by c.relname collate "C"`;
  return rows.filter(({ name }) => wanted(name));
}

/** Constraints and indexes of the tables of a dump, in an order in which they can be created. */
export async function dumpStructures(sql: Sql | Tx): Promise<Structure[]> {
  const rows = await sql<Structure[]>`
    select s.tab as "table", s.name, s.kind, s.definition
    from (
      select 1 as place, i.indrelid::regclass::text as tab, x.relname as name, 'index' as kind,
        replace(pg_get_indexdef(i.indexrelid), ' ON ' || quote_ident(current_schema()) || '.', ' ON ') as definition
      from pg_index i join pg_class x on x.oid = i.indexrelid
      where x.relnamespace = current_schema()::regnamespace
        and not exists (select 1 from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
      union all
      select case contype when 'f' then 3 else 2 end, conrelid::regclass::text, conname,
        case contype when 'f' then 'foreign' else 'unique' end, pg_get_constraintdef(oid)
      from pg_constraint
      where connamespace = current_schema()::regnamespace and contype in ('f', 'p', 'u', 'x')
    ) s
    order by s.place, s.tab collate "C", s.name collate "C"`;
  // a foreign key of any table may depend on a key of a table in the dump
  return rows.filter(
    ({ table, kind }) => (kind === "foreign" && table in TABLE_KINDS) || kindOf(table).backup,
  );
}

/** The last value of each sequence; null if it was never used. */
export async function dumpSequences(sql: Sql | Tx): Promise<{ name: string; last: string | null }[]> {
  return sql`
    select sequencename as name, last_value::text as last from pg_sequences
    where schemaname = current_schema() order by sequencename collate "C"`;
}
