/** How quickly the workers go about it; tests take their own. */
export const PACE = {
  /** How often somebody looks for work. */
  roundMs: 1_000,
  /** A run that was not prolonged for so long is dead: its process was killed, or cannot reach the database. */
  leaseSeconds: 30,
  renewMs: 5_000,
  /** Before the first repetition of a failed job. */
  retrySeconds: 30,
  /** A run that reports nothing for so long is told to stop, unless its kind says otherwise. */
  longestSilenceMs: 600_000,
  /** A run that does not stop within so long after it was told to hangs. */
  hangsAfterMs: 30_000,
  /** A line of the timetable that shows no sign of life for so long hangs. */
  patienceMs: 300_000,
  /** Between two heartbeats. */
  beatMs: 10_000,
  /** How long a process that stops waits for its jobs; `docker stop` kills after ten seconds. */
  farewellMs: 6_000,
  /** Jobs at once in one process: a long one does not keep the short ones waiting. */
  slots: 2,
};

export type Pace = typeof PACE;
