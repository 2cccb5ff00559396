/** Maps one row of a source to one record. Pure: it does not use the database. */
import { type Said, said, say } from "../messages/said.ts";
import { ENGLISH } from "../messages/translate.ts";
import type { WrittenDate } from "../records/date-readings.ts";
import type { Kind } from "../records/kinds.ts";
import type { LinkRequest, LinkScope } from "../records/link-requests.ts";
import type { Entry } from "../records/record.ts";
import { composed, isBlank, textFault } from "../text.ts";
import { type MappedColumns, setColumn } from "./column-values.ts";
import type { ColumnMapping, Mapping } from "./mapping.ts";
import { describedBy, type Part, partsWithParallels } from "./parallel-columns.ts";
import type { LocalText, SourceRow } from "./source-row.ts";
import type { RowContext } from "./step.ts";
import { brief, shortColumn, targetName } from "./targets.ts";
import { isExact, VALUE_COST } from "./transforms.ts";

/** `line`: its first line, from 1. `cells`: as in the file, for the rejects file. `short`: it has too few cells; the others count as empty. */
export type ImportRow = SourceRow & {
  line: number;
  cells: readonly string[];
  short?: true;
  /** Of a rejects file. */
  isReject?: true;
  /** Of XML: the elements and attributes that no XPath has read. */
  unmapped?: readonly string[];
  /** Of XML: values of `xml:lang` that are not language tags. */
  untagged?: readonly string[];
  /** The result, if the format needs no mapping. */
  mapped?: MappedRow;
};

export type DoubtedDate = { column: string; value: string; readings: string[]; edtf: string };

export type MappedRow = {
  record_type: Kind;
  idno?: string;
  subtype?: string;
  fields: Record<string, { value: string; lang?: string }[]>;
  media: string[];
  /** `create: false`: no record must be created for the value. */
  relations: (LinkScope &
    Pick<LinkRequest, "value" | "create" | "ifSeveral" | "subtype" | "described" | "metadata">)[];
  columns: MappedColumns;
  /** A row with faults is refused. */
  faults: Said[];
  /** One of the faults is in the number: the number must not be reported as missing. */
  idnoFaulty?: boolean;
  /** Dates that were left out because they could not be read. */
  unread: { column: string; value: string }[];
  /** Dates that can be read in several ways (`readings`), and what was made of them. */
  doubted?: DoubtedDate[];
  /** The number of cells that say that something is not dated. */
  undated?: number;
  /** Values that a pattern left out because it does not match. */
  unmatched: { column: string; target: string; value: string }[];
};

/** Most values of a column after any transform, and most characters of these. */
const MOST_VALUES = 10_000;
const MOST_TEXT = 1_048_576;
/** Most work for a row, in characters that are read: about a tenth of a second. */
const MOST_WORK = 20_000_000;

/** Most faults of one row. */
const MOST_FAULTS = 100;

/** A limit for rows was exceeded. */
class TooMuch extends Error {
  readonly told: Said;

  constructor(...[key, values]: Parameters<typeof said>) {
    const told = said(key, values);
    super(say(ENGLISH, told));
    this.told = told;
  }
}

/**
 * Maps a row. If a record takes only one value (number, type, column), the first entry of the mapping with a value gives it, and two
 * values from one entry are a fault. A field, a relation or the media keep the same value only once.
 */
export function mapRow(
  mapping: Mapping,
  recordType: Kind,
  row: SourceRow & Pick<ImportRow, "mapped">,
): MappedRow {
  if (row.mapped) return row.mapped;
  const mapped: MappedRow = {
    record_type: recordType,
    fields: {},
    media: [],
    relations: [],
    columns: {},
    faults: [],
    unread: [],
    unmatched: [],
  };
  if (row.fault !== undefined) {
    mapped.faults.push(row.fault);
    mapped.idnoFaulty = true;
    return mapped;
  }
  let work = 0;
  const spend = (characters: number) => {
    work += characters;
    if (work > MOST_WORK) throw new TooMuch("fault.row.work");
  };
  const read = (column: string) => {
    const text = textOf(row.values.get(column));
    spend(VALUE_COST + text.length);
    return text;
  };
  const faulty = new Set<string>();
  const known: Known = { values: new Map(), links: new Map() };
  for (const entry of mapping) {
    const { column, target } = entry;
    const fault = (detail: Said) => {
      if (mapped.faults.length < MOST_FAULTS)
        mapped.faults.push(said("fault.row.column", { column: brief(shortColumn(column)), fault: detail }));
      faulty.add(target.kind === "column" ? target.name : target.kind);
    };
    const unread = (value: string) => mapped.unread.push({ column, value });
    const doubted = ({ text: value, readings = [], edtf }: WrittenDate) => {
      mapped.doubted ??= [];
      mapped.doubted.push({ column, value, readings, edtf });
    };
    const undated = () => {
      mapped.undated = (mapped.undated ?? 0) + 1;
    };
    const unmatched = (value: string) => mapped.unmatched.push({ column, target: targetName(target), value });
    try {
      if (entry.fallback && isGiven(mapped, target)) continue;
      if (!conditionsHold(entry, row, spend)) continue;
      const values = valuesOf(entry, row, { read, spend, fault, unread, doubted, undated, unmatched });
      if (values.length > 0) addToRow(mapped, known, entry, values, fault);
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      fault(error.told);
      if (work <= MOST_WORK) continue;
      mapped.idnoFaulty = true;
      break;
    }
  }
  if (faulty.has("idno")) mapped.idnoFaulty = true;
  const { lat, lon } = mapped.columns;
  if ((lat === undefined) !== (lon === undefined) && !faulty.has("lat") && !faulty.has("lon"))
    mapped.faults.push(said("fault.row.one_coordinate"));
  return mapped;
}

function textOf(cell: string | readonly LocalText[] | undefined): string {
  return typeof cell === "string" ? cell : (cell?.map(({ text }) => text).join("; ") ?? "");
}

const NOTHING: readonly LocalText[] = [{ text: "" }];

/** Whether all conditions of the entry hold for the row. */
function conditionsHold(
  { onlyIf = [] }: ColumnMapping,
  row: SourceRow,
  spend: (characters: number) => void,
): boolean {
  return onlyIf.every(({ column, cost, holds }) => {
    const cell = row.values.get(column) ?? "";
    const texts = typeof cell === "string" ? [cell] : cell.map(({ text }) => text);
    spend(cost * texts.reduce((sum, text) => sum + VALUE_COST + text.length, 0));
    return holds(texts.length > 0 ? texts : [""]);
  });
}

/** Whether an earlier entry has given the target a value. */
function isGiven(
  { idno, subtype, fields, media, relations, columns }: MappedRow,
  target: ColumnMapping["target"],
): boolean {
  switch (target.kind) {
    case "idno":
      return idno !== undefined;
    case "type":
      return subtype !== undefined;
    case "column":
      return columns[target.name] !== undefined;
    case "field":
      return Object.hasOwn(fields, target.name);
    case "media":
      return media.length > 0;
    case "relation":
      return relations.some(
        ({ relation_type, to_type }) => relation_type === target.relation_type && to_type === target.to_type,
      );
  }
}

/** The values of an entry. Each is transformed separately, so that it keeps its language, its roles and its authority number. */
function valuesOf(entry: ColumnMapping, row: SourceRow, context: RowContext): Part[] {
  const cell = row.values.get(entry.column) ?? "";
  const given = typeof cell === "string" ? [{ text: cell }] : cell.length > 0 ? cell : NOTHING;
  const kept: Part[] = [];
  let before = 0;
  let beforeText = 0;
  const measured = (values: readonly string[]): number => {
    const text = values.reduce((sum, value) => sum + value.length, 0);
    const [count, long] = [before + values.length, beforeText + text];
    if (count > MOST_VALUES) throw new TooMuch("fault.row.many_values", { count, most: MOST_VALUES });
    if (long > MOST_TEXT) throw new TooMuch("fault.row.many_characters", { count: long, most: MOST_TEXT });
    return VALUE_COST * values.length + text;
  };
  for (const { text, from, ...own } of partsWithParallels(given, entry, row, context)) {
    let values: readonly string[] = [text.trim()];
    let size = measured(values);
    context.spend(2 * size);
    for (const { step, cost } of entry.transforms.slice(from)) {
      context.spend(size * cost);
      values = step(values, context);
      size = measured(values);
    }
    before += values.length;
    beforeText += size - VALUE_COST * values.length;
    for (const value of values) {
      const trimmed = isExact(entry.transforms) ? value : value.trim();
      if (isBlank(trimmed)) continue;
      const textProblem = textFault(trimmed);
      if (textProblem === null) kept.push({ ...own, text: trimmed, from });
      else context.fault(said("fault.row.replaceable", { fault: textProblem }));
    }
  }
  return kept;
}

/** What the row already has: values by field, and links. */
type Known = { values: Map<string, Set<string>>; links: Map<string, MappedRow["relations"][number]> };

function addToRow(
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

/** Adds a link. If the row has one to the same record with the same relation type, that gets the further roles. */
function addLink(
  mapped: MappedRow,
  { links }: Known,
  entry: ColumnMapping,
  { kind: _, ...scope }: Extract<ColumnMapping["target"], { kind: "relation" }>,
  part: Part,
  fault: (detail: Said) => void,
): void {
  const described = describedBy(entry.authority, part, scope, fault);
  const { text: value, roles = [] } = part;
  const key = `${scope.relation_type} ${scope.to_type} ${described?.key ?? ""}\n${value}`;
  const known = links.get(key);
  const old: Entry[] = known?.metadata?.role ?? [];
  const fresh = roles.filter((role) => !old.some((each) => each.value === role));
  const all = [...old, ...[...new Set(fresh)].map((role) => ({ value: role }))];
  const metadata = all.length > 0 ? { metadata: { role: all } } : {};
  if (known) {
    Object.assign(known, metadata);
    return;
  }
  const link = { ...scope, value, ...(described ? { described } : {}), ...metadata };
  links.set(key, link);
  mapped.relations.push(link);
}
