/**
 * Rows of one file that speak of each other: a parent, a part, a number that stands twice. Found by reading the file
 * once before the import, remembered in sieves of fixed size. No record is made of a name that the file has a row for: the
 * link waits for the end of the file (`later.ts`), so that it does not matter where the rows stand, nor whether they go
 * round in a ring.
 */
import { endKey } from "../records/batch-ends.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Sql } from "../services.ts";
import { sortKey } from "../text.ts";
import { fairly } from "./fair.ts";
import type { ImportRows } from "./form.ts";
import type { Brings, RowOptions } from "./items.ts";
import { keyFields, keyNames } from "./keys.ts";
import type { Mapping } from "./mapping.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";
import { Sieve } from "./sieve.ts";

/** A row with its place among the rows of the file, from 1. */
export type NumberedRow = { number: number; row: ImportRow };

/** Rows that a dry run keeps in memory at most because others speak of them. */
const MOST_KEPT = 20_000;

/** Rows of one title that are kept: two make it ambiguous, more make no difference. */
const OF_ONE_TITLE = 2;

export type Ties = {
  /** What the file has rows for. */
  brings: Brings;
  /** Rows that a dry run must repeat before these, because it took them back; in the order of the file. */
  before(rows: readonly NumberedRow[], mapped: readonly MappedRow[]): NumberedRow[];
  /** Tells of rows that were dealt with. */
  done(rows: readonly NumberedRow[], mapped: readonly MappedRow[]): void;
};

const NO_TIES: Ties = {
  brings: { number: () => false, name: () => false },
  before: () => [],
  done: () => undefined,
};

/** Under what others may name the row: its number or keys, and its title where the mapping has links to its own type. */
function namesOf(mapped: MappedRow, keys: readonly string[], options: RowOptions): string[] {
  const names = keyNames(mapped, keys, options).map((name) => `#${name}`);
  if (mapped.idno !== undefined && options.idnoStrategy !== "auto") names.push(`#${mapped.idno}`);
  const title = mapped.fields[kinds[mapped.record_type].titleField]?.[0]?.value;
  if (title !== undefined) names.push(`=${endKey(title)}`);
  return names;
}

/** The names under which something may be that a row calls this. */
export function namesWished(value: string): string[] {
  return [`#${value.normalize()}`, `=${endKey(value)}`];
}

/** What the row names among records of its own type. */
export function wishesOf(mapped: MappedRow): string[] {
  const parent = mapped.columns.parent === undefined ? [] : [`#${mapped.columns.parent}`];
  const own = mapped.relations.filter(({ to_type }) => to_type === mapped.record_type);
  return [...parent, ...own.flatMap(({ value }) => namesWished(value))];
}

/** Under what names there are records of the type, as far as rows call any by these. */
export async function findNames(sql: Sql, kind: Kind, values: readonly string[]): Promise<Set<string>> {
  const found = await sql<{ idno: string; title: string }[]>`
    select idno, title from records
    where record_type = ${kind} and deleted_at is null
      and (idno = any(${values.map((value) => value.normalize())}) or sort_title = any(${values.map(sortKey)}))`;
  return new Set(found.flatMap(({ idno, title }) => [`#${idno}`, `=${endKey(title)}`]));
}

/**
 * Reads the file for its ties. A real import needs them when rows may name each other; a dry run, which takes every
 * batch back, also for numbers that stand twice.
 */
export async function readTies(
  open: (mapping: Mapping) => Promise<ImportRows>,
  whole: Mapping,
  options: RowOptions & { dryRun: boolean },
): Promise<Ties> {
  const { kind } = options;
  const links = whole.some(
    ({ target }) =>
      (target.kind === "column" && target.name === "parent") ||
      (target.kind === "relation" && target.to_type === kind),
  );
  const numbered = options.idnoStrategy !== "auto" && whole.some(({ target }) => target.kind === "idno");
  const keys = keyFields(whole, options);
  if (!links && !(options.dryRun && (numbered || keys.length > 0))) return NO_TIES;
  const { titleField } = kinds[kind];
  const mapping = whole.filter(
    ({ target }) =>
      target.kind === "idno" ||
      (target.kind === "field" && keys.includes(target.name)) ||
      (links && target.kind === "field" && target.name === titleField) ||
      (target.kind === "column" && target.name === "parent") ||
      (target.kind === "relation" && target.to_type === kind),
  );
  const named = new Sieve();
  const wished = new Sieve();
  const fair = fairly();
  for await (const batch of (await open(mapping)).rows) {
    for (const row of batch) {
      const mapped = await fair(() => mapRow(mapping, kind, row));
      for (const name of namesOf(mapped, keys, options)) {
        // a number, or a key, that stands twice: the second row wishes for the first
        if (named.add(name) && name.startsWith("#")) wished.add(name);
      }
      for (const wish of wishesOf(mapped)) wished.add(wish);
    }
  }
  const { before, done } = options.dryRun ? keeper(wished, keys, options) : NO_TIES;
  const brings: Brings = {
    number: (idno) => named.has(`#${idno}`),
    name: (value) => namesWished(value).some((name) => named.has(name)),
  };
  return { brings, before, done };
}

/** Keeps the rows that others wish for, as copies: their cells are slices of the text (see `readCsv`). */
function keeper(wished: Sieve, keys: readonly string[], options: RowOptions): Pick<Ties, "before" | "done"> {
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
          // what made the record that this row meets; not what it names, which goes on without end
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

/** The row apart from the text of the file: its cells are slices, which would keep all of it in memory. */
function copyOfRow({ number, row }: NumberedRow): NumberedRow {
  const values = new Map(structuredClone([...row.values]));
  return { number, row: { ...row, values, cells: structuredClone(row.cells) } };
}
