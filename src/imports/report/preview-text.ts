/** A preview as plain JSON, which a job can store, and as text for a terminal. */
import { type Said, said, say, type Told } from "../../messages/said.ts";
import type { MessageKey, Translate } from "../../messages/translate.ts";
import { short, textTable } from "../csv/text-table.ts";
import { count } from "./counts.ts";

/** A record shown in full. */
export type Example = { line: number; head: Said; values: [name: string, value: Told][] };
/** `short`: a message that is cut to the width of a line. */
export type Cell = Told | number | { short: Told };
/** The first row of a table is its header. `more` comes below it. */
export type PreviewPart = Example | { table: Cell[][]; more?: Said[] } | Said;

export const columnNamed = (name: string): Said => said(`job.preview.${name}` as MessageKey);

export const previewText = (t: Translate, parts: readonly PreviewPart[]): string =>
  parts.map((part) => partText(t, part)).join("\n\n");

function partText(t: Translate, part: PreviewPart): string {
  if ("head" in part) return describe(t, part);
  if (!("table" in part)) return say(t, part);
  const [head = [], ...rows] = part.table.map((cells) => cells.map((cell) => cellText(t, cell)));
  const more = (part.more ?? []).map((line) => `\n${say(t, line)}`);
  return textTable(head, rows) + more.join("");
}

function cellText(t: Translate, cell: Cell): string {
  if (typeof cell === "number") return count(t, cell);
  return typeof cell === "object" && "short" in cell ? short(say(t, cell.short)) : say(t, cell);
}

function describe(t: Translate, { head, values }: Example): string {
  const width = Math.max(...values.map(([name]) => name.length));
  const lines = values.map(([name, value]) => `  ${name.padEnd(width)}  ${short(say(t, value))}`);
  return [say(t, head), ...lines].join("\n");
}
