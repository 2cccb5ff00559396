/** Identification numbers: the next ones of a type's pattern, never one that was given before. */
import type { Tx } from "../services.ts";
import type { Kind } from "./kinds.ts";

/** Takes `count` numbers. The row of the pattern stays locked until the transaction ends, so nothing is given twice. */
export async function nextIdnos(tx: Tx, kind: Kind, count: number): Promise<string[]> {
  const free: string[] = [];
  while (free.length < count) {
    const wanted = count - free.length;
    const [pattern] = await tx<{ prefix: string; digits: number; first: number }[]>`
      update idno_patterns set next_number = next_number + ${wanted}
      where record_type = ${kind}
      returning prefix, digits, (next_number - ${wanted})::float8 as first`;
    const { prefix, digits, first } = pattern!;
    const candidates = Array.from(
      { length: wanted },
      (_, index) => prefix + String(first + index).padStart(digits, "0"),
    );
    const taken = await tx<{ idno: string }[]>`
      select idno from records where record_type = ${kind} and idno = any(${candidates})`;
    const used = new Set(taken.map((row) => row.idno));
    free.push(...candidates.filter((candidate) => !used.has(candidate)));
  }
  return free;
}
