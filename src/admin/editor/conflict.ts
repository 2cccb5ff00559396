/** Two people edited the same record: what only one of them changed is kept, what both changed is asked for. */
import { type Entry, sameEntries } from "../../records/record.ts";
import type { Field } from "../../records/schema.ts";
import type { Values } from "./values.ts";

export type Merged = {
  values: Values;
  /** Fields that both changed differently: what the other one saved. */
  theirs: Map<string, readonly Entry[]>;
  /** Fields that only the other one changed. */
  taken: string[];
};

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
