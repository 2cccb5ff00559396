/** Makes workbooks (.xlsx) as Excel stores them: texts in a table of their own, formats by number. */
import { strToU8, zipSync } from "fflate";

/** A text, a number, or `xml`: the whole cell, of which `R` becomes its place. */
export type Cell = string | number | null | { value: number | string; format: string } | { xml: string };
type SheetMade = {
  name: string;
  /** The first is row 1. Rows and cells that are null are not stored. */
  rows: readonly (readonly Cell[] | null)[];
  state?: "hidden" | "veryHidden";
  /** Numbers of hidden rows. */
  hidden?: readonly number[];
  /** After the rows, such as `<mergeCells>`. */
  after?: string;
};

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const NAMED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** As Excel writes it: characters that XML cannot contain, and what looks like them, as `_x000B_`. */
export const escaped = (text: string): string =>
  text
    .replace(/_x[0-9A-F]{4}_/gi, (looks) => `_x005F_${looks.slice(1)}`)
    .replace(
      /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu,
      (one) => `_x${one.charCodeAt(0).toString(16).padStart(4, "0")}_`,
    )
    .replace(/[&<>"]/g, (one) => NAMED[one]!);

export function letters(column: number): string {
  return column < 0 ? "" : letters(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26));
}

export type Made = { sheets: readonly SheetMade[]; date1904?: boolean; parts?: Record<string, string> };

export function workbook({ sheets, date1904, parts = {} }: Made): Uint8Array<ArrayBuffer> {
  const strings = new Map<string, number>();
  const formats = new Map<string, number>([["General", 0]]);
  const numbered = (map: Map<string, number>, key: string) => {
    if (!map.has(key)) map.set(key, map.size);
    return map.get(key)!;
  };
  const cellXml = (cell: Cell, place: string): string => {
    if (cell === null) return "";
    if (typeof cell === "string") return `<c r="${place}" t="s"><v>${numbered(strings, cell)}</v></c>`;
    if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
    if ("xml" in cell) return cell.xml.replace("R", place);
    const { value, format } = cell;
    const style = numbered(formats, format);
    return typeof value === "string"
      ? `<c r="${place}" s="${style}" t="s"><v>${numbered(strings, value)}</v></c>`
      : `<c r="${place}" s="${style}"><v>${value}</v></c>`;
  };
  const sheetXml = ({ rows, hidden = [], after = "" }: SheetMade): string => {
    const made = rows.map((row, index) => {
      if (row === null) return "";
      const cells = row.map((cell, column) => cellXml(cell, `${letters(column)}${index + 1}`)).join("");
      return `<row r="${index + 1}"${hidden.includes(index + 1) ? ' hidden="1"' : ""}>${cells}</row>`;
    });
    return `${HEAD}<worksheet ${MAIN}><sheetData>${made.join("")}</sheetData>${after}</worksheet>`;
  };
  const files: Record<string, string> = {
    "[Content_Types].xml": `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
  };
  sheets.forEach((sheet, index) => {
    files[`xl/worksheets/sheet${index + 1}.xml`] = sheetXml(sheet);
  });
  files["xl/workbook.xml"] =
    `${HEAD}<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr${date1904 ? ' date1904="1"' : ""}/><sheets>${sheets
      .map(
        ({ name, state }, index) =>
          `<sheet name="${escaped(name)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ""} r:id="rId${index + 1}"/>`,
      )
      .join("")}</sheets></workbook>`;
  files["xl/_rels/workbook.xml.rels"] = relations([
    ...sheets.map(
      (_, index) => [`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`] as const,
    ),
    ["rIdS", "styles", "/xl/styles.xml"],
    ["rIdT", "sharedStrings", "sharedStrings.xml"],
  ]);
  const codes = [...formats.keys()];
  files["xl/styles.xml"] =
    `${HEAD}<styleSheet ${MAIN}><numFmts>${codes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escaped(code)}"/>`).join("")}</numFmts>` +
    `<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${codes.map((code, index) => `<xf numFmtId="${/^#\d+$/.test(code) ? code.slice(1) : 164 + index}"/>`).join("")}</cellXfs></styleSheet>`;
  files["xl/sharedStrings.xml"] =
    `${HEAD}<sst ${MAIN}>${[...strings.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`;
  return zipped({ ...files, ...parts });
}

export const zipped = (files: Record<string, string>): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

const relations = (all: readonly (readonly [string, string, string])[]): string =>
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;

/** One sheet with these rows. */
export const list = (rows: SheetMade["rows"], more: Partial<SheetMade> = {}): Uint8Array =>
  workbook({ sheets: [{ name: "Liste", rows, ...more }] });
