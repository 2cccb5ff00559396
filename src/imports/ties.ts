/**
 * Rows of one file that speak of each other: a parent, a part, a number that stands twice. Found by reading the file
 * once before the import, remembered in a sieve of fixed size. A sieve may err to "yes": then a row waits in vain for
 * another, or is kept in vain, and nothing else changes.
 */
import { type Kind, kinds } from "../records/kinds.ts";
import type { Sql, Tx } from "../services.ts";
import { sortKey } from "../text.ts";
import type { ImportRows } from "./form.ts";
import type { RowOptions } from "./items.ts";
import type { Mapping } from "./mapping.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";

/** A row with its place among the rows of the file, from 1. */
export type NumberedRow = { number: number; row: ImportRow };

/** Rows that are kept in memory at most because others speak of them. */
export const MOST_KEPT = 20_000;

/** Rows of one title that are kept: two make it ambiguous, more make no difference. */
const OF_ONE_TITLE = 2;

export type Ties = {
  /** Whether the file has a row of one of these names. */
  named(names: readonly string[]): boolean;
  /** Rows that a dry run must repeat before these, because it took them back; in the order of the file. */
  before(rows: readonly NumberedRow[], mapped: readonly MappedRow[]): NumberedRow[];
  /** Tells of rows that were dealt with. */
  done(rows: readonly NumberedRow[], mapped: readonly MappedRow[]): void;
};

const NO_TIES: Ties = { named: () => false, before: () => [], done: () => undefined };

/** Under what others may name the row: its number, and its title where the mapping has links to its own type. */
export function namesOf(mapped: MappedRow, options: Pick<RowOptions, "idnoStrategy">): string[] {
  const names: string[] = [];
  if (mapped.idno !== undefined && options.idnoStrategy !== "auto") names.push(`#${mapped.idno}`);
  const title = mapped.fields[kinds[mapped.record_type].titleField]?.[0]?.value;
  const key = title === undefined ? "" : sortKey(title);
  if (key !== "") names.push(`=${key}`);
  return names;
}

/** What the row names among records of its own type. */
export function wishesOf(mapped: MappedRow): string[] {
  const wishes = mapped.columns.parent === undefined ? [] : [`#${mapped.columns.parent}`];
  for (const { to_type, value } of mapped.relations) {
    if (to_type !== mapped.record_type) continue;
    wishes.push(`#${value}`);
    if (sortKey(value) !== "") wishes.push(`=${sortKey(value)}`);
  }
  return wishes;
}

/** Which names the rows wish for that no record has yet. */
export async function lacking(
  sql: Sql | Tx,
  kind: Kind,
  rows: readonly MappedRow[],
): Promise<Map<MappedRow, string[]>> {
  const wishes = [...new Set(rows.flatMap(wishesOf))];
  const lacks = new Map<MappedRow, string[]>();
  if (wishes.length === 0) return lacks;
  const marked = (mark: string) =>
    wishes.filter((wish) => wish.startsWith(mark)).map((wish) => wish.slice(1));
  const found = await sql<{ idno: string; sort_title: string }[]>`
    select idno, sort_title from records
    where record_type = ${kind} and deleted_at is null
      and (idno = any(${marked("#")}) or sort_title = any(${marked("=")}))`;
  const there = new Set(found.flatMap((row) => [`#${row.idno}`, `=${row.sort_title}`]));
  for (const row of rows) {
    const missing = row.columns.parent === undefined ? [] : [[`#${row.columns.parent}`]];
    for (const { to_type, value } of row.relations) {
      if (to_type === kind) missing.push([`#${value}`, `=${sortKey(value)}`]);
    }
    const lacked = missing.filter((names) => !names.some((name) => there.has(name))).flat();
    if (lacked.length > 0) lacks.set(row, lacked);
  }
  return lacks;
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
  if (!links && !(options.dryRun && numbered)) return NO_TIES;
  const { titleField } = kinds[kind];
  const mapping = whole.filter(
    ({ target }) =>
      target.kind === "idno" ||
      (links && target.kind === "field" && target.name === titleField) ||
      (target.kind === "column" && target.name === "parent") ||
      (target.kind === "relation" && target.to_type === kind),
  );
  const named = new Sieve();
  const wished = new Sieve();
  for await (const batch of (await open(mapping)).rows) {
    for (const row of batch) {
      const mapped = mapRow(mapping, kind, row);
      for (const name of namesOf(mapped, options)) {
        // a number that stands twice: the second row wishes for the first
        if (named.add(name) && name.startsWith("#")) wished.add(name);
      }
      for (const wish of wishesOf(mapped)) wished.add(wish);
    }
  }
  const { before, done } = options.dryRun ? keeper(wished, options) : NO_TIES;
  return { named: (names) => names.some((name) => named.has(name)), before, done };
}

/** Keeps the rows that others wish for, as copies: their cells are slices of the text (see `readCsv`). */
function keeper(wished: Sieve, options: RowOptions): Pick<Ties, "before" | "done"> {
  type Kept = { numbered: NumberedRow; calls: readonly string[] };
  const kept = new Map<string, Kept[]>();
  let count = 0;
  const calls = (mapped: MappedRow) => [
    ...namesOf(mapped, options).filter((name) => name.startsWith("#")),
    ...wishesOf(mapped),
  ];
  return {
    before(rows, mapped) {
      const own = new Set(rows.map(({ number }) => number));
      const found = new Map<number, NumberedRow>();
      const open = mapped.flatMap(calls);
      for (let call = open.pop(); call !== undefined; call = open.pop()) {
        for (const { numbered, calls } of kept.get(call) ?? []) {
          if (own.has(numbered.number) || found.has(numbered.number)) continue;
          found.set(numbered.number, numbered);
          open.push(...calls);
        }
      }
      return [...found.values()].sort((a, b) => a.number - b.number);
    },
    done(rows, mapped) {
      rows.forEach((numbered, index) => {
        const names = namesOf(mapped[index]!, options).filter((name) => wished.has(name));
        if (names.length === 0 || count >= MOST_KEPT) return;
        count += 1;
        const one = { numbered: copyOfRow(numbered), calls: copyOf(calls(mapped[index]!)) };
        for (const name of copyOf(names)) {
          const others = kept.get(name) ?? [];
          if (name.startsWith("#") || others.length < OF_ONE_TITLE) kept.set(name, [...others, one]);
        }
      });
    },
  };
}

/** The row apart from the text of the file: its cells are slices, which would keep all of it in memory. */
export function copyOfRow({ number, row }: NumberedRow): NumberedRow {
  const values = new Map(copyOf([...row.values]));
  return { number, row: { ...row, values, cells: copyOf(row.cells) } };
}

function copyOf<T>(value: T): T {
  return structuredClone(value);
}

/** A set of texts that takes 16 MiB at most, however many they are; among a million it errs on one in a million. */
export class Sieve {
  readonly #bits = new Uint32Array(2 ** 22);

  /** Answers whether the text was there already. */
  add(text: string): boolean {
    let there = true;
    for (const place of places(text)) {
      const bit = 1 << (place & 31);
      if ((this.#bits[place >>> 5]! & bit) === 0) there = false;
      this.#bits[place >>> 5]! |= bit;
    }
    return there;
  }

  has(text: string): boolean {
    return places(text).every((place) => (this.#bits[place >>> 5]! & (1 << (place & 31))) !== 0);
  }
}

/** Four places among 2^27, from two hashes (FNV-1a and a relative of it). */
function places(text: string): number[] {
  let a = 0x811c9dc5;
  let b = 0x2f0b4c47;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  a ^= a >>> 16;
  return [a >>> 5, (a + b) >>> 5, (a + 2 * b) >>> 5, (a + 3 * b) >>> 5];
}
