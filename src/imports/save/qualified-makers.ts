/** Reads how links qualify makers, such as "attributed to", and reports it. */
import { type Said, said } from "../../messages/said.ts";
import { attributionKey, isQualified, partedNotes, tidyNotes } from "../../records/links/attributions.ts";
import { qualifierOfWords, wordsOfQualifier } from "../../records/links/qualifier-words.ts";
import type { Metadata } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import { short } from "../csv/text-table.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import type { RowOutcome } from "../options.ts";
import { andMore, LISTED, listUnder, textLine, type Unit } from "../report/counts.ts";
import { columnNamed, type PreviewPart } from "../report/preview-text.ts";

/** How many qualifiers are shown, except in the whole report. */
const SHOWN = 10;
/** How many different qualifiers are counted, and how many are shown. */
const MOST = 1_000;
const IN_TABLE = 30;

/** Replaces the words of cells by the qualifiers that the links will get. */
export function withQualifiers(schema: Schema, mapped: MappedRow): MappedRow {
  if (mapped.relations.every(({ qualifierWords }) => qualifierWords === undefined)) return mapped;
  const relations = mapped.relations.map(({ qualifierWords: words, ...link }) =>
    words === undefined
      ? link
      : { ...link, metadata: tidyNotes(schema, { ...link.metadata, ...qualifierOfWords(schema, words) }) },
  );
  return { ...mapped, relations };
}

/** How this link qualifies its maker; null if it does not. */
function qualifyingOf({ metadata = {} }: MappedRow["relations"][number]): Metadata | null {
  if (!isQualified(metadata)) return null;
  const said = Object.entries(partedNotes(metadata).qualifying).filter(([, entries]) => entries.length > 0);
  return Object.fromEntries(said);
}

/** The qualifier as in exported lists: ` (workshop_of)`, ` (Hand des@de)`; empty for a plain maker. */
export function qualifierIn(link: MappedRow["relations"][number]): string {
  const metadata = qualifyingOf(link);
  return metadata === null ? "" : ` (${codeOf(metadata)})`;
}

const codeOf = (metadata: Metadata): string => short(wordsOfQualifier({ qualifiers: new Map() }, metadata));

/** Counts the qualifiers of makers for a preview. */
export function createAttributions(unit: Unit) {
  type Tally = { relation: string; metadata: Metadata; rows: number; example: string };
  const all = new Map<string, Tally>();
  return {
    take({ relations }: Pick<MappedRow, "relations">): void {
      const seen = new Set<string>();
      for (const link of relations) {
        const metadata = qualifyingOf(link);
        if (metadata === null) continue;
        const relation = `${link.relation_type} → ${link.to_type}`;
        const key = `${relation} ${attributionKey(metadata)}`;
        if (seen.size === seen.add(key).size) continue;
        const known = all.get(key);
        if (known) known.rows += 1;
        else if (all.size < MOST)
          all.set(key, structuredClone({ relation, metadata, rows: 1, example: short(link.value) }));
      }
    },

    tables(): PreviewPart[] {
      if (all.size === 0) return [];
      const lines = [...all.values()]
        .slice(0, IN_TABLE)
        .map(({ relation, metadata, rows, example }) => [`${relation}: ${codeOf(metadata)}`, rows, example]);
      const heads = ["attribution", `${unit}s`, "example"].map(columnNamed);
      return [{ table: [heads, ...lines], more: andMore(all.size, lines.length) }];
    },

    /** `example`: the name of one maker. */
    json: () => [...all.values()],
  };
}

/** Reports qualifiers for which there is no term, so that their words were kept. */
export function createQualifierTexts(unit: Unit) {
  const rows = new Map<string, { count: number; line: number }>();
  let others = 0;
  return {
    take({ row, mapped }: RowOutcome): void {
      const texts = mapped.relations.flatMap((link) => {
        const { qualifier = [], qualifier_text = [] } = qualifyingOf(link) ?? {};
        return qualifier.length > 0 ? [] : qualifier_text.map(({ value }) => value);
      });
      for (const text of new Set(texts)) {
        const known = rows.get(text);
        if (known) known.count += 1;
        // a copy, because a slice would keep the whole row in memory
        else if (rows.size < LISTED) rows.set(structuredClone(text), { count: 1, line: row.line });
        else others += 1;
      }
    },

    lines: (most = SHOWN): Said[] =>
      listUnder(said("job.report.qualifier_texts"), [...rows], {
        lineOf: textLine(unit),
        most,
        all: rows.size + others,
      }),

    json: () => [...rows].map(([value, found]) => ({ value, ...found })),
  };
}
