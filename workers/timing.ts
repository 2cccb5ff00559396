/** Timings of the workers, in milliseconds; tests use their own. */
export const TIMING = {
  /** Between two polls. */
  roundMs: 1_000,
  /** If a lease is not renewed for this long, its process is dead or cannot reach the database. */
  leaseSeconds: 30,
  renewMs: 5_000,
  /** Before the first retry of a failed job. */
  retrySeconds: 30,
  /** A run that reports nothing for this long is told to stop, unless its kind has another limit. */
  longestSilenceMs: 600_000,
  /** A run that does not stop within this time after being told to hangs. */
  hangsAfterMs: 30_000,
  /** An entry of the timetable that shows no sign of life for this long hangs. */
  patienceMs: 300_000,
  /** Between two heartbeats. */
  beatMs: 10_000,
  /** How long a stopping process waits for its work. `docker stop` kills after ten seconds, and the database must close, too. */
  shutdownMs: 4_000,
  /** Jobs at once in one process, so that a long one does not block short ones. */
  slots: 2,
};

export type Timing = typeof TIMING;
