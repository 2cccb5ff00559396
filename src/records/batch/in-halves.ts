/**
 * Processes many records at once without letting a bad one stop the others: a batch that fails is halved until the
 * bad record is isolated. If nothing works at all, that is noticed after a few attempts.
 */

import { isUnreachable } from "../../http/requests.ts";
import { messageOf } from "../../log.ts";
import { type Told, toldOf } from "../../messages/said.ts";

/** A record that failed on its own, and why. `isGone`: the target has nothing of it any more, not even an older state. */
export type Failure = { id: string; reason: Told; isGone?: boolean };

/** Some of the records were not processed, because the target is unavailable. */
export class Outage extends Error {
  override readonly name = "Outage";
  /** Records that had failed on their own before. */
  readonly failures: readonly Failure[];

  constructor(cause: unknown, failures: readonly Failure[]) {
    super(messageOf(cause), { cause });
    this.failures = failures;
  }
}

/** Attempts without any success: more than are needed to get from 500 records down to one. */
const MOST_IN_VAIN = 20;

/**
 * Returns the records that failed on their own; throws an `Outage` if the target is unavailable.
 *
 * @param ping throws if the target is unavailable
 */
export async function inHalves(
  ids: readonly string[],
  work: (ids: readonly string[]) => Promise<void>,
  ping: () => Promise<void>,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const failed: (readonly string[])[] = [];
  let attempts = 0;
  let isInVain = true;
  const attempt = async (part: readonly string[]) => {
    attempts += 1;
    try {
      await work(part);
      isInVain = false;
    } catch (error) {
      if (isUnreachable(error) || !(await succeeds(ping))) throw new Outage(error, failures);
      if (part.length === 1) failures.push({ id: part[0]!, reason: toldOf(error) });
      else failed.push(part);
      if (isInVain && attempts >= MOST_IN_VAIN && failures.length < ids.length)
        throw new Outage(error, failures);
    }
  };
  await attempt(ids);
  // both halves before any quarter: a success soon shows that the target is available
  for (let part = failed.pop(); part; part = failed.pop()) {
    const middle = Math.ceil(part.length / 2);
    await attempt(part.slice(0, middle));
    await attempt(part.slice(middle));
  }
  return failures;
}

function succeeds(ping: () => Promise<void>): Promise<boolean> {
  return ping().then(
    () => true,
    () => false,
  );
}
