import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENGLISH, translator } from "../../../src/messages/translate.ts";
import { lifeOf } from "../../../src/portal/card-facts.ts";
import { parseEdtf } from "../../../src/records/dates/edtf.ts";
import { dateInWords, isUnknownDate, lifeInWords } from "../../../src/records/dates/in-words.ts";
import { LANGUAGES, readWrittenDate } from "../../../src/records/dates/readings.ts";
import { buckets, yearsIn } from "../../../src/search/buckets.ts";

const READ: readonly [edtf: string, en: string, de: string, fr: string][] = [
  ["1887", "1887", "1887", "1887"],
  ["0850", "850", "850", "850"],
  ["1887~", "about 1887", "um 1887", "vers 1887"],
  ["1887?", "1887 (?)", "1887 (?)", "1887 (?)"],
  ["1887%", "about 1887 (?)", "um 1887 (?)", "vers 1887 (?)"],
  ["1902-05", "May 1902", "Mai 1902", "mai 1902"],
  ["1874-07-05", "5 July 1874", "5. Juli 1874", "5 juillet 1874"],
  ["1871-10-01", "1 October 1871", "1. Oktober 1871", "1er octobre 1871"],
  ["1985-04-12T23:20:30Z", "12 April 1985", "12. April 1985", "12 avril 1985"],
  ["1872-11-XX", "November 1872", "November 1872", "novembre 1872"],
  ["1872-XX-XX", "1872", "1872", "1872"],
  ["193X", "1930s", "1930er Jahre", "années 1930"],
  ["190X", "1900–1909", "1900–1909", "1900–1909"],
  ["19XX", "20th century", "20. Jahrhundert", "XXe siècle"],
  ["00XX", "1st century AD", "1. Jahrhundert n. Chr.", "Ier siècle apr. J.-C."],
  ["1XXX", "2nd millennium", "2. Jahrtausend", "IIe millénaire"],
  ["-02XX", "3rd century BC", "3. Jahrhundert v. Chr.", "IIIe siècle av. J.-C."],
  ["Y-13999/Y-13000", "14th millennium BC", "14. Jahrtausend v. Chr.", "XIVe millénaire av. J.-C."],
  ["Y-11999", "12,000 BC", "12.000 v. Chr.", "12\u202f000 av. J.-C."],
  ["Y-14999~", "about 15,000 BC", "um 15.000 v. Chr.", "vers 15\u202f000 av. J.-C."],
  ["Y-14999/Y-11999", "15,000–12,000 BC", "15.000–12.000 v. Chr.", "15\u202f000–12\u202f000 av. J.-C."],
  ["0001/0100", "1st century AD", "1. Jahrhundert n. Chr.", "Ier siècle apr. J.-C."],
  ["-0099?/0000?", "1st century BC (?)", "1. Jahrhundert v. Chr. (?)", "Ier siècle av. J.-C. (?)"],
  ["0001/01XX", "1st–2nd century AD", "1.–2. Jahrhundert n. Chr.", "Ier–IIe siècles apr. J.-C."],
  ["02XX/03XX", "3rd–4th century AD", "3.–4. Jahrhundert n. Chr.", "IIIe–IVe siècles apr. J.-C."],
  ["0120~/0150~", "about AD 120–150", "um 120–150 n. Chr.", "vers 120–150 apr. J.-C."],
  ["-01XX/0000", "2nd–1st century BC", "2.–1. Jahrhundert v. Chr.", "IIe–Ier siècles av. J.-C."],
  ["1867%/1899?", "late 19th century (?)", "Ende 19. Jahrhundert (?)", "fin XIXe siècle (?)"],
  ["1834~/1866~", "mid-19th century", "Mitte 19. Jahrhundert", "milieu XIXe siècle"],
  ["-0032~/0000", "late 1st century BC", "Ende 1. Jahrhundert v. Chr.", "fin Ier siècle av. J.-C."],
  [
    "-1999/-1666~",
    "early 2nd millennium BC",
    "Anfang 2. Jahrtausend v. Chr.",
    "début IIe millénaire av. J.-C.",
  ],
  ["1927~/1929", "late 1920s", "Ende der 1920er Jahre", "fin des années 1920"],
  [
    "1867~/1899?",
    "1867 (about) – perhaps 1899",
    "1867 (ca.) – vielleicht 1899",
    "1867 environ – peut-être 1899",
  ],
  ["1954~/1956~", "about 1954–1956", "um 1954–1956", "vers 1954–1956"],
  ["18XX/1933~", "19th – early 20th century", "19. – Anfang 20. Jahrhundert", "XIXe – début XXe siècle"],
  [
    "-0049~/0050~",
    "about 50 BC – about AD 50",
    "um 50 v. Chr. – um 50 n. Chr.",
    "vers 50 av. J.-C. – vers 50 apr. J.-C.",
  ],
  ["1895/190X~", "1895 – about 1900–1909", "1895 – ca. 1900–1909", "1895 – vers 1900–1909"],
  ["1915/192X", "1915–1920s", "1915 – 1920er Jahre", "1915–1929"],
  ["[0150,0151]", "AD 150 or AD 151", "150 n. Chr. oder 151 n. Chr.", "150 apr. J.-C. ou 151 apr. J.-C."],
  [
    "-1999/1000~",
    "2000 BC – about AD 1000",
    "2000 v. Chr. – um 1000 n. Chr.",
    "2000 av. J.-C. – vers 1000 apr. J.-C.",
  ],
  ["-0349/186X", "350 BC – AD 1869", "350 v. Chr. – 1869 n. Chr.", "350 av. J.-C. – 1869 apr. J.-C."],
  ["[0000,0001]", "1 BC or AD 1", "1 v. Chr. oder 1 n. Chr.", "1 av. J.-C. ou 1 apr. J.-C."],
  // who writes "1000 BC – AD 1000" means years
  ["-0999/1000", "1000 BC – AD 1000", "1000 v. Chr. – 1000 n. Chr.", "1000 av. J.-C. – 1000 apr. J.-C."],
  ["[18XX,19XX]", "19th or 20th century", "19. oder 20. Jahrhundert", "XIXe ou XXe siècle"],
  ["[181X,1870]", "1810–1819 or 1870", "1810–1819 oder 1870", "1810–1819 ou 1870"],
  ["1903%/1907%", "about 1903–1907 (?)", "um 1903–1907 (?)", "vers 1903–1907 (?)"],
  ["0000", "1 BC", "1 v. Chr.", "1 av. J.-C."],
  ["-0150/-0050", "151–51 BC", "151–51 v. Chr.", "151–51 av. J.-C."],
  ["-0050/0020", "51 BC – AD 20", "51 v. Chr. – 20 n. Chr.", "51 av. J.-C. – 20 apr. J.-C."],
  ["-0099/0250", "100 BC – AD 250", "100 v. Chr. – 250 n. Chr.", "100 av. J.-C. – 250 apr. J.-C."],
  ["0079", "AD 79", "79 n. Chr.", "79 apr. J.-C."],
  ["0014~/0037~", "about AD 14–37", "um 14–37 n. Chr.", "vers 14–37 apr. J.-C."],
  ["0079/0120", "AD 79–120", "79–120 n. Chr.", "79–120 apr. J.-C."],
  ["0079-08-24/0079-08-25", "24–25 August AD 79", "24.–25. August 79 n. Chr.", "24–25 août 79 apr. J.-C."],
  ["-0043-03-15", "15 March 44 BC", "15. März 44 v. Chr.", "15 mars 44 av. J.-C."],
  ["005X", "AD 50–59", "50–59 n. Chr.", "50–59 apr. J.-C."],
  ["000X", "AD 1–9", "1–9 n. Chr.", "1–9 apr. J.-C."],
  ["-000X", "10–1 BC", "10–1 v. Chr.", "10–1 av. J.-C."],
  ["-012X", "130–121 BC", "130–121 v. Chr.", "130–121 av. J.-C."],
  ["-02XX/-01XX", "3rd–2nd century BC", "3.–2. Jahrhundert v. Chr.", "IIIe–IIe siècles av. J.-C."],
  [
    "-00XX/00XX",
    "1st century BC – 1st century AD",
    "1. Jahrhundert v. Chr. – 1. Jahrhundert n. Chr.",
    "Ier siècle av. J.-C. – Ier siècle apr. J.-C.",
  ],
  ["190X/192X", "1900–1929", "1900–1929", "1900–1929"],
  ["1950S2", "about 1950", "um 1950", "vers 1950"],
  ["Y-17E7", "170,000,001 BC", "170.000.001 v. Chr.", "170\u202f000\u202f001 av. J.-C."],
  ["Y12345", "AD 12,345", "12.345 n. Chr.", "12\u202f345 apr. J.-C."],
  ["15X3", "1503–1593", "1503–1593", "1503–1593"],
  ["1560-1X", "October – December 1560", "Oktober – Dezember 1560", "octobre – décembre 1560"],
  ["1560-05-1X", "10–19 May 1560", "10.–19. Mai 1560", "10–19 mai 1560"],
  ["156X-12-25", "25 December (1560s)", "25. Dezember (1560er Jahre)", "25 décembre (années 1560)"],
  ["19XX-22", "summer (20th century)", "Sommer (20. Jahrhundert)", "été (XXe siècle)"],
  ["XXXX-12", "December (year unknown)", "Dezember (Jahr unbekannt)", "décembre (année inconnue)"],
  ["XXXX", "date unknown", "Datum unbekannt", "date inconnue"],
  ["XXXX-XX-25?", "date unknown", "Datum unbekannt", "date inconnue"],
  ["XXXX/1840", "1840 or earlier", "1840 oder früher", "1840 ou avant"],
  ["1926-38", "second third of 1926", "2. Drittel 1926", "2e quadrimestre 1926"],
  ["1785/1790", "1785–1790", "1785–1790", "1785–1790"],
  [
    "1793-09/1794-08",
    "September 1793 – August 1794",
    "September 1793 – August 1794",
    "septembre 1793 – août 1794",
  ],
  ["1911-06-12/1911-06-30", "12–30 June 1911", "12.–30. Juni 1911", "12–30 juin 1911"],
  ["1884/1962-01-30", "1884 – 30 January 1962", "1884 – 30. Januar 1962", "1884 – 30 janvier 1962"],
  ["1889-05/1889-09", "May – September 1889", "Mai – September 1889", "mai – septembre 1889"],
  ["18XX/19XX", "19th–20th century", "19.–20. Jahrhundert", "XIXe–XXe siècles"],
  ["1940~/1950~", "about 1940–1950", "um 1940–1950", "vers 1940–1950"],
  ["1796~/1800", "1796 (about) – 1800", "1796 (ca.) – 1800", "1796 environ – 1800"],
  ["../1840", "1840 or earlier", "1840 oder früher", "1840 ou avant"],
  ["/1840", "1840 or earlier", "1840 oder früher", "1840 ou avant"],
  ["1840/..", "1840 or later", "1840 oder später", "1840 ou après"],
  ["../1874-07-05", "5 July 1874 or earlier", "5. Juli 1874 oder früher", "5 juillet 1874 ou avant"],
  ["1840~/..", "about 1840 or later", "um 1840 oder später", "vers 1840 ou après"],
  ["1902-05/..", "May 1902 or later", "Mai 1902 oder später", "mai 1902 ou après"],
  ["1902-08/..", "August 1902 or later", "August 1902 oder später", "août 1902 ou après"],
  ["../1902-22", "summer 1902 or earlier", "Sommer 1902 oder früher", "été 1902 ou avant"],
  ["1902-21/..", "spring 1902 or later", "Frühjahr 1902 oder später", "printemps 1902 ou après"],
  ["19XX/..", "20th century or later", "20. Jahrhundert oder später", "XXe siècle ou après"],
  ["../193X", "1930s or earlier", "1930er Jahre oder früher", "années 1930 ou avant"],
  ["../1840~", "about 1840 or earlier", "um 1840 oder früher", "vers 1840 ou avant"],
  ["1926-22", "summer 1926", "Sommer 1926", "été 1926"],
  ["1926-33", "first quarter of 1926", "1. Quartal 1926", "1er trimestre 1926"],
  ["1926-41", "second half of 1926", "2. Hälfte 1926", "second semestre 1926"],
  ["{1948,1980}", "1948 and 1980", "1948 und 1980", "1948 et 1980"],
  ["[1760,1762..1764]", "1760 or 1762–1764", "1760 oder 1762–1764", "1760 ou 1762–1764"],
  ["[..1760]", "1760 or earlier", "1760 oder früher", "1760 ou avant"],
];

describe("a date in words", () => {
  it.each(READ)("reads well: %s", (edtf, en, de, fr) => {
    expect([dateInWords(edtf, "en"), dateInWords(edtf, "de"), dateInWords(edtf, "fr")]).toEqual([en, de, fr]);
  });

  it.each([
    [
      "1811~/1869",
      [
        "1811 (about) – 1869",
        "1811 (ca.) – 1869",
        "1811 environ – 1869",
        "1811 circa – 1869",
        "1811 aproximadamente – 1869",
        "1811 (ca.) – 1869",
      ],
    ],
    [
      "1811?/1869",
      [
        "1811 (?) – 1869",
        "1811 (?) – 1869",
        "1811 (?) – 1869",
        "1811 (?) – 1869",
        "1811 (?) – 1869",
        "1811 (?) – 1869",
      ],
    ],
    [
      "1811/1869?",
      [
        "1811 – perhaps 1869",
        "1811 – vielleicht 1869",
        "1811 – peut-être 1869",
        "1811 – forse 1869",
        "1811 – quizás 1869",
        "1811 – mogelijk 1869",
      ],
    ],
    [
      "1811?/1869~",
      [
        "1811 (?) – about 1869",
        "1811 (?) – um 1869",
        "1811 (?) – vers 1869",
        "1811 (?) – circa 1869",
        "1811 (?) – hacia 1869",
        "1811 (?) – ca. 1869",
      ],
    ],
    [
      "192X~/1935",
      [
        "1920s (about) – 1935",
        "1920er Jahre (ca.) – 1935",
        "années 1920 environ – 1935",
        "anni 1920 circa – 1935",
        "década de 1920 aproximadamente – 1935",
        "jaren 1920 (ca.) – 1935",
      ],
    ],
  ])("says of which end it is not certain: %s", (edtf, words) => {
    expect(["en", "de", "fr", "it", "es", "nl"].map((language) => dateInWords(edtf, language))).toEqual(
      words,
    );
  });

  it.each([
    [
      "192X/193X",
      [
        "1920s–1930s",
        "1920er–1930er Jahre",
        "années 1920–1930",
        "anni 1920–1930",
        "décadas de 1920–1930",
        "jaren 1920–1930",
      ],
    ],
    ["189X/190X", ["1890–1909", "1890–1909", "1890–1909", "1890–1909", "1890–1909", "1890–1909"]],
    [
      "18XX/190X",
      [
        "19th century – 1900–1909",
        "19. Jahrhundert – 1900–1909",
        "XIXe siècle – 1900–1909",
        "XIX secolo – 1900–1909",
        "siglo XIX – 1900–1909",
        "19e eeuw – 1900–1909",
      ],
    ],
    [
      "1889-08/190X",
      [
        "August 1889 – 1900–1909",
        "August 1889 – 1900–1909",
        "août 1889 – 1900–1909",
        "agosto 1889 – 1900–1909",
        "agosto de 1889 – 1900–1909",
        "augustus 1889 – 1900–1909",
      ],
    ],
    [
      "1767~/1833~",
      [
        "late 18th – early 19th century",
        "Ende 18. – Anfang 19. Jahrhundert",
        "fin XVIIIe – début XIXe siècle",
        "fine XVIII – inizio XIX secolo",
        "finales del siglo XVIII – principios del siglo XIX",
        "eind 18e – begin 19e eeuw",
      ],
    ],
    [
      "1920/1923~",
      [
        "early 1920s",
        "Anfang der 1920er Jahre",
        "début des années 1920",
        "inizio anni 1920",
        "principios de la década de 1920",
        "begin jaren 1920",
      ],
    ],
    [
      "1911-06-01~/1911-06-30~",
      [
        "about 1–30 June 1911",
        "ca. 1.–30. Juni 1911",
        "ca. 1er–30 juin 1911",
        "ca. 1º–30 giugno 1911",
        "ca. 1–30 de junio de 1911",
        "ca. 1–30 juni 1911",
      ],
    ],
    [
      "../1902-22",
      [
        "summer 1902 or earlier",
        "Sommer 1902 oder früher",
        "été 1902 ou avant",
        "estate 1902 o prima",
        "verano de 1902 o antes",
        "zomer 1902 of eerder",
      ],
    ],
    [
      "0080/..",
      [
        "AD 80 or later",
        "80 n. Chr. oder später",
        "80 apr. J.-C. ou après",
        "80 d.C. o dopo",
        "80 d. C. o después",
        "80 n.Chr. of later",
      ],
    ],
    [
      "1926-39",
      [
        "last third of 1926",
        "3. Drittel 1926",
        "3e quadrimestre 1926",
        "3º quadrimestre 1926",
        "tercer cuatrimestre de 1926",
        "laatste derde van 1926",
      ],
    ],
    [
      "192X~",
      [
        "around the 1920s",
        "ca. 1920er Jahre",
        "années 1920 environ",
        "anni 1920 circa",
        "década de 1920 aproximadamente",
        "rond de jaren 1920",
      ],
    ],
    [
      "1902-22~",
      [
        "about summer 1902",
        "ca. Sommer 1902",
        "été 1902 environ",
        "estate 1902 circa",
        "verano de 1902 aproximadamente",
        "ca. zomer 1902",
      ],
    ],
    [
      "17XX~/18XX~",
      [
        "around the 18th–19th century",
        "ca. 18.–19. Jahrhundert",
        "ca. XVIIIe–XIXe siècles",
        "ca. XVIII–XIX secolo",
        "ca. siglos XVIII–XIX",
        "ca. 18e–19e eeuw",
      ],
    ],
    [
      "1871-10-01/1871-10-30",
      [
        "1–30 October 1871",
        "1.–30. Oktober 1871",
        "1er–30 octobre 1871",
        "1º–30 ottobre 1871",
        "1–30 de octubre de 1871",
        "1–30 oktober 1871",
      ],
    ],
    [
      "156X-05-12",
      [
        "12 May (1560s)",
        "12. Mai (1560er Jahre)",
        "12 mai (années 1560)",
        "12 maggio (anni 1560)",
        "12 de mayo (década de 1560)",
        "12 mei (jaren 1560)",
      ],
    ],
    [
      "{1889-23,1889-24}",
      [
        "autumn 1889 and winter 1889",
        "Herbst 1889 und Winter 1889",
        "automne 1889 et hiver 1889",
        "autunno 1889 e inverno 1889",
        "otoño de 1889 e invierno de 1889",
        "najaar 1889 en winter 1889",
      ],
    ],
    [
      "[1889-09,1889-10]",
      [
        "September 1889 or October 1889",
        "September 1889 oder Oktober 1889",
        "septembre 1889 ou octobre 1889",
        "settembre 1889 o ottobre 1889",
        "septiembre de 1889 u octubre de 1889",
        "september 1889 of oktober 1889",
      ],
    ],
    [
      "-1332~/-0666~",
      [
        "late 2nd – early 1st millennium BC",
        "Ende 2. – Anfang 1. Jahrtausend v. Chr.",
        "fin IIe – début Ier millénaire av. J.-C.",
        "fine II – inizio I millennio a.C.",
        "finales del II – principios del I milenio a. C.",
        "eind 2e – begin 1e millennium v.Chr.",
      ],
    ],
    [
      "-1XXX/-0666~",
      [
        "2nd – early 1st millennium BC",
        "2. – Anfang 1. Jahrtausend v. Chr.",
        "IIe – début Ier millénaire av. J.-C.",
        "II – inizio I millennio a.C.",
        "II – principios del I milenio a. C.",
        "2e – begin 1e millennium v.Chr.",
      ],
    ],
    [
      "-3332~/-2XXX",
      [
        "late 4th – 3rd millennium BC",
        "Ende 4. – 3. Jahrtausend v. Chr.",
        "fin IVe – IIIe millénaire av. J.-C.",
        "fine IV – III millennio a.C.",
        "finales del IV – III milenio a. C.",
        "eind 4e – 3e millennium v.Chr.",
      ],
    ],
    [
      "-0332~/0334~",
      [
        "late 1st millennium BC – early 1st millennium AD",
        "Ende 1. Jahrtausend v. Chr. – Anfang 1. Jahrtausend n. Chr.",
        "fin Ier millénaire av. J.-C. – début Ier millénaire apr. J.-C.",
        "fine I millennio a.C. – inizio I millennio d.C.",
        "finales del I milenio a. C. – principios del I milenio d. C.",
        "eind 1e millennium v.Chr. – begin 1e millennium n.Chr.",
      ],
    ],
    [
      "1850/1933~",
      [
        "1850 – early 20th century",
        "1850 – Anfang 20. Jahrhundert",
        "1850 – début XXe siècle",
        "1850 – inizio XX secolo",
        "1850 – principios del siglo XX",
        "1850 – begin 20e eeuw",
      ],
    ],
    [
      "1867~/1949",
      [
        "late 19th century – 1949",
        "Ende 19. Jahrhundert – 1949",
        "fin XIXe siècle – 1949",
        "fine XIX secolo – 1949",
        "finales del siglo XIX – 1949",
        "eind 19e eeuw – 1949",
      ],
    ],
    [
      "1867~/192X",
      [
        "late 19th century – 1920s",
        "Ende 19. Jahrhundert – 1920er Jahre",
        "fin XIXe siècle – années 1920",
        "fine XIX secolo – anni 1920",
        "finales del siglo XIX – década de 1920",
        "eind 19e eeuw – jaren 1920",
      ],
    ],
    [
      "185X/1933~",
      [
        "1850s – early 20th century",
        "1850er Jahre – Anfang 20. Jahrhundert",
        "années 1850 – début XXe siècle",
        "anni 1850 – inizio XX secolo",
        "década de 1850 – principios del siglo XX",
        "jaren 1850 – begin 20e eeuw",
      ],
    ],
    [
      "-0349/-0266~",
      [
        "350 – early 3rd century BC",
        "350 – Anfang 3. Jahrhundert v. Chr.",
        "350 – début IIIe siècle av. J.-C.",
        "350 – inizio III secolo a.C.",
        "350 – principios del siglo III a. C.",
        "350 – begin 3e eeuw v.Chr.",
      ],
    ],
    [
      "1880/1933~",
      [
        "1880 – about 1933",
        "1880 – um 1933",
        "1880 – vers 1933",
        "1880 – circa 1933",
        "1880 – hacia 1933",
        "1880 – ca. 1933",
      ],
    ],
    [
      "2000/2003~",
      [
        "early 2000s",
        "Anfang der 2000er Jahre",
        "début des années 2000",
        "inizio anni 2000",
        "principios de la década de 2000",
        "begin jaren 2000",
      ],
    ],
    [
      "1900/1903~",
      [
        "1900 – about 1903",
        "Anfang der 1900er Jahre",
        "début des années 1900",
        "inizio anni 1900",
        "principios de la década de 1900",
        "begin jaren 1900",
      ],
    ],
    [
      "1997~/200X",
      [
        "late 1990s – 2009",
        "Ende der 1990er Jahre – 2009",
        "fin des années 1990 – 2009",
        "fine anni 1990 – 2009",
        "finales de la década de 1990 – 2009",
        "eind jaren 1990 – 2009",
      ],
    ],
    ["0150", ["AD 150", "150 n. Chr.", "150 apr. J.-C.", "150 d.C.", "150 d. C.", "150 n.Chr."]],
    [
      "../0100",
      [
        "AD 100 or earlier",
        "100 n. Chr. oder früher",
        "100 apr. J.-C. ou avant",
        "100 d.C. o prima",
        "100 d. C. o antes",
        "100 n.Chr. of eerder",
      ],
    ],
    [
      "{17XX,18XX}",
      [
        "18th and 19th century",
        "18. und 19. Jahrhundert",
        "XVIIIe et XIXe siècles",
        "XVIII e XIX secolo",
        "siglos XVIII y XIX",
        "18e en 19e eeuw",
      ],
    ],
    [
      "{196X,197X}",
      [
        "1960s and 1970s",
        "1960er und 1970er Jahre",
        "années 1960 et 1970",
        "anni 1960 e 1970",
        "décadas de 1960 y 1970",
        "jaren 1960 en 1970",
      ],
    ],
    [
      "[-04XX,-03XX]",
      [
        "5th or 4th century BC",
        "5. oder 4. Jahrhundert v. Chr.",
        "Ve ou IVe siècle av. J.-C.",
        "V o IV secolo a.C.",
        "siglo V o IV a. C.",
        "5e of 4e eeuw v.Chr.",
      ],
    ],
    [
      "189X~/190X~",
      [
        "about 1890–1909",
        "um 1890–1909",
        "vers 1890–1909",
        "circa 1890–1909",
        "hacia 1890–1909",
        "ca. 1890–1909",
      ],
    ],
    [
      "17XX~/18XX",
      [
        "18th century (about) – 19th century",
        "18. Jahrhundert (ca.) – 19. Jahrhundert",
        "XVIIIe siècle environ – XIXe siècle",
        "XVIII secolo circa – XIX secolo",
        "siglo XVIII aproximadamente – siglo XIX",
        "18e eeuw (ca.) – 19e eeuw",
      ],
    ],
    [
      "-0099~/0100~",
      [
        "about 100 BC – about AD 100",
        "um 100 v. Chr. – um 100 n. Chr.",
        "vers 100 av. J.-C. – vers 100 apr. J.-C.",
        "circa 100 a.C. – circa 100 d.C.",
        "hacia 100 a. C. – hacia 100 d. C.",
        "ca. 100 v.Chr. – ca. 100 n.Chr.",
      ],
    ],
    [
      "1900/1966~",
      [
        "early – mid-20th century",
        "Anfang – Mitte 20. Jahrhundert",
        "début – milieu XXe siècle",
        "inizio – metà XX secolo",
        "principios – mediados del siglo XX",
        "begin – midden 20e eeuw",
      ],
    ],
    [
      "1834~/1899",
      [
        "mid – late 19th century",
        "Mitte – Ende 19. Jahrhundert",
        "milieu – fin XIXe siècle",
        "metà – fine XIX secolo",
        "mediados – finales del siglo XIX",
        "midden – eind 19e eeuw",
      ],
    ],
    [
      "1887/189X",
      ["1887–1890s", "1887 – 1890er Jahre", "1887–1899", "1887–1899", "1887 – década de 1890", "1887–1899"],
    ],
    [
      "196X/1972",
      ["1960s–1972", "1960er Jahre – 1972", "1960–1972", "1960–1972", "década de 1960 – 1972", "1960–1972"],
    ],
  ])("needs no article before an end: %s", (edtf, words) => {
    expect(LANGUAGES.map((language) => dateInWords(edtf, language))).toEqual(words);
    const { edtf: _, ...days } = parseEdtf(edtf)!;
    // nobody writes "12 May (1560s)"
    for (const [index, language] of edtf.includes("X-") ? [] : LANGUAGES.entries()) {
      const again = readWrittenDate(words[index]!, language)?.edtf ?? "";
      expect([words[index], parseEdtf(again)]).toEqual([words[index], expect.objectContaining(days)]);
      expect([words[index], marksOf(again)]).toEqual([words[index], marksOf(edtf)]);
    }
  });

  it.each([
    ["1811~ 1869", ["about 1811 – 1869", "um 1811 – 1869", "vers 1811 – 1869"]],
    ["1811~ 1869~", ["about 1811 – about 1869", "um 1811 – um 1869", "vers 1811 – vers 1869"]],
    ["1829? 1890~", ["1829 (?) – about 1890", "1829 (?) – um 1890", "1829 (?) – vers 1890"]],
    ["1811 1869", ["1811–1869", "1811–1869", "1811–1869"]],
    ["1811?", ["1811 (?)", "1811 (?)", "1811 (?)"]],
    [
      "180X~ 1869",
      [
        "between about 1800 and about 1809 – 1869",
        "zwischen ca. 1800 und ca. 1809 – 1869",
        "entre ca. 1800 et ca. 1809 – 1869",
      ],
    ],
    ["1811 1869~", ["1811 – about 1869", "1811 – um 1869", "1811 – vers 1869"]],
    ["181X 187X", ["1810s – 1870s", "1810er Jahre – 1870er Jahre", "années 1810 – années 1870"]],
    [
      "181X 1869",
      ["between 1810 and 1819 – 1869", "zwischen 1810 und 1819 – 1869", "entre 1810 et 1819 – 1869"],
    ],
    ["0023 0079", ["AD 23–79", "23–79 n. Chr.", "23–79 apr. J.-C."]],
    [
      "1811-05-12 1871-06-12",
      ["12 May 1811 – 12 June 1871", "12. Mai 1811 – 12. Juni 1871", "12 mai 1811 – 12 juin 1871"],
    ],
    ["1811-05 1871-05", ["May 1811 – May 1871", "Mai 1811 – Mai 1871", "mai 1811 – mai 1871"]],
    [
      "-0070/-0069 -0020",
      ["71 or 70 BC – 21 BC", "71 oder 70 v. Chr. – 21 v. Chr.", "71 ou 70 av. J.-C. – 21 av. J.-C."],
    ],
    [
      "1811~/1812~ 1869",
      ["about 1811 or 1812 – 1869", "ca. 1811 oder 1812 – 1869", "ca. 1811 ou 1812 – 1869"],
    ],
    ["17XX/18XX", ["18th–19th century", "18.–19. Jahrhundert", "XVIIIe–XIXe siècles"]],
    ["18XX 18XX", ["19th century", "19. Jahrhundert", "XIXe siècle"]],
    ["1811/1812 1869", ["1811 or 1812 – 1869", "1811 oder 1812 – 1869", "1811 ou 1812 – 1869"]],
    [
      "1811-05/1811-09 1869",
      ["(May – September 1811) – 1869", "(Mai – September 1811) – 1869", "(mai – septembre 1811) – 1869"],
    ],
    ["-00XX 00XX", READ.find(([edtf]) => edtf === "-00XX/00XX")!.slice(1)],
  ])("says of each end of a life what makes it uncertain: %s", (life, words) => {
    expect(["en", "de", "fr"].map((language) => lifeInWords(life.split(" "), language))).toEqual(words);
  });

  it.each([
    ["[06XX,07XX]", "siglo VII u VIII"],
    ["[-08XX,-07XX]", "siglo IX u VIII a. C."],
    ["[06XX?,07XX]", "siglo VII (?) o siglo VIII"],
    ["[1887-05-10,1887-05-11]", "10 de mayo de 1887 u 11 de mayo de 1887"],
    ["[1100,1110]", "1100 o 1110"],
    ["1945/19XX", "1945–1999"],
    ["18XX/1850", "1800–1850"],
  ])("says in Spanish what stands in %s as %s", (edtf, words) => {
    expect(dateInWords(edtf, "es")).toBe(words);
  });

  it("elides the Italian article before eight and eleven", () => {
    expect(lifeInWords(["-0010/-0007", "0014"], "it")).toBe("tra l’11 e l’8 a.C. – 14 d.C.");
  });

  it.each([
    ["[1811?,1815]", "1811 (?) or 1815"],
    ["[1811,1815~,1820]", "1811, 1815 (about) or 1820"],
    ["{1937~,1980}", "1937 (about) and 1980"],
    ["[1667~..1699,17XX]", "late 17th century or 18th century"],
    ["[1668~..1699,17XX]", "1668 (about) – 1699, or 18th century"],
    ["[1811?,1815?]", "1811 (?) or 1815 (?)"],
  ])("says which date of a set is not certain: %s", (edtf, words) => {
    expect(dateInWords(edtf, "en")).toBe(words);
    const again = LANGUAGES.map((each) => readWrittenDate(dateInWords(edtf, each), each)?.edtf);
    expect(new Set(again)).toEqual(new Set([edtf]));
  });

  it("says the era of every end if one is before our era", () => {
    const ends = (years: readonly [string, string, string], sign = "") => [
      ...["", "~", "?", "%", "-05", "-05-12", "-22"].map((rest) => `${sign}${years[0]}${rest}`),
      ...[`${sign}${years[1]}`, `${sign}${years[2]}`],
    ];
    const before = ends(["0149", "014X", "01XX"], "-");
    const after = ends(["1120", "112X", "11XX"]);
    const both = (dates: string[], [from, to]: [string, string]) => [
      ...dates,
      ...[`${from}/${to}`, `[${from},${to}]`, `[${from}..${to}]`, `${from}/..`, `../${to}`],
    ];
    for (const language of LANGUAGES) {
      const t = translator(language);
      const [bc, ad] = (["date.bc", "date.ad"] as const).map((era) => t(era, { year: "", form: "" }).trim());
      const isSaid = (words: string) =>
        expect([words, words.includes(bc!), words.includes(ad!)]).toEqual([words, true, true]);
      for (const from of before)
        for (const to of after)
          for (const date of [`${from}/${to}`, `[${from},${to}]`, `{${from},1920,${to}}`])
            isSaid(dateInWords(date, language));
      for (const birth of both(before, ["-0149", "-0144"]))
        for (const death of both(after, ["1120", "1125"])) isSaid(lifeInWords([birth, death], language));
    }
  });

  it("is read again as what it says, in every language, whatever is certain of its ends", () => {
    const ends = [
      "1867",
      "1933",
      "1902-04",
      "1874-07-08",
      "1902-22",
      "1902-10",
      "193X",
      "190X",
      "18XX",
      "-02XX",
      "-0099",
      "0100",
      "..",
    ];
    const marks = ["", "~", "?", "%"];
    const dates = ends.flatMap((end) => marks.map((each) => (end === ".." ? end : end + each)));
    const ranges = [...new Set(dates)].flatMap((from) => [from, ...dates.map((to) => `${from}/${to}`)]);
    const known = ranges.flatMap((date) => parseEdtf(date) ?? []);
    expect(known.length).toBeGreaterThan(700);
    for (const language of LANGUAGES)
      for (const { edtf, ...days } of known) {
        const words = dateInWords(edtf, language);
        const again = parseEdtf(readWrittenDate(words, language)?.edtf ?? "");
        expect([edtf, words, again]).toEqual([edtf, words, expect.objectContaining(days)]);
        expect([edtf, words, marksOf(again!.edtf)]).toEqual([edtf, words, marksOf(edtf)]);
      }
  });

  it("stays as it is if it is not a date", () => {
    expect(dateInWords("in the days of my grandmother", "en")).toBe("in the days of my grandmother");
    expect(dateInWords("", "en")).toBe("");
  });

  it.each([
    ["1811/1815", "1869", "between 1811 and 1815 – 1869"],
    ["1811~/1815~", undefined, "born between about 1811 and about 1815"],
    ["-0149/-0144", "0120/0125", "between 150 and 145 BC – between AD 120 and 125"],
    [undefined, "1869/..", "died 1869 or later"],
    ["XXXX", undefined, ""],
  ])("a life from %s to %s", (birth_date, death_date, words) => {
    const dates: Record<string, string | undefined> = { birth_date, death_date };
    expect(lifeOf(ENGLISH, (field) => dates[field])).toBe(words);
  });

  it("has words for every life, however its ends are dated", () => {
    fc.assert(
      fc.property(DATES, fc.option(DATES, { nil: undefined }), (from, to) => {
        fc.pre([from, to ?? "1900"].every((date) => parseEdtf(date) !== null));
        for (const fields of [
          ["birth_date", "death_date"],
          ["formation", "dissolution"],
        ]) {
          const life = lifeOf(ENGLISH, (field) => [from, to][fields.indexOf(field)]);
          const isKnown = [from, to].some((date) => date !== undefined && !isUnknownDate(date));
          expect([from, to, life]).toEqual([from, to, isKnown ? expect.stringMatching(PLAIN) : ""]);
        }
      }),
      { numRuns: 200, examples: [["0080-01-XX?/0X09-X2-~XX", undefined]] },
    );
  });

  it("has words for every date that is read, in every language, without a sign of EDTF", () => {
    fc.assert(
      fc.property(DATES, (date) => {
        fc.pre(parseEdtf(date) !== null);
        for (const language of LANGUAGES) {
          const words = dateInWords(date, language);
          // Roman figures: XIXe siècle, XX secolo
          const plain = words.replace(/\b[IVXLC]+(er?)?(?=[ ,)]|$)/g, "");
          expect([date, words, plain.replace(/\s/g, "")]).toEqual([
            date,
            words,
            expect.stringMatching(PLAIN) as string,
          ]);
          expect(words).not.toMatch(/^\s|\s$| {2}|\(\)|NaN|undefined|null/);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** What is not certain of the first and of the last end. */
const marksOf = (edtf: string) => {
  const marks = edtf.split("/").map((end) => end.replace(/[^?~%]/g, ""));
  return [marks[0], marks.at(-1)];
};
/** Without the signs of EDTF. */
const PLAIN = /^(?!.*(\.\.|Y-))[^X~%[\]{}]+$/;
const digits = (size: number, of = "0123456789X") =>
  fc.array(fc.constantFrom(...of), { minLength: size, maxLength: size }).map((each) => each.join(""));
const mark = fc.constantFrom("", "", "", "?", "~", "%");
const sign = fc.constantFrom("", "", "-");
const year = fc
  .tuple(
    fc.constantFrom("", "0", "00", "000", "19", "1"),
    digits(4),
    fc.constantFrom("", "X", "XX", "XXX", "XXXX"),
  )
  .map(([first, some, last]) => (first + some.slice(0, 4 - first.length)).slice(0, 4 - last.length) + last);
const month = fc.oneof(
  fc.integer({ min: 1, max: 41 }).map((n) => String(n).padStart(2, "0")),
  fc.constantFrom("XX", "0X", "1X", "X1", "X2"),
);
const day = fc.oneof(
  fc.integer({ min: 1, max: 31 }).map((n) => String(n).padStart(2, "0")),
  fc.constantFrom("XX", "0X", "1X", "2X", "3X", "X1", "X5"),
);
const ONE = fc.oneof(
  fc.tuple(mark, sign, year, mark).map((parts) => parts.join("")),
  fc.tuple(sign, year, mark, month, mark).map(([s, y, q, m, r]) => `${s}${y}${q}-${m}${r}`),
  fc
    .tuple(sign, year, mark, month, mark, day, mark)
    .map(([s, y, q, m, r, d, u]) => `${s}${y}-${q}${m}-${r}${d}${u}`),
  fc.tuple(sign, fc.integer({ min: 10_000, max: 9_999_999 }), mark).map(([s, n, q]) => `Y${s}${n}${q}`),
  fc
    .tuple(sign, digits(2, "123456789"), fc.integer({ min: 3, max: 12 }))
    .map(([s, n, e]) => `Y${s}${n}E${e}S2`),
  fc.tuple(digits(4, "123456789"), fc.constantFrom("1", "2", "3")).map(([n, s]) => `${n}S${s}`),
  fc.tuple(sign, digits(4, "12345")).map(([s, y]) => `${s}${y}-04-12T23:20:30Z`),
);
const END = fc.oneof({ weight: 4, arbitrary: ONE }, { weight: 1, arbitrary: fc.constantFrom("", "..") });
const DATES = fc.oneof(
  ONE,
  fc.tuple(END, END).map((ends) => ends.join("/")),
  fc
    .tuple(
      fc.constantFrom("[]", "{}"),
      fc.array(
        fc.oneof(
          ONE,
          fc.tuple(ONE, ONE).map((ends) => ends.join("..")),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      fc.constantFrom("", "", ".."),
    )
    .map(([around, dates, open]) => around[0]! + dates.join(",") + open + around[1]!),
);

/** As in catalogues: AD 100 opens the 2nd century, and 100 BC opens the 1st century BC. There is no year 0. */
const centuryOf = (year: number): number =>
  year > 0 ? Math.floor(year / 100) + 1 : -(Math.floor(-year / 100) + 1);

describe("the centuries of a date", () => {
  it("are those that its years lie in, on both sides of the beginning of our era", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -3000, max: 3000 }), fc.integer({ min: -250, max: 250 })),
        fc.nat({ max: 700 }),
        (from, length) => {
          const own = new Set(Array.from({ length: length + 1 }, (_, n) => centuryOf(from + n)));
          const { centuries } = buckets(from, from + length);
          expect(centuries.map((mask) => centuryOf(yearsIn(mask)!.from))).toEqual([...own]);
          // and each is called what it is
          expect(
            centuries.map((mask) => dateInWords(mask, "en").replace(/(st|nd|rd|th) century/, "")),
          ).toEqual([...own].map((n) => (n < 0 ? `${-n} BC` : n <= 3 ? `${n} AD` : String(n))));
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ["0000", ["1st century BC"]],
    ["-0043-03-15", ["1st century BC"]],
    ["-0150/0150", ["2nd century BC", "1st century BC", "1st century AD", "2nd century AD"]],
    ["-00XX", ["1st century BC"]],
    ["00XX", ["1st century AD"]],
    ["-000X", ["1st century BC"]],
    ["-0100", ["2nd century BC"]],
    ["0001", ["1st century AD"]],
  ])("%s is of the %s", (edtf, expected) => {
    const { from, to } = yearsIn(edtf)!;
    expect(buckets(from, to).centuries.map((mask) => dateInWords(mask, "en"))).toEqual(expected);
  });
});
