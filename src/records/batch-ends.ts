/** Far ends of links that come with many records: found by number, else by title, and made when they are missing. */
import { type Account, holder, mayDo } from "../caller.ts";
import { newId } from "../ids.ts";
import { Problem } from "../problem.ts";
import type { Tx } from "../services.ts";
import { nameKey, sortKey } from "../text.ts";
import { missingFaults } from "./fields.ts";
import { type Kind, kinds, type Status } from "./kinds.ts";
import { nextIdnos } from "./numbers.ts";
import type { RecordState } from "./record.ts";
import { newState, stateFaults } from "./rules.ts";
import { type Hand, insertRecords } from "./save.ts";
import type { Schema } from "./schema.ts";
import type { Draft } from "./shape.ts";

/** Keys without a letter, and keys that were cut, say too little to tell two titles apart. */
function isVague(key: string): boolean {
  return key === "" || key.length >= 240;
}

/** Names that have one key mean one record. */
export function endKey(name: string): string {
  return isVague(sortKey(name)) ? `= ${name}` : nameKey(name);
}

/** `title`: by which it was found, unless it was found by its number. */
export type End = { id: string; title?: string };

/** A record that a name may mean. */
export type Candidate = { id: string; idno: string; title: string };

/** Candidates that a sentence names. */
const NAMED = 5;

/** Why a name is no answer, with what it may mean. */
export function severalSentence(kind: Kind, value: string, all: readonly Candidate[]): string {
  const shown = all.slice(0, NAMED).map(({ idno, title }) => `${idno} ${JSON.stringify(title.slice(0, 60))}`);
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : "";
  return `${JSON.stringify(value)} may be any of ${all.length} ${kinds[kind].plural.replace("-", " ")} (${shown.join(", ")}${more})`;
}

/** The one that is spelled so, where only one is; all others otherwise. */
export function spelledSo<T extends Candidate>(value: string, all: readonly T[]): readonly T[] {
  const exact = all.filter(({ title }) => title.normalize() === value.normalize());
  return exact.length === 1 ? exact : all;
}

/**
 * Records of a type by number, else by title without case and accents; of several the one that is spelled so. What is
 * left of several is no answer: they stand in `several`, the oldest first.
 */
export async function findEnds(
  tx: Tx,
  kind: Kind,
  values: readonly string[],
): Promise<{ found: Map<string, End>; several: Map<string, readonly Candidate[]> }> {
  const keys = values.map(sortKey);
  const rows = await tx<Candidate[]>`
    select r.id, r.idno, r.title from records r
    where r.record_type = ${kind} and r.deleted_at is null
      and (r.idno = any(${values.map((value) => value.normalize())}) or r.sort_title = any(${keys}))
    order by r.created_at, r.id`;
  const byIdno = new Map(rows.map(({ id, idno }): [string, End] => [idno, { id }]));
  const byTitle = new Map<string, Candidate[]>();
  for (const row of rows) {
    const key = endKey(row.title);
    byTitle.set(key, [...(byTitle.get(key) ?? []), row]);
  }
  const found = new Map<string, End>();
  const several = new Map<string, readonly Candidate[]>();
  for (const value of values) {
    const named = byIdno.get(value.normalize());
    const titled = spelledSo(value, byTitle.get(endKey(value)) ?? []);
    const [first, second] = titled;
    if (named) found.set(value, named);
    else if (second) several.set(value, titled);
    else if (first) found.set(value, { id: first.id, title: first.title });
  }
  return { found, several };
}

/** Values that differ only in case or accents become one record, titled by the first of them, which is `fresh`. */
export async function createEnds(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  hand: Hand,
  wanted: readonly (readonly [string, Status])[],
): Promise<Map<string, End & { fresh: boolean }>> {
  const made = new Map<string, End & { fresh: boolean }>();
  if (wanted.length === 0) return made;
  if (!mayDo(caller, "create", kind))
    throw new Problem("forbidden", `${holder(caller)} may not create ${kinds[kind].plural}`);
  // two imports at once make one record of one name
  await tx`select pg_advisory_xact_lock(hashtext(${`ends:${kind}`}))`;
  const { found } = await findEnds(
    tx,
    kind,
    wanted.map(([value]) => value),
  );
  const byKey = new Map<string, End>();
  const records = [];
  for (const [value, status] of wanted) {
    const key = endKey(value);
    const known = found.get(value) ?? byKey.get(key);
    if (known) {
      made.set(value, { ...known, fresh: false });
      continue;
    }
    const end = { id: newId(), title: value };
    const metadata = { [kinds[kind].titleField]: [{ value }] };
    records.push({ id: end.id, state: newEnd(schema, kind, { status, metadata }, value) });
    byKey.set(key, end);
    made.set(value, { ...end, fresh: true });
  }
  const numbers = await nextIdnos(tx, kind, records.length);
  records.forEach(({ state }, index) => {
    state.idno = numbers[index]!;
  });
  await insertRecords(tx, kind, hand, records);
  return made;
}

/** What may not be public yet waits as a draft; a storage location never may. */
export function newEnd(schema: Schema, kind: Kind, draft: Draft, name: string): RecordState {
  let { status } = draft;
  if (status === "public" && kind === "storage_location") status = "internal";
  if (status === "public" && missingFaults(schema, kind, draft.metadata ?? {}).length > 0) status = "draft";
  const state = newState(schema, kind, { ...draft, status });
  const [fault] = stateFaults(schema, kind, state);
  if (!fault) return state;
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  throw new Problem("invalid", `no ${kinds[kind].singular} can be made of ${shown}: ${fault.detail}`);
}
