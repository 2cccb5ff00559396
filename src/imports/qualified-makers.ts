/** How the links of rows qualify their makers: as it is saved, and which words no term says. */
import { type Said, said } from "../messages/said.ts";
import { isQualified, partedNotes, tidyQualifying } from "../records/attributions.ts";
import { qualifierOfWords } from "../records/qualifier-words.ts";
import type { Metadata } from "../records/record.ts";
import type { Schema } from "../records/schema.ts";
import { andMore, countedUnits, item, LISTED, type Unit } from "./counts.ts";
import type { MappedRow } from "./mapped-row.ts";
import type { RowOutcome } from "./options.ts";
import { brief } from "./targets.ts";

/** How many words are shown, except in the whole report. */
const SHOWN = 10;

/** The row with the words of its cells as what its links will say. */
export function withQualifiers(schema: Schema, mapped: MappedRow): MappedRow {
  if (mapped.relations.every(({ qualifierWords }) => qualifierWords === undefined)) return mapped;
  const relations = mapped.relations.map(({ qualifierWords: words, ...link }) =>
    words === undefined
      ? link
      : { ...link, metadata: tidyQualifying({ ...link.metadata, ...qualifierOfWords(schema, words) }) },
  );
  return { ...mapped, relations };
}

/** How this link qualifies its maker; null if it does not. */
export function qualifyingOf({ metadata = {} }: MappedRow["relations"][number]): Metadata | null {
  if (!isQualified(metadata)) return null;
  const said = Object.entries(partedNotes(metadata).qualifying).filter(([, entries]) => entries.length > 0);
  return Object.fromEntries(said);
}

/** Reports words that no term says: they are kept as they are. */
export function createQualifierTexts(unit: Unit) {
  const rows = new Map<string, { count: number; line: number }>();
  let others = 0;
  return {
    take({ row, mapped, result }: RowOutcome): void {
      if (result.outcome === "rejected" || result.outcome === "skipped") return;
      const texts = mapped.relations.flatMap((link) => {
        const { qualifier = [], qualifier_text = [] } = qualifyingOf(link) ?? {};
        return qualifier.length > 0 ? [] : qualifier_text.map(({ value }) => value);
      });
      for (const text of new Set(texts)) {
        const known = rows.get(text);
        if (known) known.count += 1;
        // a copy, or the whole row would stay in memory
        else if (rows.size < LISTED) rows.set(structuredClone(text), { count: 1, line: row.line });
        else others += 1;
      }
    },

    lines(most = SHOWN): Said[] {
      if (rows.size === 0) return [];
      const lines = [...rows].slice(0, most).map(([text, { count, line }]) =>
        item("job.report.untagged_value", {
          value: brief(text),
          records: countedUnits(count, unit),
          line: String(line),
        }),
      );
      return [said("job.report.qualifier_texts"), ...lines, ...andMore(rows.size + others, lines.length)];
    },

    json: () => [...rows].map(([value, found]) => ({ value, ...found })),
  };
}
