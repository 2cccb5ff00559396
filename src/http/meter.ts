/**
 * Counts requests, statuses and durations by route since this process started. Each route gets its object of plain numbers when
 * it is declared, so counting allocates nothing.
 */

/** Upper bounds of the histogram, in seconds. */
export const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export type RouteMeter = {
  readonly method: string;
  readonly route: string;
  /** Answers by the first digit of their status. */
  readonly statuses: [never: number, n1: number, n2: number, n3: number, n4: number, n5: number];
  /** The number of requests between each bound and the previous one; those above the last bound are in none. */
  readonly buckets: number[];
  seconds: number;
};

export type Meter = {
  readonly routes: RouteMeter[];
  /** One counter for all requests that reached no route: unknown addresses, and requests refused earlier. */
  readonly unrouted: RouteMeter;
  /** Requests not yet answered. */
  inFlight: number;
  /** The last error that means that the database cannot work, and when (`performance.now()`). */
  broken: { error: unknown; at: number } | null;
};

export function createMeter(): Meter {
  return { routes: [], unrouted: routeMeter("", ""), inFlight: 0, broken: null };
}

export function meterRoute(meter: Meter, method: string, route: string): RouteMeter {
  const made = routeMeter(method, route);
  meter.routes.push(made);
  return made;
}

function routeMeter(method: string, route: string): RouteMeter {
  return { method, route, statuses: [0, 0, 0, 0, 0, 0], buckets: BOUNDS.map(() => 0), seconds: 0 };
}

export function observe(meter: RouteMeter, status: number, seconds: number): void {
  const digit = status >= 500 ? 5 : status >= 400 ? 4 : status >= 300 ? 3 : status >= 200 ? 2 : 1;
  meter.statuses[digit] += 1;
  meter.seconds += seconds;
  for (let at = 0; at < BOUNDS.length; at++) {
    if (seconds <= BOUNDS[at]!) {
      meter.buckets[at]! += 1;
      return;
    }
  }
}
