/** Signs of life of all background work. If one is missing, the heartbeat stops. */

export type Liveness = {
  /** `name` is alive now, and gives its next sign of life within `withinMs`. */
  beat(name: string, withinMs: number): void;
  /** The names of work whose next sign is overdue. */
  overdue(): string[];
};

export function trackLiveness(): Liveness {
  const expected = new Map<string, number>();
  return {
    beat: (name, withinMs) => void expected.set(name, performance.now() + withinMs),
    overdue() {
      const now = performance.now();
      return [...expected].filter(([, by]) => by < now).map(([name]) => name);
    },
  };
}
