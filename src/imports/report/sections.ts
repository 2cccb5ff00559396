/** Divides the report of an import into sections: a finding, and the items below it. */
import type { Said, Told } from "../../messages/said.ts";

/** `more`: the line that says how many items are not listed; null if all are. */
export type Section = { text: Said; items: Told[]; more: Said | null };

const MORE = /^job\.report\.(?:more|many_more|more_places)$/;

/** A line that is not an item (`counts.ts`) begins a section. */
export function sectionsOf(lines: readonly Said[]): Section[] {
  const sections: Section[] = [];
  for (const line of lines) {
    const item = line.key === "job.report.item" ? (line.values!.item as Told) : undefined;
    const last = sections.at(-1);
    if (item === undefined || !last) sections.push({ text: line, items: [], more: null });
    else if (typeof item === "object" && MORE.test(item.key)) last.more = item;
    else last.items.push(item);
  }
  return sections;
}

/** The section with its first items and the number of the others. */
export function firstOf({ text, items, more }: Section, most: number): Section {
  const hidden = items.length - most;
  if (hidden <= 0) return { text, items, more };
  const { key, values } = more ?? { key: "job.report.more", values: { count: 0 } };
  const count = hidden + Number(values?.count);
  return { text, items: items.slice(0, most), more: { key, values: { count } } };
}
