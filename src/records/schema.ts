/**
 * The installation's configuration of records: fields, subtypes, controlled terms, relation types. Stored in the
 * database, cached in memory, and reloaded when its version in the database changes.
 */
import type { Sql, Tx } from "../services.ts";
import type { Kind } from "./kinds.ts";

export const FIELD_TYPES = [
  "text",
  "richtext",
  "date",
  "number",
  "boolean",
  "vocab",
  "vocab_free",
  "relation",
  "geo",
  "url",
  "authority",
  "measurement",
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Text per language, for example `{en: "Title", de: "Titel"}`. */
export type Labels = Record<string, string>;

export type Field = {
  record_type: Kind;
  name: string;
  label: Labels;
  help: Labels;
  field_type: FieldType;
  vocabulary: string | null;
  is_required: boolean;
  is_repeatable: boolean;
  is_translatable: boolean;
  is_searchable: "A" | "B" | "C" | "D" | null;
  is_facet: boolean;
  is_public: boolean;
  sort_order: number;
  mapping: Record<string, unknown>;
};

export type Subtype = {
  record_type: Kind;
  name: string;
  label: Labels;
  is_default: boolean;
  sort_order: number;
  /** In linked data, for example `crm:E21_Person`; null: what every record of its type is. */
  crm_class: string | null;
  /** Names of the fields that the editor shows first, in this order; empty: all fields. */
  form: string[];
};

export type RelationType = {
  name: string;
  inverse: string;
  label: Labels;
  inverse_label: Labels;
  from_types: Kind[];
  to_types: Kind[];
  is_public: boolean;
  /** Its relations form a hierarchy without circles. */
  is_hierarchical: boolean;
  sort_order: number;
  mapping: Record<string, unknown>;
};

export type Schema = {
  version: number;
  visibilityEpoch: number;
  fields: ReadonlyMap<Kind, ReadonlyMap<string, Field>>;
  subtypes: ReadonlyMap<Kind, ReadonlyMap<string, Subtype>>;
  relationTypes: ReadonlyMap<string, RelationType>;
  /** Terms of the vocabularies of `vocab` fields. */
  terms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Values of merged terms: vocabulary → value → that of the term that it is now. */
  termsNow: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Terms of the vocabulary of qualifiers (`attributions.ts`), in their order: value → names. */
  qualifiers: ReadonlyMap<string, Labels>;
  /** Names of facet fields of all kinds. */
  facets: ReadonlySet<string>;
  /** For the vocabularies of facet fields: value → its ancestors, the nearest first. */
  broader: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
};

const copies = new WeakMap<Sql, Schema>();

/**
 * The current schema. Pass the version that a query has just read to save the look-up:
 * `select …, (select version from configuration) as configuration_version`.
 */
export async function currentSchema(sql: Sql, version?: number, through: Sql | Tx = sql): Promise<Schema> {
  const copy = copies.get(sql);
  const wanted = version ?? (await readVersion(through)).version;
  if (copy && copy.version === wanted) return copy;
  const schema = await readSchema(through);
  copies.set(sql, schema);
  return schema;
}

/** Exclusive for changes of the configuration, shared for writes of records. */
export const CONFIGURATION_LOCK = "configuration";

/**
 * The schema for a transaction that writes: nothing in it changes before the transaction ends. It must be the first
 * statement of the transaction, to avoid deadlocks. The lock is in memory and costs no write. The version is read by
 * the next statement, which sees the changes that the lock waited for.
 */
export async function schemaToWriteBy(sql: Sql, tx: Tx): Promise<Schema> {
  const [, [row]] = await Promise.all([
    tx`select pg_advisory_xact_lock_shared(hashtext(${CONFIGURATION_LOCK}))`,
    tx<{ version: number }[]>`select version::int from configuration`,
  ]);
  return currentSchema(sql, row!.version, tx);
}

async function readVersion(sql: Sql | Tx): Promise<{ version: number; visibility_epoch: number }> {
  const [row] = await sql<{ version: number; visibility_epoch: number }[]>`
    select version::int, visibility_epoch from configuration`;
  return row!;
}

async function readSchema(sql: Sql | Tx): Promise<Schema> {
  const { version, visibility_epoch } = await readVersion(sql);
  const fields = await sql<Field[]>`
    select record_type, name, label, help, field_type, vocabulary, is_required, is_repeatable, is_translatable,
      is_searchable, is_facet, is_public, sort_order, mapping
    from schema_fields order by record_type, sort_order, name`;
  const subtypes = await sql<Subtype[]>`
    select record_type, name, label, is_default, sort_order, crm_class, form
    from record_subtypes order by record_type, sort_order, name`;
  const relationTypes = await sql<RelationType[]>`
    select name, inverse, label, inverse_label, from_types, to_types, is_public, is_hierarchical,
      sort_order, mapping
    from relation_types order by sort_order, name`;
  const terms = await sql<{ vocabulary: string; values: string[] }[]>`
    select vocabulary, array_agg(value) as values from vocabulary_terms
    where vocabulary in (select vocabulary from schema_fields where field_type = 'vocab')
    group by vocabulary`;
  const termsNow = await sql<{ vocabulary: string; pairs: [string, string][] }[]>`
    select m.vocabulary, json_agg(json_build_array(m.value, m.now) order by m.at) as pairs from merged_terms m
    where not exists (select 1 from vocabulary_terms t where t.vocabulary = m.vocabulary and t.value = m.value)
    group by m.vocabulary`;
  const qualifiers = await sql<{ value: string; label: Labels }[]>`
    select value, label from vocabulary_terms where vocabulary = 'attribution_qualifier' order by sort_order, value`;
  const branches = await sql<BranchRow[]>`
    select id, vocabulary, value, broader_id, also_broader from vocabulary_terms t
    where vocabulary in (select vocabulary from schema_fields where is_facet) and exists (
      select 1 from vocabulary_terms b where b.vocabulary = t.vocabulary and b.broader_id is not null)`;
  return {
    version,
    visibilityEpoch: visibility_epoch,
    fields: byKind(fields),
    subtypes: byKind(subtypes),
    relationTypes: new Map(relationTypes.map((type) => [type.name, type])),
    terms: new Map(terms.map((row) => [row.vocabulary, new Set(row.values)])),
    termsNow: new Map(termsNow.map((row) => [row.vocabulary, new Map(row.pairs)])),
    qualifiers: new Map(qualifiers.map(({ value, label }) => [value, label])),
    facets: new Set(fields.filter((field) => field.is_facet).map((field) => field.name)),
    broader: broaderValues(branches),
  };
}

type BranchRow = {
  id: string;
  vocabulary: string;
  value: string;
  broader_id: string | null;
  also_broader: string[];
};

function broaderValues(rows: readonly BranchRow[]): Map<string, Map<string, string[]>> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const all = new Map<string, Map<string, string[]>>();
  const directly = ({ broader_id, also_broader }: BranchRow) =>
    [broader_id, ...also_broader].flatMap((id) => byId.get(id ?? "") ?? []);
  for (const row of rows) {
    const above = new Set(directly(row));
    for (const term of above) for (const each of directly(term)) above.add(each);
    if (above.size === 0) continue;
    const { vocabulary, value } = row;
    const known = all.get(vocabulary) ?? new Map<string, string[]>();
    known.set(
      value,
      [...above].map((term) => term.value),
    );
    all.set(vocabulary, known);
  }
  return all;
}

function byKind<T extends { record_type: Kind; name: string }>(
  rows: readonly T[],
): Map<Kind, Map<string, T>> {
  const all = new Map<Kind, Map<string, T>>();
  for (const row of rows) {
    const ofKind = all.get(row.record_type) ?? new Map<string, T>();
    ofKind.set(row.name, row);
    all.set(row.record_type, ofKind);
  }
  return all;
}

/** Storage locations are never published. */
export const isNeededToPublish = (field: Field): boolean =>
  field.is_required && field.record_type !== "storage_location";

export function fieldsOf(schema: Schema, kind: Kind): ReadonlyMap<string, Field> {
  return schema.fields.get(kind) ?? new Map();
}

/** Names of fields, by the kinds that have some. */
export function fieldsHolding(schema: Schema, suits: (field: Field) => boolean): Map<Kind, string[]> {
  const all = [...schema.fields.keys()].map((kind): [Kind, string[]] => [
    kind,
    [...fieldsOf(schema, kind).values()].filter(suits).map(({ name }) => name),
  ]);
  return new Map(all.filter(([, names]) => names.length > 0));
}

/** For a value: that of the term that it is now, if it is the value of a merged one. */
export const termNow =
  ({ termsNow }: Schema, vocabulary: string | null) =>
  (value: string): string | undefined =>
    termsNow.get(vocabulary ?? "")?.get(value);

/**
 * Whether public formats may include the field when another record links to this one: all but long texts, so that a
 * change of a biography does not change the dates of 59,000 photographs.
 */
export const isNamedElsewhere = ({ field_type }: Field): boolean => field_type !== "richtext";

/** The relation type of a name or inverse name, and its direction. */
export function relationTypeNamed(
  schema: Schema,
  name: string,
): { type: RelationType; inverse: boolean } | null {
  const type = schema.relationTypes.get(name);
  if (type) return { type, inverse: false };
  for (const other of schema.relationTypes.values()) {
    if (other.inverse === name) return { type: other, inverse: true };
  }
  return null;
}

/** What the relation type of this name or inverse name is called, seen from that end; empty for an unknown one. */
export function relationLabels(schema: Schema, name: string): Labels {
  const named = relationTypeNamed(schema, name);
  return named ? (named.inverse ? named.type.inverse_label : named.type.label) : {};
}
