/** Adds what an entry of the mapping gives to a mapped row. */
import { type Said, said } from "../../messages/said.ts";
import { languages } from "../../messages/translate.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import type { Entry } from "../../records/record.ts";
import { composed, fold, textFault } from "../../text.ts";
import { setColumn } from "../csv/column-values.ts";
import { describedBy, type Part } from "../csv/parallel-columns.ts";
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
      for (const part of parts) addLink(mapped, known, entry, target, part, fault);
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

/**
 * Adds a link. If the row has one to the same record with the same relation type and qualifier, that gets the further roles, but
 * an empty part of a column of roles is a link of its own.
 */
function addLink(
  mapped: MappedRow,
  { links }: Known,
  entry: ColumnMapping,
  { kind: _, ...scope }: Extract<ColumnMapping["target"], { kind: "relation" }>,
  part: Part,
  fault: (detail: Said) => void,
): void {
  const described = describedBy(entry.authority, part, scope, fault);
  const { text: value, roles, qualifier: qualifierWords } = part;
  const ends = `${scope.relation_type} ${scope.to_type} ${described?.key ?? ""}`;
  const key = `${ends}\n${qualifierWords ?? ""}\n${roles?.length === 0 ? "no role" : ""}\n${value}`;
  const known = links.get(key);
  const old: Entry[] = known?.metadata?.role ?? [];
  const fresh = (roles ?? []).filter((role) => !old.some((each) => each.value === role));
  const all = [...old, ...[...new Set(fresh)].map((role) => ({ value: role }))];
  const metadata = all.length > 0 || roles ? { metadata: { role: all } } : {};
  if (known) {
    Object.assign(known, metadata);
    return;
  }
  const qualified = qualifierWords === undefined ? {} : { qualifierWords };
  const link = { ...scope, value, ...(described ? { described } : {}), ...metadata, ...qualified };
  links.set(key, link);
  mapped.relations.push(link);
}

/** Keeps the museum's words for these dates in a field of text, unless they say the same as the EDTF. */
export function keepWording(mapped: MappedRow, field: string, dates: readonly ReadDate[]): void {
  if (dates.every(saysTheSame)) return;
  const texts = [...(mapped.fields[field] ?? []).map(({ value }) => value), ...dates.map(({ text }) => text)];
  const value = [...new Set(texts)].join("; ");
  const lang = dates[0]!.lang;
  if (textFault(value) === null) mapped.fields[field] = [lang === undefined ? { value } : { value, lang }];
}

function saysTheSame({ text, edtf }: ReadDate): boolean {
  if (edtf === undefined) return false;
  const words = [edtf, ...languages().map((language) => dateInWords(edtf, language))];
  return words.some((each) => fold(each) === fold(text));
}
