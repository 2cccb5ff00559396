/** Finds the public objects that aggregators would refuse, in one statement. */
import { VISITOR } from "../caller.ts";
import { currentSchema, fieldsOf, type Schema } from "../records/schema.ts";
import { isShown, maySeeField, visibleMedia, visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";
import { isForEuropeana, rightsIn } from "../vocabularies/rights.ts";
import type { Finding } from "./checks.ts";

type Checked = { id: string; idno: string; title: string; findings: Finding[] };
export type AggregatorReport = {
  /** The number of public objects. */
  checked: number;
  /** How many of these have findings, or the requested finding. */
  total: number;
  counts: Partial<Record<Finding, number>>;
  items: Checked[];
};

/** Ordered by identification number. */
export async function aggregatorReport(
  sql: Sql,
  { finding, limit, offset }: { finding?: Finding | undefined; limit: number; offset: number },
): Promise<AggregatorReport> {
  const schema = await currentSchema(sql);
  const wanted = finding === undefined ? sql`findings <> '{}'` : sql`${finding} = any(findings)`;
  const [report] = await sql<AggregatorReport[]>`
    with checked as materialized (${checkedObjects(sql, schema, await statementsIn(sql, schema))})
    select
      (select count(*)::int from checked) as checked,
      (select count(*)::int from checked where ${wanted}) as total,
      (select coalesce(json_object_agg(finding, n), '{}') from (
        select finding, count(*)::int as n from checked, unnest(findings) finding group by finding) c) as counts,
      (select coalesce(json_agg(i order by i.idno), '[]') from (
        select id, idno, title, findings from checked where ${wanted}
        order by idno limit ${limit} offset ${offset}) i) as items`;
  return report!;
}

/** Fields of objects that visitors see and that have one of these patterns. */
const namesIn = (schema: Schema, ...patterns: string[]): string[] =>
  [...fieldsOf(schema, "object").values()]
    .filter((field) => maySeeField(VISITOR, field) && patterns.includes(String(field.mapping.pattern)))
    .map(({ name }) => name);

/** The words for rights that are in use: those delivered as a statement or licence, and those that Europeana accepts. */
type Statements = { delivered: string[]; accepted: string[] };

async function statementsIn(sql: Sql, schema: Schema): Promise<Statements> {
  const used = await sql<{ value: string }[]>`
    select distinct license_uri as value from object_media where license_uri is not null
    union
    select e ->> 'value' from records r, unnest(${namesIn(schema, "right")}::text[]) f(name),
      jsonb_array_elements(r.metadata -> f.name) e
    where r.record_type = 'object' and ${visibleTo(sql, VISITOR)}`;
  const known = used.flatMap(({ value }) => {
    const rights = rightsIn(value);
    return rights ? [{ value, rights }] : [];
  });
  return {
    delivered: known.map(({ value }) => value),
    accepted: known.filter(({ rights }) => isForEuropeana(rights)).map(({ value }) => value),
  };
}

/** `statement`: the delivered rights statement, that of the first file or else of the record (`deliveredRights`). */
function checkedObjects(sql: Sql, schema: Schema, { delivered, accepted }: Statements) {
  const names = (...patterns: string[]) => namesIn(schema, ...patterns);
  const has = (...patterns: string[]) => sql`r.metadata ?| ${names(...patterns)}::text[]`;
  const untold = [...(schema.subtypes.get("object")?.values() ?? [])].find(({ is_default }) => is_default);
  return sql`
    select r.id, r.idno, r.title, array_remove(array[
      case when not ${has("title")} then 'no_title' end,
      case when not ${has("object_name")} and r.subtype = ${untold?.name ?? ""} then 'no_type' end,
      case when rights.any_value is null then 'no_rights'
        when rights.statement is null then 'unknown_rights'
        when rights.statement <> all(${accepted}::text[]) then 'unaccepted_rights' end,
      case when not rights.has_file then 'no_image' end,
      case when not ${has("production_timespan", "production_timespan_text")} then 'no_date' end,
      case when not ${has("description")} then 'no_description' end,
      case when ${has("title")} and not exists (
        select 1 from unnest(${names("title")}::text[]) f(name), jsonb_array_elements(r.metadata -> f.name) e
        where e ? 'lang') then 'no_language' end
    ], null) as findings
    from records r cross join lateral (
      select min(v.value) as any_value, bool_or(v.is_file) is true as has_file,
        (array_agg(v.value order by v.place) filter (where v.value = any(${delivered}::text[])))[1] as statement
      from (
        (select 0 as place, m.license_uri as value, true as is_file from object_media m
        where m.object_id = r.id and ${visibleMedia(sql, VISITOR)} and ${isShown(sql)}
        order by m.is_primary desc, m.position, m.id limit 1)
        union all
        select e.place, e.value ->> 'value', false
        from unnest(${names("right")}::text[]) f(name),
          jsonb_array_elements(r.metadata -> f.name) with ordinality e(value, place)
      ) v) rights
    where r.record_type = 'object' and ${visibleTo(sql, VISITOR)}`;
}
