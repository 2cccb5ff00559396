/** SQL of the fields of a kind. One function, one statement. */
import type { Kind } from "../../records/kinds.ts";
import { markSelected } from "../../records/outbox.ts";
import type { Entry } from "../../records/record.ts";
import type { Field } from "../../records/schema.ts";
import type { Sql, Tx } from "../../services.ts";
import { orderBehind, type Usage } from "../configuration-store.ts";

function fieldColumns(sql: Sql | Tx) {
  return sql`record_type, name, label, help, field_type, vocabulary, is_required, is_repeatable, is_translatable,
    is_searchable, is_facet, is_public, sort_order, mapping`;
}

export async function findField(tx: Tx, kind: Kind, name: string): Promise<Field | undefined> {
  const [row] = await tx<Field[]>`
    select ${fieldColumns(tx)} from schema_fields where record_type = ${kind} and name = ${name}`;
  return row;
}

export const allFields = (tx: Tx): Promise<Field[]> =>
  tx<Field[]>`select ${fieldColumns(tx)} from schema_fields`;

export const nextFieldOrder = (tx: Tx, kind: Kind): Promise<number> =>
  orderBehind(tx, tx`schema_fields where record_type = ${kind}`);

export async function insertField(tx: Tx, field: Field): Promise<Field> {
  const [row] = await tx<Field[]>`
    insert into schema_fields (record_type, name, label, help, field_type, vocabulary, is_required, is_repeatable,
      is_translatable, is_searchable, is_facet, is_public, sort_order, mapping)
    values (${field.record_type}, ${field.name}, ${tx.json(field.label)}, ${tx.json(field.help)}, ${field.field_type},
      ${field.vocabulary}, ${field.is_required}, ${field.is_repeatable}, ${field.is_translatable},
      ${field.is_searchable}, ${field.is_facet}, ${field.is_public}, ${field.sort_order},
      ${tx.json(field.mapping as never)})
    returning ${fieldColumns(tx)}`;
  return row!;
}

export async function updateField(tx: Tx, field: Field): Promise<Field> {
  const [row] = await tx<Field[]>`
    update schema_fields set label = ${tx.json(field.label)}, help = ${tx.json(field.help)},
      field_type = ${field.field_type}, vocabulary = ${field.vocabulary}, is_required = ${field.is_required},
      is_repeatable = ${field.is_repeatable}, is_translatable = ${field.is_translatable},
      is_searchable = ${field.is_searchable}, is_facet = ${field.is_facet}, is_public = ${field.is_public},
      sort_order = ${field.sort_order}, mapping = ${tx.json(field.mapping as never)}
    where record_type = ${field.record_type} and name = ${field.name}
    returning ${fieldColumns(tx)}`;
  return row!;
}

export async function deleteField(tx: Tx, kind: Kind, name: string): Promise<void> {
  await tx`delete from schema_fields where record_type = ${kind} and name = ${name}`;
}

export async function fieldUsage(tx: Tx, kind: Kind, name: string): Promise<Usage> {
  const [row] = await tx<Usage[]>`
    select count(*)::int as records, count(*) filter (where deleted_at is not null)::int as trashed
    from records where record_type = ${kind} and purged_at is null and metadata ? ${name}`;
  return row!;
}

/** How many facets there are over all kinds, not counting this name: fields of one name are one facet. */
export async function countOtherFacets(tx: Tx, name: string): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select count(distinct name)::int as n from schema_fields where is_facet and name <> ${name}`;
  return row!.n;
}

type FieldValues = { id: string; idno: string; entries: Entry[] | null };

/**
 * What the next records of a kind hold in one field; null for those without it. Walks the ids of all, because the
 * database cannot tell how many have the field and would read the whole table for each page.
 */
export async function nextFieldValues(
  tx: Tx,
  kind: Kind,
  name: string,
  after: string,
  limit: number,
): Promise<FieldValues[]> {
  return tx<FieldValues[]>`
    select id, idno, metadata -> ${name}::text as entries
    from records where record_type = ${kind} and purged_at is null and id > ${after}
    order by id limit ${limit}`;
}

/** What the search index holds of these records is no longer right: a worker projects them again. */
export async function markFieldChanged(tx: Tx, kind: Kind, name: string, hides: boolean): Promise<void> {
  await markSelected(
    tx,
    tx`select id from records where record_type = ${kind} and metadata ? ${name} and deleted_at is null`,
    { by: "worker", hides },
  );
}

/** Those of the vocabularies that private fields alone use, with the kinds of record of these fields. */
export async function hiddenVocabularies(
  tx: Tx,
  names: readonly (string | null)[],
): Promise<Map<string, Kind[]>> {
  const rows = await tx<{ vocabulary: string; kinds: Kind[] }[]>`
    select vocabulary, array_agg(distinct record_type) as kinds from schema_fields
    where vocabulary = any(${names.filter((name) => name !== null)})
    group by vocabulary having not bool_or(is_public)`;
  return new Map(rows.map((row) => [row.vocabulary, row.kinds]));
}
