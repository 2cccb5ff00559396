/** When backups are made: daily at a time of day, or every so many seconds with the first at the start. */
import type { Config } from "../src/config.ts";
import type { Services } from "../src/services.ts";
import { makeDueBackup } from "./back-up.ts";

/**
 * Seconds in which another instance may have begun the same backup. With a daily time the clocks of two instances
 * differ by minutes at most; a backup that fails is tried by the next one that is due.
 */
const SAME_DAY = 12 * 3600;
/** A service that is started again makes its first backup, two that are started together make one. */
const SAME_START = 60;

export type BackupTimes = {
  pattern: string;
  /** Seconds between runs, where the pattern names every second. */
  interval?: number;
  run(services: Services, signal: AbortSignal): Promise<unknown>;
};

/** Null: no backups are made. */
export function backupTimes({ backup }: Config): BackupTimes | null {
  if (!backup.enabled) return null;
  const { schedule } = backup;
  if ("at" in schedule) {
    return {
      pattern: `0 ${schedule.at.minute} ${schedule.at.hour} * * *`,
      run: (services, signal) => makeDueBackup(services, SAME_DAY, { signal }),
    };
  }
  const seconds = schedule.everySeconds;
  let first = true;
  return {
    pattern: "* * * * * *",
    interval: seconds,
    run(services, signal) {
      // two that run out of step come into it: the later one finds that the other has just begun
      const same = first ? Math.min(SAME_START, seconds / 2) : seconds / 2;
      first = false;
      return makeDueBackup(services, same, { signal });
    },
  };
}
