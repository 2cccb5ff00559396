/** Counts the reasons for which rows are refused, each with the number of its rows, and the first lines with different values. */
import { said, type Told, toldText } from "../../messages/said.ts";
import { reasonOf } from "../csv/rejects.ts";
import type { RowOutcome } from "../options.ts";
import { type Cell, columnNamed, type PreviewPart } from "./preview-text.ts";

type Line = { line: number; reason: Told };
/** `more`: other lines with this reason and another value. None in reports of earlier versions. */
export type Refusal = Line & { rows: number; more?: Line[] };

/** How many reasons are counted, how many lines each names, and how many are shown in a table. */
const MOST = 1_000;
const MOST_LINES = 5;
const IN_TABLE = 30;

export const linesOf = ({ line, reason, more = [] }: Refusal): Line[] => [{ line, reason }, ...more];

export function createRefusals() {
  const all = new Map<string, Refusal>();
  return {
    take(outcomes: readonly RowOutcome[]): void {
      for (const { row, result } of outcomes) {
        if (result.outcome !== "rejected") continue;
        const groups = new Map(result.faults.map(reasonOf).map((reason) => [groupOf(reason), reason]));
        for (const [key, reason] of groups) {
          const known = all.get(key);
          const { line } = row;
          if (!known) {
            if (all.size < MOST) all.set(key, { rows: 1, line, reason, more: [] });
            continue;
          }
          known.rows += 1;
          const isNew = linesOf(known).every((one) => toldText(one.reason) !== toldText(reason));
          if (isNew && known.more!.length + 1 < MOST_LINES) known.more!.push({ line, reason });
        }
      }
    },

    parts(): PreviewPart[] {
      if (all.size === 0) return [];
      const lines = [...all.values()]
        .sort((a, b) => b.rows - a.rows)
        .slice(0, IN_TABLE)
        .flatMap((refusal) =>
          linesOf(refusal).map(({ line, reason }, at): Cell[] => [
            at === 0 ? refusal.rows : "",
            String(line),
            { short: reason },
          ]),
        );
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
