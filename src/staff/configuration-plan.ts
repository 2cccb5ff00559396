/** The steps that turn one configuration into another. Each is tried, and has a reason if it fails. */
import { type Said, said, type Told } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import type { Services, Sql, Tx } from "../services.ts";

/** `what`: for example the field object.title. `fault`: why it cannot be done. */
export type Step = {
  what: Said;
  step: "add" | "change" | "remove";
  /** The keys that a change affects, or how many terms. */
  parts: Told[];
  fault?: Told;
};

export type Work = { tx: Tx; services: Services; steps: Step[] };

/** The transaction in the form of a database, for code that begins transactions: these become part of it. */
export function asDatabase(tx: Tx): Sql {
  return new Proxy(tx as unknown as Sql, {
    get: (target, key) =>
      key === "begin"
        ? (...args: unknown[]) => tx.savepoint(args.at(-1) as (inner: Tx) => Promise<unknown>)
        : Reflect.get(target, key),
  });
}

export async function make(
  { steps, tx }: Work,
  step: Omit<Step, "fault">,
  doIt: () => Promise<unknown>,
): Promise<void> {
  try {
    await tx.savepoint(doIt);
    steps.push(step);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    steps.push({ ...step, fault: error.told });
  }
}

/** The keys whose values differ, whatever the order inside them. Keys that `after` lacks are ignored. */
export function partsThatDiffer(before: object, after: object): string[] {
  const keys = Object.entries(after).flatMap(([key, value]) => (value === undefined ? [] : key));
  const text = (object: object, key: string) => spelled((object as Record<string, unknown>)[key]);
  return keys.filter((key) => text(before, key) !== text(after, key));
}

function spelled(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    each !== null && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** Adds what is not there, changes what differs. */
export async function addOrChange<T extends object>(
  work: Work,
  what: MessageKey,
  { current, wish, name }: { current: readonly T[]; wish: readonly T[]; name: (row: T) => string },
  add: (row: T) => Promise<unknown>,
  change: (row: T) => Promise<unknown>,
): Promise<void> {
  const known = new Map(current.map((row) => [name(row), row]));
  for (const row of wish) {
    const before = known.get(name(row));
    const parts = before ? partsThatDiffer(before, row) : [];
    const subject = said(what, { name: name(row) });
    if (!before) await make(work, { what: subject, step: "add", parts: [] }, () => add(row));
    else if (parts.length > 0) {
      await make(work, { what: subject, step: "change", parts }, () => change(row));
    }
  }
}
