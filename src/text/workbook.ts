/** Writes a table as a workbook (.xlsx), as a stream. Texts are cells with the format "text": none becomes a formula or a date. */
import { strToU8, Zip, ZipDeflate } from "fflate";
import { joinBytes } from "../bytes.ts";
import { document, element, type Xml } from "../xml.ts";

/** The type of such files. */
export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const relations = (...all: readonly (readonly [type: string, target: string])[]): Xml =>
  element(
    "Relationships",
    { xmlns: `${PACKAGE}/relationships` },
    all.map(([type, Target], index) =>
      element("Relationship", { Id: `rId${index + 1}`, Type: `${OFFICE}/${type}`, Target }),
    ),
  );

const parts = (sheet: string): Readonly<Record<string, Xml>> => ({
  "[Content_Types].xml": element(
    "Types",
    { xmlns: `${PACKAGE}/content-types` },
    element("Default", {
      Extension: "rels",
      ContentType: "application/vnd.openxmlformats-package.relationships+xml",
    }),
    [
      ["workbook", "sheet.main"],
      ["styles", "styles"],
      ["worksheets/sheet1", "worksheet"],
    ].map(([part, type]) =>
      element("Override", { PartName: `/xl/${part}.xml`, ContentType: `${CONTENT}.${type}+xml` }),
    ),
  ),
  "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
  "xl/workbook.xml": element(
    "workbook",
    { xmlns: MAIN, "xmlns:r": OFFICE },
    element("sheets", {}, element("sheet", { name: sheetName(sheet), sheetId: "1", "r:id": "rId1" })),
  ),
  "xl/_rels/workbook.xml.rels": relations(["worksheet", "worksheets/sheet1.xml"], ["styles", "styles.xml"]),
  "xl/styles.xml": element(
    "styleSheet",
    { xmlns: MAIN },
    element("fonts", { count: "1" }, element("font")),
    element("fills", { count: "1" }, element("fill", {}, element("patternFill", { patternType: "none" }))),
    element("borders", { count: "1" }, element("border")),
    element("cellStyleXfs", { count: "1" }, element("xf")),
    element(
      "cellXfs",
      { count: "2" },
      element("xf", { numFmtId: "0", xfId: "0" }),
      element("xf", { numFmtId: "49", xfId: "0", applyNumberFormat: "1" }),
    ),
  ),
});

/** The first row stays while the others move. */
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="20" defaultRowHeight="15"/><sheetData>`;

const MOST_OF_NAME = 31;

/** Without the characters that a name of a sheet must not have. */
const sheetName = (name: string): string => name.replace(/[\\/?*[\]:]|^'|'$/g, " ").slice(0, MOST_OF_NAME);

/** Characters that XML cannot contain, and texts that look like their escaped form (ECMA-376 part 1, §22.9.2.19). */
const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-F]{4}_)/gi, "_x005F_")
    .replace(
      /(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]/gu,
      (one) => `_x${one.charCodeAt(0).toString(16).padStart(4, "0")}_`,
    );

/** A cell, a number only if a spreadsheet shows exactly these characters. */
type WrittenCell = { text: string; isNumber?: boolean };

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

function cellXml({ text, isNumber }: WrittenCell): Xml {
  if (text === "") return element("c", { s: "1" });
  // spreadsheets keep fifteen digits
  if (isNumber && text.length <= 15 && DECIMAL.test(text) && String(Number(text)) === text)
    return element("c", {}, element("v", {}, text));
  return element(
    "c",
    { s: "1", t: "inlineStr" },
    element("is", {}, element("t", { "xml:space": "preserve" }, escaped(text))),
  );
}

/** Each call gives the bytes that follow; `end`, the last ones. */
export function workbookWriter(sheet: string) {
  let out: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    out.push(chunk);
  });
  const add = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name, { level: 6 });
    zip.add(part);
    return part;
  };
  for (const [name, root] of Object.entries(parts(sheet))) add(name).push(strToU8(document(root)), true);
  const rows = add("xl/worksheets/sheet1.xml");
  rows.push(strToU8(HEAD));
  const taken = () => {
    const bytes = joinBytes(out);
    out = [];
    return bytes;
  };
  return {
    rows(all: readonly (readonly WrittenCell[])[]): Uint8Array {
      const text = all.map((cells) => element("row", {}, cells.map(cellXml)).text).join("");
      rows.push(strToU8(text));
      return taken();
    },
    end(): Uint8Array {
      rows.push(strToU8("</sheetData></worksheet>"), true);
      zip.end();
      return taken();
    },
  };
}
