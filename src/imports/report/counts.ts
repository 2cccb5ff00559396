/** Counts and list items in the reports of imports. */
import { type Said, said } from "../../messages/said.ts";
import type { Translate } from "../../messages/translate.ts";
import type { Kind } from "../../records/kinds.ts";
import { brief } from "../mapping/targets.ts";

/** What the file calls a record. */
export type Unit = "row" | "record";

/** `3 rows`, `1 record`. */
export const countedUnits = (count: number, unit: Unit): Said => said(`job.count.${unit}s`, { count });

/** `3 places`. */
export const countedKind = (count: number, kind: Kind): Said =>
  said("job.count.of_kind", { count, one: said(`kind.one.${kind}`), many: said(`kind.many.${kind}`) });

export const item = (...[key, values]: Parameters<typeof said>): Said =>
  said("job.report.item", { item: said(key, values) });

/** Most lines of a list in a whole report. The others are counted. */
export const LISTED = 10_000;

/** A text of the file, in how many records it is, and the first line with it. */
export const textLine =
  (unit: Unit) =>
  ([text, { count: units, line }]: readonly [string, { count: number; line: number }]): Said =>
    item("job.report.untagged_value", {
      value: brief(text),
      count: units,
      records: countedUnits(units, unit),
      line: String(line),
    });

/** The line after a list that is not shown completely. */
export const andMore = (all: number, shown: number): Said[] =>
  all > shown ? [item("job.report.more", { count: all - shown })] : [];

/** A heading, a line for each of the first ones, and how many there are besides (of `all`); nothing if there are none. */
export function listUnder<Each>(
  heading: Said,
  found: readonly Each[],
  { lineOf, most, all = found.length }: { lineOf: (each: Each) => Said; most: number; all?: number },
): Said[] {
  const shown = found.slice(0, most).map(lineOf);
  return all === 0 ? [] : [heading, ...shown, ...andMore(all, shown.length)];
}

/** How many lines a sentence names. */
export const MOST_LINES = 20;

export const listOfLines = (lines: readonly number[]): string =>
  lines.slice(0, MOST_LINES).join(", ") + (lines.length > MOST_LINES ? " …" : "");

export const count = (t: Translate, n: number): string => Math.round(n).toLocaleString(t.language);
