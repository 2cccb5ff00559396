/** What the form proposes for the columns of lists as museums write them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Museum, openMuseum, quickest } from "../support/museum/museum.ts";
import { type StaffBrowser, staffBrowser } from "../support/museum/staff-browser.ts";

let museum: Museum;
let curator: StaffBrowser;

beforeAll(async () => {
  museum = await openMuseum({ database: quickest });
  curator = await staffBrowser(museum, "admin", "de");
});
afterAll(() => museum.close());

async function formFor(text: string, kind = "object"): Promise<string> {
  const body = new FormData();
  body.append("type", kind);
  body.append("file", new File([text], "Liste.csv", { type: "text/csv" }));
  const sent = await curator.sendFile(`/admin/imports/files?_csrf=${curator.csrf}`, body);
  return curator.text(sent.headers.get("Location")!);
}

/** The proposed target of each column. */
async function guessed(heads: string[], kind?: string): Promise<string[]> {
  const row = (cells: string[]) => cells.map((cell) => `"${cell}"`).join(",");
  const page = await formFor(`${row(heads)}\n${row(heads.map(() => "x"))}\n`, kind);
  return page
    .split('<select name="target/')
    .slice(1)
    .map((select) => /<option value="([^"]*)" selected/.exec(select.split("</select>")[0]!)?.[1] ?? "");
}

const MAKER = "__relation:created_by:entity__";
const PLACE = "__relation:stored_at:storage_location__";
const OBJECTS: Record<string, Record<string, string>> = {
  German: {
    "Inv.-Nr.": "__idno__",
    Titel: "title",
    Objektbezeichnung: "object_name+__type__",
    "Künstler/in": MAKER,
    Datierung: "date",
    Material: "material",
    Technik: "technique",
    Maße: "dimensions",
    Standort: PLACE,
    Erwerb: "acquisition_note",
    Eingangsdatum: "acquisition_date",
    Zugangsnummer: "accession_number",
    Zustand: "condition_note",
    Bemerkung: "internal_note",
    Bearbeiter: "",
  },
  "other German": {
    INVENTARNUMMER: "__idno__",
    Gegenstand: "title+object_name+__type__",
    Hersteller: MAKER,
    "Jahr ": "date",
    Lagerort: PLACE,
    Provenienz: "provenance",
  },
  French: {
    "N° d'inventaire": "__idno__",
    Titre: "title",
    Dénomination: "object_name+__type__",
    Artiste: MAKER,
    Datation: "date",
    Dimensions: "dimensions",
    Emplacement: PLACE,
    Remarques: "internal_note",
  },
  English: {
    "Accession no.": "__idno__",
    Title: "title",
    "Object name": "object_name+__type__",
    Maker: MAKER,
    "Date made": "date",
    Medium: "material_text",
    Location: PLACE,
    Donor: "__relation:acquired_from:entity__",
    Notes: "internal_note",
  },
  "numbers twice": {
    "Inventory number": "__idno__",
    "Accession number": "accession_number",
    Bezeichnung: "title",
  },
  "a type beside the name": { Titel: "title", Typ: "__type__", Objektbezeichnung: "object_name" },
};

describe("the form of an import", () => {
  it.each(Object.entries(OBJECTS))("knows the heads of lists of objects: %s", async (_, heads) => {
    const found = await guessed(Object.keys(heads));
    expect(Object.fromEntries(Object.keys(heads).map((head, at) => [head, found[at]]))).toEqual(heads);
  });

  it.each([
    [
      "entity",
      ["Name", "Geburtsdatum", "Died", "Geburtsort", "GND"],
      ["name", "birth_date", "death_date", "__relation:born_at:place__", "gnd"],
    ],
    [
      "place",
      ["Ort", "Breite", "Longitude", "Pays"],
      ["name", "__lat__", "__lon__", "__relation:falls_within:place__"],
    ],
    ["storage_location", ["Standort", "Barcode"], ["name", "barcode"]],
  ])("knows the heads of lists of other records: %s", async (kind, heads, targets) => {
    expect(await guessed(heads, kind)).toEqual(targets);
  });

  it("groups the fields by meaning, and names the columns that it leaves out beside the buttons", async () => {
    const page = await formFor("Nr.;Titel;Bearbeiter;<b>\n1;A;x;y\n");
    const [, bar = ""] = /<div class="bar">([\s\S]*?)<\/div>\s*<p>/.exec(page)!;
    expect(bar).toContain('Nicht importiert: <b dir="auto">Bearbeiter · &lt;b&gt;</b>');
    const select = page.split('<select name="target/0"')[1]!.split("</select>")[0]!;
    const groups = [...select.matchAll(/<optgroup label="([^"]*)">(.*?)<\/optgroup>/gs)];
    const groupOf = (value: string) =>
      groups.find(([, , options]) => options!.includes(`value="${value}"`))?.[1];
    expect([MAKER, "date", PLACE, "acquisition_date", "__idno__"].map(groupOf)).toEqual([
      "Herstellung",
      "Herstellung",
      "Standort und Status",
      "Erwerbung",
      "Identifikation",
    ]);
    const values = [...select.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => value);
    expect(new Set(values).size).toBe(values.length);
  });
});
