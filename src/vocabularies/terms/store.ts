/** SQL of terms. One function, one statement. */
import { plainArray } from "../../ids.ts";
import { QUALIFIERS } from "../../records/links/attributions.ts";
import { markSelected } from "../../records/outbox.ts";
import { termKey } from "../../records/public/terms.ts";
import type { Entry } from "../../records/record.ts";
import type { Labels } from "../../records/schema.ts";
import type { Sql, Tx } from "../../services.ts";
import { orderBehind, type Usage } from "../configuration-store.ts";

export type TermRow = {
  id: string;
  vocabulary: string;
  value: string;
  label: Labels;
  uri: string | null;
  broader_id: string | null;
  /** Further broader terms. */
  also_broader: string[];
  /** Other names: language → texts. */
  alt_label: Texts;
  /** Names that are searched but not shown. */
  hidden_label: Texts;
  definition: Labels;
  scope_note: Labels;
  sort_order: number;
};

/** Language → texts. */
export type Texts = Record<string, string[]>;

export const TERM_COLUMNS: (keyof TermRow)[] = [
  ...(["id", "vocabulary", "value", "label", "uri", "broader_id", "also_broader"] as const),
  ...(["alt_label", "hidden_label", "definition", "scope_note", "sort_order"] as const),
];

function termColumns(sql: Sql | Tx) {
  return sql`${sql(TERM_COLUMNS)}`;
}

type Place = Pick<TermRow, "broader_id" | "also_broader">;

/** The terms directly above, each once. */
export const broaderOf = ({ broader_id, also_broader }: Place): string[] => [
  ...new Set([...(broader_id === null ? [] : [broader_id]), ...also_broader]),
];

/** The place directly below these terms. */
export const placeBelow = ([first, ...also_broader]: readonly string[]): Place => ({
  broader_id: first ?? null,
  also_broader,
});

type TermFilter = { q?: string; broader?: string };

/**
 * Text without case and accents. Both sides of a comparison go through it, so that they always agree. Only what is not
 * ASCII is taken apart, which is slow.
 */
export function folded(sql: Sql | Tx, text: ReturnType<typeof termColumns>) {
  return sql`(select case when x !~ '[^ -~]' then lower(x) else
    replace(replace(replace(lower(translate(regexp_replace(normalize(x, nfkd), '[\u0300-\u036f]', '', 'g'),
      'ØøŁłĐđÐðĦħıÆŒẞ', 'OoLlDdDdHhiæœß')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end
    from (select ${text} as x) raw)`;
}

function matching(sql: Sql | Tx, vocabulary: string, filter: TermFilter) {
  const texts = sql`jsonb_path_query(jsonb_build_array(t.label, t.alt_label, t.hidden_label), '$[*].*[*]')`;
  const names = sql`t.value || coalesce((select string_agg(' ' || (l #>> '{}'), '') from ${texts} l), '')`;
  return sql`t.vocabulary = ${vocabulary}
    ${filter.q ? sql`and strpos(${folded(sql, names)}, ${folded(sql, sql`${filter.q}::text`)}) > 0` : sql``}
    ${filter.broader === "none" ? sql`and t.broader_id is null` : sql``}
    ${filter.broader && filter.broader !== "none" ? sql`and t.id in (select id from broader_terms where broader = ${filter.broader})` : sql``}`;
}

/** What the terms in searched fields of these records are called besides their values, by `termKey`. */
export async function namesOfTerms(sql: Sql, records: readonly string[]): Promise<Map<string, Entry[]>> {
  // each is looked up by itself: the planner would read all terms
  const rows = await sql<Pick<TermRow, "vocabulary" | "value" | "label" | "alt_label" | "hidden_label">[]>`
    select u.vocabulary, u.value, t.label, t.alt_label, t.hidden_label
    from (
      select distinct f.vocabulary, e ->> 'value' as value
      from records r join schema_fields f
          on f.record_type = r.record_type and f.vocabulary is not null and f.is_searchable is not null
        cross join lateral jsonb_array_elements(r.metadata -> f.name) e
      where r.id = any(${plainArray(records)})) u
      cross join lateral (
        select label, alt_label, hidden_label from vocabulary_terms
        where vocabulary = u.vocabulary and value = u.value limit 1) t`;
  return new Map(
    rows.map(({ vocabulary, value, label, alt_label, hidden_label }) => [
      termKey(vocabulary, value),
      [label, alt_label, hidden_label]
        .flatMap((texts) => Object.entries(texts))
        .flatMap(([lang, texts]) => [texts].flat().map((text) => ({ value: text, lang })))
        .filter((name) => name.value !== value),
    ]),
  );
}

export async function countTerms(sql: Sql, vocabulary: string, filter: TermFilter): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from vocabulary_terms t where ${matching(sql, vocabulary, filter)}`;
  return row!.n;
}

export async function listTerms(
  sql: Sql | Tx,
  vocabulary: string,
  filter: TermFilter,
  page: { limit: number; offset: number },
): Promise<TermRow[]> {
  return sql<TermRow[]>`
    select ${termColumns(sql)} from vocabulary_terms t
    where ${matching(sql, vocabulary, filter)}
    order by t.sort_order, lower(t.value) collate "C", t.value collate "C"
    limit ${page.limit} offset ${page.offset}`;
}

export async function findTerm(sql: Sql | Tx, vocabulary: string, id: string): Promise<TermRow | undefined> {
  const [row] = await sql<TermRow[]>`
    select ${termColumns(sql)} from vocabulary_terms t where t.id = ${id} and t.vocabulary = ${vocabulary}`;
  return row;
}

/** Those that have one of these ids or values. */
export async function termsAmong(
  sql: Sql,
  vocabulary: string,
  by: "id" | "value",
  known: readonly string[],
): Promise<Pick<TermRow, "id" | "value">[]> {
  if (known.length === 0) return [];
  return sql<Pick<TermRow, "id" | "value">[]>`
    select id, value from vocabulary_terms where vocabulary = ${vocabulary} and ${sql(by)} = any(${known as string[]})`;
}

/**
 * The terms with one of these values, or one of these labels in a language. `label`: what the term is called in it, if nothing else in
 * the vocabulary is called so.
 */
export async function termsCalled(
  sql: Sql,
  vocabulary: string,
  language: string,
  words: readonly string[],
): Promise<{ value: string; label: string | null }[]> {
  if (words.length === 0) return [];
  const any = sql`any(${words as string[]})`;
  return sql`
    select t.value, case when not exists (
        select from vocabulary_terms o where o.vocabulary = t.vocabulary and o.id <> t.id
          and (o.value = t.label ->> ${language} or o.label ->> ${language} = t.label ->> ${language}))
      then t.label ->> ${language} end as label
    from vocabulary_terms t
    where t.vocabulary = ${vocabulary} and (t.value = ${any} or t.label ->> ${language} = ${any})`;
}

export async function termValues(tx: Tx, vocabulary: string): Promise<string[]> {
  const rows = await tx<
    { value: string }[]
  >`select value from vocabulary_terms where vocabulary = ${vocabulary}`;
  return rows.map(({ value }) => value);
}

export const nextTermOrder = (tx: Tx, vocabulary: string): Promise<number> =>
  orderBehind(tx, tx`vocabulary_terms where vocabulary = ${vocabulary}`);

/** Behind all others. A value that is there keeps its labels, and its address if it has one. */
export async function insertAdopted(
  tx: Tx,
  terms: readonly Pick<TermRow, "vocabulary" | "value" | "label" | "alt_label" | "uri">[],
): Promise<void> {
  await tx`
    insert into vocabulary_terms as t (id, vocabulary, value, label, alt_label, uri, sort_order)
    select gen_random_uuid(), v.name, x.value, x.label, x.alt_label, x.uri,
      least(coalesce(o.last, 0)::bigint + 10 * row_number() over (partition by v.name), 2147483647)
    from json_to_recordset(${tx.json(terms as never)}::json) as x(
      vocabulary text, value text, label jsonb, alt_label jsonb, uri text)
      join vocabularies v on v.name = x.vocabulary
      left join (select vocabulary, max(sort_order) as last from vocabulary_terms group by 1) o on o.vocabulary = v.name
    on conflict (vocabulary, value) do update set uri = excluded.uri where t.uri is null`;
}

const recordset = (tx: Tx, terms: readonly TermRow[]) =>
  tx`json_populate_recordset(null::vocabulary_terms, ${tx.json(terms as never)}::json) x`;

/** Many at once, which may lie below each other. */
export async function insertTerms(tx: Tx, terms: readonly TermRow[]): Promise<void> {
  if (terms.length === 0) return;
  await tx`
    insert into vocabulary_terms (${termColumns(tx)})
    select ${termColumns(tx)} from ${recordset(tx, terms)}`;
}

/** Many at once. */
export async function updateTerms(tx: Tx, terms: readonly TermRow[]): Promise<void> {
  if (terms.length === 0) return;
  await tx`
    update vocabulary_terms t set value = x.value, label = x.label, uri = x.uri, broader_id = x.broader_id,
      also_broader = x.also_broader, alt_label = x.alt_label, hidden_label = x.hidden_label,
      definition = x.definition, scope_note = x.scope_note, sort_order = x.sort_order
    from ${recordset(tx, terms)} where t.id = x.id`;
}

/** The terms directly below this one. */
export async function narrowerTerms(tx: Tx, id: string): Promise<TermRow[]> {
  return tx<TermRow[]>`
    select ${termColumns(tx)} from vocabulary_terms where id in (select id from broader_terms where broader = ${id})`;
}

export async function deleteTerm(tx: Tx, id: string): Promise<void> {
  await tx`delete from vocabulary_terms where id = ${id}`;
}

/** Records that a `vocab` field, or the qualifier of a link, holds to this term. */
export async function termUsage(tx: Tx, vocabulary: string, value: string): Promise<Usage> {
  const found = tx`jsonb_build_array(jsonb_build_object('value', ${value}::text))`;
  const [row] = await tx<Usage[]>`
    select count(*)::int as records,
      (count(*) filter (where r.deleted_at is not null))::int as trashed
    from records r
    where r.purged_at is null and r.id in (
      select r.id from schema_fields f join records r on r.record_type = f.record_type
      where f.field_type = 'vocab' and f.vocabulary = ${vocabulary} and r.metadata -> f.name @> ${found}
      union all
      select from_id from relations where ${vocabulary}::text = ${QUALIFIERS} and metadata -> 'qualifier' @> ${found})`;
  return row!;
}

/**
 * A term counts for all above it in the facets of a search, and makers are searched with the names of their qualifiers: records
 * that have one of these, or one below in a facet, are projected anew.
 */
export async function markTermsSearched(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const counted = tx`
    with recursive down as (
      select id, vocabulary, value from vocabulary_terms where id = any(${ids as string[]})
      union
      select b.id, b.vocabulary, b.value from broader_terms b join down on b.broader = down.id)
    select distinct r.id
    from schema_fields f join records r on r.record_type = f.record_type and r.deleted_at is null
      cross join lateral jsonb_array_elements(r.metadata -> f.name) e
    where f.is_facet and f.vocabulary in (select vocabulary from down)
      and (f.vocabulary, e ->> 'value') in (select vocabulary, value from down)
    union
    select l.from_id
    from vocabulary_terms t cross join lateral (
      select from_id from relations
      where metadata -> 'qualifier' @> jsonb_build_array(jsonb_build_object('value', t.value)) offset 0) l
    where t.id = any(${ids as string[]}) and t.vocabulary = ${QUALIFIERS}`;
  await markSelected(tx, counted, { by: "worker", hides: false });
}

/** Whether a term of this vocabulary has the id, and whether it is or lies below the other one. */
export async function placeOf(
  tx: Tx,
  vocabulary: string,
  id: string,
  other: string,
): Promise<{ found: boolean; below: boolean }> {
  const [row] = await tx<{ found: boolean; below: boolean }[]>`
    with recursive up as (
      select id from vocabulary_terms where id = ${id} and vocabulary = ${vocabulary}
      union
      select b.broader from broader_terms b join up on b.id = up.id)
    select exists (select 1 from up) as found, exists (select 1 from up where id = ${other}) as below`;
  return row!;
}
