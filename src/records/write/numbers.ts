/**
 * Identification numbers: takes the next numbers of a type's pattern, never one that was used before. The next number
 * is a row that the transaction locks, so the register has no gaps. Case matters: `1998.4a` and `1998.4A` are
 * different objects.
 */
import type { Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import type { RecordState } from "../record.ts";

/** How many numbers are checked together if many in a row are taken. */
const WIDEST = 10_000;

/** Gives the next numbers to those of these states that have none. */
export async function giveNumbers(tx: Tx, kind: Kind, states: readonly RecordState[]): Promise<void> {
  const unnumbered = states.filter(({ idno }) => idno === "");
  const numbers = await nextIdnos(tx, kind, unnumbered.length);
  unnumbered.forEach((state, index) => {
    state.idno = numbers[index]!;
  });
}

/** Takes `count` numbers. The row of the pattern stays locked until the transaction ends, so no number is used twice. */
async function nextIdnos(tx: Tx, kind: Kind, count: number): Promise<string[]> {
  if (count === 0) return [];
  const [pattern] = await tx<{ prefix: string; digits: number; first: number }[]>`
    update idno_patterns set next_number = next_number + ${count}
    where record_type = ${kind}
    returning prefix, digits, (next_number - ${count})::float8 as first`;
  const { prefix, digits, first } = pattern!;
  const free: string[] = [];
  let next = first;
  for (let width = count; free.length < count; width = Math.min(width * 4, WIDEST)) {
    const wide = Math.min(width, untilLonger(next, digits));
    const candidates = Array.from(
      { length: wide },
      (_, index) => prefix + String(next + index).padStart(digits, "0"),
    );
    const used = await takenBetween(tx, kind, candidates[0]!, candidates.at(-1)!);
    for (const candidate of candidates) {
      if (free.length === count) break;
      next += 1;
      if (!used.has(candidate)) free.push(candidate);
    }
  }
  if (next > first + count) {
    await tx`update idno_patterns set next_number = ${next} where record_type = ${kind}`;
  }
  return free;
}

/** How many numbers from this one on have as many digits: only these sort as text. */
function untilLonger(number: number, digits: number): number {
  return 10 ** Math.max(digits, String(number).length) - number;
}

/**
 * Includes the trash and purged records; two halves, because each has its own index. A range, not a list, so that one
 * scan suffices right after a large import, when the planner has no statistics yet.
 */
async function takenBetween(tx: Tx, kind: Kind, first: string, last: string): Promise<Set<string>> {
  const rows = await tx<{ idno: string }[]>`
    select idno from records
    where record_type = ${kind} and idno between ${first} and ${last} and deleted_at is null
    union all
    select idno from records
    where record_type = ${kind} and idno between ${first} and ${last} and deleted_at is not null`;
  return new Set(rows.map((row) => row.idno));
}
