/** Counts the records that links created, and collects names that led to a record of another spelling. */
import { type Said, said } from "../messages/said.ts";
import { endKey } from "../records/batch-ends.ts";
import type { Kind } from "../records/kinds.ts";
import { countedUnits, item, type Unit } from "./counts.ts";
import type { RowOutcome } from "./options.ts";
import { brief } from "./targets.ts";

/** How many spellings the report names, and how many different ones it counts. */
const NAMED = 1_000;
const MOST = 10_000;
/** For how many created records the names are kept. */
export const MOST_NAMES = 200_000;

/** `line`: the line of the first row with this spelling. */
type Spelling = { record_type: Kind; value: string; title: string; line: number; rows: number };

export function createNameMatches() {
  /** The created records by type and name. A dry run rolls back and creates some of them several times. */
  const made = new Map<Kind, Map<string, string>>();
  const spellings = new Map<string, Spelling>();
  let rows = 0;

  function join(record_type: Kind, value: string, title: string, line: number): void {
    const key = `${record_type} ${value}\n${title}`;
    const known = spellings.get(key);
    if (known) known.rows += 1;
    else if (spellings.size < MOST) spellings.set(key, { record_type, value, title, line, rows: 1 });
  }

  return {
    take({ row, result }: RowOutcome): void {
      if (!("id" in result)) return;
      let any = false;
      for (const { record_type, title, key = endKey(title) } of result.createdEnds ?? []) {
        const names = made.get(record_type) ?? new Map<string, string>();
        made.set(record_type, names);
        const first = names.get(key);
        if (first === undefined) {
          if (names.size < MOST_NAMES) names.set(key, title);
        } else if (first !== title) {
          join(record_type, title, first, row.line);
          any = true;
        }
      }
      for (const { record_type, value, title, byNumber } of result.otherTitles ?? []) {
        if (byNumber) continue;
        join(record_type, value, title, row.line);
        any = true;
      }
      if (any) rows += 1;
    },

    /** How many records of each type links created. */
    made: (): [Kind, number][] => [...made].map(([kind, names]) => [kind, names.size]),

    lines(unit: Unit): Said[] {
      if (rows === 0) return [];
      const shown = [...spellings.values()]
        .slice(0, NAMED)
        .map(({ record_type, value, title, line, rows: n }) =>
          item(n > 1 ? "job.report.spelling_often" : "job.report.spelling", {
            line: String(line),
            value: brief(value),
            kind: said(`kind.one.${record_type}`),
            title: brief(title),
            units: countedUnits(n, unit),
          }),
        );
      const more = spellings.size - shown.length;
      if (more > 0)
        shown.push(
          item(spellings.size === MOST ? "job.report.many_more" : "job.report.more", { count: more }),
        );
      return [said("job.report.spellings", { units: countedUnits(rows, unit) }), ...shown];
    },

    json: () => ({ rows, spellings: [...spellings.values()].slice(0, NAMED) }),
  };
}
