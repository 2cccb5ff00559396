/** Counts the reasons for which rows are refused, each with the number of its rows and the first line. */
import { said, type Told } from "../../messages/said.ts";
import { reasonOf } from "../csv/rejects.ts";
import type { RowOutcome } from "../options.ts";
import { type Cell, columnNamed, type PreviewPart } from "./preview-text.ts";

export type Refusal = { rows: number; line: number; reason: Told };

/** How many reasons are counted, and how many are shown in a table. */
const MOST = 1_000;
const IN_TABLE = 30;

export function createRefusals() {
  const all = new Map<string, Refusal>();
  return {
    take(outcomes: readonly RowOutcome[]): void {
      for (const { row, result } of outcomes) {
        if (result.outcome !== "rejected") continue;
        const groups = new Map(result.faults.map(reasonOf).map((reason) => [groupOf(reason), reason]));
        for (const [key, reason] of groups) {
          const known = all.get(key);
          if (known) known.rows += 1;
          else if (all.size < MOST) all.set(key, { rows: 1, line: row.line, reason });
        }
      }
    },

    parts(): PreviewPart[] {
      if (all.size === 0) return [];
      const lines = [...all.values()]
        .sort((a, b) => b.rows - a.rows)
        .slice(0, IN_TABLE)
        .map(({ rows, line, reason }): Cell[] => [rows, String(line), { short: reason }]);
      const more =
        all.size > IN_TABLE ? [said("job.preview.more_reasons", { count: all.size - IN_TABLE })] : [];
      return [{ table: [["refused", "line", "why"].map(columnNamed), ...lines], more }];
    },

    json: (): readonly Refusal[] => [...all.values()],
  };
}

/** A key of the reason without its values, so that reasons that differ only in a value count as one. */
function groupOf(told: Told): string {
  if (typeof told === "string") return told.replace(/"(?:[^"\\]|\\.)*"|\d+/g, "…");
  const parts = Object.entries(told.values ?? {}).flatMap(([name, value]) =>
    typeof value === "object" ? groupOf(value) : name === "field" ? value : [],
  );
  return [told.key, ...parts].join(" ");
}
