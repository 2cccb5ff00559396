/** Makes an image once for all simultaneous requests, and stops when none of them waits any more. */

type SingleFlight<T> = (
  name: string,
  caller: AbortSignal,
  begin: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

export function createSingleFlight<T>(): SingleFlight<T> {
  const underway = new Map<string, { made: Promise<T>; callers: number; stop: AbortController }>();

  return async (name, caller, begin) => {
    caller.throwIfAborted();
    let flight = underway.get(name);
    if (flight === undefined) {
      const stop = new AbortController();
      flight = { made: begin(stop.signal), callers: 0, stop };
      underway.set(name, flight);
    }
    const { made, stop } = flight;
    const joined = flight;
    const end = () => {
      if (underway.get(name) === joined) underway.delete(name);
    };
    const leave = () => {
      joined.callers -= 1;
      if (joined.callers > 0) return;
      stop.abort(new Error("Nobody is waiting for this image any more"));
      end();
    };
    joined.callers += 1;
    caller.addEventListener("abort", leave, { once: true });
    try {
      return await made;
    } finally {
      caller.removeEventListener("abort", leave);
      end();
    }
  };
}
