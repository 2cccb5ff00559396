/** Sends files to the import API, and runs the resulting jobs in this process. */
import { expect } from "vitest";
import { KIND_WORK } from "../../../workers/job-kinds.ts";
import { startJobLoop } from "../../../workers/job-loop.ts";
import { TIMING } from "../../../workers/timing.ts";
import { read } from "./catalogue.ts";
import type { Ask, Museum } from "./museum.ts";

export type SentJob = {
  job_id: string;
  state: string;
  params: Record<string, unknown>;
  result: Record<string, unknown>;
  reason: string | null;
  messages: unknown[];
};

/** A request that imports these lines as objects. `fields`: more fields of the form. */
export function importForm(
  lines: readonly string[],
  name: string,
  { mapping, ...fields }: { mapping: Record<string, unknown> } & Record<string, unknown>,
): RequestInit {
  const body = new FormData();
  for (const [key, value] of Object.entries({ type: "object", ...fields })) body.append(key, String(value));
  body.append("mapping", JSON.stringify(mapping));
  body.append("file", new Blob([lines.join("\n")]), name);
  return { method: "POST", body };
}

export const sendImport = (ask: Ask, form: RequestInit): Promise<SentJob> =>
  read<SentJob>(ask("/v1/imports", form), 202);

/** The job, once it has ended. */
export async function endedJob({ services }: Museum, ask: Ask, id: string): Promise<SentJob> {
  const loop = startJobLoop(services, KIND_WORK, { ...TIMING, roundMs: 20 }, async () => undefined);
  try {
    for (;;) {
      const job = await read<SentJob>(ask(`/v1/jobs/${id}`));
      if (job.state !== "queued" && job.state !== "running") return job;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await loop.stop();
  }
}

/** Does all jobs that wait; none may fail. */
export async function doJobs({ services }: Museum): Promise<void> {
  const loop = startJobLoop(services, KIND_WORK, { ...TIMING, roundMs: 20 }, async () => undefined);
  try {
    const left = () => services.sql`select kind, state, reason from jobs where state <> 'done'`;
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  } finally {
    await loop.stop();
  }
}
