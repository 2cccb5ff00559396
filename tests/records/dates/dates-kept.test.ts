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
  ["décennie 1880-1890", "fr", "1880/1890"],
  ["années 1920-1930 env.", "fr", "192X~/193X~"],
  ["19e siècle (4e quart, 1885)", "fr", "1885"],
  ["20e siècle (1er quart), 1912", "fr", "1912"],
  ["19. Jh., 1. Hälfte, um 1830", "de", "1830~"],
  ["19th century (second half, c. 1880)", "en", "1880~"],
  ["Edo period (1615–1868), 19th century", "en", "18XX/1868"],
  ["Late 19th century, Meiji period (1868-1912)", "en", "1868/1899"],
  ["Ptolemaic Period (332-30 BC), 1st century BC", "en", "-0099/-0029"],
  ["2. Hälfte 20. Jh. (1949-1990)", "de", "1949/1990"],
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
  ["négatif 1912, tirage 1950", "fr", "{1912,1950}"],
  ["1920 or 1930s", "en", "[192X,193X]"],
  ["1850 and 1860s", "en", "{185X,186X}"],
  ["1920 oder 1930er Jahre", "de", "[192X,193X]"],
  ["década de 1920 o 1930", "es", "[192X,193X]"],
  ["década de 1920 a 1930", "es", "192X/193X"],
  ["décennie 1920 ou 1930", "fr", "[192X,193X]"],
  ["1900 or 1910s", "en", "[190X,191X]"],
  ["maggio 1900 - fine 1900", "it", "1900-05/1900-12"],
  ["fine 1800 - 1805", "it", "1800-09~/1805"],
  ["mei 1900 - eind 1900", "nl", "1900-05/1900-12"],
  ["print from 1880", "en", "1880"],
  ["made from circa 1880", "en", "1880~/.."],
  ["made from May 1880", "en", "1880-05/.."],
  ["winter 1911-12", "en", "1911-24"],
  ["Frühjahr bis August 1944", "de", "1944-21/1944-08"],
  ["Sommer/September 1935", "de", "1935-22/1935-09"],
  ["estate e ottobre 1935", "it", "{1935-22,1935-10}"],
  ["Winter bis März 1945", "de", "1944-24/1945-03"],
  ["Herbst bis Frühjahr 1945", "de", "1944-23/1945-21"],
  ["December or January 1935", "en", "[1934-12,1935-01]"],
  ["um 1880 (Negativ), um 1950 (Abzug)", "de", "{1880~,1950~}"],
  ["1869 (photographed), ca. 1900 (printed)", "en", "{1869,1900~}"],
  ["1869 (photographed); ca. 1900 (printed)", "en", "{1869,1900~}"],
  ["Aufnahme Mai 1911, Abzug 1950", "de", "{1911-05,1950}"],
  ["finales del siglo XVIII - principios del XIX", "es", "1767~/1833~"],
  ["4 July 1914-5 August 1915", "en", "1914-07-04/1915-08-05"],
  ["1880 - década de 1920", "es", "1880/192X"],
  ["BC 100-AD 100", "en", "-0099/0100"],
  ["1923 (negative), 1950 (print)", "en", "{1923,1950}"],
  ["Inv. 12, 18. Jh.", "de", "17XX"],
  ["24–25 August AD 79", "en", "0079-08-24/0079-08-25"],
  ["24–25 agosto 79 d.C.", "it", "0079-08-24/0079-08-25"],
  ["24–25 dicembre 800 d.C.", "it", "0800-12-24/0800-12-25"],
  ["12-13 May 1945 CE", "en", "1945-05-12/1945-05-13"],
  ["24 or 25 August AD 79", "en", "[0079-08-24,0079-08-25]"],
  ["15 or 16 March 44 BC", "en", "[-0043-03-15,-0043-03-16]"],
  ["12 and 13 May 1945 CE", "en", "{1945-05-12,1945-05-13}"],
  ["24./25. August 79 n. Chr.", "de", "0079-08-24/0079-08-25"],
  ["10-15 March 44 BC", "en", "-0043-03-10/-0043-03-15"],
  ["44-43 BC", "en", "-0043/-0042"],
  ["90-50 BC", "en", "-0089/-0049"],
  ["1850 en mei – juni 1902", "nl", "{1850,1902-05..1902-06}"],
  ["1850 of voorjaar – zomer 1902", "nl", "[1850,1902-21..1902-22]"],
  ["mei – juni 1902, of mei – juni 1903", "nl", "[1902-05..1902-06,1903-05..1903-06]"],
  ["1e eeuw v.Chr. – 1e eeuw n.Chr., of 150 n.Chr.", "nl", "[-0099..0100,0150]"],
  ["década de 1860 o 1875", "es", "[186X,1875]"],
  ["década de 1860 y 1875", "es", "{186X,1875}"],
  ["década de 1860 – 1875", "es", "1860/1875"],
  ["década de 1860-1870", "es", "1860/1870"],
  ["década de los 1860", "es", "186X"],
  ["decennio 1880-1890", "it", "1880/1890"],
  ["anni 1840 circa o circa 1847", "it", "[184X~,1847~]"],
  ["années 1840 ou 1847", "fr", "[1840,1847]"],
  ["années 1840 et 1850", "fr", "{184X,185X}"],
  ["about 1900 or around the 1910s", "en", "[1900~,191X~]"],
  ["c. 1900 - c. 1910s", "en", "1900~/191X~"],
  ["1900 - 1910s", "en", "190X/191X"],
  ["1800–1850s", "en", "180X/185X"],
  ["c. 1800 or c. 1810s", "en", "[1800~,181X~]"],
  ["années 1860 environ – vers 1900", "fr", "186X~/1900~"],
  ["anni 1890 (?) – 1900 (?)", "it", "189X?/1900?"],
  ["années 1920 – 1930", "fr", "192X/193X"],
  ["May (1900)", "en", "1900-05"],
  ["1820 – (um 1845)", "de", "1820/1845~"],
  ["1820 –", "en", "1820/.."],
  ["1820- (Paris)", "en", "1820/.."],
  ["1368-1644 or later", "en", "1368/.."],
  ["1911–", "en", "1911/.."],
  ["1926 (Entwurf), 1926-1933 (Ausführung)", "de", "{1926,1926..1933}"],
  ["Entwurf 1926, Ausführung 1930", "de", "{1926,1930}"],
  ["Entwurf: 1926; Ausführung: 1926-1933", "de", "{1926,1926..1933}"],
  ["1926 (ontwerp), 1926-1933 (uitvoering)", "nl", "{1926,1926..1933}"],
  ["[188-]-[189-]", "en", "188X/189X"],
  ["[188-] and 1892", "en", "{188X,1892}"],
  ["188- to 189-", "en", "188X/189X"],
  ["188- bis 189-", "de", "188X/189X"],
  ["[188-] (?)", "en", "188X?"],
  ["1480 (of 1481)", "nl", "[1480,1481]"],
  ["17e eeuw (of 18e eeuw)", "nl", "[16XX,17XX]"],
  ["mei 1910 (of juni 1910)", "nl", "[1910-05,1910-06]"],
  ["to 1880", "en", "../1880"],
  ["to c.1880", "en", "../1880~"],
  ["to mid 19th century", "en", "../1866~"],
  ["made from 1930", "en", "1930/.."],
  ["vervaardigd vanaf 1930", "nl", "1930/.."],
  ["1790-an II (1794)", "fr", "1790/1794"],
  ["1870 - 1ª mitad s. XX", "es", "1870/1949"],
  ["1870 - 1° metà XX sec.", "it", "1870/1949"],
  ["1870 - 1° gennaio 1880", "it", "1870/1880-01-01"],
  ["1890 - 1º de mayo de 1900", "es", "1890/1900-05-01"],
  ["fine 1800 - inizi '900", "it", "1867~/1933~"],
  ["dalla fine del 1800", "it", "1867~/.."],
  ["fine 1800 (1890 ca.)", "it", "1890~"],
  ["inizi 1900 (1905)", "it", "1905"],
  ["prima metà 1900 (1930 ca.)", "it", "1930~"],
  ["mediados de 1900 (1950)", "es", "1950"],
  ["finales de 1800-principios del siglo XX", "es", "1867~/1933~"],
  ["fine 1800", "it", "1867~/1899"],
  ["fine 1899 - inizio 1900", "it", "1899-09~/1900-04~"],
  ["fine anni 1990 - inizi 2000", "it", "1997~/2003~"],
  ["XI sec. (1039-1125)", "it", "1039/1125"],
  ["sec. XIX (1890-1910)", "it", "1890/1910"],
  ["4e quart 19e siècle (1890-1905)", "fr", "1890/1905"],
  ["début 20e siècle (1895-1905)", "fr", "1895/1905"],
  ["3e quart 19e siècle (1874-1876)", "fr", "1874/1876"],
  ["h. mayo de 1850", "es", "1850-05~"],
  ["h. verano de 1912", "es", "1912-22~"],
  ["h. 15/05/1850", "es", "1850-05-15~"],
  ["inverno 1960-61 ca.", "it", "1960-24~"],
  ["hiver 1912-1913 environ", "fr", "1912-24~"],
  ["± 1850", "nl", "1850~"],
  ["dal 1850 e fino al 1860", "it", "1850/1860"],
  ["desde 1850 y hasta 1860", "es", "1850/1860"],
  ["Paris, 1890", "en", "1890"],
  ["Edo, 18th century (1750-1760)", "en", "1750/1760"],
  ["July 4, 1960, Boston", "en", "1960-07-04"],
  ["18th century (Qing dynasty), c. 1750", "en", "1750~"],
  ["entre 1890 et 1900", "fr", "1890/1900"],
  ["entre 1890-1900", "fr", "1890/1900"],
  ["entre 1890/1900", "es", "1890/1900"],
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
  "18. Jh.; Rahmen: um 1750",
  "1928/Abzug 1975",
  "Entwurf 1928 / Ausführung 1930",
  "1880 [Aufnahme] / 1950 [Abzug]",
  "1936 [negative] / 1970 [print]",
  "négatif 1912 - tirage 1950",
  "1912/diseño",
  "fine 1900 - inizi 2000",
  "Neg. 1234, 1965",
  "1965, 123",
  "1914 (Herstellung), bis 1945 (Nutzung)",
  "3 Feb 1722 (OS)",
  "3 Feb 1722 (O.S.)",
  "20 gennaio 1517 (stile dell'Incarnazione)",
  "20 de enero de 1517 (estilo antiguo)",
  "3 februari 1722 (oude stijl)",
  "1388, 20 mars [1389]",
  "mars 1388 [1389]",
  "1790-An IV",
  "Summer 1911-12",
  "verano 1911-12",
  "mayo de 1911-12",
  "May 1911, 1912",
  "l.5.1910",
  "24 August – 24 October AD 79",
  "May (1900–1909)",
  "25. Dezember (1900–1909)",
  "1820 – (nach 1845)",
  "1811 or later – 1869",
  "1811 or earlier – 1869 or later",
  "1860s or later - 1890",
  "1905 (Modell), 20. Jh. (Guss)",
  "nach 1880 (Aufnahme), 1950 (Abzug)",
  "18. Jh. (Schale), um 1750 (Deckel)",
  "1880 (built), 1880-1920 (in use)",
  "1880 (Baubeginn) bis 1885 (Fertigstellung)",
  "Mai 1880 (Wien) bis Juni 1885 (Berlin)",
  "1880 (begun) until 1885 (completed)",
  "1885-1890 (bis 1900)",
  "(1880-) 1885-1890",
  "[1880-] 1885-1890",
  "Jg. 1 (1880)-5 (1885)",
  "vol. 1 (1880)-vol. 5 (1885)",
  "Bd. 1 (1880)-",
  "192?-193?",
  "c. 192?",
  "193?-1945",
  "scale 1:2500, 1890",
  "1965 (Auflage: 100)",
  "Neg.-Nr.: 123; 1965",
  "123 (1880)",
  "vor 5000 Jahren",
  "Bronzezeit, vor 3000 Jahren",
  "voor 2000 jaar",
  "designed 1926, made from 1930",
  "January 1648/9",
  "Februar 1722/23",
  "um l880",
  "188O",
  "192O-1930",
  "l9. Jh.",
  "2O. Jh.",
  "17. Jh. (Ankaufsjahr: 1880)",
  "17. Jh., 1880 (angekauft)",
  "2. Jh. n. Chr.; Fundjahr: 1931",
  "römisch; 1931 (Ausgrabung)",
  "Roman; 1931 (excavated)",
  "1790-an II",
  "1790-an VIII ; 1806-1810",
  "vers 185?",
  "maggio 185?",
  "fine '900 - inizi 2000",
  "fin XXe - début 2000",
  "sec. XVIII (1795) - sec. XIX (1805)",
  "1795 (XVIII sec.) - 1805 (XIX sec.)",
  "20 gennaio 1517 (m.v.)",
  "20 gennaio 1517 (more veneto)",
  "20 mars 1388 (a. st.)",
  "20 gennaio 1517 (1518)",
  "XII sec. in.",
  "XIIe siècle in.",
  "1890, legs Dupont, 1950",
  "1890 (entré en 1950)",
  "1850, lascito Rossi, 1950",
  "s. III d.C., hallado en Mérida, 1950",
  "1850 (± 5 ans)",
  "1850 (à 5 ans près)",
  "Winter 1914/15 und 1915/16",
  "Sommer 1910 und 1911",
  "Mai 1910 oder 1911",
  "Sept. or Aug. 1912",
  "1880 (negative) / 1950s (print)",
  "0-100 n.Chr.",
  "1880 (alt: 1870)",
  "tussen 480 en 470 v.Chr.",
  "19th century, Paris, 1890",
  "1965; 250",
])("%s is not read, rather than a part of it", (text) => {
  expect(readWrittenDate(text)).toBeNull();
});
