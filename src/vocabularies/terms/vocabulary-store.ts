/** SQL of vocabularies. One function, one statement. */
import type { Labels } from "../../records/schema.ts";
import type { Sql, Tx } from "../../services.ts";

export type VocabularyRow = {
  name: string;
  label: Labels;
  description: Labels;
  uri: string | null;
  term_count: number;
};

function vocabularyColumns(sql: Sql | Tx) {
  return sql`v.name, v.label, v.description, v.uri,
    (select count(*)::int from vocabulary_terms t where t.vocabulary = v.name) as term_count`;
}

export async function listVocabularies(sql: Sql): Promise<VocabularyRow[]> {
  return sql<VocabularyRow[]>`select ${vocabularyColumns(sql)} from vocabularies v order by v.name`;
}

export async function findVocabulary(sql: Sql | Tx, name: string): Promise<VocabularyRow | undefined> {
  const [row] = await sql<VocabularyRow[]>`
    select ${vocabularyColumns(sql)} from vocabularies v where v.name = ${name}`;
  return row;
}

export async function insertVocabulary(tx: Tx, row: Omit<VocabularyRow, "term_count">): Promise<void> {
  await tx`
    insert into vocabularies (name, label, description, uri)
    values (${row.name}, ${tx.json(row.label)}, ${tx.json(row.description)}, ${row.uri})`;
}

export async function updateVocabulary(tx: Tx, row: Omit<VocabularyRow, "term_count">): Promise<void> {
  await tx`
    update vocabularies set label = ${tx.json(row.label)}, description = ${tx.json(row.description)}, uri = ${row.uri}
    where name = ${row.name}`;
}

/** With its terms. */
export async function deleteVocabulary(tx: Tx, name: string): Promise<void> {
  await tx`delete from vocabularies where name = ${name}`;
}

/** The fields that offer this vocabulary, as `object.material`. */
export async function fieldsWithVocabulary(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx<{ field: string }[]>`
    select record_type || '.' || name as field from schema_fields
    where vocabulary = ${name} order by record_type, sort_order, name`;
  return rows.map(({ field }) => field);
}
