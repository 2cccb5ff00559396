/** Identification numbers: the next ones of a type's pattern, never one that was given before. */
import type { Tx } from "../services.ts";
import type { Kind } from "./kinds.ts";

/** Numbers that are looked at together when many in a row are taken. */
const WIDEST = 10_000;

/** Takes `count` numbers. The row of the pattern stays locked until the transaction ends, so nothing is given twice. */
export async function nextIdnos(tx: Tx, kind: Kind, count: number): Promise<string[]> {
  if (count === 0) return [];
  const [pattern] = await tx<{ prefix: string; digits: number; first: number }[]>`
    update idno_patterns set next_number = next_number + ${count}
    where record_type = ${kind}
    returning prefix, digits, (next_number - ${count})::float8 as first`;
  const { prefix, digits, first } = pattern!;
  const free: string[] = [];
  let next = first;
  for (let width = count; free.length < count; width = Math.min(width * 4, WIDEST)) {
    const candidates = Array.from(
      { length: width },
      (_, index) => prefix + String(next + index).padStart(digits, "0"),
    );
    const used = await takenIdnos(tx, kind, candidates);
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

/** Also those of the trash and of what was purged. Two halves, because each has an index of its own. */
async function takenIdnos(tx: Tx, kind: Kind, idnos: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ idno: string }[]>`
    select idno from records
    where record_type = ${kind} and idno = any(${idnos as string[]}) and deleted_at is null
    union all
    select idno from records
    where record_type = ${kind} and idno = any(${idnos as string[]}) and deleted_at is not null`;
  return new Set(rows.map((row) => row.idno));
}
