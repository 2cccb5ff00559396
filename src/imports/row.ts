/** One row of a source made into what one record should be. Pure: the database comes later. */
import type { LinkScope, LinkWish } from "../records/batch-links.ts";
import {
  COLLECTION_STATUSES,
  type CollectionStatus,
  type Kind,
  STATUSES,
  type Status,
} from "../records/kinds.ts";
import { isBlank, textFault } from "../text.ts";
import type { ColumnMapping, Mapping } from "./mapping.ts";
import { type ColumnTarget, quoted, shortColumn, targetName } from "./targets.ts";
import { type RowContext, VALUE_COST } from "./transforms.ts";

/** What one node of an XML file says, in the language that its `xml:lang` names. */
export type Said = { text: string; lang?: string };

/** A cell of a CSV has one text, an XPath may give several. A row that could not be read brings its fault along. */
export type SourceRow = { values: ReadonlyMap<string, string | readonly Said[]>; fault?: string };

/**
 * `line`: where it begins, from 1. `cells`: as it stood in the file, for the rejects file. `short`: it lacks cells at its
 * end, which count as empty.
 */
export type ImportRow = SourceRow & {
  line: number;
  cells: readonly string[];
  short?: true;
  /** What the record is to be, where its format says it and no mapping has to. */
  mapped?: MappedRow;
};

export type MappedColumns = {
  status?: Status;
  collection_status?: CollectionStatus;
  lat?: number;
  lon?: number;
  /** The number (idno) of the parent as the source writes it; whoever writes to the database finds it. */
  parent?: string;
  start_date?: string;
  end_date?: string;
  due_date?: string;
  reference_number?: string;
};

export type MappedRow = {
  record_type: Kind;
  idno?: string;
  subtype?: string;
  fields: Record<string, { value: string; lang?: string }[]>;
  media: string[];
  /** `create: false`: no record is to be made of the value. */
  relations: (LinkScope & Pick<LinkWish, "value" | "create" | "described" | "metadata">)[];
  columns: MappedColumns;
  /** Sentences; a row that has any is not to be imported. */
  faults: string[];
  /** One of the faults lies where the number stands, which is therefore not missing. */
  idnoFaulty?: boolean;
  /** What a transform left out because it did not understand it; the row is imported without. */
  unread: { column: string; value: string }[];
  /** What a pattern left out because it does not match. */
  unmatched: { column: string; target: string; value: string }[];
};

/** Values that a column may give at any step, and their characters together. */
const MOST_VALUES = 10_000;
const MOST_TEXT = 1_048_576;
/** Work that a row may be, in characters that are looked at once: about a tenth of a second. */
const MOST_WORK = 20_000_000;

/** Sentences about one row. */
const MOST_FAULTS = 100;

/** A row that is more work than others should wait for. */
class TooMuch extends Error {}

/**
 * Where a record takes one value only (idno, type, a column), the first column of the mapping that has a value gives
 * it, and two values from one column are a fault. The same value twice in a field, a relation or the media is kept once.
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
    if (work > MOST_WORK)
      throw new TooMuch("is more work than a row may be: its text is too long for its transforms");
  };
  const read = (column: string) => {
    const text = textOf(row.values.get(column));
    spend(VALUE_COST + text.length);
    return text;
  };
  const faulty = new Set<string>();
  const known: Known = new Map();
  for (const entry of mapping) {
    const { column, target } = entry;
    const fault = (detail: string) => {
      if (mapped.faults.length < MOST_FAULTS)
        mapped.faults.push(`column ${quoted(shortColumn(column))}: ${detail}`);
      faulty.add(target.kind === "column" ? target.name : target.kind);
    };
    const unread = (value: string) => mapped.unread.push({ column, value });
    const unmatched = (value: string) => mapped.unmatched.push({ column, target: targetName(target), value });
    try {
      const values = valuesOf(entry, row, { read, spend, fault, unread, unmatched });
      if (values.length > 0) place(mapped, known, entry, values, fault);
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      fault(error.message);
      if (work <= MOST_WORK) continue;
      mapped.idnoFaulty = true;
      break;
    }
  }
  if (faulty.has("idno")) mapped.idnoFaulty = true;
  const { lat, lon } = mapped.columns;
  if ((lat === undefined) !== (lon === undefined) && !faulty.has("lat") && !faulty.has("lon"))
    mapped.faults.push("has only one of latitude and longitude");
  return mapped;
}

/** How long what came of a row is, about. */
export function lengthOf({ fields, media, relations, faults, unread, unmatched }: MappedRow): number {
  const texts = [...Object.values(fields).flat(), ...relations, ...unread, ...unmatched].map(
    ({ value }) => value,
  );
  return [...texts, ...media, ...faults].reduce((sum, text) => sum + VALUE_COST + text.length, 0);
}

function textOf(cell: string | readonly Said[] | undefined): string {
  return typeof cell === "string" ? cell : (cell?.map(({ text }) => text).join("; ") ?? "");
}

const NOTHING: readonly Said[] = [{ text: "" }];

/** Transforms treat each value for itself, so each keeps the language of its node. */
function valuesOf(entry: ColumnMapping, row: SourceRow, context: RowContext): Said[] {
  const cell = row.values.get(entry.column) ?? "";
  const said = typeof cell === "string" ? [{ text: cell }] : cell.length > 0 ? cell : NOTHING;
  const kept: Said[] = [];
  let before = 0;
  let beforeText = 0;
  const measured = (values: readonly string[]): number => {
    const text = values.reduce((sum, value) => sum + value.length, 0);
    const [count, long] = [before + values.length, beforeText + text];
    if (count > MOST_VALUES) throw new TooMuch(`gives ${count} values, more than ${MOST_VALUES}`);
    if (long > MOST_TEXT) throw new TooMuch(`gives ${long} characters, more than ${MOST_TEXT}`);
    return VALUE_COST * values.length + text;
  };
  for (const { text, lang } of said) {
    let values: readonly string[] = [text.trim()];
    let size = measured(values);
    context.spend(2 * size);
    for (const { step, cost } of entry.transforms) {
      context.spend(size * cost);
      values = step(values, context);
      size = measured(values);
    }
    before += values.length;
    beforeText += size - VALUE_COST * values.length;
    for (const value of values) {
      const trimmed = value.trim();
      if (isBlank(trimmed)) continue;
      const untold = textFault(trimmed);
      if (untold === null) kept.push({ text: trimmed, lang });
      else context.fault(`${untold}; a transform can replace it`);
    }
  }
  return kept;
}

/** Under the name of a field, or a relation's: what is there already. */
type Known = Map<string, Set<string>>;

function place(
  mapped: MappedRow,
  known: Known,
  entry: ColumnMapping,
  said: readonly Said[],
  fault: (detail: string) => void,
): void {
  const { target } = entry;
  const isNew = (group: string, value: string): boolean => {
    const values = known.get(group) ?? new Set();
    known.set(group, values);
    return values.size < values.add(value).size;
  };
  switch (target.kind) {
    case "field": {
      const entries = Object.hasOwn(mapped.fields, target.name) ? mapped.fields[target.name]! : [];
      mapped.fields[target.name] = entries;
      for (const { text: value, lang: own } of said) {
        const lang = entry.lang ?? (entry.ownLanguage ? own : undefined);
        if (isNew(`${target.name} ${lang ?? ""}`, value))
          entries.push(lang === undefined ? { value } : { value, lang });
      }
      return;
    }
    case "media":
      for (const { text } of said) if (isNew("media", text)) mapped.media.push(text);
      return;
    case "relation": {
      const { kind: _, ...wish } = target;
      for (const { text: value } of said)
        if (isNew(`relation ${wish.relation_type} ${wish.to_type}`, value))
          mapped.relations.push({ ...wish, value });
      return;
    }
  }
  const values = [...new Set(said.map(({ text }) => text))];
  if (values.length > 1) {
    fault(
      `gives ${values.length} values (${values.slice(0, 3).map(quoted).join(", ")}) where there can be one`,
    );
    return;
  }
  const value = values[0]!;
  if (target.kind === "idno") mapped.idno ??= value.normalize();
  else if (target.kind === "type") mapped.subtype ??= value;
  else if (mapped.columns[target.name] === undefined) setColumn(mapped.columns, target.name, value, fault);
}

function setColumn(
  columns: MappedColumns,
  name: ColumnTarget,
  value: string,
  fault: (detail: string) => void,
): void {
  switch (name) {
    case "status":
    case "collection_status": {
      const allowed: readonly string[] = name === "status" ? STATUSES : COLLECTION_STATUSES;
      const plain = value.toLowerCase();
      if (allowed.includes(plain)) Object.assign(columns, { [name]: plain });
      else fault(`${quoted(value)} is no ${name}; there are ${allowed.join(", ")}`);
      return;
    }
    case "lat":
    case "lon": {
      const limit = name === "lat" ? 90 : 180;
      const number = /^[+-]?\d+([.,]\d+)?$/.test(value) ? Number(value.replace(",", ".")) : Number.NaN;
      if (Math.abs(number) <= limit) columns[name] = number;
      else fault(`${quoted(value)} is no decimal degree between -${limit} and ${limit}`);
      return;
    }
    case "start_date":
    case "end_date":
    case "due_date":
      if (isDay(value)) columns[name] = value;
      else fault(`${quoted(value)} is no day such as 2026-01-31`);
      return;
    case "reference_number":
      if (value.length <= 200) columns[name] = value;
      else fault("is longer than 200 characters");
      return;
    default:
      columns[name] = value.normalize();
  }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
