/**
 * Handles names of nobody, such as "unknown". If a record is called so, the row links to it. Otherwise the words go into a field,
 * if there is one for them, and the report lists them. In a merge, words that mean "unknown" never remove a link or a date, and do not
 * stand beside one; the report tells which records keep theirs. A new link removes the words.
 */
import { findEnds } from "../../records/batch/ends.ts";
import { saysUndated } from "../../records/dates/readings.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Metadata } from "../../records/record.ts";
import type { Sql, Tx } from "../../services.ts";
import { composed } from "../../text.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import { nobodyIn } from "../mapping/written-names.ts";

export async function withNobody(sql: Sql | Tx, rows: readonly MappedRow[]): Promise<readonly MappedRow[]> {
  const links = rows.flatMap(({ nobody = [] }) => nobody.map(({ link }) => link));
  if (links.length === 0) return rows;
  const called = new Map<Kind, ReadonlyMap<string, unknown>>();
  for (const kind of new Set(links.map(({ to_type }) => to_type))) {
    const values = links.flatMap(({ to_type, value }) => (to_type === kind ? value : []));
    called.set(kind, (await findEnds(sql, kind, [...new Set(values)])).found);
  }
  return rows.map(({ nobody = [], ...mapped }) => {
    const isSomebody = ({ link }: (typeof nobody)[number]) => called.get(link.to_type)!.has(link.value);
    const others = nobody.filter((each) => !isSomebody(each));
    const fills = { ...mapped.fills };
    for (const { field, link } of others) {
      const value = composed(link.value);
      const before = field === undefined ? [] : (fills[field] ?? []);
      if (field !== undefined && !before.some((entry) => entry.value === value))
        fills[field] = [...before, { value }];
    }
    return {
      ...mapped,
      nobody: others,
      relations: [
        ...mapped.relations,
        ...nobody.filter(isSomebody).map(({ link }) => ({ ...link, create: false as const })),
      ],
      fills,
    };
  });
}

/**
 * Prepares the rows of a merge. If the record has a link or a date, words for "unknown" are left out of the row. If the row has a link,
 * it empties such words in the record.
 * @param ids of the records that are known by a key, in the order of the rows
 */
export async function mergedWithUnknown(
  sql: Sql | Tx,
  kind: Kind,
  rows: readonly MappedRow[],
  ids: readonly (string | undefined)[],
): Promise<readonly MappedRow[]> {
  const concerned = rows.map(
    ({ nobody, nobodyFields, undated }) => Boolean(nobody?.length || undated) || nobodyFields !== undefined,
  );
  if (!concerned.includes(true)) return rows;
  const known = ids.filter((id, index) => concerned[index] && id !== undefined);
  const numbers = rows.flatMap(({ idno }, index) => (concerned[index] && idno !== undefined ? idno : []));
  const found = await sql<{ id: string; idno: string; metadata: Metadata; types: string[] }[]>`
    select r.id, r.idno, r.metadata,
      array(select distinct l.relation_type from relations l where l.from_id = r.id) as types
    from records r
    where r.record_type = ${kind} and (r.idno = any(${numbers}) or r.id = any(${known as string[]}::uuid[]))
      and r.deleted_at is null`;
  const records = new Map(
    found.flatMap((record) => [[record.id, record] as const, [record.idno, record] as const]),
  );
  return rows.map((row, index) => {
    const { idno = "", nobody = [], nobodyFields = {}, undated = [], wordings = {}, relations } = row;
    const record = concerned[index] ? records.get(ids[index] ?? idno) : undefined;
    if (!record) return row;
    const fills = { ...row.fills };
    const fields = { ...row.fields };
    for (const [field, type] of Object.entries(nobodyFields)) {
      const words = record.metadata[field] ?? [];
      if (record.types.includes(type)) delete fills[field];
      else if (
        relations.some(({ relation_type }) => relation_type === type) &&
        words.every(({ value }) => nobodyIn(value) === "unknown")
      )
        fields[field] ??= [];
    }
    const keepsDate = (field: string | undefined) =>
      field !== undefined && !row.fields[field]?.length && Boolean(record.metadata[field]?.length);
    for (const [wording, field] of Object.entries(wordings))
      if (keepsDate(field) && row.fields[wording]?.every(({ value }) => saysUndated(value)))
        delete fields[wording];
    return {
      ...row,
      fills,
      fields,
      nobody: nobody.map((each) => {
        const keepsLink = record.types.includes(each.link.relation_type);
        return keepsLink ? { ...each, reads: each.reads.map((read) => ({ ...read, keepsLink })) } : each;
      }),
      undated: undated.map((each) => (keepsDate(each.field) ? { ...each, keepsDate: true as const } : each)),
    };
  });
}
