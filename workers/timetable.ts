/** What the service does by itself, and when (croner, in TZ). A line never runs beside itself. */
import { Cron } from "croner";
import { errorFields } from "../src/log.ts";
import type { Services } from "../src/services.ts";
import { backupDue } from "./backup-times.ts";
import { drainProjection } from "./drain-outbox.ts";
import { at, type DueJob, putDueJobs } from "./due-jobs.ts";
import { checkpoint } from "./housekeeping.ts";
import { dumpDue } from "./make-dumps.ts";
import { prepareWhenPending } from "./prepare-images.ts";
import { enabledProjections, followConfiguration } from "./projections.ts";
import type { Pulses } from "./pulse.ts";
import { sendMails } from "./send-mails.ts";

/** Put in as jobs: once for each time, in however many processes this table is. */
export const DUE_JOBS: readonly DueJob[] = [
  { kind: "purge-trash", lastDue: at("17 2 * * *") },
  { kind: "housekeeping", lastDue: at("37 2 * * *") },
  { kind: "backup", ...backupDue },
  { kind: "dump", ...dumpDue },
];

type Line = {
  name: string;
  pattern: string;
  /** Asks `stopped` between its steps, which is its sign of life too. */
  run(services: Services, stopped: () => boolean): Promise<unknown>;
};

/** Before the name of a projection. */
const DRAIN = "drain-outbox-";

/** What is short, and harmless when several processes do it. */
const linesOf = (services: Services): Line[] => [
  // each by itself, so that one whose place hangs does not hold back the others
  ...enabledProjections(services.config).map((projection) => ({
    name: `${DRAIN}${projection.target}`,
    pattern: "*/2 * * * * *",
    run: (services: Services, stopped: () => boolean) => drainProjection(services, projection, stopped),
  })),
  { name: "send-mails", pattern: "*/5 * * * * *", run: sendMails },
  { name: "prepare-images", pattern: "*/3 * * * * *", run: prepareWhenPending },
  { name: "due-jobs", pattern: "* * * * *", run: (services) => putDueJobs(services, DUE_JOBS) },
  { name: "follow-configuration", pattern: "*/10 * * * * *", run: followConfiguration },
  { name: "checkpoint", pattern: "*/5 * * * *", run: checkpoint },
];

/** What a killed process left behind is projected at once, and what was due meanwhile is made up for. */
const isForStart = ({ name }: Line): boolean => name.startsWith(DRAIN) || name === "due-jobs";

/** So far apart are two runs of the rarest line. */
const RAREST_MS = 300_000;

/** Starts the timetable. `stop` waits for what is under way. */
export function startTimetable(
  services: Services,
  pulses: Pulses,
  patienceMs: number,
): { stop(): Promise<void> } {
  let stopping = false;
  const running = new Set<Promise<unknown>>();

  const run = async (line: Line): Promise<void> => {
    const stopped = () => {
      pulses.beat(line.name, patienceMs);
      return stopping;
    };
    stopped();
    const work = line
      .run(services, stopped)
      .catch((error) => {
        if (!stopping)
          services.log.error("the timetable's work failed", { line: line.name, ...errorFields(error) });
      })
      .then(() => pulses.beat(line.name, patienceMs + RAREST_MS));
    running.add(work);
    await work;
    running.delete(work);
  };

  const crons = linesOf(services).map((line) => {
    // one that is never called shows no sign of life either
    pulses.beat(line.name, patienceMs + RAREST_MS);
    const options = { protect: true, timezone: services.config.timeZone };
    const cron = new Cron(line.pattern, options, () => run(line));
    // through croner, so that it does not run beside itself
    if (isForStart(line)) void cron.trigger();
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
