/**
 * Decides what names of linked records mean if the file also gives them with numbers of authority files. This is decided for the
 * whole file, so that the order of its rows does not matter:
 *
 * - With one number, a row that gives only the name means the same record.
 * - With several numbers, each is a record of its own, and a row that gives only the name may mean any of them.
 */
import type { Caller } from "../../caller.ts";
import { authorities } from "../../records/batch/directory.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import type { Metadata } from "../../records/record.ts";
import { visibleTo } from "../../records/visibility.ts";
import type { Services } from "../../services.ts";
import { nameKey, sortKey } from "../../text.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import type { NumberedName, StagedRow, StagedRows } from "./staged-rows.ts";

type Link = MappedRow["relations"][number];

const nameOf = (kind: Kind, name: string, match?: Link["match"]): string => `${kind} ${nameKey(name, match)}`;

function namesOf({ to_type, value, described, match }: Link): string[] {
  const names = described?.metadata[kinds[to_type].titleField]?.map((name) => name.value) ?? [value];
  return names.map((name) => nameOf(to_type, name, match));
}

export function numberedNames({ relations }: MappedRow): NumberedName[] {
  return relations.flatMap((link) => {
    const { described: end, to_type: kind } = link;
    if (!end) return [];
    return [...authorities(end.metadata)].flatMap(([authority, iri]) =>
      namesOf(link).map((name) => ({ kind, name, authority, iri, end })),
    );
  });
}

/** Adds to the links of these rows what the whole file says about their names. */
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

/** A record without an authority number, and the numbers that the file gives with its name. */
export type PassedOver = { record_type: Kind; id: string; idno: string; title: string; numbers: string[] };

/** Records without a number to which no row is linked, because the file gives their name with several numbers. */
export async function findPassedOver(
  { sql }: Pick<Services, "sql">,
  caller: Caller,
  staged: StagedRows,
): Promise<PassedOver[]> {
  /** By name and authority. */
  const numbers = new Map<string, Map<string, Set<string>>>();
  const names = new Map<Kind, Set<string>>();
  for (const { kind, authority, iri, end } of await staged.shared())
    for (const { value } of end.metadata[kinds[kind].titleField] ?? []) {
      names.set(kind, (names.get(kind) ?? new Set()).add(sortKey(value)));
      const of = numbers.get(nameOf(kind, value)) ?? new Map<string, Set<string>>();
      numbers.set(nameOf(kind, value), of.set(authority, (of.get(authority) ?? new Set()).add(iri)));
    }
  const found: PassedOver[] = [];
  for (const [record_type, titles] of names) {
    const rows = await sql<{ id: string; idno: string; title: string; metadata: Metadata }[]>`
      select r.id, r.idno, r.title, r.metadata from records r
      where r.record_type = ${record_type} and r.deleted_at is null and r.sort_title = any(${[...titles]})
        and ${visibleTo(sql, caller)}
      order by r.sort_title, r.id`;
    for (const { metadata, ...row } of rows) {
      const own = authorities(metadata);
      const given = [...(numbers.get(nameOf(record_type, row.title)) ?? [])].flatMap(([authority, iris]) =>
        own.has(authority) ? [] : [...iris],
      );
      if (given.length > 0) found.push({ record_type, ...row, numbers: given });
    }
  }
  return found;
}
