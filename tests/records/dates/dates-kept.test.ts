/** A written date is read as a whole or not at all: no part of it is dropped. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { roman } from "../../../src/records/dates/ages.ts";
import { areApart } from "../../../src/records/dates/apart.ts";
import { LANGUAGES, type Language, readWrittenDate } from "../../../src/records/dates/readings.ts";

/** How a language writes a century (the number, then the whole), parts of it, a decade and a month. */
type Forms = {
  short: (n: number) => string;
  whole: (numbers: string) => string;
  parts: readonly string[];
  decade: (tens: number) => string;
  month: string;
  words: readonly string[];
};

const FORMS: Record<Language, Forms> = {
  en: {
    short: (n) => `${n}th`,
    whole: (numbers) => `${numbers} century`,
    parts: ["early ", "late ", "first half ", "mid-"],
    decade: (tens) => `${tens}s`,
    month: "May",
    words: [" or ", " and ", " to "],
  },
  de: {
    short: (n) => `${n}.`,
    whole: (numbers) => `${numbers} Jh.`,
    parts: ["Anfang ", "Ende ", "1. Hälfte ", "Mitte "],
    decade: (tens) => `${tens}er Jahre`,
    month: "Mai",
    words: [" oder ", " und ", " bis "],
  },
  fr: {
    short: (n) => `${roman(n)}e`,
    whole: (numbers) => `${numbers} siècle`,
    parts: ["début ", "fin ", "1re moitié ", "milieu "],
    decade: (tens) => `années ${tens}`,
    month: "mai",
    words: [" ou ", " et ", " à "],
  },
  it: {
    short: roman,
    whole: (numbers) => `${numbers} secolo`,
    parts: ["inizio ", "fine ", "prima metà ", "metà "],
    decade: (tens) => `anni '${tens}`,
    month: "maggio",
    words: [" o ", " e ", " al "],
  },
  es: {
    short: roman,
    whole: (numbers) => `siglo ${numbers}`,
    parts: ["principios ", "finales ", "primera mitad ", "mediados "],
    decade: (tens) => `años ${tens}`,
    month: "mayo",
    words: [" o ", " y ", " a "],
  },
  nl: {
    short: (n) => `${n}e`,
    whole: (numbers) => `${numbers} eeuw`,
    parts: ["begin ", "eind ", "eerste helft ", "midden "],
    decade: (tens) => `jaren ${tens}`,
    month: "mei",
    words: [" of ", " en ", " tot "],
  },
};

const remark = fc.constantFrom("", "", "Delft, ", "Delft ", "Delft: ", "Blatt 3, ");
const separatorIn = ({ words }: Forms) => fc.constantFrom(", ", "/", " / ", "; ", " - ", " (", ...words);
const closed = (text: string) => (text.includes("(") ? `${text})` : text);

/** A list, and what stands in it, each as it is read alone: the list is not read, or may be the same as each of them. */
function holds(language: Language, text: string, alone: readonly string[]): void {
  const read = readWrittenDate(text, language)?.edtf;
  for (const one of read === undefined ? [] : alone) {
    const own = readWrittenDate(one, language);
    // "about" and "probably" of the whole would hide a distance
    const plain = [read!, own!.edtf].map((edtf) => edtf.replace(/[?~%]/g, ""));
    expect([text, read, one, areApart(plain[0]!, plain[1]!)]).toEqual([text, read, one, false]);
  }
}

describe.each(LANGUAGES)("dates in %s that share a word", (language) => {
  const forms = FORMS[language];
  const { short, whole, parts, decade, month } = forms;
  const separators = fc.array(separatorIn(forms), { minLength: 2, maxLength: 2 });
  const list = (items: readonly string[], between: readonly string[]) =>
    items.map((item, index) => (index === 0 ? item : between[index - 1]! + item)).join("");

  it("are centuries", () => {
    const century = fc.record({
      n: fc.integer({ min: 14, max: 20 }),
      part: fc.constantFrom("", "", ...parts),
    });
    const centuries = fc.uniqueArray(century, { selector: ({ n }) => n, minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(centuries, separators, remark, (found, between, before) => {
        // a date within another one narrows it down
        const all = found.toSorted((a, b) => a.n - b.n);
        // "Delft XIV, XV secolo" looks like "Louis XIV, 1680"
        fc.pre(language !== "it" || !before.startsWith("Delft"));
        const items = all.map(({ n, part }) => part + short(n));
        const text = closed(before + whole(list(items, between)));
        holds(
          language,
          text,
          all.map(({ n, part }) => part + whole(short(n))),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("are a century and a decade in it", () => {
    const tens = fc.integer({ min: 2, max: 9 }).map((n) => 10 * n);
    const centuries = fc.integer({ min: 16, max: 20 });
    fc.assert(
      fc.property(
        centuries,
        tens,
        separatorIn(forms),
        remark,
        fc.boolean(),
        (n, years, between, before, isFirst) => {
          const items = [whole(short(n)), decade(years)];
          const text = closed(before + (isFirst ? items : items.toReversed()).join(between));
          const read = readWrittenDate(text, language)?.edtf ?? "";
          const meant = (n - 1) * 100 + years;
          expect([text, read, read === "" || !areApart(read, `${String(meant).slice(0, 3)}X`)]).toEqual([
            text,
            read,
            true,
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("are days and years", () => {
    const days = fc.uniqueArray(fc.integer({ min: 3, max: 28 }), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(days, separators, fc.boolean(), (all, between, areDays) => {
        const items = all.map((n) => (language === "de" && areDays ? `${n}.` : String(n)));
        if (areDays) {
          const text = closed(`${list(items, between)} ${month} 1880`);
          holds(
            language,
            text,
            items.map((item) => `${item} ${month} 1880`),
          );
        } else {
          const text = closed(list(["1880", ...all.map((n) => String(n + 53))], [...between, ", "]));
          if (/1880 ?[-/(]/.test(text)) return;
          holds(
            language,
            text,
            all.map((n) => String(1853 + n)),
          );
        }
      }),
      { numRuns: 100 },
    );
  });
});

test.each<[string, Language, string]>([
  ["20. Jh., 60er Jahre", "de", "196X"],
  ["zwanziger Jahre des 20. Jahrhunderts", "de", "192X"],
  ["30er/40er Jahre 20. Jh.", "de", "193X/194X"],
  ["20e eeuw (jaren zestig)", "nl", "196X"],
  ["sec. XX, anni Trenta", "it", "193X"],
  ["siglo XX, década de los sesenta", "es", "196X"],
  ["26th Dynasty, 664-525 BC", "en", "-0663/-0524"],
  ["Dynasty 18, c. 1479-1425 BC", "en", "-1478~/-1424~"],
  ["2nd edition, 1923", "en", "1923"],
  ["an VIII (1799-1800)", "fr", "1799/1800"],
  ["1943 (XXI)", "it", "1943"],
  ["Louis XIV, 1680", "fr", "1680"],
  ["style Louis XV, XIXe siècle", "fr", "18XX"],
  ["17e eeuw, mogelijk 18e eeuw", "nl", "[16XX,17XX?]"],
  ["negative 1948, probably printed 1980", "en", "{1948,1980?}"],
  ["sec. XIX (1801-1900)", "it", "1801/1900"],
  ["480/70 v. Chr.", "de", "-0479/-0469"],
  ["404/3 BC", "en", "-0403/-0402"],
  ["[188.]", "fr", "188X"],
  ["188- ?", "fr", "188X?"],
  ["apr. 1880", "fr", "1880/.."],
  ["apr. 1880", "en", "1880-04"],
  ["dès 1880", "fr", "1880/.."],
  ["mars-1880", "fr", "1880-03"],
  ["avant la fin du XVIIIe siècle", "fr", "../1799"],
  ["entre los años 1880 y 1890", "es", "1880/1890"],
  ["años 1940-1945", "es", "1940/1945"],
  ["1503 c.a", "it", "1503~"],
  ["fin dal 1880", "it", "1880/.."],
  ["tardo-Ottocento", "it", "1867~/1899"],
  ["1° marzo 1880", "it", "1880-03-01"],
  ["late 1800s or early 1900s", "en", "[1867~..1899,1900..1933~]"],
  ["late 1900s – 1912", "en", "1907~/1912"],
  ["1890er Jahre bis 1910", "de", "189X/1910"],
  ["1880 to early 1890s", "en", "1880/1893~"],
  ["um/vor 1500", "de", "../1500~"],
  ["von 1887 an", "de", "1887/.."],
  ["1887 e.v.", "nl", "1887/.."],
  ["1787 (unsicher)", "de", "1787?"],
  ["c. 1650, possibly later", "en", "1650~/.."],
  ["5. Jh. v. Chr., um 450", "de", "-0449~"],
  ["um 1250 (13. Jh. v. Chr.)", "de", "-1249~"],
  ["sec. XX, seconda metà (anni '60)", "it", "196X"],
  ["20. Jh., Ende der 60er Jahre", "de", "1967~/1969"],
  ["Paris, 188-", "fr", "188X"],
  ["188-/189-", "fr", "188X/189X"],
  ["probably 1948, printed 1980", "en", "{1948?,1980}"],
  ["1890-1910, revised 1905", "en", "{1890..1910,1905}"],
  ["18. Jh.; Rahmen: um 1750", "de", "{17XX,1750~}"],
  ["décennie 1880-1890", "fr", "1880/1890"],
  ["années 1920-1930 env.", "fr", "192X~/193X~"],
  ["19e siècle (4e quart, 1885)", "fr", "1885"],
  ["20e siècle (1er quart), 1912", "fr", "1912"],
  ["19. Jh., 1. Hälfte, um 1830", "de", "1830~"],
  ["19th century (second half, c. 1880)", "en", "1880~"],
  ["Edo period (1615–1868), 19th century", "en", "18XX/1868"],
  ["Late 19th century, Meiji period (1868-1912)", "en", "1868/1899"],
  ["Ptolemaic Period (332-30 BC), 1st century BC", "en", "-0099/-0029"],
  ["2. Hälfte 20. Jh. (1949-1990)", "de", "1950/1990"],
  ["eind 2000", "nl", "2000-09~/2000-12"],
  ["¿finales del siglo XIX?", "es", "1867%/1899?"],
  ["1915 (1918?)", "it", "[1915?,1918?]"],
  ["s. II d C", "es", "01XX"],
  ["225 apr.", "fr", "0225"],
  ["1923, made in Germany", "en", "1923"],
  ["5 cent, 1948", "en", "1948"],
  ["15 March 44 BC", "en", "-0043-03-15"],
  ["pre-1850", "en", "../1850"],
  ["c. 1850 onwards", "en", "1850~/.."],
  ["XIX° siècle", "fr", "18XX"],
  ["medio 19e eeuw", "nl", "1834~/1866~"],
  ["dat. 1765", "de", "1765"],
])("%s (%s) is %s", (text, language, edtf) => {
  expect(readWrittenDate(text, language)?.edtf).toBe(edtf);
});

test.each([
  "Italian 17th/18th century",
  "Ende 18., Anfang 19. Jh.",
  "siglos XVII, XVIII y XIX",
  "1880, 81 et 82",
  "12, 13 et 14 mai 1880",
  "1st century BC/AD",
  "turn of the 18th/19th century",
  "tessuto XVII/XVIII secolo",
  "12 February 1722/3",
  "E. 19./A. 20. Jh.",
  "19. Jh., A.",
  "?-1887",
  "1503/ post",
  "a. 1600",
  "d. de 1600",
  "sec. XX, primo decennio",
  "12/III/1880",
  "c. 1810-1823/ 1864",
  "before 1911/1912",
  "après 1880/1885",
  "ab 1480/85",
  "vor 1911/12",
  "1905–1911/12",
  "1904-6/1910",
  "5-7/1900",
  "6 mars 1585/1586",
  "XX.05.1887",
  "4th century BC (acquired 1912)",
  "510, 500 und 490 v. Chr.",
  "510 BC or 490",
  "1948 or 1950, printed 1980",
  "before 1900, printed 1880",
  "1914 [recte: 1915]",
  "1885 (probable)",
  "1850 (at the latest)",
  "18. Jh. (später)",
  "sec. XV, rimaneggiato nel XVII",
  "années 1920, 1930",
  "1939-40/1945",
  "C4 BC",
  "sec. XIX - seconda metà (1885)",
  "sec. XX, primi decenni",
  "XIXe siècle, dernières décennies",
  "sec. XIV in.",
  "ottobre 1936 XIV",
  "1800 fine",
  "s. XIX (f.)",
  "S. XVIII(m)-XIX(p)",
  "sec. XIX (“seconda metà”)",
  "1936 (négatif) - 1950 (tirage)",
  "1er siècle av JC ; 1er siècle",
  "1936 [es decir, 1937]",
  "18. Jh., spätere Fassung",
  "2. Jh. n. Chr. (Fund: 1912)",
  "Ankauf: 1912",
  "1860 (angeblich)",
  "Augustus, 27 BC",
  "August III., 1733–1763",
  "1850-1860 onwards",
])("%s is not read, rather than a part of it", (text) => {
  expect(readWrittenDate(text)).toBeNull();
});
