/** Reports names that were not used as written: names of nobody, names with years of a life, and names that mean another record. */
import { type Said, said } from "../../messages/said.ts";
import type { ReadName } from "../mapping/mapped-row.ts";
import { brief, shortColumn } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";
import { andMore, countedUnits, item, LISTED, type Unit } from "./counts.ts";

/** How many are shown, except in the whole report. */
const SHOWN = 10;

export function createReadNames(unit: Unit) {
  const all = new Map<string, ReadName & { rows: number; line: number }>();
  let others = 0;
  return {
    take({ row, mapped, result }: RowOutcome): void {
      if (result.outcome === "rejected" || result.outcome === "skipped") return;
      const nobody = (mapped.nobody ?? []).flatMap(({ reads }) => reads);
      for (const read of [...(mapped.readNames ?? []), ...nobody]) {
        const key = JSON.stringify(read);
        const known = all.get(key);
        if (known) known.rows += 1;
        // a copy, because slices would keep the whole row in memory
        else if (all.size < LISTED) all.set(key, { ...JSON.parse(key), rows: 1, line: row.line });
        else others += 1;
      }
    },

    lines(most = SHOWN): Said[] {
      if (all.size === 0) return [];
      const shown = [...all.values()].slice(0, most).map(({ column, value, rows, line, ...read }) =>
        item("job.report.read_name", {
          column: shortColumn(column),
          value: brief(value),
          records: countedUnits(rows, unit),
          line: String(line),
          what: became(read),
        }),
      );
      return [said("job.report.read_names"), ...shown, ...andMore(all.size + others, shown.length)];
    },

    json: () => [...all.values()],
  };
}

function became({ name, birth, death, active, keepsLink }: Omit<ReadName, "column" | "value">): Said {
  if (name === undefined) return said(keepsLink ? "job.report.nobody_kept" : "job.report.nobody");
  const beside = [
    ...(birth ? [`* ${birth}`] : []),
    ...(death ? [`† ${death}`] : []),
    ...(active ? [active] : []),
  ];
  return beside.length === 0
    ? said("job.report.named", { name: brief(name) })
    : said("job.report.named_with", { name: brief(name), beside: beside.join(", ") });
}
