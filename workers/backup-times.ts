/** When backups are due: once a day at a fixed time, or at an interval from the start of the process. */
import { at, type DueJob } from "./due-jobs.ts";

const START = Math.floor(Date.now() / 1_000) * 1_000;
/** Seconds. If several processes start within this time, only one makes the first backup. */
const STARTED_TOGETHER = 60;

export const backupDue: Omit<DueJob, "kind"> = {
  lastDue(config, now) {
    const { enabled, schedule } = config.backup;
    if (!enabled) return null;
    if ("at" in schedule) return at(`0 ${schedule.at.minute} ${schedule.at.hour} * * *`)(config, now);
    const every = schedule.everySeconds * 1_000;
    // earlier than the start if the clock was set back
    return new Date(START + Math.floor((now.getTime() - START) / every) * every);
  },
  apart({ backup: { schedule } }, dueAt) {
    if ("at" in schedule) return 0;
    // of two processes that started at different times, the later one finds the backup of the other
    const half = schedule.everySeconds / 2;
    return dueAt.getTime() === START ? Math.min(STARTED_TOGETHER, half) : half;
  },
};
