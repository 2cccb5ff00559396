/**
 * Handles names of nobody, such as "unknown". If a record is called so, the row links to it. Otherwise the words go into a field,
 * if there is one for them, and the report lists them. A merge leaves a record with either a link or such words: new words never
 * remove a link, but a new link removes the words.
 */
import { findEnds } from "../../records/batch/ends.ts";
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
      relations: [
        ...mapped.relations,
        ...nobody.filter(isSomebody).map(({ link }) => ({ ...link, create: false as const })),
      ],
      readNames: [...(mapped.readNames ?? []), ...others.flatMap(({ reads }) => reads)],
      fills,
    };
  });
}

/** The rows of a merge: without words for nobody if the record has a link, and emptying such words if the row has one. */
export async function mergedWithNobody(
  sql: Sql | Tx,
  kind: Kind,
  rows: readonly MappedRow[],
): Promise<readonly MappedRow[]> {
  const numbers = rows.flatMap(({ idno, nobodyFields }) => (nobodyFields && idno !== undefined ? idno : []));
  if (numbers.length === 0) return rows;
  const found = await sql<{ idno: string; metadata: Metadata; types: string[] }[]>`
    select r.idno, r.metadata,
      array(select distinct l.relation_type from relations l where l.from_id = r.id) as types
    from records r
    where r.record_type = ${kind} and r.idno = any(${numbers}) and r.deleted_at is null`;
  const records = new Map(found.map((record) => [record.idno, record]));
  return rows.map((row) => {
    const { idno = "", nobodyFields = {}, relations } = row;
    const record = records.get(idno);
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
    return { ...row, fills, fields };
  });
}
