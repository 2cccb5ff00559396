/** All background work: the timetable and the jobs. Runs inside `serve`, or alone as `svc-manage work`. */
import { setTimeout } from "node:timers/promises";
import { endLeases } from "../src/jobs/queue.ts";
import type { Services } from "../src/services.ts";
import { givingWay } from "./giving-way.ts";
import { beat } from "./heartbeat.ts";
import type { JobKindWork } from "./job-kind.ts";
import { KIND_WORK } from "./job-kinds.ts";
import { startJobLoop } from "./job-loop.ts";
import { trackLiveness } from "./liveness.ts";
import { startTimetable } from "./timetable.ts";
import { TIMING, type Timing } from "./timing.ts";

/**
 * Resolves when the first heartbeat is written. `stop` returns jobs to the queue and waits for short work. `isBusy`: whether
 * requests are under way, to which the work gives way.
 *
 * The polling loop writes the heartbeat after a successful round, if every entry of the timetable shows signs of life and no
 * job hangs.
 */
export async function startWork(
  services: Services,
  {
    kinds = KIND_WORK,
    timing: own = {},
    isBusy = () => false,
  }: { kinds?: Record<string, JobKindWork>; timing?: Partial<Timing>; isBusy?(): boolean } = {},
): Promise<{ stop(): Promise<void> }> {
  const timing = { ...TIMING, ...own };
  const liveness = trackLiveness();
  let lastBeatAt = performance.now();
  let isHanging = false;
  if (services.database === "embedded") await endLeases(services.sql);
  // before the first request, so that /health is right from the start
  await beat(services);
  const timetable = startTimetable(services, liveness, timing.patienceMs, isBusy);
  const jobs = startJobLoop(services, givingWayAtReports(kinds, isBusy), timing, async (hanging) => {
    const hang = [...liveness.overdue(), ...hanging];
    if (hang.length > 0 && !isHanging) {
      services.log.error("the worker hangs: no heartbeat until it continues or is restarted", { hang });
    }
    isHanging = hang.length > 0;
    if (isHanging || performance.now() - lastBeatAt < timing.beatMs) return;
    await beat(services);
    lastBeatAt = performance.now();
  });
  return {
    async stop() {
      const late = setTimeout(timing.shutdownMs, undefined, { ref: false });
      await Promise.all([Promise.race([timetable.stop(), late]), jobs.stop()]);
    },
  };
}

function givingWayAtReports(
  kinds: Readonly<Record<string, JobKindWork>>,
  isBusy: () => boolean,
): Record<string, JobKindWork> {
  const giving = (work: JobKindWork): JobKindWork => ({
    ...work,
    run(input) {
      const giveWay = givingWay(isBusy);
      return work.run({
        ...input,
        async report(progress) {
          await input.report(progress);
          await giveWay();
        },
      });
    },
  });
  return Object.fromEntries(Object.entries(kinds).map(([kind, work]) => [kind, giving(work)]));
}
