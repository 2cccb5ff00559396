/** A job: work that takes longer than a request, stored in the database until it is done. */

import { actorJson } from "../http/answer/list-envelope.ts";
import { say, sayAll, type Told, toldFrom } from "../messages/said.ts";
import type { Translate } from "../messages/translate.ts";
import { titleOf } from "./kinds.ts";

/**
 * `queued` → `running` → `done`, `failed` (after as many attempts as its kind allows) or `cancelled`. After an earlier
 * failure, or when its process stops, a job is `queued` again; so are `failed` and `cancelled` jobs when retried. A job whose
 * process was killed stays `running` until its lease ends. Then another process runs it, or ends an import as `failed`.
 */
export const JOB_STATES = ["queued", "running", "done", "failed", "cancelled"] as const;
export type JobState = (typeof JOB_STATES)[number];

export type Job = {
  id: string;
  kind: string;
  state: JobState;
  params: Record<string, unknown>;
  total: number | null;
  done: number;
  result: Record<string, unknown> | null;
  /** As `toldText` writes it. */
  reason: string | null;
  messages: { at: string; text: Told }[];
  attempts: number;
  cancel_requested: boolean;
  created_by: string | null;
  created_by_email: string | null;
  created_at: string;
  run_after: string;
  started_at: string | null;
  finished_at: string | null;
  revision: number;
};

export function isOver({ state }: Job): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

/**
 * The job as callers read it (interface §3); `status` is `state` in the contract's word.
 * @param nameOf what the reader calls a field
 */
export function jobJson(
  t: Translate,
  { id, revision: _, created_by_email: email, ...job }: Job,
  nameOf?: (field: string) => string,
) {
  const { kind, state, total, done, created_at, reason, messages, result, ...rest } = job;
  const actor = actorJson(job.created_by, email);
  return {
    job_id: id,
    kind,
    title: say(t, titleOf(kind)),
    state,
    status: state,
    total,
    done,
    created_at,
    actor,
    ...rest,
    result: sayAll(t, result, nameOf),
    reason: reason === null ? null : say(t, toldFrom(reason)),
    messages: messages.map(({ at, text }) => ({ at, text: say(t, text) })),
  };
}
