/** When backups are due: daily at a time of day, or every so many seconds with the first at the start. */
import { at, type DueJob } from "./due-jobs.ts";

/** When this process began, as the first of a row of times. */
const START = Math.floor(Date.now() / 1_000) * 1_000;
/** Seconds: of processes that are started together one makes the first backup. */
const TOGETHER = 60;

/** Never, when backups are turned off (BACKUP_ENABLED). */
export const backupDue: Omit<DueJob, "kind"> = {
  lastDue(config, now) {
    const { enabled, schedule } = config.backup;
    if (!enabled) return null;
    if ("at" in schedule) return at(`0 ${schedule.at.minute} ${schedule.at.hour} * * *`)(config, now);
    const every = schedule.everySeconds * 1_000;
    // also before the start, when the clock was set back since
    return new Date(START + Math.floor((now.getTime() - START) / every) * every);
  },
  apart({ backup: { schedule } }, dueAt) {
    if ("at" in schedule) return 0;
    // processes that run out of step: the later one finds that the other has just begun
    const half = schedule.everySeconds / 2;
    return dueAt.getTime() === START ? Math.min(TOGETHER, half) : half;
  },
};
