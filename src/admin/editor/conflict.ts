/** Two people edited the same record. Changes to different fields are merged. For a field that both changed, the form asks. */
import { type Entry, type RecordRow, sameEntries } from "../../records/record.ts";
import type { Field } from "../../records/schema.ts";
import type { Values } from "./values.ts";

/** Changes that somebody else saved in the meantime. */
export type Conflict = {
  /** Fields that both changed differently, with the values that the other person saved. */
  theirs: ReadonlyMap<string, readonly Entry[]>;
  /** Fields that only the other person changed. */
  taken: readonly string[];
  /** Fields of `theirs` for which the reader keeps the other person's values. */
  chosen: ReadonlySet<string>;
};

const isTheirs = (form: ReadonlyMap<string, string>, { name }: Field): boolean =>
  form.get(`keep/${name}`) === "theirs";

/** The conflict in the sent form; null if there is none. */
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

/** Takes over the other person's values of the fields for which the form says so. */
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

/** @param base values when the form was opened; @param theirs values saved now; @param mine values in the form */
export function mergeValues(
  fields: readonly Field[],
  base: Values,
  theirs: Values,
  mine: Values,
): { values: Values; conflict: Conflict } {
  const values = structuredClone(mine);
  const both = new Map<string, readonly Entry[]>();
  const taken: string[] = [];
  for (const { name } of fields) {
    const [before, other, own] = [base.metadata[name], theirs.metadata[name], mine.metadata[name]];
    if (sameEntries(before, other) || sameEntries(other, own)) continue;
    if (!sameEntries(before, own)) both.set(name, other ?? []);
    else {
      taken.push(name);
      values.metadata[name] = other ?? [];
    }
  }
  for (const key of ["idno", "subtype", "status"] as const) {
    if (mine[key] === base[key]) values[key] = theirs[key];
  }
  for (const column of Object.keys(mine.columns) as (keyof Values["columns"])[]) {
    if (mine.columns[column] === base.columns[column]) values.columns[column] = theirs.columns[column] ?? "";
  }
  return { values, conflict: { theirs: both, taken, chosen: new Set() } };
}
