/** What the service does by itself, and when (croner). One line a job; a job never runs beside itself. */
import { Cron } from "croner";
import { errorFields } from "../src/log.ts";
import type { Services } from "../src/services.ts";
import { backupTimes } from "./backup-times.ts";
import { drainOutbox } from "./drain-outbox.ts";
import { beat } from "./heartbeat.ts";
import { checkpoint, housekeep } from "./housekeeping.ts";
import { purgeTrash } from "./purge-trash.ts";
import { sendMails } from "./send-mails.ts";

type Job = {
  name: string;
  pattern: string;
  /** Seconds between two runs at least, where the pattern alone would say more often. */
  interval?: number;
  run(services: Services, stopped: () => boolean, signal: AbortSignal): Promise<unknown>;
};

const JOBS: readonly Job[] = [
  { name: "heartbeat", pattern: "*/10 * * * * *", run: beat },
  {
    name: "drain-outbox",
    pattern: "*/2 * * * * *",
    run: (services, stopped) => drainOutbox(services, stopped),
  },
  { name: "send-mails", pattern: "*/5 * * * * *", run: sendMails },
  { name: "checkpoint", pattern: "*/5 * * * *", run: checkpoint },
  { name: "purge-trash", pattern: "17 2 * * *", run: purgeTrash },
  { name: "housekeeping", pattern: "37 2 * * *", run: housekeep },
];

/** Starts the timetable. `stop` waits for jobs that are under way. */
export async function startTimetable(services: Services): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<unknown>>();
  const run = async (job: Job): Promise<void> => {
    const work = job
      .run(services, () => signal.aborted, signal)
      .catch((error) => {
        if (!signal.aborted) services.log.error("job failed", { job: job.name, ...errorFields(error) });
      });
    running.add(work);
    await work;
    running.delete(work);
  };
  // the first beat before the first visitor, so that health tells the truth from the start
  await beat(services);
  const backups = backupTimes(services.config);
  const backup: Job[] = backups
    ? [{ name: "backup", ...backups, run: (all, _, aborted) => backups.run(all, aborted) }]
    : [];
  const crons = [...JOBS, ...backup].map((job) => {
    const { timeZone: timezone } = services.config;
    const options = { name: `svc ${job.name}`, protect: true, timezone, interval: job.interval };
    return new Cron(job.pattern, options, () => run(job));
  });
  // what a killed process left behind is projected now
  void run(JOBS[1]!);
  return {
    async stop() {
      stopping.abort();
      for (const cron of crons) cron.stop();
      await Promise.all(running);
    },
  };
}
