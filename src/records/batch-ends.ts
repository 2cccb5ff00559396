/** The far ends of links in a batch: found by number, else by title, and created if missing. */
import { type Account, mayDo, permissionTo, refuse } from "../caller.ts";
import { newId } from "../ids.ts";
import { type Said, said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Sql, Tx } from "../services.ts";
import { beginning, composed, nameKey, sortKey } from "../text.ts";
import { missingFaults } from "./fields.ts";
import { type Kind, kinds, manyOf, oneOf, type Status } from "./kinds.ts";
import { giveNumbers } from "./numbers.ts";
import type { RecordState } from "./record.ts";
import { newState, stateFaults } from "./rules.ts";
import type { Schema } from "./schema.ts";
import type { Draft } from "./shape.ts";
import { insertRecords, type Writer } from "./write-store.ts";

/** Keys without letters, or that were truncated, do not tell titles apart. */
function isVague(key: string): boolean {
  return key === "" || key.length >= 240;
}

/** Names with the same key mean the same record. */
export function endKey(name: string): string {
  return isVague(sortKey(name)) ? `= ${name}` : nameKey(name);
}

/** `byNumber`: it was found by its number, not by its title. */
export type End = { id: string; title?: string; byNumber?: true };

/** A candidate for a name. */
export type Candidate = { id: string; idno: string; title: string };

/** How many candidates a message lists. */
const NAMED = 5;

/** The message for an ambiguous name, with its candidates. */
export function ambiguousName(kind: Kind, value: string, all: readonly Candidate[]): Said {
  const some = all.slice(0, NAMED);
  const shown = some.map(({ idno, title }) => `${idno} ${JSON.stringify(title.slice(0, 60))}`).join(", ");
  const more = all.length - some.length;
  return said("fault.name.ambiguous", { value, count: all.length, kind: manyOf(kind), shown, more });
}

/** The candidate with exactly this spelling if there is only one, else all candidates. */
export function preferExactSpelling<T extends Candidate>(value: string, all: readonly T[]): readonly T[] {
  const exact = all.filter(({ title }) => composed(title) === composed(value));
  return exact.length === 1 ? exact : all;
}

/**
 * Finds records of a type by number, else by title, ignoring case and accents; of several matches, the one with
 * exactly this spelling. If several remain, they are returned in `several`, oldest first.
 */
export async function findEnds(
  tx: Sql | Tx,
  kind: Kind,
  values: readonly string[],
): Promise<{ found: Map<string, End>; several: Map<string, readonly Candidate[]> }> {
  const keys = values.map(sortKey);
  const rows = await tx<Candidate[]>`
    select r.id, r.idno, r.title from records r
    where r.record_type = ${kind} and r.deleted_at is null
      and (r.idno = any(${values.map(composed)}) or r.sort_title = any(${keys}))
    order by r.created_at, r.id`;
  const byIdno = new Map(
    rows.map(({ id, idno, title }): [string, End] => [idno, { id, title, byNumber: true }]),
  );
  const byTitle = new Map<string, Candidate[]>();
  for (const row of rows) {
    const key = endKey(row.title);
    byTitle.set(key, [...(byTitle.get(key) ?? []), row]);
  }
  const found = new Map<string, End>();
  const several = new Map<string, readonly Candidate[]>();
  for (const value of values) {
    const named = byIdno.get(composed(value));
    const titled = preferExactSpelling(value, byTitle.get(endKey(value)) ?? []);
    const [first, second] = titled;
    if (named) found.set(value, named);
    else if (second) several.set(value, titled);
    else if (first) found.set(value, { id: first.id, title: first.title });
  }
  return { found, several };
}

/** Creates records for these values. Values that differ only in case or accents become one record, with the title and subtype of the first, which is `fresh`. */
export async function createEnds(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  writer: Writer,
  wanted: readonly { value: string; status: Status; subtype?: string }[],
): Promise<Map<string, End & { fresh: boolean }>> {
  const made = new Map<string, End & { fresh: boolean }>();
  if (wanted.length === 0) return made;
  if (!mayDo(caller, "create", kind)) throw refuse(caller, permissionTo("create", kind));
  // so that two simultaneous imports do not create two records for one name
  await tx`select pg_advisory_xact_lock(hashtext(${`ends:${kind}`}))`;
  const { found } = await findEnds(
    tx,
    kind,
    wanted.map(({ value }) => value),
  );
  const byKey = new Map<string, End>();
  const records = [];
  for (const { value, status, subtype } of wanted) {
    const key = endKey(value);
    const known = found.get(value) ?? byKey.get(key);
    if (known) {
      made.set(value, { ...known, fresh: false });
      continue;
    }
    const end = { id: newId(), title: value };
    const metadata = { [kinds[kind].titleField]: [{ value }] };
    records.push({ id: end.id, state: newEnd(schema, kind, { status, subtype, metadata }, value) });
    byKey.set(key, end);
    made.set(value, { ...end, fresh: true });
  }
  await giveNumbers(
    tx,
    kind,
    records.map(({ state }) => state),
  );
  await insertRecords(tx, kind, writer, records);
  return made;
}

/** A record that may not be public yet becomes a draft; storage locations are never public. */
export function newEnd(schema: Schema, kind: Kind, draft: Draft, name: string): RecordState {
  let { status } = draft;
  if (status === "public" && kind === "storage_location") status = "internal";
  if (status === "public" && missingFaults(schema, kind, draft.metadata ?? {}).length > 0) status = "draft";
  const state = newState(schema, kind, { ...draft, status });
  const [fault] = stateFaults(schema, kind, state);
  if (!fault) return state;
  const shown = name.length > 60 ? `${beginning(name, 60)}…` : name;
  throw new Problem(
    "invalid",
    said("problem.record.unmakeable", { kind: oneOf(kind), name: shown, fault: fault.detail }),
  );
}
