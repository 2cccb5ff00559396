/**
 * Work on many records at once, of which one that cannot be done must not hold back the others: what fails is halved
 * until it is alone. When nothing can be done, whatever the record, that is found out after some attempts, not hundreds.
 */
import { isUnreachable } from "../http/requests.ts";

/** A record that failed alone, and why. */
export type Failure = { id: string; reason: string };

/** Nothing was done of some of the records: the place that the work is for cannot be used. */
export class Outage extends Error {
  override readonly name = "Outage";
  /** What had failed alone by then. */
  readonly failures: readonly Failure[];

  constructor(cause: unknown, failures: readonly Failure[]) {
    super(reasonOf(cause), { cause });
    this.failures = failures;
  }
}

/** Attempts without a single one that succeeds: more than it takes to come down from 500 records to the first alone. */
const MOST_IN_VAIN = 20;

/**
 * Answers the records that failed alone; throws an `Outage` when the place cannot be used.
 *
 * @param ping throws when it cannot
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
      if (part.length === 1) failures.push({ id: part[0]!, reason: reasonOf(error) });
      else failed.push(part);
      if (isInVain && attempts >= MOST_IN_VAIN && failures.length < ids.length)
        throw new Outage(error, failures);
    }
  };
  await attempt(ids);
  // both halves before a half of one of them: what can be done shows soon that the place is there
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

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
