/**
 * References between rows of one file: a parent, a part, a number that occurs twice. The file is read once before the import
 * to find them; Bloom filters of fixed size remember them. No record is created for a name that has a row in the file: if
 * its record does not exist yet, the link is saved after the last row (`deferred-links.ts`), so rows may be in any order and may even refer to each other in a circle.
 */
import { endKey } from "../records/batch-ends.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Sql } from "../services.ts";
import { sortKey } from "../text.ts";
import { BloomFilter } from "./bloom-filter.ts";
import type { ImportRows } from "./import-file.ts";
import type { FileHas, RowOptions } from "./items.ts";
import { keyFields, keyNames } from "./keys.ts";
import type { Mapping } from "./mapping.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";
import { yieldingRunner } from "./yielding.ts";

/** A row with its place among the rows of the file, from 1. */
export type NumberedRow = { number: number; row: ImportRow };

/** Most rows that a dry run keeps in memory because other rows refer to them. */
const MOST_KEPT = 20_000;

/** Rows kept for one title: two make it ambiguous, more make no difference. */
const OF_ONE_TITLE = 2;

export type RowReferences = {
  /** What the file has rows for. */
  fileHas: FileHas;
  /** Rows that a dry run must save again before these, because it rolled them back; in the order of the file. */
  before(rows: readonly NumberedRow[], mapped: readonly MappedRow[]): NumberedRow[];
  /** To be called with the rows of each batch when it is done. */
  done(rows: readonly NumberedRow[], mapped: readonly MappedRow[]): void;
};

const NO_REFERENCES: RowReferences = {
  fileHas: { number: () => false, name: () => false },
  before: () => [],
  done: () => undefined,
};

/** Names by which other rows may refer to this one: its number or keys, and its title if the mapping links to its own type. */
function namesOf(mapped: MappedRow, keys: readonly string[], options: RowOptions): string[] {
  const names = keyNames(mapped, keys, options).map((name) => `#${name}`);
  if (mapped.idno !== undefined && options.idnoStrategy !== "auto") names.push(`#${mapped.idno}`);
  const title = mapped.fields[kinds[mapped.record_type].titleField]?.[0]?.value;
  if (title !== undefined) names.push(`=${endKey(title)}`);
  return names;
}

/** The number and the title that this text may be. */
export function namesWished(value: string): string[] {
  return [`#${value.normalize()}`, `=${endKey(value)}`];
}

/** References of the row to records of its own type. */
export function wishesOf(mapped: MappedRow): string[] {
  const parent = mapped.columns.parent === undefined ? [] : [`#${mapped.columns.parent}`];
  const own = mapped.relations.filter(({ to_type }) => to_type === mapped.record_type);
  return [...parent, ...own.flatMap(({ value }) => namesWished(value))];
}

/** The numbers and titles of existing records of the type that match these texts. */
export async function findNames(sql: Sql, kind: Kind, values: readonly string[]): Promise<Set<string>> {
  const found = await sql<{ idno: string; title: string }[]>`
    select idno, title from records
    where record_type = ${kind} and deleted_at is null
      and (idno = any(${values.map((value) => value.normalize())}) or sort_title = any(${values.map(sortKey)}))`;
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
  const wished = new BloomFilter();
  const yielding = yieldingRunner();
  for await (const batch of (await open(mapping)).rows) {
    for (const row of batch) {
      const mapped = await yielding(() => mapRow(mapping, kind, row));
      for (const name of namesOf(mapped, keys, options)) {
        // a number or key that occurs twice: the second row refers to the first
        if (named.add(name) && name.startsWith("#")) wished.add(name);
      }
      for (const wish of wishesOf(mapped)) wished.add(wish);
    }
  }
  const { before, done } = options.dryRun ? keepReferencedRows(wished, keys, options) : NO_REFERENCES;
  const fileHas: FileHas = {
    number: (idno) => named.has(`#${idno}`),
    name: (value) => namesWished(value).some((name) => named.has(name)),
  };
  return { fileHas, before, done };
}

/** Keeps the rows to which others refer, as copies: their cells are slices of the text (see `readCsv`). */
function keepReferencedRows(
  wished: BloomFilter,
  keys: readonly string[],
  options: RowOptions,
): Pick<RowReferences, "before" | "done"> {
  type Kept = { numbered: NumberedRow; numbers: readonly string[] };
  const kept = new Map<string, Kept[]>();
  let count = 0;
  const numbersOf = (mapped: MappedRow) =>
    namesOf(mapped, keys, options).filter((name) => name.startsWith("#"));
  return {
    before(rows, mapped) {
      const own = new Set(rows.map(({ number }) => number));
      const found = new Map<number, NumberedRow>();
      const open = mapped.flatMap((each) => [...numbersOf(each), ...wishesOf(each)]);
      for (let call = open.pop(); call !== undefined; call = open.pop()) {
        for (const { numbered, numbers } of kept.get(call) ?? []) {
          if (own.has(numbered.number) || found.has(numbered.number)) continue;
          found.set(numbered.number, numbered);
          // rows that create the same record; not the rows that it refers to, which may have no end
          open.push(...numbers);
        }
      }
      return [...found.values()].sort((a, b) => a.number - b.number);
    },
    done(rows, mapped) {
      rows.forEach((numbered, index) => {
        const names = namesOf(mapped[index]!, keys, options).filter((name) => wished.has(name));
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

/** A copy of the row: its cells are slices, which would keep the text of the file in memory. */
function copyOfRow({ number, row }: NumberedRow): NumberedRow {
  const values = new Map(structuredClone([...row.values]));
  return { number, row: { ...row, values, cells: structuredClone(row.cells) } };
}
