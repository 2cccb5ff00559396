/** Dates with unknown digits: their earliest and latest day, and that no mask keeps the service busy. */
import { expect, test } from "vitest";
import { edge } from "../../../src/records/dates/calendar.ts";
import { parseEdtf } from "../../../src/records/dates/edtf.ts";
import { readWrittenDate } from "../../../src/records/dates/readings.ts";

test.each([
  "XXXX-XX-39",
  "-XXXX-XX-39",
  "XXXX-XX-3X/XXXX-XX-39",
  "XXXX-13-XX",
  "XXXX-1X-4X",
  "XXXX-02-30",
  "XXX1-02-29",
  "XX01-02-29",
  "X100-02-29",
  "[XXXX-XX-39]",
])("%s, which is in no calendar, is refused at once", (text) => {
  const started = process.cpuUsage();
  for (let n = 0; n < 200; n++) {
    expect(parseEdtf(text)).toBeNull();
    expect(readWrittenDate(text)).toBeNull();
  }
  // microseconds: going through all the years took 100 ms for each
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
});

test.each([
  ["XXXX-02-29", "0000-02-29", "9996-02-29"],
  ["X200-02-29", "1200-02-29", "9200-02-29"],
  ["XX00-02-29", "0000-02-29", "9600-02-29"],
  ["19X6-02-29", "1916-02-29", "1996-02-29"],
  ["-XX00-02-29", "-9600-02-29", "0000-02-29"],
  ["00XX", "0001-01-01", "0099-12-31"],
  ["-00XX", "-0099-01-01", "0000-12-31"],
  ["000X-02-29", "0004-02-29", "0008-02-29"],
  ["-000X", "-0009-01-01", "0000-12-31"],
  ["0X19", "0019-01-01", "0919-12-31"],
  ["XXX1-02-2X", "0001-02-20", "9991-02-28"],
  ["XXXX-XX-31", "0000-01-31", "9999-12-31"],
  ["X9X9-X1-3X", "0909-01-30", "9999-11-30"],
])("%s begins on %s and ends on %s", (text, earliest, latest) => {
  expect(parseEdtf(text)).toMatchObject({ earliest, latest });
});

test("every mask of a leap day has the same ends as a search of all years", () => {
  const leapYears = Array.from({ length: 10_000 }, (_, year) => year)
    .filter((year) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0)
    .map((year) => String(year).padStart(4, "0"));
  const digits = ["X", "0", "1", "2", "4", "9"];
  for (const a of digits)
    for (const b of digits)
      for (const c of digits)
        for (const d of digits) {
          const mask = a + b + c + d;
          const fits = new RegExp(`^${mask.replaceAll("X", "\\d")}$`);
          // the year 0 is before our era
          const fitting = leapYears.filter(
            (year) => fits.test(year) && !(/^0.*X/.test(mask) && year === "0000"),
          );
          const ends = [false, true].map((last) => edge(false, [mask, "02", "29"], last)?.year);
          const [first, last] = [fitting.at(0), fitting.at(-1)];
          expect(ends, mask).toEqual([first, last].map((year) => (year ? Number(year) : undefined)));
        }
});
