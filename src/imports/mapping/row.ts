/** Maps one row of a source to one record. Does not use the database. */
import { type Said, said, say } from "../../messages/said.ts";
import { ENGLISH } from "../../messages/translate.ts";
import type { WrittenDate } from "../../records/dates/readings.ts";
import type { Kind } from "../../records/kinds.ts";
import { isBlank, textFault } from "../../text.ts";
import { type Part, partsWithParallels } from "../csv/parallel-columns.ts";
import { addToRow, type Known, keepWording } from "./add-to-row.ts";
import type { ImportRow, MappedRow } from "./mapped-row.ts";
import type { ColumnMapping, Mapping } from "./mapping.ts";
import type { LocalText, SourceRow } from "./source-row.ts";
import type { ReadDate, RowContext } from "./step.ts";
import { brief, shortColumn, targetName } from "./targets.ts";
import { isExact, VALUE_COST } from "./transforms.ts";

/** Most values of a column after each transform, and most characters of these. */
const MOST_VALUES = 10_000;
const MOST_TEXT = 1_048_576;
/** Most work for a row, in characters read: about a tenth of a second. */
const MOST_WORK = 20_000_000;

const MOST_FAULTS = 100;

/** A row exceeds a limit, or a cell cannot be read. */
class Unreadable extends Error {
  readonly told: Said;

  constructor(...[key, values]: Parameters<typeof said>) {
    const told = said(key, values);
    super(say(ENGLISH, told));
    this.told = told;
  }
}

/**
 * Maps a row. If a record takes only one value (number, type, column), the first entry with a value gives it, and two values from
 * one entry are a fault. Fields, relations and media keep the same value only once.
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
    if (work > MOST_WORK) throw new Unreadable("fault.row.work");
  };
  const read = (column: string) => {
    const text = textOf(cellOf(row, column));
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
    const dates: ReadDate[] = [];
    const dated = (date: ReadDate) => dates.push(date);
    const undated = (value: string) => {
      mapped.undated ??= [];
      mapped.undated.push(target.kind === "field" ? { value, field: target.name } : { value });
    };
    const unmatched = (value: string) => mapped.unmatched.push({ column, target: targetName(target), value });
    try {
      if (entry.fallback && isGiven(mapped, target)) continue;
      if (!conditionsHold(entry, row, spend)) continue;
      const report = { fault, unread, dated, doubted, undated, unmatched, wording: entry.wording };
      const values = valuesOf(entry, row, { read, spend, ...report });
      if (values.length > 0) addToRow(mapped, known, entry, values, fault);
      if (entry.fallback && target.kind === "field" && isGiven(mapped, target))
        mapped.fallbacks = [...(mapped.fallbacks ?? []), target.name];
      if (entry.wording === undefined || target.kind !== "field" || dates.length === 0) continue;
      mapped.wordings = { ...mapped.wordings, [entry.wording]: target.name };
      keepWording(mapped, entry.wording, dates);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
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

/** Throws if the cell cannot be read. */
function cellOf({ values, faulty }: SourceRow, column: string): string | readonly LocalText[] | undefined {
  const fault = faulty?.get(column);
  if (fault) throw new Unreadable(fault.key, fault.values);
  return values.get(column);
}

function textOf(cell: string | readonly LocalText[] | undefined): string {
  return typeof cell === "string" ? cell : (cell?.map(({ text }) => text).join("; ") ?? "");
}

const NOTHING: readonly LocalText[] = [{ text: "" }];

function conditionsHold(
  { onlyIf = [] }: ColumnMapping,
  row: SourceRow,
  spend: (characters: number) => void,
): boolean {
  return onlyIf.every(({ column, cost, holds }) => {
    const cell = cellOf(row, column) ?? "";
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

/** The values of an entry. Each is transformed separately, so that it keeps its language, roles and authority number. */
function valuesOf(entry: ColumnMapping, row: SourceRow, context: RowContext): Part[] {
  const cell = cellOf(row, entry.column) ?? "";
  const given = typeof cell === "string" ? [{ text: cell }] : cell.length > 0 ? cell : NOTHING;
  const kept: Part[] = [];
  let before = 0;
  let beforeText = 0;
  const measured = (values: readonly string[]): number => {
    const text = values.reduce((sum, value) => sum + value.length, 0);
    const [count, long] = [before + values.length, beforeText + text];
    if (count > MOST_VALUES) throw new Unreadable("fault.row.many_values", { count, most: MOST_VALUES });
    if (long > MOST_TEXT) throw new Unreadable("fault.row.many_characters", { count: long, most: MOST_TEXT });
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
