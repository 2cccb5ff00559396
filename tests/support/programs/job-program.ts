/**
 * A process that runs jobs, to be killed. The job `count` notes that it ran, `slow` takes half a minute and reports every
 * step. Bulk edits and their undo are real. Argument: the variables of the service, as JSON.
 */
import { setTimeout } from "node:timers/promises";
import { compose } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config/read.ts";
import { createLog } from "../../../src/log.ts";
import type { JobInput, JobKindWork } from "../../../workers/job-kind.ts";
import { KIND_WORK } from "../../../workers/job-kinds.ts";
import { startJobLoop } from "../../../workers/job-loop.ts";
import { TIMING } from "../../../workers/timing.ts";

const read = readConfig(JSON.parse(process.argv[2]!));
if (!read.ok) throw new Error(JSON.stringify(read.faults));
const { services, close } = await compose(
  read.config,
  "client",
  createLog({ level: "info", format: "json", write: (line) => console.log(line) }),
);

async function count({ services: { sql }, params }: JobInput): Promise<Record<string, unknown>> {
  await sql`insert into executions (n, pid) values (${params.n as number}, ${process.pid})`;
  return {};
}

const kinds: Record<string, JobKindWork> = {
  edit: KIND_WORK.edit,
  "import-undo": KIND_WORK["import-undo"],
  count: { run: count, retries: 0, concurrency: 100 },
  slow: {
    async run(input) {
      await count(input);
      for (let done = 1; done <= 60; done++) {
        await setTimeout((input.params.stepMs as number | undefined) ?? 500, undefined, {
          signal: input.signal,
        });
        await input.report({ done, total: 60 });
      }
      return {};
    },
    retries: 2,
    concurrency: 1,
  },
};

const pace = { ...TIMING, roundMs: 50, leaseSeconds: 2, renewMs: 300, slots: 4 };
const loop = startJobLoop(services, kinds, pace, async () => undefined);
console.log("working");
process.on("SIGTERM", async () => {
  await loop.stop();
  await close();
  process.exit();
});
