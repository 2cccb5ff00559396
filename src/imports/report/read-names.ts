/** Reports names that were not used as written: names of nobody, names with years of a life or attributions, and names that mean another record. */
import { type Said, said } from "../../messages/said.ts";
import type { ReadName } from "../mapping/mapped-row.ts";
import { brief, shortColumn } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";
import { countedUnits, item, LISTED, listOfLines, listUnder, MOST_LINES, type Unit } from "./counts.ts";

/** How many are shown, except in the whole report. */
const SHOWN = 10;

export function createReadNames(unit: Unit) {
  /** `lines`: the first ones whose records keep their links. */
  const all = new Map<string, ReadName & { rows: number; line: number; lines?: number[] }>();
  let others = 0;
  return {
    take({ row, mapped }: RowOutcome): void {
      const nobody = (mapped.nobody ?? []).flatMap(({ reads }) => reads);
      for (const read of [...(mapped.readNames ?? []), ...nobody]) {
        const key = JSON.stringify(read);
        const known = all.get(key);
        if (known) {
          known.rows += 1;
          if (known.lines && known.lines.length <= MOST_LINES) known.lines.push(row.line);
        } else if (all.size < LISTED) {
          const { line } = row;
          // a copy, because slices would keep the whole row in memory
          all.set(key, { ...JSON.parse(key), rows: 1, line, ...(read.keepsLink ? { lines: [line] } : {}) });
        } else others += 1;
      }
    },

    lines(most = SHOWN): Said[] {
      const keptFirst = [...all.values()].sort((a, b) => Number(!a.lines) - Number(!b.lines));
      return listUnder(said("job.report.read_names"), keptFirst, {
        lineOf: ({ column, value, rows, line, ...read }) =>
          item("job.report.read_name", {
            column: shortColumn(column),
            value: brief(value),
            count: rows,
            records: countedUnits(rows, unit),
            line: String(line),
            what: became(read),
          }),
        most,
        all: all.size + others,
      });
    },

    json: () => [...all.values()],
  };
}

type Read = Omit<ReadName, "column" | "value"> & { lines?: readonly number[] };

function became({ name, birth, death, active, qualifier, lines }: Read): Said {
  if (name === undefined)
    return lines
      ? said("job.report.nobody_kept", { count: lines.length, lines: listOfLines(lines) })
      : said("job.report.nobody");
  const beside: (string | Said)[] = [
    ...(qualifier ? [said("job.report.attribution")] : []),
    ...(active ? [active] : []),
    ...(birth ? [said("life.born", { date: birth })] : []),
    ...(death ? [said("life.died", { date: death })] : []),
  ];
  const named = { name: brief(name) };
  return beside.length === 0
    ? said("job.report.named", named)
    : said("job.report.named_with", {
        ...named,
        beside: beside.reduce((before, next) => said("job.count.list", { before, next })),
      });
}
