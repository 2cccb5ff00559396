/** Counts the records that links created, and collects names that led to a record of another spelling. */
import { endKey } from "../records/batch-ends.ts";
import type { Kind } from "../records/kinds.ts";
import { count, counted } from "./counts.ts";
import type { RowOutcome } from "./options.ts";
import { quoted } from "./targets.ts";

/** How many spellings the report names; all are counted. */
const NAMED = 20;
const MOST = 1_000;
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
    else if (spellings.size < MOST)
      spellings.set(key, structuredClone({ record_type, value, title, line, rows: 1 }));
  }

  return {
    take({ row, result }: RowOutcome): void {
      if (!("id" in result)) return;
      let any = false;
      for (const { record_type, title } of result.createdEnds ?? []) {
        const names = made.get(record_type) ?? new Map<string, string>();
        made.set(record_type, names);
        const first = names.get(endKey(title));
        // copies: names are slices of the file's text, which would stay in memory
        if (first === undefined) {
          if (names.size < MOST_NAMES) names.set(structuredClone(endKey(title)), structuredClone(title));
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

    lines(unit: string): string[] {
      if (rows === 0) return [];
      const shown = [...spellings.values()]
        .slice(0, NAMED)
        .map(
          ({ record_type, value, title, line, rows: n }) =>
            `  line ${line}: ${quoted(value)} is the ${record_type.replace("_", " ")} ${quoted(title)}${n > 1 ? ` (${counted(n, unit)})` : ""}`,
        );
      const more = spellings.size - shown.length;
      if (more > 0) shown.push(`  … and ${spellings.size === MOST ? "more than " : ""}${count(more)} more`);
      return [
        `${counted(rows, unit)} with a name that was taken for a record of another name or spelling:`,
        ...shown,
      ];
    },

    json: () => ({ rows, spellings: [...spellings.values()].slice(0, 200) }),
  };
}
