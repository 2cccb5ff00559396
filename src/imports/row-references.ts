/**
 * References between rows of one file: to a parent, to the record of another row, or to an earlier row with the same number. The
 * first reading of the file (`first-reading.ts`) finds them and remembers them in Bloom filters of fixed size. For a name that
 * has a row in the file, a link creates no record; if that record does not exist yet, the link is deferred (`deferred-links.ts`). So rows may
 * be in any order and may refer to each other in a circle.
 */
import { endKey } from "../records/batch-ends.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Sql } from "../services.ts";
import { composed, sortKey } from "../text.ts";
import { yieldingRunner } from "../yielding.ts";
import { BloomFilter } from "./bloom-filter.ts";
import type { ImportRows } from "./import-file.ts";
import type { FileHas, RowOptions } from "./items.ts";
import { keyFields, keyNames } from "./keys.ts";
import type { Mapping } from "./mapping.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";

/** A row with its place among the rows of the file, from 1. */
export type NumberedRow = { number: number; row: ImportRow };

/** How many rows a dry run keeps in memory, at most, because other rows refer to them. */
const MOST_KEPT = 20_000;

/** How many rows it keeps for one title: two make the title ambiguous, and more change nothing. */
const OF_ONE_TITLE = 2;

export type RowReferences = {
  /** Tells for which numbers and names the file has rows. */
  fileHas: FileHas;
  /** Earlier rows to which these refer. A dry run has rolled them back, so it must save them again first; in the order of the file. */
  rowsToRepeat(rows: readonly NumberedRow[], mapped: readonly MappedRow[]): NumberedRow[];
  /** To be called with the rows of each batch after it. */
  batchDone(rows: readonly NumberedRow[], mapped: readonly MappedRow[]): void;
};

const NO_REFERENCES: RowReferences = {
  fileHas: { number: () => false, name: () => false },
  rowsToRepeat: () => [],
  batchDone: () => undefined,
};

/** Names by which other rows may refer to this one: `#` and its number or keys, `=` and its title. */
function namesOfRow(mapped: MappedRow, keys: readonly string[], options: RowOptions): string[] {
  const names = keyNames(mapped, keys, options).map((name) => `#${name}`);
  if (mapped.idno !== undefined && options.idnoStrategy !== "auto") names.push(`#${mapped.idno}`);
  const title = mapped.fields[kinds[mapped.record_type].titleField]?.[0]?.value;
  if (title !== undefined) names.push(`=${endKey(title)}`);
  return names;
}

/** The names of a record to which this value refers: by number or by title. */
export function namesOfValue(value: string): string[] {
  return [`#${composed(value)}`, `=${endKey(value)}`];
}

/** The names of records of its own type to which the row refers. */
function referencesOf(mapped: MappedRow): string[] {
  const parent = mapped.columns.parent === undefined ? [] : [`#${mapped.columns.parent}`];
  const own = mapped.relations.filter(({ to_type }) => to_type === mapped.record_type);
  return [...parent, ...own.flatMap(({ value }) => namesOfValue(value))];
}

/** The numbers and titles of existing records of the type that match these texts. */
export async function findNames(sql: Sql, kind: Kind, values: readonly string[]): Promise<Set<string>> {
  const found = await sql<{ idno: string; title: string }[]>`
    select idno, title from records
    where record_type = ${kind} and deleted_at is null
      and (idno = any(${values.map(composed)}) or sort_title = any(${values.map(sortKey)}))`;
  return new Set(found.flatMap(({ idno, title }) => [`#${idno}`, `=${endKey(title)}`]));
}

/**
 * Reads the file for its references. An import needs them if rows may refer to each other. A dry run rolls every batch back,
 * so it also needs them for numbers that occur twice.
 */
export async function readRowReferences(
  open: (mapping: Mapping) => Promise<ImportRows>,
  whole: Mapping,
  options: RowOptions & { dryRun: boolean },
): Promise<RowReferences> {
  const { kind } = options;
  const links = whole.some(
    ({ target }) =>
      (target.kind === "column" && target.name === "parent") ||
      (target.kind === "relation" && target.to_type === kind),
  );
  const numbered = options.idnoStrategy !== "auto" && whole.some(({ target }) => target.kind === "idno");
  const keys = keyFields(whole, options);
  if (!links && !(options.dryRun && (numbered || keys.length > 0))) return NO_REFERENCES;
  const { titleField } = kinds[kind];
  const mapping = whole.filter(
    ({ target }) =>
      target.kind === "idno" ||
      (target.kind === "field" && keys.includes(target.name)) ||
      (links && target.kind === "field" && target.name === titleField) ||
      (target.kind === "column" && target.name === "parent") ||
      (target.kind === "relation" && target.to_type === kind),
  );
  const named = new BloomFilter();
  const referred = new BloomFilter();
  const yielding = yieldingRunner();
  for await (const batch of (await open(mapping)).rows) {
    for (const row of batch) {
      const mapped = await yielding(() => mapRow(mapping, kind, row));
      for (const name of namesOfRow(mapped, keys, options)) {
        // a number or key that occurs twice: the second row refers to the first
        if (named.add(name) && name.startsWith("#")) referred.add(name);
      }
      for (const name of referencesOf(mapped)) referred.add(name);
    }
  }
  const { rowsToRepeat, batchDone } = options.dryRun
    ? keepReferencedRows(referred, keys, options)
    : NO_REFERENCES;
  const fileHas: FileHas = {
    number: (idno) => named.has(`#${idno}`),
    name: (value) => namesOfValue(value).some((name) => named.has(name)),
  };
  return { fileHas, rowsToRepeat, batchDone };
}

/** For a dry run: keeps copies of the rows to which other rows refer. */
function keepReferencedRows(
  referred: BloomFilter,
  keys: readonly string[],
  options: RowOptions,
): Pick<RowReferences, "rowsToRepeat" | "batchDone"> {
  type Kept = { numbered: NumberedRow; numbers: readonly string[] };
  const kept = new Map<string, Kept[]>();
  let count = 0;
  const numbersOf = (mapped: MappedRow) =>
    namesOfRow(mapped, keys, options).filter((name) => name.startsWith("#"));
  return {
    rowsToRepeat(rows, mapped) {
      const own = new Set(rows.map(({ number }) => number));
      const found = new Map<number, NumberedRow>();
      const open = mapped.flatMap((each) => [...numbersOf(each), ...referencesOf(each)]);
      for (let call = open.pop(); call !== undefined; call = open.pop()) {
        for (const { numbered, numbers } of kept.get(call) ?? []) {
          if (own.has(numbered.number) || found.has(numbered.number)) continue;
          found.set(numbered.number, numbered);
          // also other rows of the same record, but not the rows to which they refer: that could go on without end
          open.push(...numbers);
        }
      }
      return [...found.values()].sort((a, b) => a.number - b.number);
    },
    batchDone(rows, mapped) {
      rows.forEach((numbered, index) => {
        const names = namesOfRow(mapped[index]!, keys, options).filter((name) => referred.has(name));
        if (names.length === 0 || count >= MOST_KEPT) return;
        count += 1;
        const one = structuredClone({ numbered: copyOfRow(numbered), numbers: numbersOf(mapped[index]!) });
        for (const name of structuredClone(names)) {
          const others = kept.get(name) ?? [];
          if (name.startsWith("#") || others.length < OF_ONE_TITLE) kept.set(name, [...others, one]);
        }
      });
    },
  };
}

/** Cells are slices of the text of the file (see `readCsv`) and would keep it in memory; a copy does not. */
function copyOfRow({ number, row }: NumberedRow): NumberedRow {
  const values = new Map(structuredClone([...row.values]));
  return { number, row: { ...row, values, cells: structuredClone(row.cells) } };
}
