/** Reads the rows of a sheet (ECMA-376 part 1, §18.3) in the same form as `readCsv`, without empty rows. */
import { type Said, said } from "../../messages/said.ts";
import { type CsvRow, MAX_COLUMNS } from "../csv/csv.ts";
import { MAX_ROW } from "../csv/row-scanner.ts";
import { brief } from "../mapping/targets.ts";
import { refused } from "../source.ts";
import { RichText, unescaped } from "./strings.ts";
import type { Sheet, Workbook } from "./workbook.ts";
import { readXml } from "./xml.ts";
import { damaged } from "./zip.ts";

/** A longer row is refused, as in CSV. */
const MOST_CELLS = MAX_COLUMNS + 3;
/** Most characters of all cells together, because many cells may refer to one long text. */
const MOST_TEXT = 200 * 1024 * 1024;

/** An error that a program stored as text. */
const ERROR = /^#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|FIELD!|BLOCKED!|UNKNOWN!)$/;

export type Noticed = { hiddenRows: number; merged: string[]; moreMerged: number };
const MOST_MERGED = 1_000;

export async function* readRows(
  { archive, strings, formats }: Workbook,
  sheet: Sheet,
  name: string,
  noticed: Noticed,
): AsyncGenerator<CsvRow[], void, undefined> {
  const rich = new RichText();
  const done: CsvRow[] = [];
  let row: CsvRow = { line: 0, cells: [] };
  let rowText = 0;
  let allText = 0;
  let [isHidden, isRow, isValue, isInline, isFormula] = [false, false, false, false, false];
  const at = (column: number) => ({ column, type: "n", style: "", hasFormula: false, hasResult: false });
  let cell = at(0);
  let stored = "";
  let formula = "";

  const mark = (fault: Said) => {
    row.faulty ??= new Map();
    row.faulty.set(cell.column, fault);
  };
  const put = (text: string) => {
    if (text === "") return;
    allText += text.length;
    rowText += text.length;
    if (allText > MOST_TEXT) throw refused(said("fault.workbook.large", { name, most: MOST_TEXT / 2 ** 20 }));
    if (rowText > MAX_ROW) row.fault ??= said("fault.row.long");
    else if (cell.column >= MOST_CELLS)
      row.fault ??= said("fault.row.many_cells", { count: cell.column + 1, most: MAX_COLUMNS });
    else {
      while (row.cells.length < cell.column) row.cells.push("");
      row.cells[cell.column] = text;
      if (cell.hasFormula && !cell.hasResult) mark(said("fault.row.cell_formula"));
      else if (cell.type === "e" || (text.startsWith("#") && ERROR.test(text)))
        mark(said("fault.row.cell_error", { error: brief(text) }));
    }
  };
  const textOf = (): string => {
    // a program that does not calculate stores no result, or an empty number; Excel also stores empty texts
    if (cell.hasFormula && stored === "" && cell.type === "n") cell.hasResult = false;
    if (cell.hasFormula && !cell.hasResult) return `=${formula}`;
    const format = formats[Number(cell.style || 0)];
    const ofText = (text: string) => format?.(unescaped(text), true) ?? unescaped(text);
    switch (cell.type) {
      case "s": {
        const text = stored === "" ? "" : strings.at(Number(stored));
        if (text === undefined) throw damaged(name);
        return ofText(text);
      }
      case "inlineStr":
        return ofText(rich.take());
      case "str":
        return ofText(stored);
      case "b":
        return stored === "" ? "" : stored === "1" || stored === "true" ? "TRUE" : "FALSE";
      case "d":
        return stored.replace(/T00:00(:00(\.0+)?)?Z?$/, "");
      case "e":
        return stored;
      default:
        return format?.(stored) ?? stored;
    }
  };
  const events = readXml(archive.read(sheet.part), name, {
    open(tag, attributes) {
      if (tag === "row" && !isRow) {
        const line = attributes.r === undefined ? row.line + 1 : Number(attributes.r);
        // a row or cell that comes twice would be lost
        if (!(line > row.line)) throw damaged(name);
        row = { line, cells: [] };
        rowText = 0;
        cell = at(-1);
        isRow = true;
        isHidden = attributes.hidden === "1" || attributes.hidden === "true";
      } else if (tag === "c" && isRow) {
        const column = attributes.r === undefined ? cell.column + 1 : columnOf(attributes.r);
        if (!(column > cell.column)) throw damaged(name);
        cell = { ...at(column), type: attributes.t ?? "n", style: attributes.s ?? "" };
        stored = "";
        formula = "";
      } else if (tag === "f") isFormula = cell.hasFormula = true;
      else if (tag === "is") isInline = cell.hasResult = true;
      else if (tag === "v") isValue = cell.hasResult = true;
      else if (tag === "mergeCell" && noticed.merged.length === MOST_MERGED) noticed.moreMerged += 1;
      else if (tag === "mergeCell") noticed.merged.push(attributes.ref ?? "");
      if (isInline) rich.open(tag);
    },
    close(tag) {
      if (isInline) rich.close(tag);
      if (tag === "is") isInline = false;
      else if (tag === "v") isValue = false;
      else if (tag === "f") isFormula = false;
      else if (tag === "c" && isRow) put(textOf());
      else if (tag === "row") {
        isRow = false;
        if (row.cells.length === 0 && !row.fault) return;
        if (isHidden) noticed.hiddenRows += 1;
        done.push(row);
      }
    },
    text(text) {
      if (isValue) stored += text;
      else if (isFormula) formula += text;
      else if (isInline) rich.add(text);
    },
  });
  for await (const _ of events) if (done.length > 0) yield done.splice(0);
}

/** The column of a cell such as AB12, from 0. */
function columnOf(place: string): number {
  let column = 0;
  for (const letter of /^[A-Z]*/.exec(place)![0]) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
