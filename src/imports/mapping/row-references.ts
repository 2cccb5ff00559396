/**
 * References between rows of one file: to a parent, to the record of another row, or to an earlier row with the same number. If
 * the file has a row for a name, a link to the name creates no record. If that row's record does not exist yet, the link waits
 * (`deferred-links.ts`). So rows may be in any order and may refer to each other in a circle.
 */

import { said } from "../../messages/said.ts";
import type { LinkRequest } from "../../records/batch/link-requests.ts";
import { kinds } from "../../records/kinds.ts";
import { composed, type NameMatch, nameKey } from "../../text.ts";
import type { ImportOptions } from "../options.ts";
import type { FileHas, RowOptions } from "../save/items.ts";
import type { StagedRow, StagedRows } from "../save/staged-rows.ts";
import { keyFields, keyNames } from "./keys.ts";
import type { MappedRow } from "./mapped-row.ts";
import type { Mapping } from "./mapping.ts";

export type RowReferences = ReturnType<typeof rowReferences>;

type Named = Pick<LinkRequest, "value" | "match" | "described">;

/** `=` and a title, or `~` and a title if similar titles match. */
export const titleName = (title: string, match?: NameMatch): string =>
  (match === "similar" ? "~" : "=") + nameKey(title, match);

/** The names by which this link may refer to a record: its number or its title. */
export const namesOfValue = ({ value, match, described }: Named): string[] =>
  [value, ...(described?.called ?? [])].flatMap((name) => [`#${composed(name)}`, titleName(name, match)]);

/** The names of records of its own type to which the row refers. */
function referencesOf(mapped: MappedRow): string[] {
  const parent = mapped.columns.parent === undefined ? [] : [`#${mapped.columns.parent}`];
  const own = mapped.relations.filter(({ to_type }) => to_type === mapped.record_type);
  return [...parent, ...own.flatMap(namesOfValue)];
}

/** What a row says of its record: each value, with the name of its field. */
function valuesOf(mapped: MappedRow): Map<string, string> {
  const { fields, fills, columns, relations, media, subtype, nobody = [] } = mapped;
  const links = [...relations, ...nobody.map(({ link }) => link)];
  const all: [string, readonly unknown[]][] = [
    ...Object.entries({ ...fills, ...fields }),
    ...Object.entries(columns).map(([name, value]): [string, unknown[]] => [name, [value]]),
    ...links.map((link): [string, unknown[]] => [link.relation_type, [link]]),
    ["media", media],
    ["subtype", subtype === undefined ? [] : [subtype]],
  ];
  return new Map(
    all.flatMap(([name, values]) => values.map((value) => [JSON.stringify([name, value]), name] as const)),
  );
}

export function rowReferences(
  staged: StagedRows,
  mapping: Mapping,
  options: RowOptions & Pick<ImportOptions, "upsertStrategy">,
) {
  const { kind } = options;
  const keys = keyFields(mapping, options);
  /** The target of links between rows; undefined if there are none. */
  const links = mapping.flatMap(({ target }) =>
    target.kind === "relation" && target.to_type === kind ? target : [],
  )[0];
  /** `#` and the number or keys of the row. Rows that share one of these have the same record. */
  const numbersOf = (mapped: MappedRow): string[] => {
    const names = keyNames(mapped, keys, options);
    if (mapped.idno !== undefined && options.idnoStrategy !== "auto") names.push(mapped.idno);
    return names.map((name) => `#${name}`);
  };
  return {
    /** Names by which other rows may refer to this one: its numbers and its title. */
    namesOf(mapped: MappedRow): string[] {
      const title = links && mapped.fields[kinds[kind].titleField]?.[0]?.value;
      return [...numbersOf(mapped), ...(title === undefined ? [] : [titleName(title, links?.match)])];
    },

    /** Finds out for which numbers and names in these rows the file has rows. */
    async fileHas(rows: readonly StagedRow[]): Promise<FileHas> {
      const named = await staged.named(rows.flatMap(({ mapped }) => referencesOf(mapped)));
      return {
        number: (idno) => named.has(`#${idno}`),
        name: (link) => namesOfValue(link).some((name) => named.has(name)),
      };
    },

    /**
     * The first row with a number or key counts, even if it is refused. A later one that says nothing else is left out; any other is
     * refused, because one of the two is wrong, and neither may overwrite the other.
     */
    async decideRepeated(rows: readonly StagedRow[]): Promise<readonly StagedRow[]> {
      if (options.upsertStrategy === "link") return rows;
      const names = rows.flatMap(({ number, mapped }) => numbersOf(mapped).map((name) => ({ name, number })));
      const firsts = await staged.firsts(names);
      return rows.map((row) => {
        const earlier = firsts.filter(({ of }) => of === row.number);
        for (const { first } of earlier) {
          const known = valuesOf(first.mapped);
          const other = [...valuesOf(row.mapped)].find(([value]) => !known.has(value));
          if (!other) continue;
          const fault = said("fault.row.other_value", { line: String(first.row.line), field: other[1] });
          return { ...row, mapped: { ...row.mapped, faults: [...row.mapped.faults, fault] } };
        }
        return earlier.length > 0 ? { ...row, isRepeated: true } : row;
      });
    },

    /** Earlier rows to which these refer, in order. A dry run must save them again first, because it rolled them back. */
    async rowsToRepeat(rows: readonly StagedRow[]): Promise<StagedRow[]> {
      const found = new Map<number, StagedRow>();
      let names = rows.flatMap(({ mapped }) => [...numbersOf(mapped), ...referencesOf(mapped)]);
      while (names.length > 0) {
        const earlier = await staged.earlier(names, rows[0]!.number);
        const fresh = earlier.filter(({ number }) => !found.has(number));
        for (const row of fresh) found.set(row.number, row);
        // also other rows of the same record, but not rows to which those refer, which could go on without end
        names = fresh.flatMap(({ mapped }) => numbersOf(mapped));
      }
      return [...found.values()].sort((a, b) => a.number - b.number);
    },
  };
}
