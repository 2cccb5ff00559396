import { describe, expect, it } from "vitest";
import { dateInWords } from "../src/records/dates-in-words.ts";

const READ: readonly [edtf: string, en: string, de: string, fr: string][] = [
  ["1887", "1887", "1887", "1887"],
  ["0850", "850", "850", "850"],
  ["1887~", "about 1887", "um 1887", "vers 1887"],
  ["1887?", "probably 1887", "wohl 1887", "probablement 1887"],
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
  ["00XX", "1st century", "1. Jahrhundert", "Ier siècle"],
  ["1XXX", "2nd millennium", "2. Jahrtausend", "IIe millénaire"],
  ["-02XX", "3rd century BC", "3. Jahrhundert v. Chr.", "IIIe siècle av. J.-C."],
  ["Y-13999/Y-13000", "14th millennium BC", "14. Jahrtausend v. Chr.", "XIVe millénaire av. J.-C."],
  ["Y-11999", "12000 BC", "12000 v. Chr.", "12000 av. J.-C."],
  ["0001/0100", "1st century", "1. Jahrhundert", "Ier siècle"],
  [
    "-0099?/0000?",
    "probably 1st century BC",
    "wohl 1. Jahrhundert v. Chr.",
    "probablement Ier siècle av. J.-C.",
  ],
  ["1903%/1907%", "about 1903–1907 (?)", "um 1903–1907 (?)", "vers 1903–1907 (?)"],
  ["0000", "1 BC", "1 v. Chr.", "1 av. J.-C."],
  ["-0150/-0050", "151–51 BC", "151–51 v. Chr.", "151–51 av. J.-C."],
  ["-0050/0020", "51 BC – 20", "51 v. Chr. – 20", "51 av. J.-C. – 20"],
  ["1785/1790", "1785–1790", "1785–1790", "1785–1790"],
  [
    "1793-09/1794-08",
    "September 1793 – August 1794",
    "September 1793 – August 1794",
    "septembre 1793 – août 1794",
  ],
  ["1911-06-12/1911-06-30", "12–30 June 1911", "12.–30. Juni 1911", "12–30 juin 1911"],
  ["1889-05/1889-09", "May – September 1889", "Mai – September 1889", "mai – septembre 1889"],
  ["18XX/19XX", "19th – 20th century", "19.–20. Jahrhundert", "XIXe – XXe siècle"],
  ["1940~/1950~", "about 1940–1950", "um 1940–1950", "vers 1940–1950"],
  ["1796~/1800", "from about 1796 to 1800", "von um 1796 bis 1800", "de vers 1796 à 1800"],
  ["../1840", "until 1840", "bis 1840", "jusqu’en 1840"],
  ["/1840", "until 1840", "bis 1840", "jusqu’en 1840"],
  ["1840/..", "from 1840", "ab 1840", "à partir de 1840"],
  ["../1874-07-05", "until 5 July 1874", "bis 5. Juli 1874", "jusqu’au 5 juillet 1874"],
  ["1902-05/..", "from May 1902", "ab Mai 1902", "à partir de mai 1902"],
  ["19XX/..", "from the 20th century", "ab 20. Jahrhundert", "à partir du XXe siècle"],
  ["../193X", "until the 1930s", "bis 1930er Jahre", "jusqu’aux années 1930"],
  ["../1840~", "until about 1840", "bis um 1840", "jusque vers 1840"],
  ["1926-22", "summer 1926", "Sommer 1926", "été 1926"],
  ["1926-33", "1st quarter of 1926", "1. Quartal 1926", "1er trimestre 1926"],
  ["1926-41", "second half of 1926", "zweite Hälfte 1926", "second semestre 1926"],
  ["{1948,1980}", "1948 and 1980", "1948 und 1980", "1948 et 1980"],
  ["[1760,1762..1764]", "1760 or 1762–1764", "1760 oder 1762–1764", "1760 ou 1762–1764"],
  ["[..1760]", "until 1760", "bis 1760", "jusqu’en 1760"],
];

describe("a date in words", () => {
  it.each(READ)("reads well: %s", (edtf, en, de, fr) => {
    expect([dateInWords(edtf, "en"), dateInWords(edtf, "de"), dateInWords(edtf, "fr")]).toEqual([en, de, fr]);
  });

  it.each(["-015X", "1950S2", "Y-170000002", "XXXX-12", "1926-38", "156X-12-25", "1560-1X"])(
    "stays as it is if there are no plain words for it: %s",
    (edtf) => expect(dateInWords(edtf, "en")).toBe(edtf),
  );

  it("stays as it is if it is not a date", () => {
    expect(dateInWords("in the days of my grandmother", "en")).toBe("in the days of my grandmother");
    expect(dateInWords("", "en")).toBe("");
  });
});
