/** Two people edited the same record: what only one of them changed is kept, what both changed is asked for. */
import { type Entry, type RecordRow, sameEntries } from "../../records/record.ts";
import type { Field } from "../../records/schema.ts";
import type { Values } from "./values.ts";

/** What somebody else saved meanwhile. */
export type Conflict = {
  /** Fields that both changed differently: what the other one saved. */
  theirs: ReadonlyMap<string, readonly Entry[]>;
  /** Fields that only the other one changed. */
  taken: readonly string[];
  /** Fields of `theirs` in which the words of the other one are to be kept. */
  chosen: ReadonlySet<string>;
};

export type Merged = { values: Values; theirs: Map<string, readonly Entry[]>; taken: string[] };

const isTheirs = (form: ReadonlyMap<string, string>, { name }: Field): boolean =>
  form.get(`keep/${name}`) === "theirs";

/** The conflict that the form shows; null for none. */
export function conflictIn(
  fields: readonly Field[],
  row: RecordRow,
  form: ReadonlyMap<string, string>,
): Conflict | null {
  const asked = fields.filter(({ name }) => form.has(`keep/${name}`));
  if (asked.length === 0) return null;
  return {
    theirs: new Map(asked.map(({ name }) => [name, row.metadata[name] ?? []])),
    taken: [],
    chosen: new Set(asked.filter((field) => isTheirs(form, field)).map(({ name }) => name)),
  };
}

/** Where both changed a field, the form says whose words are to be kept. */
export function keepTheirs(
  fields: readonly Field[],
  values: Values,
  row: RecordRow,
  form: ReadonlyMap<string, string>,
): void {
  for (const field of fields) {
    if (isTheirs(form, field)) values.metadata[field.name] = row.metadata[field.name] ?? [];
  }
}

/** @param base what the form began with; @param theirs as it is saved now; @param mine what was typed */
export function mergeValues(fields: readonly Field[], base: Values, theirs: Values, mine: Values): Merged {
  const merged: Merged = { values: structuredClone(mine), theirs: new Map(), taken: [] };
  for (const { name } of fields) {
    const [before, other, own] = [base.metadata[name], theirs.metadata[name], mine.metadata[name]];
    if (sameEntries(before, other) || sameEntries(other, own)) continue;
    if (!sameEntries(before, own)) merged.theirs.set(name, other ?? []);
    else {
      merged.taken.push(name);
      merged.values.metadata[name] = other ?? [];
    }
  }
  const { values } = merged;
  for (const key of ["idno", "subtype", "status"] as const) {
    if (mine[key] === base[key]) values[key] = theirs[key];
  }
  for (const column of Object.keys(mine.columns) as (keyof Values["columns"])[]) {
    if (mine.columns[column] === base.columns[column]) values.columns[column] = theirs.columns[column] ?? "";
  }
  return merged;
}
