import { describe, expect, it } from "vitest";
import { parseEdtf } from "../../../src/records/dates/edtf.ts";
import { readWrittenDate, suggestDates } from "../../../src/records/dates/readings.ts";

describe("the suggestion for a date that is not EDTF", () => {
  it.each([
    ["c. 1887", "1887~"],
    ["May 1920", "1920-05"],
    ["13/04/1920", "1920-04-13"],
    ["04/13/1920", "1920-04-13"],
    ["3.4.1920", "1920-04-03"],
    ["3/3/1920", "1920-03-03"],
    ["between 1920 and 1930", "1920/1930"],
    ["late 1890s", "1897~/1899"],
    ["300 BC", "-0299"],
    ["20/4/1920-5/6/1921", "1920-04-20/1921-06-05"],
    ["4/20/1920-5/6/1921", "1920-04-20/1921-05-06"],
    ["1920/04", "1920-04"],
    ["197-", "197X"],
    ["[18--?]", "18XX?"],
  ])("for %j can only be %s", (text, edtf) => {
    expect(suggestDates(text)).toEqual([edtf]);
  });

  it.each([
    ["03/04/1920", "1920-04-03", "1920-03-04"],
    ["03-04-1920", "1920-04-03", "1920-03-04"],
    ["c. 3/4/1920", "1920-04-03~", "1920-03-04~"],
    ["10/12/1954-06/01/1955", "1954-12-10/1955-01-06", "1954-10-12/1955-06-01"],
    ["1920-5", "1920-05", "1920/1925"],
    ["1850/1", "1850-01", "1850/1851"],
    ["1910/12", "1910-12", "1910/1912"],
    ["1900s", "190X", "19XX"],
    ["late 1900s", "1907~/1909", "1967~/1999"],
  ])("for %j is either %s or %s, and the cataloger decides", (text, one, other) => {
    expect(suggestDates(text).sort()).toEqual([one, other].sort());
    expect(suggestDates(text)).toEqual(suggestDates(text));
  });

  it.each([
    "3/4/20",
    "190?",
    "123",
    "c. 123",
    "12",
    "1,920",
    "04/13/1920-13/04/1920",
    "31/02/1920",
    "soon",
    "",
    "mid 1900s or 3/4/1910",
  ])("for %j is empty", (text) => {
    expect(suggestDates(text)).toEqual([]);
  });

  it("is always EDTF, and never the text itself", () => {
    for (const a of [1, 5, 12, 13, 31])
      for (const b of [1, 5, 12, 13, 31])
        for (const sign of ["/", "-", "."])
          for (const text of [`${a}${sign}${b}${sign}1920`, `${a}${sign}${b}${sign}1920 or 1921`]) {
            const found = suggestDates(text);
            expect(found.length).toBeLessThanOrEqual(2);
            for (const edtf of found) {
              expect(edtf).not.toBe(text);
              expect(parseEdtf(edtf)?.edtf).toBe(edtf);
            }
          }
  });
});

describe("a date in an import", () => {
  it.each([
    ["197-", "197X"],
    ["197-?", "197X?"],
    ["[18--]", "18XX"],
    ["190?", undefined],
    ["1,920", undefined],
    ["03/04/1920-05/06/1920", "[1920-03-04..1920-05-06,1920-04-03..1920-06-05]"],
  ])("reads %j as %s", (text, edtf) => {
    expect(readWrittenDate(text)?.edtf).toBe(edtf);
  });
});
