/** What a dry run shows: field by field what would be created, changed and refused; first rows in full. */
import type { RowOutcome } from "../src/imports/run.ts";
import { type Kind, kinds } from "../src/records/kinds.ts";
import type { RecordState } from "../src/records/record.ts";

/** Rows shown in full. */
const SHOWN = 5;
const WIDTH = 70;

type FieldTally = { created: number; changed: number; example: string };

export function createPreview(kind: Kind) {
  const fields = new Map<string, FieldTally>();
  const refused = new Map<string, { count: number; line: number }>();
  const links = new Map<string, number>();
  const rows: string[] = [];

  function tally(name: string, what: "created" | "changed", example: string): void {
    const entry = fields.get(name) ?? { created: 0, changed: 0, example };
    entry[what] += 1;
    fields.set(name, entry);
  }

  return {
    take(outcomes: readonly RowOutcome[]): void {
      for (const { row, mapped, result } of outcomes) {
        if (result.outcome === "rejected") {
          for (const fault of result.faults) {
            const reason = [fault.pointer, fault.detail].filter(Boolean).join(": ");
            const known = refused.get(reason);
            if (known) known.count += 1;
            else if (refused.size < 200) refused.set(reason, { count: 1, line: row.line });
          }
          continue;
        }
        for (const relation of mapped.relations) {
          const name = `${relation.relation_type} → ${relation.to_type}`;
          links.set(name, (links.get(name) ?? 0) + 1);
        }
        if (result.outcome === "created") {
          const values = flat(kind, result.after!);
          for (const [name, value] of values) tally(name, "created", value);
          if (rows.length < SHOWN)
            rows.push(describe(`line ${row.line}: create ${result.idno}`, [...values]));
        } else if (result.outcome === "updated" && result.before && result.after) {
          const before = flat(kind, result.before);
          const after = flat(kind, result.after);
          const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
            (name) => before.get(name) !== after.get(name),
          );
          for (const name of changed) tally(name, "changed", after.get(name) ?? "(removed)");
          if (rows.length < SHOWN) {
            rows.push(
              describe(
                `line ${row.line}: change ${result.idno}`,
                changed.map((name) => [
                  name,
                  `${before.get(name) ?? "(none)"} → ${after.get(name) ?? "(none)"}`,
                ]),
              ),
            );
          }
        }
      }
    },

    text(): string {
      const parts = [...rows];
      if (fields.size > 0) {
        parts.push(
          table(
            ["field", "created", "changed", "for example"],
            [...fields].map(([name, { created, changed, example }]) => [
              name,
              String(created),
              String(changed),
              example,
            ]),
          ),
        );
      }
      if (links.size > 0)
        parts.push(
          table(
            ["relation", "rows"],
            [...links].map(([name, count]) => [name, String(count)]),
          ),
        );
      if (refused.size > 0) {
        const all = [...refused].sort((a, b) => b[1].count - a[1].count);
        parts.push(
          table(
            ["refused", "first line", "why"],
            all.slice(0, 20).map(([reason, { count, line }]) => [String(count), String(line), reason]),
          ) + (all.length > 20 ? `\n… and ${all.length - 20} other reasons` : ""),
        );
      }
      return parts.join("\n\n");
    },
  };
}

/** A state as one text a field. */
function flat(kind: Kind, state: RecordState): Map<string, string> {
  const all = new Map<string, string>([
    ["idno", state.idno],
    [kinds[kind].subtypeKey, state.subtype],
    ["status", state.status],
  ]);
  for (const column of kinds[kind].columns) {
    const value = state[column];
    if (value !== null) all.set(column, String(value));
  }
  for (const [name, entries] of Object.entries(state.metadata)) {
    all.set(
      name,
      entries.map((entry) => (entry.lang ? `${entry.value} [${entry.lang}]` : entry.value)).join(" | "),
    );
  }
  return all;
}

function describe(head: string, values: readonly (readonly [string, string])[]): string {
  return [head, ...values.map(([name, value]) => `  ${name}: ${short(value)}`)].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(short));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line;
}
