/** The job of a bulk edit. It can be restarted, because the history shows which records it has already changed. */

import { callerOf, type OnBehalf } from "../src/accounts/on-behalf.ts";
import { actorId } from "../src/caller.ts";
import { readChosen } from "../src/jobs/chosen-records.ts";
import type { Told } from "../src/messages/said.ts";
import { editPart } from "../src/records/batch/edit-part.ts";
import type { Edit } from "../src/records/batch/edit-plan.ts";
import { findImport } from "../src/records/batch/imports-list.ts";
import {
  beginImport,
  endImport,
  interruptImport,
  saveProgress,
  writtenBy,
} from "../src/records/batch/imports-store.ts";
import type { Kind } from "../src/records/kinds.ts";
import type { JobInput } from "./job-kind.ts";

const BATCH = 100;
/** The most unchanged records that are named; more are only counted. */
const MOST_NAMED = 100;

type Params = { record_type: Kind; edit: Edit; on_behalf: OnBehalf };
type Named = { id: string; record_type: Kind; idno: string; title: string; reason: Told };

/** The id of the job is also the id of the edit in the list of imports. */
export async function editRecords({
  services,
  id,
  params,
  signal,
  report,
}: JobInput): Promise<Record<string, unknown>> {
  const { record_type: kind, edit, on_behalf } = params as Params;
  const { sql } = services;
  const chosen = await readChosen(sql, id);
  const run = { importId: id, run: 1 };
  const tally = { rows_done: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };
  const named: Named[] = [];
  /** Records that already have the link. */
  const linked: Named[] = [];
  const result = () => ({ import_id: id, ...tally, named, linked });
  if (!(await findImport(sql, id))) {
    const actor_id = actorId(await callerOf(sql, on_behalf));
    await beginImport(sql, { id, source: "edit", record_type: kind, options: { edit }, actor_id });
  }
  try {
    for (let at = 0; at < chosen.length; at += BATCH) {
      signal.throwIfAborted();
      const part = chosen.slice(at, at + BATCH);
      // a previous run of this job may have been killed
      const before = await writtenBy(
        sql,
        id,
        part.map((one) => one.id),
      );
      const left = part.filter((one) => !before.has(one.id));
      const caller = await callerOf(sql, on_behalf);
      const { plans, missing } = await editPart(services, caller, { id, kind, edit }, left);
      tally.updated += before.size;
      tally.skipped += missing;
      for (const plan of plans) {
        const isSame = plan.what === "same";
        tally[plan.what === "change" ? "updated" : isSame ? "unchanged" : "rejected"] += 1;
        if (plan.what === "change" || plan.reason === undefined) continue;
        const { id, idno, title, record_type } = plan.row;
        const list = isSame ? linked : named;
        if (list.length < MOST_NAMED) list.push({ id, record_type, idno, title, reason: plan.reason });
      }
      tally.rows_done += part.length;
      await saveProgress(sql, run, tally);
      await report({ done: tally.rows_done, total: chosen.length, result: result() });
    }
  } catch (error) {
    await interruptImport(sql, run);
    throw error;
  }
  await endImport(sql, run, "finished", tally);
  return result();
}
