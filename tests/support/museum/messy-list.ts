/** The list of a small museum as it is in life: 120 objects in German, in a workbook, and photographs of them. */
import { type Cell, workbook } from "../workbook.ts";

export const OBJECTS = 120;
/** The column that nobody needs. */
export const LEFT_OUT = "Bearb.";

const HEADER = [
  ...[
    "Inv.-Nr.",
    "Objektbezeichnung",
    "Titel",
    "Künstler/Hersteller",
    "Datierung",
    "Material/Technik",
    "Maße",
  ],
  ...["Standort", "Erwerb", "Eingangsdatum", "Versicherungswert", "Bemerkung", LEFT_OUT],
];

/** In turn, each of several lengths, so that rows differ. */
const NAMES = ["Ölbild", "Krug", "Fotografie", "Truhe", "Radierung", "Brief", "Schwerterscheide"];
const MAKERS = [
  ...[
    "Brander, Oluf",
    "Wieland & Söhne",
    "unbekannt",
    "Lindqvist, Maja (1902–1978)",
    "Oluf Brander (1850-1920)",
  ],
  ...["?", "Huber, Josef", null, "O. Brander", "Maja Lindqvist", "Werkstatt Anton Resch", "Josef Huber"],
];
const day = (value: number) => ({ value, format: "dd.mm.yyyy" });
const DATES: readonly Cell[] = [
  ...["um 1887", "12.5.1923", "1911", "2. Hälfte 19. Jh.", "vor 1800", "?", "1890-1900", "o. J.", "Mai 1954"],
  ...[day(8533), "18. Jahrhundert", "1923/24", null],
];
const MATERIALS = ["Öl auf Leinwand", "Steinzeug, salzglasiert", "Silbergelatine", "Eiche, bemalt", null];
const SIZES = ["60 x 80 cm", "H 12,5 cm; B 30 cm", "ca. 40 × 30", "?", " 21,0 x 29,7 cm ", "Dm. 18 cm", null];
const PLACES = ["Depot 1, Regal 3", "Depot 1, Regal 4", "Dauerausstellung", "Depot 2", "?", null, "Büro"];
const SOURCES = ["Schenkung Fam. Huber 1974", "Ankauf", "alter Bestand", null, "Übernahme Schule"];
const ENTRIES: readonly Cell[] = [
  day(27_103),
  "1974",
  "Frühjahr 1981",
  null,
  "3.11.1962",
  "unbekannt",
  day(44_927.5),
];
const VALUES: readonly Cell[] = [{ value: 1200, format: '#,##0.00 "€"' }, null, 350, "n. bewertet"];
const NOTES = [
  "Rahmen beschädigt",
  null,
  "2 Teile;\nDeckel fehlt",
  'genannt "Der Alte"',
  null,
  "=siehe Karteikarte",
];

const at = <T>(all: readonly T[], n: number): T => all[n % all.length]!;

/** Some numbers are texts, as those that somebody typed with a letter. */
const numberOf = (n: number): Cell => (n % 40 === 17 ? `${shownNumber(n)}` : { value: n, format: "0000" });
export const shownNumber = (n: number): string => String(n).padStart(4, "0") + (n % 40 === 17 ? "a" : "");

const rowOf = (n: number): Cell[] => [
  numberOf(n),
  at(NAMES, n),
  n % 9 === 4 ? null : `${at(["Ansicht von Niederwald", "Stück", "Erinnerung an den Markt"], n)} ${n}`,
  at(MAKERS, n),
  at(DATES, n),
  at(MATERIALS, n),
  at(SIZES, n),
  at(PLACES, n),
  at(SOURCES, n),
  at(ENTRIES, n),
  at(VALUES, n),
  at(NOTES, n),
  at(["hk", "mb 2019", null], n),
];

/** Title rows above the header, empty rows and merged cells among the others. */
export function messyList(): Uint8Array<ArrayBuffer> {
  const rows: (readonly Cell[] | null)[] = [
    ["Heimatmuseum Niederwald – Inventarliste"],
    ["Stand:", day(44_267), null, "bearb. von H. Kolb"],
    null,
    HEADER,
  ];
  for (let n = 1; n <= OBJECTS; n += 1) {
    rows.push(rowOf(n));
    if (n % 50 === 0) rows.push(null, ["  "]);
  }
  const after = '<mergeCells count="2"><mergeCell ref="A1:M1"/><mergeCell ref="I14:J14"/></mergeCells>';
  return workbook({
    sheets: [
      { name: "Inventar", rows, after },
      { name: "Tabelle2", rows: [] },
    ],
  });
}

/** What the museum sees in the cells of an object that are imported, dates as the catalogue writes them. */
export const cellsOf = (n: number): string[] =>
  rowOf(n)
    .slice(0, HEADER.indexOf(LEFT_OUT))
    .map(shown)
    .filter((text) => text !== "");

function shown(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "object") return String(cell).trim();
  if (!("format" in cell)) throw new Error("no text is known of this cell");
  const { value, format } = cell;
  if (format === "0000") return String(value).padStart(4, "0");
  if (format === "dd.mm.yyyy")
    return new Date((Math.floor(Number(value)) - 25_569) * 86_400_000).toISOString().slice(0, 10);
  return "1200.00 €";
}
