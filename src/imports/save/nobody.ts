/** Names of nobody: a link, if a record is called so; otherwise their words stay where there is room, and the report lists them. */
import { findEnds } from "../../records/batch/ends.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Sql, Tx } from "../../services.ts";
import { composed } from "../../text.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";

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
