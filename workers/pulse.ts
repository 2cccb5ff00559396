/** Signs of life of what the service does by itself, so that the heartbeat can tell whether all of it is alive. */

export type Pulses = {
  /** `name` is alive now, and gives its next sign of life within `withinMs`. */
  beat(name: string, withinMs: number): void;
  /** The names of those whose next sign is overdue. */
  overdue(): string[];
};

export function takePulses(): Pulses {
  const expected = new Map<string, number>();
  return {
    beat: (name, withinMs) => void expected.set(name, performance.now() + withinMs),
    overdue() {
      const now = performance.now();
      return [...expected].filter(([, by]) => by < now).map(([name]) => name);
    },
  };
}
