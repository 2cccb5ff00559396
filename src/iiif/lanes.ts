/**
 * Images are made in two lanes, so that tiles and thumbnails never wait for costly images. In each lane, clients take turns.
 *
 * An image that nobody waits for any more leaves the queue at once. sharp cannot interrupt one that is being made
 * (https://github.com/lovell/sharp/issues/4326): it keeps its place until it is finished. `render` limits that time.
 */

import { type ConcurrencyLimits, createConcurrencyLimit } from "../http/concurrency-limit.ts";
import { said } from "../messages/said.ts";
import type { Plan } from "./geometry.ts";

/** `who`: the client. `signal`: aborts when the client has gone. */
export type Asking = { who: string; signal: AbortSignal };

type Lanes = { take<T>(cost: number, asking: Asking, work: () => Promise<T>): Promise<T> };

const QUICK: ConcurrencyLimits = {
  working: 2,
  workingEach: 2,
  waiting: 200,
  waitingEach: 100,
  patienceMs: 60_000,
  longestMs: 120_000,
};

/** The highest cost of a quick image: about 0.1 s, such as a JPEG of a whole picture with 12 megapixels. */
const MOST_QUICK = 25_000_000;

/**
 * One at a time: it may need 200 MB, and one of the four threads with which Node also reads files. What waits is limited by
 * cost, to about 8 s for each client and 40 s in all, so that it is finished before its client gives up.
 */
const DEAR: ConcurrencyLimits = {
  ...QUICK,
  working: 1,
  workingEach: 1,
  waiting: 10_000_000_000,
  waitingEach: 2_000_000_000,
};

const WORDS = {
  full: said("problem.image.queue_full"),
  late: said("problem.image.too_slow"),
};

export function createLanes(): Lanes {
  const quick = createConcurrencyLimit(QUICK, WORDS);
  const dear = createConcurrencyLimit(DEAR, WORDS);
  return {
    take: (cost, { who, signal }, work) =>
      cost <= MOST_QUICK ? quick.take(who, work, { signal }) : dear.take(who, work, { signal, cost }),
  };
}

const ENCODING: Readonly<Record<Plan["format"], number>> = { jpg: 1, tif: 11, png: 12, webp: 28 };
const ENLARGING = 7;
const TURNING = 6;

/**
 * Roughly how much work an image is, where 1 is to decode a pixel of a JPEG (about 4 ns); measured with photographs.
 * @param decoded pixels that are read
 */
export function costOf({ region, width, height, rotation, format }: Plan, decoded: number): number {
  const enlarging = width > region.width || height > region.height ? ENLARGING : 0;
  const turning = rotation % 90 === 0 ? 0 : TURNING;
  return decoded + width * height * (ENCODING[format] + enlarging + turning);
}
