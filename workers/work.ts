/** Everything that the service does by itself: its timetable and its jobs. Inside `serve`, or alone as `svc-manage work`. */
import type { Services } from "../src/services.ts";
import { beat } from "./heartbeat.ts";
import type { JobKindWork } from "./job-kind.ts";
import { KIND_WORK } from "./job-kinds.ts";
import { startJobLoop } from "./job-loop.ts";
import { PACE, type Pace } from "./pace.ts";
import { takePulses } from "./pulse.ts";
import { startTimetable } from "./timetable.ts";

/**
 * Answers once the first heartbeat is written. `stop` gives jobs back and waits for what is short.
 *
 * The heart beats in the loop that looks for jobs, after each round that did its work, and only while every line of the
 * timetable shows signs of life and no job hangs: it proves that work is done, not that a timer runs.
 */
export async function startWork(
  services: Services,
  { kinds = KIND_WORK, pace: own = {} }: { kinds?: Record<string, JobKindWork>; pace?: Partial<Pace> } = {},
): Promise<{ stop(): Promise<void> }> {
  const pace = { ...PACE, ...own };
  const pulses = takePulses();
  let beaten = performance.now();
  let ill = false;
  // before the first visitor, so that health tells the truth from the start
  await beat(services);
  const timetable = startTimetable(services, pulses, pace.patienceMs);
  const jobs = startJobLoop(services, kinds, pace, async (hanging) => {
    const hang = [...pulses.overdue(), ...hanging];
    if (hang.length > 0 && !ill) {
      services.log.error("the worker hangs: no heartbeat until it goes on, or is started anew", { hang });
    }
    ill = hang.length > 0;
    if (ill || performance.now() - beaten < pace.beatMs) return;
    await beat(services);
    beaten = performance.now();
  });
  return {
    async stop() {
      await Promise.all([timetable.stop(), jobs.stop()]);
    },
  };
}
