/** Adds the values of a mapping entry to a mapped row. */
import { type Said, said } from "../../messages/said.ts";
import { languages } from "../../messages/translate.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { composed, fold, textFault } from "../../text.ts";
import { setColumn } from "../csv/column-values.ts";
import type { Part } from "../csv/parallel-columns.ts";
import { addLink } from "./add-link.ts";
import type { MappedRow } from "./mapped-row.ts";
import type { ColumnMapping } from "./mapping.ts";
import type { ReadDate } from "./step.ts";
import { brief } from "./targets.ts";
import { isExact } from "./transforms.ts";

/** What the row already has: values by field, and links. */
export type Known = { values: Map<string, Set<string>>; links: Map<string, MappedRow["relations"][number]> };

export function addToRow(
  mapped: MappedRow,
  known: Known,
  entry: ColumnMapping,
  parts: readonly Part[],
  fault: (detail: Said) => void,
): void {
  const { target } = entry;
  const isNew = (group: string, value: string): boolean => {
    const values = known.values.get(group) ?? new Set();
    known.values.set(group, values);
    return values.size < values.add(value).size;
  };
  switch (target.kind) {
    case "field": {
      const entries = Object.hasOwn(mapped.fields, target.name) ? mapped.fields[target.name]! : [];
      mapped.fields[target.name] = entries;
      for (const { text: value, lang: own } of parts) {
        const lang = entry.lang ?? (entry.ownLanguage ? own : undefined);
        if (isNew(`${target.name} ${lang ?? ""}`, value) || isExact(entry.transforms))
          entries.push(lang === undefined ? { value } : { value, lang });
      }
      return;
    }
    case "media":
      for (const { text } of parts) if (isNew("media", text)) mapped.media.push(text);
      return;
    case "relation":
      for (const part of parts) {
        const { kind: _, ...scope } = target;
        addLink(mapped, known.links, entry, scope, part, fault);
      }
      return;
  }
  const values = [...new Set(parts.map(({ text }) => text))];
  if (values.length > 1) {
    const shown = values.slice(0, 3).map((value) => `"${brief(value)}"`);
    fault(said("fault.row.one_value", { count: values.length, values: shown.join(", ") }));
    return;
  }
  const value = values[0]!;
  if (target.kind === "idno") mapped.idno ??= composed(value);
  else if (target.kind === "type") mapped.subtype ??= value;
  else if (mapped.columns[target.name] === undefined) setColumn(mapped.columns, target.name, value, fault);
}

/** Keeps the museum's words for these dates in a text field, unless they say the same as the EDTF. */
export function keepWording(mapped: MappedRow, field: string, dates: readonly ReadDate[]): void {
  if (dates.every(saysTheSame)) return;
  const texts = [...(mapped.fields[field] ?? []).map(({ value }) => value), ...dates.map(({ text }) => text)];
  const value = [...new Set(texts)].join("; ");
  const lang = dates[0]!.lang;
  if (textFault(value) === null) mapped.fields[field] = [lang === undefined ? { value } : { value, lang }];
}

function saysTheSame({ text, edtf }: ReadDate): boolean {
  // an abbreviation such as "ca." belongs to several languages
  if (edtf === undefined || /\p{L}\./u.test(text)) return false;
  const words = [edtf, ...languages().map((language) => dateInWords(edtf, language))];
  return words.some((each) => fold(each) === fold(text));
}
