/**
 * Writes the number in a cell as its format shows it, with three exceptions: a date is written as ISO 8601, a number without a
 * format with all digits that spreadsheets show, and thousands without separators.
 */
import { addLocale, format, getFormatDateInfo } from "numfmt";
import { said } from "../../messages/said.ts";
import { refused } from "../source.ts";
import { readAll } from "./xml.ts";
import type { Archive } from "./zip.ts";

/** Turns what is stored in a cell, a number or (`isText`) a text, into the text that it shows. */
export type CellFormat = (stored: string, isText?: true) => string;

/** The limits of Excel: characters of a format and of a text, and the number of formats that cells use. */
const LONGEST_FORMAT = 255;
const LONGEST_TEXT = 32_767;
const MOST_FORMATS = 300;
/** Most characters of all formats ever read: `numfmt` caches each one until the service ends, at about 80 bytes a character. */
const MOST_KEPT = 500_000;
const kept = new Set<string>();
let keptCharacters = 0;

/** Formats that have a number but are not stored in the file (ECMA-376 part 1, §18.8.30). */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  32: "h:mm",
  33: "h:mm:ss",
  34: "h:mm AM/PM",
  35: "h:mm:ss AM/PM",
  37: "#,##0;(#,##0)",
  38: "#,##0;(#,##0)",
  39: "#,##0.00;(#,##0.00)",
  40: "#,##0.00;(#,##0.00)",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
};
/** Whether the built-in format is a date that looks different in each country. */
const isLocalDate = (id: number) =>
  (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Reads the formats of the cells, in the order of their numbers. */
export async function readFormats(
  archive: Archive,
  part: string | undefined,
  is1904: boolean,
  name: string,
): Promise<CellFormat[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isOfCells = false;
  const listener = {
    open(tag: string, attributes: Readonly<Record<string, string>>) {
      if (tag === "numFmt") codes.set(Number(attributes.numFmtId), attributes.formatCode ?? "");
      else if (tag === "cellXfs") isOfCells = true;
      else if (tag === "xf" && isOfCells) ids.push(Number(attributes.numFmtId ?? 0));
    },
    close(tag: string) {
      if (tag === "cellXfs") isOfCells = false;
    },
  };
  if (part !== undefined) await readAll(archive.read(part), name, listener);
  const used = new Set<string>();
  const made = new Map<number, CellFormat>();
  const makeOnce = (id: number): CellFormat => {
    const code = codes.get(id) ?? builtIn(id);
    if (code.length > LONGEST_FORMAT) return cellFormat("General");
    let format: CellFormat | undefined;
    return (stored, isText) => {
      if (!format) {
        used.add(code);
        if (used.size > MOST_FORMATS || !isKept(code))
          throw refused(said("fault.workbook.formats", { name }));
        format = cellFormat(code, is1904);
      }
      return format(stored, isText);
    };
  };
  return ids.map((id) => {
    const known = made.get(id) ?? makeOnce(id);
    made.set(id, known);
    return known;
  });
}

/** Whether `numfmt` has cached the format, or has room for it. */
function isKept(code: string): boolean {
  if (kept.has(code)) return true;
  if (keptCharacters + code.length > MOST_KEPT) return false;
  kept.add(code);
  keptCharacters += code.length;
  return true;
}

const builtIn = (id: number): string => (isLocalDate(id) ? "yyyy-mm-dd" : (BUILT_IN[id] ?? "General"));

/** Countries read 1,300 differently. */
const UNGROUPED = { locale: "ungrouped" };
addLocale({ group: "" }, UNGROUPED.locale);

/** The currency and the language in a format: `[$€-407]`. The language is dropped, because it would change the decimal point. */
const LOCALE = /\[\$([^\]-]*)(?:-[^\]]*)?\]/g;

export function cellFormat(stated: string, is1904 = false): CellFormat {
  const code = stated.replace(LOCALE, (_, currency: string) => (currency === "" ? "" : `"${currency}"`));
  const plain = code === "" || /^(general|@)$/i.test(code);
  // a format that is unreadable or shows nothing must not lose the value
  const shown = (value: number | string): string => {
    try {
      return format(code, value, UNGROUPED);
    } catch {
      return "";
    }
  };
  const date = plain ? null : dateParts(code);
  const isForText = !plain && code.includes("@");
  return (stored, isText) => {
    if (isText) return isForText && stored.length <= LONGEST_TEXT ? shown(stored) || stored : stored;
    const value = Number(stored);
    if (stored.trim() === "" || !Number.isFinite(value)) return stored;
    if (plain) return plainNumber(value);
    if (date) return isoDate(value, is1904, date) ?? plainNumber(value);
    // spreadsheets round 1.005 up, although its binary number is slightly smaller
    return shown(Number.isInteger(value) ? value : value * (1 + Number.EPSILON)).trim() || plainNumber(value);
  };
}

/** Spreadsheets show and compare 15 digits. Sums such as 0.1 + 0.2 are wrong beyond these. */
const plainNumber = (value: number): string =>
  shortestDecimal(Number.isInteger(value) ? value : Number(value.toPrecision(15)));

/** The shortest decimal that means this number, without an exponent. */
export function shortestDecimal(value: number): string {
  const [digits, exponent] = String(value).split("e");
  if (exponent === undefined) return digits!;
  const [, sign, whole, rest = ""] = /^(-?)(\d)(?:\.(\d+))?$/.exec(digits!)!;
  const point = Number(exponent) + 1;
  const all = whole! + rest;
  return sign + (point > 0 ? all.padEnd(point, "0") : `0.${all.padStart(all.length - point, "0")}`);
}

type DateParts = { month: boolean; day: boolean; time: boolean };

/** What a format shows of a date; null if it shows none. */
function dateParts(code: string): DateParts | null {
  let found: NonNullable<ReturnType<typeof getFormatDateInfo>>;
  try {
    found = getFormatDateInfo(code);
  } catch {
    return null;
  }
  const { year, month, day, hours, minutes, seconds } = found;
  const time = Boolean(hours || minutes || seconds);
  // in mm:ss, numfmt may take the minutes for a month
  if (!year && !day && !(month && !time)) return null;
  return { month: Boolean(month || day), day: Boolean(day || !year), time };
}

const DAY = 86_400;
/** Days from the beginning of 1970 to day 0 of each date system. Up to 28 February 1900, the first one is a day off. */
const DAY_0 = -25_569;
const DAY_0_OF_1904 = -24_107;
/** Day 60 of the first system is 29 February 1900, which did not exist. */
const NO_DAY = 60;
const LAST_DAY = 2_958_465;

/** The date as precisely as its format shows it. Undefined beyond the years that spreadsheets know. */
function isoDate(value: number, is1904: boolean, parts: DateParts): string | undefined {
  const seconds = Math.round(value * DAY);
  const days = Math.floor(seconds / DAY);
  if (Math.abs(days) > LAST_DAY) return undefined;
  const isEarly = !is1904 && days >= 0 && days < NO_DAY;
  const base = is1904 ? DAY_0_OF_1904 : isEarly ? DAY_0 + 1 : DAY_0;
  const iso = new Date((base * DAY + seconds) * 1000).toISOString();
  // days that spreadsheets show although they never existed; the import refuses them as dates
  const whole =
    !is1904 && days === NO_DAY ? "1900-02-29" : !is1904 && days === 0 ? "1900-01-00" : iso.slice(0, -14);
  const date = parts.day ? whole : whole.slice(0, parts.month ? -3 : -6);
  return parts.day && parts.time && seconds % DAY !== 0 ? `${date}T${iso.slice(-13, -5)}` : date;
}
