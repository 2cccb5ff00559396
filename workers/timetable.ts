/** Scheduled work (croner, in TZ). No entry runs twice at once in one process. */
import { Cron } from "croner";
import { errorFields } from "../src/log.ts";
import { makeSortKeys } from "../src/records/write/sort-keys.ts";
import { refreshStatistics } from "../src/records/write/table-maintenance.ts";
import type { Services } from "../src/services.ts";
import { backupDue } from "./backup-times.ts";
import { drainProjection } from "./drain-outbox.ts";
import { at, type DueJob, enqueueDueJobs } from "./due-jobs.ts";
import { givingWay } from "./giving-way.ts";
import { checkpoint } from "./housekeeping.ts";
import type { Liveness } from "./liveness.ts";
import { dumpDue, dumpDueAfterWithdrawal } from "./make-dumps.ts";
import { prepareWhenPending } from "./prepare-images.ts";
import { enabledProjections, followConfiguration } from "./projections.ts";
import { sendMails } from "./send-mails.ts";

/** Queued as jobs, once for each due time, even with several processes. */
export const DUE_JOBS: readonly DueJob[] = [
  { kind: "purge-trash", lastDue: at("17 2 * * *") },
  { kind: "housekeeping", lastDue: at("37 2 * * *") },
  { kind: "backup", ...backupDue },
  { kind: "dump", ...dumpDue },
  { kind: "dump", ...dumpDueAfterWithdrawal },
];

type Entry = {
  name: string;
  pattern: string;
  /** Must call `stopped` between its steps: each call is a sign of life, and gives way to requests. */
  run(services: Services, stopped: () => Promise<boolean>): Promise<unknown>;
};

const DRAIN = "drain-outbox-";
const SORT_KEYS = "sort-keys";

/** Short work that may run in several processes at once. */
const entriesOf = (services: Services): Entry[] => [
  // each on its own, so that one with a hanging store does not block the others
  ...enabledProjections(services.config).map((projection) => ({
    name: `${DRAIN}${projection.target}`,
    pattern: "*/2 * * * * *",
    run: (services: Services, stopped: () => Promise<boolean>) =>
      drainProjection(services, projection, stopped),
  })),
  { name: "send-mails", pattern: "*/5 * * * * *", run: sendMails },
  { name: "prepare-images", pattern: "*/3 * * * * *", run: prepareWhenPending },
  { name: "due-jobs", pattern: "* * * * *", run: (services) => enqueueDueJobs(services, DUE_JOBS) },
  { name: "follow-configuration", pattern: "*/2 * * * * *", run: followConfiguration },
  {
    name: SORT_KEYS,
    pattern: "*/10 * * * * *",
    run: ({ sql }, stopped) => makeSortKeys(sql, stopped),
  },
  { name: "statistics", pattern: "* * * * *", run: refreshStatistics },
  { name: "checkpoint", pattern: "*/5 * * * *", run: checkpoint },
];

/** These also run at the start, for what a killed process or an older program left: outbox rows, sort keys, missed jobs. */
const isForStart = ({ name }: Entry): boolean =>
  name.startsWith(DRAIN) || name === SORT_KEYS || name === "due-jobs";

/** Milliseconds between two runs of the rarest entry. */
const RAREST_MS = 300_000;

/** Starts the timetable. `stop` waits for running work. */
export function startTimetable(
  services: Services,
  liveness: Liveness,
  patienceMs: number,
  isBusy: () => boolean,
): { stop(): Promise<void> } {
  let stopping = false;
  const running = new Set<Promise<unknown>>();

  const run = async (entry: Entry): Promise<void> => {
    const giveWay = givingWay(isBusy);
    const stopped = async () => {
      liveness.beat(entry.name, patienceMs);
      await giveWay();
      return stopping;
    };
    liveness.beat(entry.name, patienceMs);
    const work = entry
      .run(services, stopped)
      .catch((error) => {
        if (!stopping)
          services.log.error("scheduled work failed", { line: entry.name, ...errorFields(error) });
      })
      .then(() => liveness.beat(entry.name, patienceMs + RAREST_MS));
    running.add(work);
    await work;
    running.delete(work);
  };

  const crons = entriesOf(services).map((entry) => {
    // otherwise nobody would notice an entry that never runs
    liveness.beat(entry.name, patienceMs + RAREST_MS);
    const options = { protect: true, timezone: services.config.timeZone };
    const cron = new Cron(entry.pattern, options, () => run(entry));
    // through croner, which prevents a second run at the same time
    if (isForStart(entry)) void cron.trigger();
    return cron;
  });
  return {
    async stop() {
      stopping = true;
      for (const cron of crons) cron.stop();
      await Promise.all(running);
    },
  };
}
