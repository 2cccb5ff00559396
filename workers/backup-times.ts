/** When backups are due: daily at a time of day, or every so many seconds with the first at the start. */
import { at, type DueJob } from "./due-jobs.ts";

/** The start of this process, as the first of a series of times. */
const START = Math.floor(Date.now() / 1_000) * 1_000;
/** Seconds: if processes start together, only one makes the first backup. */
const TOGETHER = 60;

/** Never, if backups are turned off (BACKUP_ENABLED). */
export const backupDue: Omit<DueJob, "kind"> = {
  lastDue(config, now) {
    const { enabled, schedule } = config.backup;
    if (!enabled) return null;
    if ("at" in schedule) return at(`0 ${schedule.at.minute} ${schedule.at.hour} * * *`)(config, now);
    const every = schedule.everySeconds * 1_000;
    // may be before the start, if the clock was set back
    return new Date(START + Math.floor((now.getTime() - START) / every) * every);
  },
  apart({ backup: { schedule } }, dueAt) {
    if ("at" in schedule) return 0;
    // processes with different intervals: the later one finds that the other has just started
    const half = schedule.everySeconds / 2;
    return dueAt.getTime() === START ? Math.min(TOGETHER, half) : half;
  },
};
