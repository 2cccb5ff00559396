/**
 * Names of linked people, places and events that the file gives with numbers of authority files. What they mean is decided for
 * the whole file, so that the order of its rows does not matter:
 *
 * - with one number: a row that gives the name alone means the same record;
 * - with several: each number is a record of its own, and a row that gives the name alone may mean any of them.
 */
import { authorities } from "../records/described-ends.ts";
import { kinds } from "../records/kinds.ts";
import { nameKey } from "../text.ts";
import type { MappedRow } from "./mapped-row.ts";
import type { NumberedName, StagedRow, StagedRows } from "./staged-rows.ts";

type Link = MappedRow["relations"][number];

function namesOf({ to_type, value, described, match }: Link): string[] {
  const names = described?.metadata[kinds[to_type].titleField]?.map((name) => name.value) ?? [value];
  return names.map((name) => `${to_type} ${nameKey(name, match)}`);
}

export function numberedNames({ relations }: MappedRow): NumberedName[] {
  return relations.flatMap((link) => {
    const { described: end } = link;
    if (!end) return [];
    return [...authorities(end.metadata)].flatMap(([authority, iri]) =>
      namesOf(link).map((name) => ({ name, authority, iri, end })),
    );
  });
}

/** The rows, with what the whole file says about the names of their links. */
export async function withDecidedNames(
  staged: StagedRows,
  rows: readonly StagedRow[],
): Promise<readonly StagedRow[]> {
  const all = rows.flatMap(({ mapped }) => mapped.relations.flatMap(namesOf));
  const numbered = await staged.numbered(all);
  if (numbered.size === 0) return rows;
  const decided = (link: Link): Link => {
    const known = namesOf(link).flatMap((name) => numbered.get(name) ?? []);
    const isShared = known.some((each) => each.isShared);
    const { described } = link;
    if (described && authorities(described.metadata).size > 0)
      return isShared ? { ...link, described: { ...described, isShared } } : link;
    if (isShared) return { ...link, isShared };
    const [same] = known;
    if (!same) return link;
    const metadata = { ...same.end.metadata, ...described?.metadata };
    return { ...link, described: { ...same.end, ...described, key: same.end.key, metadata } };
  };
  return rows.map((row) => ({
    ...row,
    mapped: { ...row.mapped, relations: row.mapped.relations.map(decided) },
  }));
}
