/** What two records say as one, and what an undo takes out again. Pure. */
import { said } from "../../messages/said.ts";
import { type Fault, jsonPointer } from "../../problem.ts";
import { kinds } from "../kinds.ts";
import {
  type Entry,
  hasEntry,
  type Metadata,
  type RecordRow,
  type RecordState,
  sameEntries,
  stateOf,
} from "../record.ts";
import { fieldsOf, type Schema } from "../schema.ts";

/** Whose value a field gets. `both` is for metadata only. */
export const CHOICES = ["kept", "merged", "both"] as const;
export type Choices = Readonly<Record<string, (typeof CHOICES)[number]>>;

/** Columns that may be chosen. Number, status and place in a tree are those of the record that stays. */
const COLUMNS = ["start_date", "end_date", "due_date", "reference_number", "collection_status"] as const;
type Column = (typeof COLUMNS)[number];

/**
 * The state of the record that stays: its own values, and in its empty fields those of the other. Other names become further names
 * if the type has a field for them.
 */
export function mergedState(schema: Schema, into: RecordRow, from: RecordRow, choices: Choices): RecordState {
  const { subtypeKey } = kinds[into.record_type];
  const metadata: Metadata = {};
  for (const name of new Set([...Object.keys(into.metadata), ...Object.keys(from.metadata)])) {
    const [own, other] = [into, from].map((row) => entriesOf(schema, row, name, [into.id, from.id]));
    const entries = chosenEntries(own!, other!, choices[name]);
    if (entries.length > 0) metadata[name] = entries;
  }
  addFurtherNames(schema, into, from, choices, metadata);
  const state: RecordState = { ...stateOf(into), metadata };
  if (choices[subtypeKey] === "merged") state.subtype = from.subtype;
  for (const column of COLUMNS) {
    // an end would close a procedure
    const fills = into[column] === null && !(column === "end_date" && into.record_type === "procedure");
    if (choices[column] === "merged" || (choices[column] !== "kept" && fills))
      Object.assign(state, { [column]: from[column] } satisfies Partial<Record<Column, unknown>>);
  }
  if (
    choices.lat === "merged" ||
    choices.lon === "merged" ||
    (!choices.lat && !choices.lon && into.lat === null)
  )
    Object.assign(state, { lat: from.lat, lon: from.lon });
  return state;
}

function chosenEntries(
  kept: readonly Entry[],
  other: readonly Entry[],
  choice: Choices[string] | undefined,
): Entry[] {
  if (choice === "merged") return [...other];
  if (choice === "both") return [...kept, ...other.filter((entry) => !hasEntry(kept, entry))];
  return kept.length > 0 || choice === "kept" ? [...kept] : [...other];
}

/** Without what would refer to the two records themselves. */
function entriesOf(schema: Schema, row: RecordRow, name: string, two: readonly string[]): Entry[] {
  const entries = row.metadata[name] ?? [];
  if (fieldsOf(schema, row.record_type).get(name)?.field_type !== "relation") return entries;
  return entries.filter(({ value }) => !two.includes(value.toLowerCase()));
}

function addFurtherNames(
  schema: Schema,
  into: RecordRow,
  from: RecordRow,
  choices: Choices,
  metadata: Metadata,
): void {
  const kind = into.record_type;
  const { titleField } = kinds[kind];
  const further = [...fieldsOf(schema, kind).values()].find(
    ({ is_repeatable, mapping }) => is_repeatable && mapping.pattern === `alternative_${titleField}`,
  )?.name;
  if (further === undefined || (choices[further] ?? "both") !== "both") return;
  const names = metadata[further] ?? [];
  const all = [into, from].flatMap((row) => [
    ...(row.metadata[titleField] ?? []),
    ...(row.metadata[further] ?? []),
  ]);
  for (const name of all) {
    const known = [...names, ...(metadata[titleField] ?? [])];
    if (!known.some(({ value }) => value === name.value)) names.push(name);
  }
  if (names.length > 0) metadata[further] = names;
}

/** For each field of the state all that these said before: it may stay in its language, also in the field that a merge puts it into. */
export function saidBefore({ metadata }: RecordState, ...before: Metadata[]): Metadata {
  const entries = before.flatMap((each) => Object.values(each).flat());
  return Object.fromEntries(Object.keys(metadata).map((name) => [name, entries]));
}

/** Names in `fields` that no choice can be made of. */
export function choiceFaults(schema: Schema, { record_type: kind }: RecordRow, choices: Choices): Fault[] {
  const { subtypeKey, columns } = kinds[kind];
  const known = [subtypeKey, ...columns.filter((column) => column !== "parent_id")];
  return Object.entries(choices).flatMap(([name, choice]) => {
    const pointer = jsonPointer("fields", name);
    const field = fieldsOf(schema, kind).get(name);
    if (!field && !known.includes(name)) return [{ pointer, detail: said("fault.field.unknown", { name }) }];
    return field || choice !== "both" ? [] : [{ pointer, detail: said("fault.merge.one_value", { name }) }];
  });
}

/** Columns that a merge changes. Those that a rule compares go back together or not at all. */
const TOGETHER = [
  ["lat", "lon"],
  ["start_date", "end_date", "due_date"],
  ["subtype"],
  ["parent_id"],
  ["reference_number"],
  ["collection_status"],
] as const satisfies (keyof RecordState)[][];

/**
 * The state without what a merge has changed. `left`: fields that somebody has changed since, which stay. @param now the record as it
 * is @param before as it was before the merge @param after as the merge left it
 */
export function undoneState(
  now: RecordState,
  before: RecordState,
  after: RecordState,
): { state: RecordState; left: string[] } {
  const state: RecordState = { ...now, metadata: { ...now.metadata } };
  const left: string[] = [];
  for (const name of new Set([before, after].flatMap(({ metadata }) => Object.keys(metadata)))) {
    const [was, became, is] = [before, after, now].map(({ metadata }) => metadata[name]);
    if (sameEntries(was, became)) continue;
    if (!sameEntries(is, became)) left.push(name);
    else if (was) state.metadata[name] = was;
    else delete state.metadata[name];
  }
  for (const keys of TOGETHER) {
    const moved = keys.filter((key) => before[key] !== after[key]);
    if (keys.some((key) => now[key] !== after[key])) left.push(...moved);
    else for (const key of moved) Object.assign(state, { [key]: before[key] });
  }
  return { state, left };
}
