/** Records that may be one: offered until they are merged, or until somebody says that they are two. */
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { type Fault, invalid, invalidAt } from "../../problem.ts";
import type { Services, Sql } from "../../services.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { demandMerging } from "../merge/merge.ts";
import { findRecords } from "../read/store.ts";
import type { RecordRow } from "../record.ts";
import { currentSchema } from "../schema.ts";
import { type Candidate, findCandidates, pairKey, type Reason } from "./candidates.ts";
import { deleteDismissed, findDismissed, insertDismissed, loadCompared, stateOfCompared } from "./store.ts";

/** Of more candidates, the surest are offered. */
const MOST = 10_000;

/** `dismissed`: of those that somebody has said are not one, instead of the others. */
export type PageOfPairs = { page: number; page_size: number; dismissed: boolean };
/** `total`: of the pairs asked for; `dismissed`: how many somebody has said are not one. */
export type FoundPairs<T> = { total: number; dismissed: number; items: T[] };

export type Duplicate = { records: readonly [RecordRow, RecordRow]; reason: Reason; score: number };

/** @param not what somebody has said is not one, as `pairKey` has it */
export function pageOfPairs(
  found: readonly Candidate[],
  not: ReadonlySet<string>,
  { page, page_size, dismissed }: PageOfPairs,
): FoundPairs<Candidate> {
  const of = (isDismissed: boolean) => found.filter(({ ids }) => not.has(pairKey(...ids)) === isDismissed);
  const all = of(dismissed).slice(0, MOST);
  const items = all.slice((page - 1) * page_size, page * page_size);
  return { total: all.length, dismissed: of(true).length, items };
}

type Kept = { state: string; found: Promise<readonly Candidate[]> };
const kept = new WeakMap<Sql, Map<Kind, Kept>>();

/** Those of the last time, unless a record has changed since. */
async function candidatesOf(sql: Sql, caller: Account, kind: Kind): Promise<readonly Candidate[]> {
  const schema = await currentSchema(sql);
  const state = await stateOfCompared(sql, schema, caller, kind);
  const all = kept.get(sql) ?? new Map<Kind, Kept>();
  kept.set(sql, all);
  const known = all.get(kind);
  if (known?.state === state) return known.found;
  const found = loadCompared(sql, schema, caller, kind).then((compared) => findCandidates(compared));
  const own = { state, found };
  all.set(kind, own);
  found.catch(() => all.get(kind) === own && all.delete(kind));
  return found;
}

export async function listDuplicates(
  { sql }: Services,
  caller: Account,
  kind: Kind,
  asked: PageOfPairs,
): Promise<FoundPairs<Duplicate>> {
  demandMerging(caller, kind);
  const found = await candidatesOf(sql, caller, kind);
  const shown = pageOfPairs(found, await findDismissed(sql, kind), asked);
  const ids = [...new Set(shown.items.flatMap((one) => one.ids))];
  const rows = new Map((await findRecords(sql, caller, kind, ids)).map((row) => [row.id, row]));
  const items = shown.items.flatMap(({ ids, reason, score }) => {
    const [one, other] = ids.map((id) => rows.get(id));
    return one && other ? [{ records: [one, other] as const, reason, score }] : [];
  });
  return { ...shown, items };
}

/** Remembers that two records are not one, or forgets it. */
export async function dismissDuplicate(
  { sql }: Services,
  caller: Account,
  kind: Kind,
  ids: readonly string[],
  isDismissed: boolean,
): Promise<void> {
  demandMerging(caller, kind);
  if (ids[0] === ids[1]) throw invalidAt("/ids/1", said("fault.duplicates.itself"));
  const rows = await findRecords(sql, caller, kind, ids);
  const faults = ids.flatMap((id, at): Fault[] =>
    rows.some((row) => row.id === id)
      ? []
      : [{ pointer: `/ids/${at}`, detail: said("fault.record.unknown", { kind: oneOf(kind), id }) }],
  );
  if (faults.length > 0) throw invalid(faults);
  if (isDismissed) await insertDismissed(sql, "not_duplicates", caller, ids);
  else await deleteDismissed(sql, "not_duplicates", ids);
}
