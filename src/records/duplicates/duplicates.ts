/** Records that may be one: offered until they are merged, or until somebody says that they are two. */
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { type Fault, invalid } from "../../problem.ts";
import type { Services } from "../../services.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { demandMerging } from "../merge/merge.ts";
import { findRecords } from "../read/store.ts";
import type { RecordRow } from "../record.ts";
import { currentSchema } from "../schema.ts";
import { findCandidates, type Reason } from "./candidates.ts";
import { deleteDismissed, findDismissed, insertDismissed, loadCompared } from "./store.ts";

/** Of more candidates, the surest are offered. */
const MOST = 10_000;

export type Duplicate = { records: readonly [RecordRow, RecordRow]; reason: Reason; score: number };

export async function listDuplicates(
  { sql }: Services,
  caller: Account,
  kind: Kind,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ total: number; items: Duplicate[] }> {
  demandMerging(caller, kind);
  const compared = await loadCompared(sql, await currentSchema(sql), caller, kind);
  const all = (await findCandidates(compared, await findDismissed(sql, kind))).slice(0, MOST);
  const shown = all.slice((page - 1) * page_size, page * page_size);
  const ids = [...new Set(shown.flatMap((one) => one.ids))];
  const rows = new Map((await findRecords(sql, caller, kind, ids)).map((row) => [row.id, row]));
  const items = shown.flatMap(({ ids, reason, score }) => {
    const [one, other] = ids.map((id) => rows.get(id));
    return one && other ? [{ records: [one, other] as const, reason, score }] : [];
  });
  return { total: all.length, items };
}

/** Remembers that two records are not one. */
export async function dismissDuplicate(
  services: Services,
  caller: Account,
  kind: Kind,
  ids: readonly string[],
): Promise<void> {
  await demandPair(services, caller, kind, ids);
  await insertDismissed(services.sql, "not_duplicates", caller, ids);
}

/** Forgets it. */
export async function offerDuplicate(
  services: Services,
  caller: Account,
  kind: Kind,
  ids: readonly string[],
): Promise<void> {
  await demandPair(services, caller, kind, ids);
  await deleteDismissed(services.sql, "not_duplicates", ids);
}

async function demandPair({ sql }: Services, caller: Account, kind: Kind, ids: readonly string[]) {
  demandMerging(caller, kind);
  if (ids[0] === ids[1]) throw invalid([{ pointer: "/ids/1", detail: said("fault.duplicates.itself") }]);
  const rows = await findRecords(sql, caller, kind, ids);
  const faults = ids.flatMap((id, at): Fault[] =>
    rows.some((row) => row.id === id)
      ? []
      : [{ pointer: `/ids/${at}`, detail: said("fault.record.unknown", { kind: oneOf(kind), id }) }],
  );
  if (faults.length > 0) throw invalid(faults);
}
