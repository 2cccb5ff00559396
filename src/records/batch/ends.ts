/** The targets of links in a batch: found by number, else by title, and created if missing. */
import { type Account, mayDo, permissionTo, refuse } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { type Said, said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Sql, Tx } from "../../services.ts";
import { beginning, composed, type NameMatch, nameKey, similarSortKey } from "../../text.ts";
import { type Kind, kinds, manyOf, oneOf, type Status } from "../kinds.ts";
import { isFindable, joinNow } from "../read/store.ts";
import type { RecordState } from "../record.ts";
import type { Schema } from "../schema.ts";
import type { Draft } from "../shape.ts";
import { missingFaults } from "../write/fields.ts";
import { giveNumbers } from "../write/numbers.ts";
import { newState, stateFaults } from "../write/rules.ts";
import { insertRecords, type Writer } from "../write/store.ts";

/** `byNumber`: it was found by its number, not by its title. */
export type End = { id: string; idno?: string; title?: string; byNumber?: true };

/** A candidate for a name. `life`: the years of a person, if they are known. */
export type Candidate = { id: string; idno: string; title: string; life?: string | null };

/** How many candidates a message lists. */
const NAMED = 5;

/** The message for an ambiguous name, with its candidates. */
export function ambiguousName(kind: Kind, value: string, all: readonly Candidate[]): Said {
  const some = all.slice(0, NAMED);
  const told = ({ idno, title, life }: Candidate) =>
    `${idno} ${JSON.stringify(title.slice(0, 60))}${life ? ` (${life})` : ""}`;
  const shown = some.map(told).join(", ");
  const more = all.length - some.length;
  return said("fault.name.ambiguous", { value, count: all.length, kind: manyOf(kind), shown, more });
}

/** The candidate with exactly this spelling if there is only one, else all candidates. */
export function preferExactSpelling<T extends Candidate>(value: string, all: readonly T[]): readonly T[] {
  const exact = all.filter(({ title }) => composed(title) === composed(value));
  return exact.length === 1 ? exact : all;
}

/** Those of these records whose name is the same as this one. */
export const sameNamed = <T extends { title: string }>(
  name: string,
  match: NameMatch | undefined,
  all: readonly T[],
): T[] => {
  const key = nameKey(name, match);
  return all.filter(({ title }) => nameKey(title, match) === key);
};

/** Each record once. A former name, that of a record merged into it, counts where no record has this name itself. */
export function ownFirst<T extends { id: string; is_former: boolean }>(all: readonly T[]): T[] {
  const own = all.filter(({ is_former }) => !is_former);
  return [...new Map((own.length > 0 ? own : all).map((one) => [one.id, one])).values()];
}

/**
 * Finds records of a type by number, else by name, also those of a record merged into them; of several matches, the one with exactly this spelling. If several remain,
 * they are returned in `several`, oldest first. `similar`: for a name that no record has, the oldest record with a similar one.
 */
export async function findEnds(
  tx: Sql | Tx,
  kind: Kind,
  values: readonly string[],
  match?: NameMatch,
): Promise<{
  found: Map<string, End>;
  several: Map<string, readonly Candidate[]>;
  similar: Map<string, Candidate>;
}> {
  const keys = values.map(similarSortKey);
  const rows = await tx<(Candidate & { number: string; is_former: boolean })[]>`
    select r.id, r.idno, f.title, f.idno as number, f.merged_into is not null as is_former,
      case when r.metadata ?| '{birth_date, death_date}' then concat(
        r.metadata #>> '{birth_date, 0, value}', '–', r.metadata #>> '{death_date, 0, value}') end as life
    from records f ${joinNow(tx)}
    where f.record_type = ${kind} and ${isFindable(tx)}
      and (f.idno = any(${values.map(composed)}) or similar_sort_key(f.sort_title) = any(${keys}))
    order by is_former, r.created_at, r.id`;
  const byIdno = new Map(
    rows.map(({ number, id, idno, title }): [string, End] => [number, { id, idno, title, byNumber: true }]),
  );
  const bySimilar = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) {
    const key = nameKey(row.title, "similar");
    bySimilar.set(key, [...(bySimilar.get(key) ?? []), row]);
  }
  const similar = new Map<string, Candidate>();
  const found = new Map<string, End>();
  const several = new Map<string, readonly Candidate[]>();
  for (const value of values) {
    const named = byIdno.get(composed(value));
    const alike = bySimilar.get(nameKey(value, "similar")) ?? [];
    const titled = preferExactSpelling(value, ownFirst(sameNamed(value, match, alike)));
    const [first, second] = titled;
    if (named) found.set(value, named);
    else if (second) several.set(value, titled);
    else if (first) found.set(value, first);
    else if (alike[0]) similar.set(value, alike[0]);
  }
  return { found, several, similar };
}

/** A record that was made for a name. `similar`: an older one with a similar name. */
export type NewEnd = { id: string; idno: string; title: string; similar?: Candidate };

/** Records for these values, and those that were created. The same names become one record, with the title and subtype of the first. */
export async function createEnds(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  writer: Writer,
  wanted: readonly { value: string; status: Status; subtype?: string }[],
  match?: NameMatch,
): Promise<{ ends: Map<string, End>; made: NewEnd[] }> {
  const ends = new Map<string, End>();
  if (wanted.length === 0) return { ends, made: [] };
  if (!mayDo(caller, "create", kind)) throw refuse(caller, permissionTo("create", kind));
  // so that two simultaneous imports do not create two records for one name
  await tx`select pg_advisory_xact_lock(hashtext(${`ends:${kind}`}))`;
  const values = wanted.map(({ value }) => value);
  const { found, similar } = await findEnds(tx, kind, values, match);
  const byKey = new Map<string, End>();
  const missing = [];
  for (const one of wanted) {
    const key = nameKey(one.value, match);
    const known = found.get(one.value) ?? byKey.get(key);
    const end = known ?? { id: newId(), title: one.value };
    ends.set(one.value, end);
    if (known) continue;
    byKey.set(key, end);
    missing.push({ ...one, id: end.id });
  }
  const made = (await insertNamed(tx, schema, kind, writer, missing)).map((one): NewEnd => {
    const alike = similar.get(one.title);
    return alike ? { ...one, similar: alike } : one;
  });
  return { ends, made };
}

/** Creates records that have only a name. */
export async function insertNamed(
  tx: Tx,
  schema: Schema,
  kind: Kind,
  writer: Writer,
  named: readonly { id: string; value: string; status: Status; subtype?: string; parent_id?: string }[],
): Promise<NewEnd[]> {
  const records = named.map(({ id, value, ...draft }) => {
    const metadata = { [kinds[kind].titleField]: [{ value }] };
    return { id, value, state: newEnd(schema, kind, { ...draft, metadata }, value) };
  });
  await giveNumbers(
    tx,
    kind,
    records.map(({ state }) => state),
  );
  await insertRecords(tx, kind, writer, records);
  return records.map(({ id, value, state: { idno } }) => ({ id, idno, title: value }));
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
