/** A job: something that takes longer than a request, kept in the database until somebody has done it. */
import { actorJson } from "../http/list-envelope.ts";
import { titleOf } from "./kinds.ts";

/**
 * `queued` → `running` → `done`, or `failed` once it was tried as often as its kind allows, or `cancelled`. A run that
 * fails before, or whose process was stopped or killed, is `queued` again; `failed` and `cancelled` too, when retried.
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
  reason: string | null;
  messages: { at: string; text: string }[];
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

/** The job as callers read it (interface §3); `status` is `state` in the contract's word. */
export function jobJson({ id, revision: _, created_by_email: email, ...job }: Job) {
  const { kind, state, total, done, created_at, ...rest } = job;
  const actor = actorJson(job.created_by, email);
  return {
    job_id: id,
    kind,
    title: titleOf(kind),
    state,
    status: state,
    total,
    done,
    created_at,
    actor,
    ...rest,
  };
}
