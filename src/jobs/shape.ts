/** Jobs as the API shows them. The same schemas validate and describe. */

import { z } from "zod";
import { ActorShape, listOf, pageQuery } from "../http/answer/list-envelope.ts";
import { IdShape } from "../records/shape.ts";
import { JOB_STATES } from "./job.ts";
import { JOB_KIND_NAMES } from "./kinds.ts";

const Time = z.string().openapi({ example: "2026-01-31T12:00:00.123456" });

export const JobShape = z
  .object({
    job_id: IdShape,
    kind: z.string().openapi({ example: "housekeeping" }),
    title: z.string().openapi({ description: "What is done, in a sentence" }),
    state: z.enum(JOB_STATES),
    status: z.enum(JOB_STATES).openapi({ description: "The same as `state`" }),
    total: z.int().nullable().openapi({ description: "How much there is to do; null: not known yet" }),
    done: z.int(),
    created_at: Time,
    actor: ActorShape,
    params: z.record(z.string(), z.unknown()),
    result: z.record(z.string(), z.unknown()).nullable().openapi({
      description: "The result; for imports also while they run, and after they were cancelled or failed",
    }),
    reason: z.string().nullable().openapi({ description: "Why it failed, or why it will be retried" }),
    messages: z
      .array(z.object({ at: Time, text: z.string() }))
      .openapi({ description: "Its last twenty messages" }),
    attempts: z.int(),
    cancel_requested: z.boolean(),
    created_by: IdShape.nullable().openapi({
      description: "The id of `actor`",
    }),
    run_after: Time,
    started_at: Time.nullable().openapi({ description: "The start of its last run" }),
    finished_at: Time.nullable(),
  })
  .openapi("Job");

export const JobListShape = listOf(JobShape).openapi("JobList");

export const JobQuery = z.strictObject({
  ...pageQuery,
  kind: z.enum(JOB_KIND_NAMES).optional(),
  state: z.enum(JOB_STATES).optional(),
});

export const JobFileParams = z.object({ id: IdShape, name: z.enum(["rejects", "preview", "report"]) });

export const JobParams = z.object({ id: IdShape });
