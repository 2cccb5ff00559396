/** Finds records by the keys of a source: by name, by authority identifier, or by another field. */
import { said } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import type { Sql, Tx } from "../../services.ts";
import { composed, nameKey, sortKey } from "../../text.ts";
import { authorities, contradict } from "../batch/directory.ts";
import { ambiguousName, type Candidate, preferExactSpelling } from "../batch/ends.ts";
import { type Kind, kinds } from "../kinds.ts";
import type { Metadata } from "../record.ts";
import { fieldsOf, type Schema } from "../schema.ts";
import { authorityIri, authorityOf } from "../write/authority-ids.ts";

/** The id of the record, or why it is ambiguous; neither if there is none. */
export type KeyMatch = { id?: string; fault?: Fault };

type Row = Candidate & { metadata: Metadata };

/** The normalised values of a key field. Two items that share one mean the same record. */
export function keysOf(kind: Kind, field: string, metadata: Metadata): string[] {
  return (metadata[field] ?? []).map(({ value }) => keyOf(kind, field, value));
}

function keyOf(kind: Kind, field: string, value: string): string {
  const isTitle = field === kinds[kind].titleField;
  return `${field} ${isTitle ? nameKey(value) : (authorityIri(field, value) ?? composed(value))}`;
}

/** The record of each item: found by the first of the fields that matches. */
export async function findRecordsByKeys(
  sql: Sql | Tx,
  schema: Schema,
  kind: Kind,
  fields: readonly string[],
  items: readonly Metadata[],
): Promise<KeyMatch[]> {
  const found: KeyMatch[] = items.map(() => ({}));
  for (const field of fields) {
    const open = items.flatMap((metadata, index) =>
      found[index]!.id === undefined && !found[index]!.fault && metadata[field]?.length
        ? [{ metadata, index }]
        : [],
    );
    if (open.length === 0) continue;
    const values = open.flatMap(({ metadata }) => metadata[field]!.map(({ value }) => value));
    const byKey = new Map<string, Map<string, Row>>();
    for (const row of await rowsWith(sql, schema, kind, field, [...new Set(values)])) {
      for (const key of keysOf(kind, field, row.metadata)) {
        const rows = byKey.get(key) ?? new Map<string, Row>();
        byKey.set(key, rows.set(row.id, row));
      }
    }
    for (const { metadata, index } of open) found[index] = chosen(kind, field, metadata, byKey);
  }
  return found;
}

function chosen(
  kind: Kind,
  field: string,
  metadata: Metadata,
  byKey: ReadonlyMap<string, ReadonlyMap<string, Row>>,
): KeyMatch {
  const own = authorities(metadata);
  const named = keysOf(kind, field, metadata).flatMap((key) => [...(byKey.get(key)?.values() ?? [])]);
  const fitting = [...new Map(named.map((row) => [row.id, row])).values()].filter(
    (row) => !contradict(own, authorities(row.metadata)),
  );
  const value = metadata[field]![0]!.value;
  const all = field === kinds[kind].titleField ? preferExactSpelling(value, fitting) : fitting;
  const [first, second] = all;
  if (!first) return {};
  if (!second) return { id: first.id };
  const detail = said("fault.name.ambiguous_key", { fault: ambiguousName(kind, value, all), field });
  return { fault: { pointer: "", detail } };
}

async function rowsWith(
  sql: Sql | Tx,
  schema: Schema,
  kind: Kind,
  field: string,
  values: readonly string[],
): Promise<Row[]> {
  if (field === kinds[kind].titleField)
    return sql<Row[]>`
      select id, idno, title, metadata from records
      where record_type = ${kind} and deleted_at is null and sort_title = any(${values.map(sortKey)})
      order by created_at, id`;
  const isAuthority = fieldsOf(schema, kind).get(field)?.field_type === "authority";
  const forms = values.flatMap((value) =>
    isAuthority ? (authorityOf(field, value)?.forms ?? [value]) : [value],
  );
  // objects have no index on their metadata, so all of them are scanned
  if (kind === "object")
    return sql<Row[]>`
      select r.id, r.idno, r.title, r.metadata from records r
      where r.record_type = ${kind} and r.deleted_at is null and exists (
        select from jsonb_array_elements(r.metadata -> ${field}::text) e where e ->> 'value' = any(${forms}))
      order by r.created_at, r.id`;
  const probes = forms.map((form) => ({ probe: { [field]: [{ value: form }] } }));
  const rows = await sql<Row[]>`
    select r.id, r.idno, r.title, r.metadata
    from json_to_recordset(${sql.json(probes as never)}::json) as p(probe jsonb)
      cross join lateral (
        select * from records x where x.record_type = ${kind} and x.deleted_at is null
          and (case when x.record_type <> 'object' then x.metadata end) @> p.probe offset 0) r
    order by r.created_at, r.id`;
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
