import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEdtf } from "../../../src/records/dates/edtf.ts";
import { dateInWords } from "../../../src/records/dates/in-words.ts";
import {
  type DateFormat,
  LANGUAGES,
  type Language,
  readWrittenDate,
  saysUndated,
} from "../../../src/records/dates/readings.ts";

/** Seconds when run alone, but longer on a busy machine. */
const SLOW = { timeout: 60_000 };

/** EDTF, its normal form, its earliest and latest day; signs: ~ approximate, ? uncertain, < and > open. */
const EDTF: [string, string, string | null, string | null, string?][] = [
  ["1920", "1920", "1920-01-01", "1920-12-31"],
  ["192X", "192X", "1920-01-01", "1929-12-31"],
  ["19XX", "19XX", "1900-01-01", "1999-12-31"],
  ["1920-XX", "1920-XX", "1920-01-01", "1920-12-31"],
  ["1920-05-XX", "1920-05-XX", "1920-05-01", "1920-05-31"],
  ["1920-XX-XX", "1920-XX-XX", "1920-01-01", "1920-12-31"],
  ["1920-05", "1920-05", "1920-05-01", "1920-05-31"],
  ["1920-05-01", "1920-05-01", "1920-05-01", "1920-05-01"],
  ["1920-02-29", "1920-02-29", "1920-02-29", "1920-02-29"],
  ["0000-02-29", "0000-02-29", "0000-02-29", "0000-02-29"],
  ["1985-04-12T23:20:30", "1985-04-12T23:20:30", "1985-04-12", "1985-04-12"],
  ["1985-04-12T23:20:30.042Z", "1985-04-12T23:20:30Z", "1985-04-12", "1985-04-12"],
  ["1985-04-12T23:20:30Z", "1985-04-12T23:20:30Z", "1985-04-12", "1985-04-12"],
  ["1985-04-12T23:20:30-04", "1985-04-12T23:20:30-04", "1985-04-12", "1985-04-12"],
  ["1985-04-12T23:20:30+04:30", "1985-04-12T23:20:30+04:30", "1985-04-12", "1985-04-12"],
  ["1920/1930", "1920/1930", "1920-01-01", "1930-12-31"],
  ["2004-02-01/2005-02", "2004-02-01/2005-02", "2004-02-01", "2005-02-28"],
  ["1984-06-02?/2004-08-08~", "1984-06-02?/2004-08-08~", "1984-06-02", "2004-08-08", "~?"],
  ["2004-06-~01/2004-06-~20", "2004-06-~01/2004-06-~20", "2004-06-01", "2004-06-20", "~"],
  ["../1930", "../1930", null, "1930-12-31", "<"],
  ["1920/..", "1920/..", "1920-01-01", null, ">"],
  ["/1930", "/1930", null, "1930-12-31"],
  ["1920/", "1920/", "1920-01-01", null],
  ["1920~", "1920~", "1920-01-01", "1920-12-31", "~"],
  ["1920?", "1920?", "1920-01-01", "1920-12-31", "?"],
  ["1920%", "1920%", "1920-01-01", "1920-12-31", "~?"],
  ["192x~", "192X~", "1920-01-01", "1929-12-31", "~"],
  ["-0043-03-15", "-0043-03-15", "-0043-03-15", "-0043-03-15"],
  ["-02XX", "-02XX", "-0299-01-01", "-0200-12-31"],
  ["Y-17000", "Y-17000", "-17000-01-01", "-17000-12-31"],
  ["Y170000002", "Y170000002", "+170000002-01-01", "+170000002-12-31"],
  ["Y-17E7", "Y-17E7", "-170000000-01-01", "-170000000-12-31"],
  ["1950S2", "1950S2", "1900-01-01", "1999-12-31"],
  ["-1950S2", "-1950S2", "-1999-01-01", "-1900-12-31"],
  ["Y3388E2S3", "Y3388E2S3", "+338000-01-01", "+338999-12-31"],
  ["1920-21", "1920-21", "1920-03-01", "1920-05-31"],
  ["1920-24", "1920-24", "1920-12-01", "1921-02-28"],
  ["1920-22~", "1920-22~", "1920-06-01", "1920-08-31", "~"],
  ["1920-29", "1920-29", "1920-09-01", "1920-11-30"],
  ["1920-32", "1920-32", "1920-06-01", "1920-08-31"],
  ["1920-34", "1920-34", "1920-04-01", "1920-06-30"],
  ["1920-39", "1920-39", "1920-09-01", "1920-12-31"],
  ["1920-41", "1920-41", "1920-07-01", "1920-12-31"],
  ["[1667, 1668, 1670..1672]", "[1667,1668,1670..1672]", "1667-01-01", "1672-12-31"],
  ["{1960,1961-12}", "{1960,1961-12}", "1960-01-01", "1961-12-31"],
  ["{1961-12,1960}", "{1961-12,1960}", "1960-01-01", "1961-12-31"],
  ["[..1760-12-03]", "[..1760-12-03]", null, "1760-12-03", "<"],
  ["[1760-01,1760-12..]", "[1760-01,1760-12..]", "1760-01-01", null, ">"],
  ["[1920?]", "1920?", "1920-01-01", "1920-12-31", "?"],
  ["?2004-06-~11", "2004?-06-~11", "2004-06-11", "2004-06-11", "~?"],
  ["?2004-?06-?11", "2004-06-11?", "2004-06-11", "2004-06-11", "?"],
  ["2004-06~-11", "2004-06~-11", "2004-06-11", "2004-06-11", "~"],
  ["2004?-06~", "2004%-~06", "2004-06-01", "2004-06-30", "~?"],
  ["156X-12-25", "156X-12-25", "1560-12-25", "1569-12-25"],
  ["192X-02-29", "192X-02-29", "1920-02-29", "1928-02-29"],
  ["1920-X2-30", "1920-X2-30", "1920-12-30", "1920-12-30"],
  ["1920-0X-31", "1920-0X-31", "1920-01-31", "1920-08-31"],
  ["XXXX-12-XX", "XXXX-12-XX", "0000-12-01", "9999-12-31"],
];

const NOT_EDTF: [string, string][] = [
  ["a day that is not in its year", "1921-02-29"],
  ["a day that is not in its month", "1920-04-31"],
  ["a day that is in no year of its mask", "XXX1-02-29"],
  ["a month above 12 that is not a season", "1920-13"],
  ["a season with a day", "1920-21-01"],
  ["a code above 41", "1920-42"],
  ["an impossible hour", "2004-01-01T25:00:00"],
  ["an interval with its end before its start", "1930/1920"],
  ["a set with its end before its start", "[1672..1670]"],
  ["an interval of three dates", "1920/1930/1940"],
  ["an interval that is open at both ends", "../.."],
  ["an interval of nothing", "/"],
  ["an open end inside a set", "[1984..,1990]"],
  ["a set that is not closed", "[1984"],
  ["an empty set", "{}"],
  ["a year minus zero", "-0000"],
  ["two digits", "19"],
  ["five digits without Y", "19200"],
  ["Y before four digits", "Y1920"],
  ["a year that is too large for a number", "Y9E99"],
  ["more significant digits than there are", "1950S5"],
  ["words", "c. 1920"],
  ["nothing", ""],
  ["more than 200 characters", `[${"1667,".repeat(40)}1668]`],
];

describe("parseEdtf", () => {
  test.each(EDTF)("%s is read as %s from %s to %s", (text, edtf, earliest, latest, signs = "") => {
    const date = parseEdtf(text);
    expect(date).toMatchObject({ edtf, earliest, latest });
    expect(date?.approximate).toBe(signs.includes("~"));
    expect(date?.uncertain).toBe(signs.includes("?"));
    expect(date?.openStart).toBe(signs.includes("<"));
    expect(date?.openEnd).toBe(signs.includes(">"));
    expect(date?.earliestDay === null).toBe(earliest === null);
    expect(date?.latestDay === null).toBe(latest === null);
    expect(parseEdtf(edtf)).toEqual(date);
  });

  test.each(NOT_EDTF)("%s is not a date", (_, text) => {
    expect(parseEdtf(text)).toBeNull();
  });

  test("days are counted from 1 January 1970, before and after it", () => {
    const day = (text: string) => parseEdtf(text)?.earliestDay;
    expect([day("1970-01-01"), day("1969-12-31"), day("0001-01-01"), day("-4712-01-01")]).toEqual([
      0, -1, -719162, -2440550,
    ]);
  });

  test("days of very distant years are limited to numbers that JavaScript and PostgreSQL can hold", () => {
    expect(parseEdtf("Y9E15")?.latestDay).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseEdtf("Y-9E15")?.earliestDay).toBe(Number.MIN_SAFE_INTEGER);
  });

  const pieces = [
    "19",
    "20",
    "1920",
    "0000",
    "-",
    "X",
    "XX",
    "-05",
    "-21",
    "-29",
    "?",
    "~",
    "%",
    "/",
    "..",
    ",",
  ];
  const others = ["[", "]", "{", "}", "Y", "E", "S", "2", "T12:00:00", "Z", " ", "9", "-XX", "-02"];
  const nearlyEdtf = fc
    .array(fc.constantFrom(...pieces, ...others), { maxLength: 12 })
    .map((all) => all.join(""));

  test("no text makes it throw", SLOW, () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 220 }), nearlyEdtf), (text) => {
        parseEdtf(text);
      }),
      { numRuns: 3000 },
    );
  });

  test("a normal form is its own normal form, and the earliest day is not after the latest", SLOW, () => {
    const part = (text: fc.Arbitrary<string>) =>
      fc.tuple(fc.constantFrom("", "", "?", "~", "%"), text).map(([q, t]) => q + t);
    const digits = (from: number, to: number, size: number) =>
      fc.integer({ min: from, max: to }).map((n) => String(n).padStart(size, "0"));
    const masked = (text: fc.Arbitrary<string>) =>
      fc
        .tuple(text, fc.integer({ min: 0, max: 4 }))
        .map(([t, i]) => (i < t.length ? `${t.slice(0, i)}X${t.slice(i + 1)}` : t));
    const year = fc
      .tuple(fc.constantFrom("", "", "-"), masked(digits(1, 9999, 4)))
      .map(([sign, y]) => sign + y);
    const parts = fc.tuple(part(year), part(masked(digits(1, 12, 2))), part(masked(digits(1, 31, 2))));
    const date = fc
      .tuple(parts, fc.integer({ min: 1, max: 3 }), fc.constantFrom("", "?", "~"))
      .map(([all, precision, q]) => all.slice(0, precision).join("-") + q);
    const range = fc.tuple(date, date, fc.constantFrom("/", "..")).map(([a, b, between]) => a + between + b);
    const set = fc
      .array(fc.oneof(date, range), { minLength: 1, maxLength: 4 })
      .map((all) => `[${all.join(", ")}]`);
    let dates = 0;
    fc.assert(
      fc.property(fc.oneof(date, range, set, nearlyEdtf), (text) => {
        const found = parseEdtf(text);
        if (!found) return;
        dates++;
        expect(parseEdtf(found.edtf)).toEqual(found);
        if (found.earliestDay !== null && found.latestDay !== null) {
          expect(found.earliestDay).toBeLessThanOrEqual(found.latestDay);
        }
      }),
      { numRuns: 3000 },
    );
    expect(dates).toBeGreaterThan(1000);
  });

  test("every ISO day is read as itself, with the number of that day", SLOW, () => {
    const days = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(days, (date) => {
        const iso = date.toISOString().slice(0, 10);
        const number = Math.floor(date.getTime() / 86_400_000);
        expect(parseEdtf(iso)).toMatchObject({
          edtf: iso,
          earliest: iso,
          latest: iso,
          earliestDay: number,
          latestDay: number,
        });
      }),
    );
  });
});

const WRITTEN: Record<string, [string, string][]> = {
  "one date": [
    ["1917", "1917"],
    ["July 1960", "1960-07"],
    ["1 July 1960", "1960-07-01"],
    ["July 1, 1960", "1960-07-01"],
    ["May 28. 1870", "1870-05-28"],
    ["May 16, 1874.", "1874-05-16"],
    ["June1959", "1959-06"],
    ["Sunday, July 4, 1960", "1960-07-04"],
    ["12-May-1923", "1923-05-12"],
    ["Boston, July 4, 1960", "1960-07-04"],
    ["1. Juli 1960", "1960-07-01"],
    ["23. 12. 1920", "1920-12-23"],
    ["12.05.1923", "1923-05-12"],
    ["1er juillet 1960", "1960-07-01"],
    ["le 3 août 1914", "1914-08-03"],
    ["1960-07-01", "1960-07-01"],
    ["1960.7.1", "1960-07-01"],
    ["05/1923", "1923-05"],
    ["15 March 44 BC", "-0043-03-15"],
    ["AD 79", "0079"],
    ["l'an 800", "0800"],
  ],
  "a month in Roman numerals": [
    ["12.VI.1884", "1884-06-12"],
    ["5. X. 1944", "1944-10-05"],
    ["25-XII-1914", "1914-12-25"],
    ["12 V 1923", "1923-05-12"],
    ["12-15.V.1923", "1923-05-12/1923-05-15"],
    ["leg. Rossi, 10/V/1923", "1923-05-10"],
    ["12/III/1880", "1880-03-12"],
  ],
  "about and perhaps": [
    ["c. 1920", "1920~"],
    ["c1920", "1920~"],
    ["ca. 1920", "1920~"],
    ["circa 1920", "1920~"],
    ["um 1850", "1850~"],
    ["vers 1900", "1900~"],
    ["probably 1920", "1920?"],
    ["1920 (?)", "1920?"],
    ["wohl um 1850", "1850%"],
    ["peut-être 1920", "1920?"],
    ["[ca. 1920]", "1920~"],
    ["ca. 500 BC", "-0499~"],
  ],
  "decades and seasons": [
    ["1920s", "192X"],
    ["1870's", "187X"],
    ["1920er Jahre", "192X"],
    ["1920er-Jahre", "192X"],
    ["années 1920", "192X"],
    ["ca. 1870s", "187X~"],
    ["1900s", "19XX"],
    ["1800s-1900s", "18XX/19XX"],
    ["1890s-1900s", "189X/190X"],
    ["1895-1900s", "1895/190X"],
    ["1990s-2000s", "199X/200X"],
    ["1900-1920s", "190X/192X"],
    ["late 1800s - early 1900s", "1867~/1933~"],
    ["late 1800s to 1910", "1867~/1910"],
    ["late 1890s-early 1900s", "1897~/1903~"],
    ["eind 16e eeuw - 1600", "1567~/1600"],
    ["fine Ottocento - 1900", "1867~/1900"],
    ["fine 1800 - inizio 1900", "1867~/1933~"],
    ["fine 1800 - 1805", "1800-09~/1805"],
    ["1660-1670 ca.", "1660~/1670~"],
    ["1870-80 aprox.", "1870~/1880~"],
    ["siglo VII u VIII", "[06XX,07XX]"],
    ["um/nach 1650", "1650~/.."],
    ["2000s", "200X"],
    ["early 2000s", "2000/2003~"],
    ["1900er Jahre", "190X"],
    ["années 1900", "190X"],
    ["early 1920s", "1920/1923~"],
    ["mid-1950s", "1954~/1956~"],
    ["late 1960's", "1967~/1969"],
    ["490s BC", "-0498/-0489"],
    ["spring 1921", "1921-21"],
    ["Frühjahr 1921", "1921-21"],
    ["été 1950", "1950-22"],
    ["Herbst/Winter 1920", "1920-23/1920-24"],
    ["winter 1920/21", "1920-24"],
  ],
  "centuries and their parts": [
    ["18th century", "17XX"],
    ["18. Jahrhundert", "17XX"],
    ["18. Jh.", "17XX"],
    ["XVIIIe siècle", "17XX"],
    ["XVIIIᵉ s.", "17XX"],
    ["ca. 16th c.", "15XX~"],
    ["the eighteenth century", "17XX"],
    ["3rd century BC", "-02XX"],
    ["1st century", "0001/0100"],
    ["Ier siècle av. J.-C.", "-0099/0000"],
    ["IIe millénaire av. J.-C.", "-1XXX"],
    ["late 19th century", "1867~/1899"],
    ["Anfang 20. Jh.", "1900/1933~"],
    ["frühes 19. Jh.", "1800/1833~"],
    ["um die Mitte des 19. Jahrhunderts", "1834~/1866~"],
    ["mi-XVIIe siècle", "1634~/1666~"],
    ["fin XIXe", "1867~/1899"],
    ["early 1900s", "1900/1933~"],
    ["first half of the 17th century", "1600/1649"],
    ["2. Hälfte 19. Jh.", "1850/1899"],
    ["seconde moitié du XIXe siècle", "1850/1899"],
    ["2e moitié du IIIe siècle av. J.-C.", "-0249/-0200"],
    ["second quarter of the 14th century", "1325/1349"],
    ["letztes Viertel 18. Jh.", "1775/1799"],
    ["first third of the 18th century", "1700/1733"],
    ["dernier tiers du XVe siècle", "1467/1499"],
    ["4th quarter 1920", "1920-10/1920-12"],
    ["Anfang 1920", "1920-01/1920-04~"],
  ],
  "from one to another": [
    ["depuis vers 1850 jusqu’en 1900", "1850~/1900"],
    ["ab um 1850 bis 1900", "1850~/1900"],
    ["since 1850 until about 1900", "1850/1900~"],
    ["1900-1910", "1900/1910"],
    ["1900–10", "1900/1910"],
    ["1946-47", "1946/1947"],
    ["1885-6", "1885/1886"],
    ["1999–02", "1999/2002"],
    ["1863/64", "1863/1864"],
    ["1920-21", "1920/1921"],
    ["c. 1930-1950", "1930~/1950~"],
    ["c. 1903-07 (?)", "1903%/1907%"],
    ["c.1959 - c.1960", "1959~/1960~"],
    ["1850 - c. 1860", "1850/1860~"],
    ["between 1930 and 1940", "1930/1940"],
    ["zwischen 1930 und 1940", "1930/1940"],
    ["entre 1930 et 1940", "1930/1940"],
    ["von 1930 bis 1940", "1930/1940"],
    ["du XVIIe au XIXe siècle", "16XX/18XX"],
    ["1910-20's", "191X/192X"],
    ["1950-60er Jahre", "195X/196X"],
    ["late 1730's - early 1740's", "1737~/1743~"],
    ["19th - early 20th century", "18XX/1933~"],
    ["ca. early to mid-16th c.", "1500~/1566~"],
    ["Ende 18. - Anfang 19. Jh.", "1767~/1833~"],
    ["3. Viertel 18. - 1. Viertel 19. Jh.", "1750/1824"],
    ["5th-3rd century BC", "-04XX/-02XX"],
    ["2. Jh. v. Chr. - 1. Jh. n. Chr.", "-01XX/0100"],
    ["800 BC-300 AD", "-0799/0300"],
    ["57 BC-AD 935", "-0056/0935"],
    ["550-50 BC", "-0549/-0049"],
    ["10-50 AD", "0010/0050"],
    ["AD 250-75", "0250/0275"],
    ["April - May 1954", "1954-04/1954-05"],
    ["juillet-août 1914", "1914-07/1914-08"],
    ["December 1945 - January 1946", "1945-12/1946-01"],
    ["December - January 1941", "1940-12/1941-01"],
    ["June 10-12, 1954", "1954-06-10/1954-06-12"],
    ["10.-12. Juni 1954", "1954-06-10/1954-06-12"],
    ["28 May - 3 June 1954", "1954-05-28/1954-06-03"],
  ],
  "before and after": [
    ["frühestens 1820", "1820/.."],
    ["frühestens 1500, spätestens 1510", "1500/1510"],
    ["before 1800", "../1800"],
    ["vor 1800", "../1800"],
    ["avant 1800", "../1800"],
    ["after 1945", "1945/.."],
    ["nach 1945", "1945/.."],
    ["before 1920 (?)", "../1920?"],
    ["no later than 1900", "../1900"],
    ["jusqu'en 1920", "../1920"],
    ["seit 1945", "1945/.."],
    ["1848 - today", "1848/.."],
    ["1920-", "1920/.."],
    ["1920-?", "1920/"],
    ["before the 18th century", "../1700"],
    ["bis 18. Jh.", "../17XX"],
    ["1922 or earlier", "../1922"],
    ["1922 oder früher", "../1922"],
    ["1850 ou après", "1850/.."],
    ["19th century or later", "18XX/.."],
    ["after 1920, before 1930", "1920/1930"],
  ],
  "before Christ": [
    ["500 v. Chr.", "-0499"],
    ["500 av. J.-C.", "-0499"],
    ["1 B.C.", "0000"],
    ["12,000 BC", "Y-11999"],
  ],
  "a date among words": [
    ["erbaut 1850", "1850"],
    ["built 1880", "1880"],
    ["Ming Dynasty (1368-1644)", "1368/1644"],
    ["Ming Dynasty? (1368-1644)", "1368?/1644?"],
    ["20th Dynasty (1185-1070 BC)", "-1184/-1069"],
    ["Late Classic, 600-900 AD", "0600/0900"],
    ["dated A.H. 1065 (AD 1654-1655)", "1654/1655"],
    ["June 9, 1876 (Harper's Weekly)", "1876-06-09"],
    ["n.d. [c. 1920]", "1920~"],
    ["published 1974", "1974"],
    ["Mid to Late 18th century (c. 1760)", "1760~"],
    ["Late 19th-early 20th century (before 1911)", "1867~/1911"],
  ],
  "what is said before a name": [
    ["possibly Tang Dynasty (618-907 AD)", "0618?/0907?"],
    ["vermutlich Edo-Zeit (1603–1868)", "1603?/1868?"],
    ["peut-être époque Edo, 1603-1868", "1603?/1868?"],
    ["Edo period or later (1603-1868)", "1603/.."],
    ["Edo-Zeit oder früher (1603-1868)", "../1868"],
    ["Edo period (1603-1868) or later", "1603/.."],
    ["1603-1868 or earlier", "../1868"],
    ["Edo (1603-1868) or Meiji (1868-1912)", "[1603..1868,1868..1912]"],
  ],
  "several dates": [
    ["1910, 1912 and 1920", "{1910,1912,1920}"],
    ["1910, 1912 or 1920/1921", "[1910,1912,1920..1921]"],
    ["1911 or 1912", "[1911,1912]"],
    ["1910, 1912, or 1920", "[1910,1912,1920]"],
    ["late 17th or 18th century", "[1667~..1699,17XX]"],
    ["negative c.1937; printed 1980", "{1937~,1980}"],
    ["um 1480 oder 1482/1485", "[1480~,1482..1485]"],
  ],
  "EDTF already": [
    ["../1930", "../1930"],
    ["?2004-?06-?11", "2004-06-11?"],
    [" 19xx ", "19XX"],
    ["1920-05", "1920-05"],
    ["1920-24~", "1920-24~"],
  ],
  Italian: [
    ["1887 ca.", "1887~"],
    ["metà XIX secolo", "1834~/1866~"],
    ["secc. XVI-XVII", "15XX/16XX"],
    ["sec. XIX, seconda metà", "1850/1899"],
    ["sec. XVIII fine", "1767~/1799"],
    ["III sec. a.C.", "-02XX"],
    ["79 d.C.", "0079"],
    ["50 e.v., 60 e.v. e 70 e.v.", "{0050,0060,0070}"],
    ["III sec. a.e.v.", "-02XX"],
    ["sec. IV e V", "{03XX,04XX}"],
    ["1º maggio 1923", "1923-05-01"],
    ["primavera 1923", "1923-21"],
    ["anni venti del XX secolo", "192X"],
    ["anni 1920", "192X"],
    ["fine Ottocento", "1867~/1899"],
    ["primo Novecento", "1900/1933~"],
    ["prima del 1887", "../1887"],
    ["ante 1887", "../1887"],
    ["post 1887", "1887/.."],
    ["dal 1887", "1887/.."],
    ["dal 1887 al 1890", "1887/1890"],
    ["tra il 1887 e il 1890", "1887/1890"],
    ["1887 o 1888", "[1887,1888]"],
    ["fine XVIII - inizi XIX secolo", "1767~/1833~"],
    ["fino all'XI secolo", "../10XX"],
    ["non oltre il 1887", "../1887"],
    ["primo semestre 1926", "1926-01/1926-06"],
    ["set. 1923", "1923-09"],
    ["diciannovesimo secolo", "18XX"],
    ["fine '800", "1867~/1899"],
    ["metà '700", "1734~/1766~"],
    ["primo '900", "1900/1933~"],
    ["seconda metà dell’800", "1850/1899"],
    ["dal '800 al '900", "18XX/19XX"],
    ["fine '700 - inizi '800", "1767~/1833~"],
    ["nell'800 d.C.", "0800"],
    ["dall'800 al 600 a.C.", "-0799/-0599"],
    ["verso la fine del 1887", "1887-09~/1887-12~"],
    ["verso il 1887", "1887~"],
    ["fine 1850", "1850-09~/1850-12"],
  ],
  Spanish: [
    ["h. 1887", "1887~"],
    ["s. XVI", "15XX"],
    ["ss. XVI-XVII", "15XX/16XX"],
    ["s. III a. C.", "-02XX"],
    ["12 de mayo de 1923", "1923-05-12"],
    ["verano de 1923", "1923-22"],
    ["años veinte del siglo XX", "192X"],
    ["década de 1920", "192X"],
    ["desde 1887 hasta 1890", "1887/1890"],
    ["desde 1887", "1887/.."],
    ["entre 1887 y 1890", "1887/1890"],
    ["siglos XVIII-XIX", "17XX/18XX"],
    ["no antes de 1887", "1887/.."],
    ["1.ª mitad del s. XIX", "1800/1849"],
    ["s. XIX (2ª mitad)", "1850/1899"],
    ["2.º tercio del siglo XVIII", "1734/1766"],
    ["ago. 1923", "1923-08"],
    ["primer trimestre de 1926", "1926-01/1926-03"],
  ],
  Dutch: [
    ["2e helft 19de eeuw", "1850/1899"],
    ["300 v.Chr.", "-0299"],
    ["12 mei 1923", "1923-05-12"],
    ["najaar 1923", "1923-23"],
    ["jaren 1920", "192X"],
    ["de jaren '20 van de 20e eeuw", "192X"],
    ["tussen 1887 en ca. 1890", "1887/1890~"],
    ["van 1887 tot 1890", "1887/1890"],
    ["1887 of 1888", "[1887,1888]"],
    ["1880 t/m 1890", "1880/1890"],
    ["19e-20e eeuw", "18XX/19XX"],
    ["16e-eeuws", "15XX"],
    ["17e eeuw of later", "16XX/.."],
    ["niet na 1887", "../1887"],
    ["eerste kwartaal 1926", "1926-01/1926-03"],
  ],
  "German halves, which Spanish might mean as hacia": [
    ["1. H. 1923", "1923-01/1923-06"],
    ["2. H. 1944", "1944-07/1944-12"],
    ["zweite  H. 1944", "1944-07/1944-12"],
    ["II. H. 1944", "1944-07/1944-12"],
    ["Madrid, h. 1887", "1887~"],
  ],
  "three digits without an era": [
    ["um 800", "0800~"],
    ["vers 750", "0750~"],
    ["between 700 and 750", "0700/0750"],
    ["late 800", "0800-09~/0800-12"],
    ["hacia 850", "0850~"],
    ["All Saints (850)", "0850"],
  ],
  "parts of the first year of a century, which may be those of the century": [
    ["early 1900", "1900/1933~"],
    ["Anfang 1900", "1900/1933~"],
    ["début 1900", "1900/1933~"],
  ],
  "a part behind its century": [
    ["19th century, 2nd half", "1850/1899"],
    ["19. Jahrhundert, 2. Hälfte", "1850/1899"],
    ["XIXe siècle, seconde moitié", "1850/1899"],
  ],
};

const NO_DATE = [
  "n.d.",
  "o. J.",
  "s.d.",
  "no date",
  "Ming Dynasty",
  "12",
  "20er Jahre",
  "31 June 1960",
  "30.02.1923",
  "13.13.1923",
  "1930-1920",
  "November 1959 - January 1950",
  "500 BC - 300",
  "c. 194051955",
  "Inv. 12345",
  "1920 1930",
  "not 1920",
  "19th century or Ming dynasty, ca. 1796-1850",
  "–1920",
  "?",
  "",
  "x".repeat(201),
  "1858/2",
  "before the Edo period (1603-1868)",
  "11th millennium",
  "fine 800",
  "seconda metà 800",
  "dal 800 al 900",
  "prima del 900",
  "700 e 800",
  "anni 800",
  "anni '800",
  "dated verso 1890",
  "signed and dated verso 1912",
  "1900, verso 1905",
  "a.C. 1200",
  "a. C. 200",
  "d.C. 1200",
  "H. 1250",
  "1834 (H. 1250)",
];

describe("readWrittenDate", () => {
  for (const [name, dates] of Object.entries(WRITTEN)) {
    test.each(dates)(`understands ${name}: %s is %s`, (text, edtf) => {
      expect(readWrittenDate(text)).toMatchObject({ edtf, text: text.trim() });
    });
  }

  test.each([
    "n.d.",
    "[N. d.]",
    "o. J.",
    "s.d.",
    "no date",
    "undatiert",
    "non daté",
    "date unknown",
    "?",
    " – ",
    "senza data",
    "s. f.",
    "zonder datum",
    "non det.",
    "nicht datierbar",
    "niet te dateren",
  ])("takes %s as a statement that something is undated", (text) => {
    expect(readWrittenDate(text)).toBeNull();
    expect(saysUndated(text)).toBe(true);
  });

  test.each(["1920", "n.d. [c. 1920]", "Ming Dynasty", "", " ", "x".repeat(10_000)])(
    "does not take %s as a statement that something is undated",
    (text) => {
      expect(saysUndated(text)).toBe(false);
    },
  );

  test.each(NO_DATE)("returns nothing if it does not know when %j was", (text) => {
    expect(readWrittenDate(text)).toBeNull();
  });

  test.each<[string, Language | undefined, string]>([
    ["12/05/1923", undefined, "[1923-05-12,1923-12-05]"],
    ["12/05/1923", "en", "[1923-05-12,1923-12-05]"],
    ["12/05/1923", "fr", "1923-05-12"],
    ["12/05/1923", "de", "1923-05-12"],
    ["25/05/1923", "en", "1923-05-25"],
    ["05/25/1923", undefined, "1923-05-25"],
    ["05/05/1923", undefined, "1923-05-05"],
  ])("reads %s in language %s as %s, without guessing which number is the month", (text, lang, edtf) => {
    expect(readWrittenDate(text, lang)?.edtf).toBe(edtf);
  });

  const all = Object.values(WRITTEN).flat();

  test.each<[string, string, string]>([
    ["1893-04", "1893-04", "1893-04"],
    ["1907-08", "1907-08 1907/1908", "1907/1908"],
    ["[1907-08]", "1907-08 1907/1908", "1907/1908"],
    ["c. 1907-08", "1907-08~ 1907~/1908~", "1907~/1908~"],
    ["Tang? (1907/08)", "1907-08? 1907?/1908?", "1907?/1908?"],
    ["1907–08", "1907/1908", "1907/1908"],
    ["1931-32", "1931-32 1931/1932", "1931/1932"],
    ["1898-01", "1898-01 1898/1901", "1898/1901"],
    ["1700-01", "1700-01 1700/1701", "1700/1701"],
    ["1800s", "180X 18XX", "18XX"],
    ["fine 1800", "1800-09~/1800-12 1867~/1899", "1867~/1899"],
    ["primi del 1900", "1900-01/1900-04~ 1900/1933~", "1900/1933~"],
    ["finales de 1800", "1800-09~/1800-12 1867~/1899", "1867~/1899"],
    ["begin 1900", "1900-01/1900-04~ 1900/1933~", "1900/1933~"],
    ["prima metà del 1900", "1900-01/1900-06 1900/1949", "1900/1949"],
    ["07/08/1907", "1907-07-08 1907-08-07", "[1907-07-08,1907-08-07]"],
    ["07/08/1907 - 20/09/1907", "1907-08-07/1907-09-20", "1907-08-07/1907-09-20"],
  ])("gives all readings of %s: %s", (text, readings, edtf) => {
    const read = readWrittenDate(text);
    expect(read?.edtf).toBe(edtf);
    expect([...(read?.readings ?? [edtf])].sort().join(" ")).toBe(readings);
  });

  test.each<[string, DateFormat, string | undefined]>([
    ["1907-08", "YYYY-MM", "1907-08"],
    ["1907-08", "YYYY-YY", "1907/1908"],
    ["1921-22", "YYYY-YY", "1921/1922"],
    ["1907-03", "YYYY-YY", undefined],
    ["1864/3", "YYYY-MM", "1864-03"],
    ["07/08/1907", "DD/MM/YYYY", "1907-08-07"],
    ["07/08/1907", "MM/DD/YYYY", "1907-07-08"],
    ["20/08/1907", "MM/DD/YYYY", undefined],
    ["around 1907", "MM/DD/YYYY", "1907~"],
    ["1921-22", "EDTF", "1921-22"],
    ["1907-08", "EDTF", "1907-08"],
    ["about 1907", "EDTF", "1907~"],
  ])("reads %s in one way if the museum states that it writes %s: %s", (text, format, edtf) => {
    const read = readWrittenDate(text, undefined, [format]);
    expect(read?.edtf).toBe(edtf);
    expect(read?.readings).toBeUndefined();
  });
  const words = all.flatMap(([text]) => text.split(/(?<=[ -])|(?=[-,;()])/));

  test("returns only EDTF in normal form, whatever the text", SLOW, () => {
    const near = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((some) => some.join(" "));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 220 }), near), (text) => {
        const read = readWrittenDate(text);
        if (read) expect(parseEdtf(read.edtf)?.edtf).toBe(read.edtf);
      }),
      { numRuns: 5000 },
    );
  });

  test("takes time in proportion to the length of the text, even a hostile one", SLOW, () => {
    const hostile = [
      " ",
      "1",
      "1-",
      "a",
      "19th ",
      "1920-",
      "(",
      "1,000",
      "e",
      "v. chr",
      "\ufdfa",
      "XXX1-02-29,",
      "1.1.",
    ];
    // microseconds of the processor, which other programs do not make longer
    const started = process.cpuUsage();
    for (let i = 0; i < 20; i++) {
      for (const piece of hostile) {
        const text = piece.repeat(200 / piece.length);
        readWrittenDate(text);
        parseEdtf(`[${text.slice(0, 190)}]`);
      }
    }
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
  });
});

/** Years as astronomers count them: 0 is 1 BC. */
type Years = [from: number, to: number];
const THIRD = 1 / 3;
const part =
  (start: number, end: number) =>
  ([from, to]: Years): Years => {
    const at = (share: number) => from + Math.ceil((to - from + 1) * share);
    return [at(start), at(end) - 1];
  };
/** What each pattern makes of a century or millennium `%`, in the order of the languages. */
const PATTERNS: [meaning: (years: Years) => Years, marks: string, ...patterns: string[]][] = [
  [(years) => years, "", "%", "%", "%", "%", "%", "%"],
  [(years) => years, "~", "c. %", "um %", "vers %", "verso il %", "hacia el %", "omstreeks de %"],
  [(years) => years, "?", "possibly %", "vermutlich %", "peut-être %", "forse %", "quizás %", "mogelijk %"],
  [
    (years) => years,
    "~?",
    ...[
      "c. % (?)",
      "wohl um %",
      "probablement vers %",
      "forse % ca.",
      "probablemente c. %",
      "waarschijnlijk ca. %",
    ],
  ],
  [
    part(0, 0.5),
    "",
    ...[
      "first half of the %",
      "1. Hälfte %",
      "1ère moitié du %",
      "prima metà del %",
      "1.ª mitad del %",
      "1e helft %",
    ],
  ],
  [
    part(0.5, 1),
    "",
    ...[
      "2nd half of the %",
      "zweite Hälfte des %",
      "seconde moitié du %",
      "%, seconda metà",
      "%, 2.ª mitad",
      "tweede helft %",
    ],
  ],
  [
    part(0.75, 1),
    "",
    ...[
      "last quarter of the %",
      "4. Viertel %",
      "dernier quart du %",
      "ultimo quarto del %",
      "último cuarto del %",
      "laatste kwart %",
    ],
  ],
  [part(0, THIRD), "~", "early %", "Anfang %", "début %", "inizi del %", "principios del %", "begin %"],
  [
    part(0, THIRD),
    "",
    "first third of the %",
    "1. Drittel %",
    "premier tiers du %",
    "primo terzo del %",
    "primer tercio del %",
    "eerste derde %",
  ],
  [
    part(THIRD, 2 * THIRD),
    "~",
    "mid-%",
    "Mitte %",
    "milieu du %",
    "metà del %",
    "mediados del %",
    "midden %",
  ],
  [part(2 * THIRD, 1), "~", "late %", "Ende %", "fin du %", "fine %", "finales del %", "eind %"],
  [
    ([from]) => [Number.NEGATIVE_INFINITY, from],
    "",
    ...["before the %", "vor dem %", "avant le %", "prima del %", "antes del %", "vóór de %"],
  ],
  [
    ([, to]) => [to, Number.POSITIVE_INFINITY],
    "",
    ...["after the %", "nach dem %", "après le %", "dopo il %", "después del %", "na de %"],
  ],
  [
    ([, to]) => [Number.NEGATIVE_INFINITY, to],
    "",
    ...["% or earlier", "% oder früher", "% ou avant", "% o prima", "% o antes", "% of eerder"],
  ],
  [
    ([from]) => [from, Number.POSITIVE_INFINITY],
    "",
    ...["from the %", "ab %", "à partir du %", "dal %", "a partir del %", "vanaf de %"],
  ],
  [
    ([from]) => [from, Number.POSITIVE_INFINITY],
    "",
    ...["% or later", "% oder später", "% ou plus tard", "% o dopo", "% o después", "% of later"],
  ],
];
const ROMAN = ["", "X", "XX", "XXX", "XL"].flatMap((tens) =>
  ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"].map((ones) => tens + ones),
);
const AGES: Record<Language, (n: number, size: number) => string> = {
  en: (n, size) => {
    const end = n > 10 && n < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
    return `${n}${end} ${size === 100 ? "century" : "millennium"}`;
  },
  de: (n, size) => `${n}. ${size === 100 ? "Jahrhundert" : "Jahrtausend"}`,
  fr: (n, size) => `${ROMAN[n]}${n === 1 ? "er" : "e"} ${size === 100 ? "siècle" : "millénaire"}`,
  it: (n, size) => `${ROMAN[n]} ${size === 100 ? "secolo" : "millennio"}`,
  es: (n, size) => (size === 100 ? `siglo ${ROMAN[n]}` : `${ROMAN[n]} milenio`),
  nl: (n, size) => `${n}e ${size === 100 ? "eeuw" : "millennium"}`,
};
const BC = { en: " BC", de: " v. Chr.", fr: " av. J.-C.", it: " a.C.", es: " a. C.", nl: " v.Chr." };

describe.each(LANGUAGES)("words for dates in %s", (lang) => {
  const yearOf = (day: string | null | undefined, open: number) =>
    day ? Number(day.replace(/-\d\d-\d\d$/, "")) : open;
  const read = (text: string) => {
    const date = parseEdtf(readWrittenDate(text, lang)?.edtf ?? "");
    if (!date) return null;
    const marks = (date.approximate ? "~" : "") + (date.uncertain ? "?" : "");
    const { earliest, latest } = date;
    const ends = [yearOf(earliest, Number.NEGATIVE_INFINITY), yearOf(latest, Number.POSITIVE_INFINITY)];
    return { ends, marks };
  };

  test("mean the same years whatever the number, and are said so that they are read so", () => {
    for (let n = 1; n <= 40; n++)
      for (const size of [100, 1000])
        for (const isBc of [true, false]) {
          const age = AGES[lang](n, size) + (isBc ? BC[lang] : "");
          const first = isBc ? 1 - n * size : Math.max(1, (n - 1) * size);
          const years: Years = [first, isBc ? (1 - n) * size : n === 1 ? size : n * size - 1];
          for (const [meaning, marks, ...patterns] of PATTERNS) {
            const text = patterns[LANGUAGES.indexOf(lang)]!.replace("%", age);
            const isRead = isBc || n * size <= 10_000;
            expect([text, read(text)]).toEqual([text, isRead ? { ends: meaning(years), marks } : null]);
            if (!isRead) continue;
            const { edtf } = readWrittenDate(text, lang)!;
            const words = dateInWords(edtf, lang);
            const again = readWrittenDate(words, lang)?.edtf ?? "";
            // a year below 1000 is said without its era, which is no date to whoever reads it elsewhere
            if (again === "" && !isBc && years[0] < 1000) continue;
            expect([text, words, read(words)]).toEqual([text, words, read(text)]);
            expect(dateInWords(again, lang)).toBe(words);
          }
        }
  });

  test("are read back if they are ours", () => {
    for (const edtf of Object.values(WRITTEN).flatMap((dates) => dates.map(([, edtf]) => edtf))) {
      const words = dateInWords(edtf, lang);
      const again = readWrittenDate(words, lang)?.edtf;
      // years below 1000 are said without their era; an end that is not known is said like an open one
      if (/(?<!\d)0\d{3}|\/$/.test(edtf)) continue;
      expect([edtf, words, parseEdtf(again ?? "")]).toEqual([
        edtf,
        words,
        { ...parseEdtf(edtf), edtf: expect.any(String) as string },
      ]);
    }
  });
});

/** The distinct values of one column of a real catalogue beside the project, which is not part of it. */
function column(file: URL, name: string): Set<string> {
  const values = new Set<string>();
  let at = -1;
  let cell = 0;
  for (const [, quoted, plain, end] of readFileSync(file, "utf8").matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    const value = (quoted ?? plain ?? "").trim();
    if (at < 0 && value === name) at = cell;
    else if (cell === at && value !== "" && value !== name) values.add(value);
    cell = end === "," ? cell + 1 : 0;
  }
  return values;
}

describe.each(["teenie/teenie.csv", "wcma/objects.csv"])("the dates of %s", (path) => {
  const file = new URL(`../../../../shared/data/${path}`, import.meta.url);

  test.skipIf(!existsSync(file))(
    "are understood, except for a few that are slips or only names",
    SLOW,
    () => {
      const dates = [...column(file, "creation_date")].filter((text) => /\d/.test(text));
      const missed = dates.filter((text) => !readWrittenDate(text));
      expect(dates.length).toBeGreaterThan(500);
      expect(missed.length / dates.length, missed.join("\n")).toBeLessThan(0.01);
    },
  );
});
