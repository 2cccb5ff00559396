/** What the form proposes for the columns of lists as museums write them. */
import { describe, expect, it } from "vitest";
import { readJobText, writeJobText } from "../../src/jobs/files.ts";
import { museumHere } from "../support/museum/museum.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";

const museum = await museumHere();
const curator = await staffBrowser(museum, "admin", "de");

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
    Objektbezeichnung: "title+object_name+__type__",
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
    "Bemerkung intern": "internal_note",
    Bearbeiter: "",
  },
  "other German": {
    INVENTARNUMMER: "__idno__",
    Gegenstand: "title+object_name+__type__",
    "Künstler / Hersteller": MAKER,
    "Hersteller und Standort": "",
    "Maße (cm)": "",
    Foto: "",
    "Jahr ": "date",
    Lagerort: PLACE,
    Provenienz: "provenance",
  },
  French: {
    "N° d'inventaire": "__idno__",
    Titre: "title",
    Dénomination: "title+object_name+__type__",
    "Artiste (nom, prénom)": MAKER,
    Datation: "date",
    Dimensions: "dimensions",
    Emplacement: PLACE,
    Remarques: "internal_note",
  },
  English: {
    "Accession no.": "__idno__",
    Title: "title",
    "Object name": "title+object_name+__type__",
    Maker: MAKER,
    "Date made": "date",
    Medium: "material_text",
    Location: PLACE,
    Donor: "__relation:acquired_from:entity__",
    Notes: "internal_note",
  },
  Italian: {
    "Numero di inventario": "__idno__",
    Titolo: "title",
    "Definizione oggetto": "title+object_name+__type__",
    Autore: MAKER,
    Datazione: "date",
    "Materia e tecnica": "material_text",
    Misure: "dimensions",
    Collocazione: PLACE,
    Acquisizione: "acquisition_note",
    "Stato di conservazione": "condition_note",
    Note: "internal_note",
  },
  Spanish: {
    "N.º de inventario": "__idno__",
    Título: "title",
    Objeto: "title+object_name+__type__",
    "Autor/a": MAKER,
    Datación: "date",
    Materia: "material",
    Técnica: "technique",
    Dimensiones: "dimensions",
    Ubicación: PLACE,
    "Forma de ingreso": "acquisition_method",
    Observaciones: "internal_note",
  },
  Dutch: {
    Objectnummer: "__idno__",
    Titel: "title",
    Objectnaam: "title+object_name+__type__",
    "Kunstenaar of vervaardiger": MAKER,
    Datering: "date",
    Materiaal: "material",
    Techniek: "technique",
    Afmetingen: "dimensions",
    Standplaats: PLACE,
    Verwerving: "acquisition_note",
    Opmerkingen: "internal_note",
  },
  "numbers twice": {
    "Inventory number": "__idno__",
    "Accession number": "accession_number",
    Bezeichnung: "title",
  },
  "a running number": { ID: "other_numbers", Inventarnummer: "__idno__", Titel: "title", Künstler: MAKER },
  "a running number without its word": { "N°": "other_numbers", Titel: "title", "Inv.-Nr.": "__idno__" },
  "a number for entries": {
    "Accession no.": "accession_number",
    "Object number": "__idno__",
    Title: "title",
  },
  "a signature": { Signatur: "inscription", Inventarnummer: "__idno__", Titel: "title" },
  "a shelf mark": { Cote: "other_numbers", "N° d'inventaire": "__idno__", Titre: "title" },
  "only a shelf mark": { ID: "other_numbers", Signatur: "__idno__", Bezeichnung: "title" },
  "a location beside the store": { Location: "", Title: "title", Store: PLACE, Source: "" },
  "a name beside the title": { Name: "", Titel: "title", Künstler: MAKER },
  "an old number beside the running one": {
    "Nr.": "",
    "Alte Nummer": "other_numbers",
    "Objekt-Nr.": "__idno__",
    Titel: "title",
  },
  "a type beside the name": { Titel: "title", Typ: "__type__", Objektbezeichnung: "title+object_name" },
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

  it.each([
    ["Künstler", "Martha Vogl; Georg Vogl", ";"],
    ["Künstler", "Martha Vogl", "|"],
    ["Künstler", "Vogl; Martha | Georg Vogl", "|"],
    ["Künstler", "Martha Vogl (Malerin; 1911-1970)", "|"],
    ["Standort", "Depot 1; Regal 3", "|"],
    ["Bildthema", "Handwerk; Haushalt", ";"],
    ["Beschreibung", "rot; blau", ""],
  ])("proposes the separator that the cells have: %s, %s", async (head, cell, wanted) => {
    const page = await formFor(`"Nr.","${head}"\n"1","x"\n"2","${cell}"\n`);
    expect(/name="split\/1" value="([^"]*)"/.exec(page)?.[1]).toBe(wanted);
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

/** Forty rows as a museum keeps them: makers in several spellings, words for nobody, dates in words, a column of the clerk. */
const MAKERS = [
  ...["Brander, Oluf (1851–1912)", "O. Brander", "Oluf Brander", "unbekannt", "?", "Hermine Auer, geb. 1860"],
  ...["Auer, Hermine", "k. A.", "Unbekannter Meister", "Werft Nord fl. 1880–1900"],
];
const DATES = ["um 1890", "1901", "2. Hälfte 19. Jh.", "o. J."];
const NAMES = ["Gemälde", "Kachel", "Ölbild", "Steuerrad"];
const HEAD = [
  "Inv.-Nr.",
  "Titel",
  "Objektbezeichnung",
  "Künstler/in",
  "Datierung",
  "Standort",
  "Erwerb",
  "Bemerkung",
  "Kürzel",
];
const ROWS = Array.from({ length: 40 }, (_, n) => [
  `M ${n + 1}`,
  n % 13 === 12 ? "" : `Bild; Nr. ${n}`,
  NAMES[n % NAMES.length]!,
  MAKERS[n % MAKERS.length]!,
  n % 9 === 8 ? "irgendwann" : DATES[n % DATES.length]!,
  n % 7 === 6 ? "-" : `Depot 1, Regal ${n % 3}`,
  n % 2 ? "Schenkung" : "",
  n % 5 ? "" : `geprüft ${n}`,
  "hm",
]);
const MESSY = [HEAD, ...ROWS].map((cells) => cells.map((cell) => `"${cell}"`).join(";")).join("\n");

describe("names of photographs", () => {
  it.each(["Foto", "Nome file", "Imágenes", "Afbeelding"])("are known by their endings: %s", async (head) => {
    const page = await formFor(`Nr.,${head}\n1,boot.jpg; netz.tif\n2,\n`);
    expect(page).toMatch(
      /name="target\/1"[\s\S]*<option value="__media__" selected>[\s\S]*name="split\/1" value=";"/,
    );
  });
});

describe("a list of a museum", () => {
  it("is tried, its makers joined by a click, and imported without losing a cell", async () => {
    const admin = await museum.as("admin");
    const metadata_ = { name: [{ value: "Oluf Brander" }] };
    await admin("/v1/entities", { method: "POST", json: { idno: "P.1", metadata_ } });
    const body = new FormData();
    body.append("type", "object");
    body.append("file", new File([MESSY], "Liste.csv", { type: "text/csv" }));
    const sent = await curator.sendFile(`/admin/imports/files?_csrf=${curator.csrf}`, body);
    const address = sent.headers.get("Location")!;
    /** What the form says, as a browser would send it. */
    const filled = async (): Promise<Record<string, string>> => {
      const page = await curator.text(address);
      const inputs = [
        ...page.matchAll(/<input[^>]* name="((?:split|lang)\/\d+|same)"[^>]* ?value="([^"]*)"/g),
      ];
      const selects = [...page.matchAll(/<select name="(target\/\d+)"[\s\S]*?<\/select>/g)].map(
        ([all, name]) => [name!, /<option value="([^"]*)" selected/.exec(all)?.[1] ?? ""],
      );
      const given = inputs.map(([, name, value]) => [name!, value!.replaceAll("&quot;", '"')]);
      return Object.fromEntries([...given, ...selects]);
    };
    const run = async (more: Record<string, string> = {}): Promise<string> => {
      const begun = await curator.send(address, { ...(await filled()), ...more });
      expect(begun.status).toBe(303);
      const job = begun.headers.get("Location")!;
      await endedJob(museum, admin, job.split("/").at(-1)!);
      return job;
    };

    const early = { kind: "entity", name: "Nobody yet", is: "P.1" };
    expect((await curator.send(`${address}/same`, early)).status).toBe(303);
    expect(await filled()).toMatchObject({
      "target/0": "__idno__",
      same: expect.stringContaining(early.name),
    });

    const trial = await run();
    const tried = await curator.text(trial);
    const section = tried.split('id="new-names"')[1]!.split("</section>")[0]!;
    expect(section).toMatch(
      /Brander, Oluf<\/span>[\s\S]*?<td>2, 12, 22, 32<\/td>[\s\S]*?Oluf Brander <small>P\.1/,
    );
    expect(section).toMatch(
      /Auer, Hermine<\/span>[\s\S]*?Hermine Auer|Hermine Auer<\/span>[\s\S]*?Auer, Hermine/,
    );
    expect(section).not.toMatch(/unbekannt|k\. A\./i);
    for (const [form] of section.matchAll(/<form[\s\S]*?<\/form>/g)) {
      const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)![1]!;
      const isFirst = !(await filled()).same?.includes(`"${value("name")}"`);
      const choice = { kind: value("kind"), name: value("name"), is: value("is"), job: value("job") };
      if (isFirst) expect((await curator.send(`${address}/same`, choice)).status).toBe(303);
    }
    expect(await curator.text(trial)).toContain("= <b>Oluf Brander</b>");
    for (const wrong of [
      { kind: "maker", name: "x", is: "y" },
      { kind: "entity", name: "x".repeat(2_001), is: "y" },
      { kind: "entity", name: "x", is: "y".repeat(2_001) },
    ])
      expect((await curator.send(`${address}/same`, wrong)).status).toBe(422);

    // in two tabs at once
    const chosen = ["Jan", "Jana", "Jans"].map((name) => ({ kind: "entity", name, is: "P.1" }));
    await Promise.all(chosen.map((choice) => curator.send(`${address}/same`, choice)));
    for (const { name } of chosen) expect((await filled()).same).toContain(`"${name}":"P.1"`);
    const { sql } = museum.services;
    const id = address.split("/").at(-1)!;
    const kept = JSON.parse(await readJobText(sql, id, "mapping"));
    const many = { place: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`p${n}`, "x"])) };
    const form = { ...kept.form, same: JSON.stringify(many) };
    await writeJobText(sql, id, "mapping", JSON.stringify({ ...kept, form }));
    expect((await curator.send(`${address}/same`, chosen[0]!)).status).toBe(422);
    await writeJobText(sql, id, "mapping", JSON.stringify(kept));

    const job = await run({ import: "yes" });
    const page = await curator.text(job);
    const report = await curator.text(`${job}/report`);
    const rejects = await curator.text(`${job}/rejects`);
    const people = await museum.services.sql<{ title: string }[]>`
      select title from records where record_type = 'entity' and deleted_at is null order by title`;
    expect(people.map(({ title }) => title)).toEqual([
      expect.stringMatching(/Auer/),
      "Oluf Brander",
      "Werft Nord",
    ]);
    const rows = await museum.services.sql<{ text: string }[]>`
      select concat_ws(' ', r.idno, r.subtype, r.metadata::text) as text from records r where r.deleted_at is null`;
    const all = [page, report, rejects, ...rows.map(({ text }) => text)].join("\n").replaceAll("&quot;", '"');
    // a date that says the same in words, and a cell that says that there is none
    const meant: Record<string, string> = { "um 1890": "1890~" };
    for (const [at, cells] of ROWS.entries())
      for (const [column, cell] of cells.entries())
        if (HEAD[column] !== "Kürzel")
          expect(all, `row ${at + 1}, ${HEAD[column]}`).toContain(meant[cell] ?? cell);
    expect(page).toContain("Kürzel");
    const types = await museum.services.sql<{ subtype: string; n: number }[]>`
      select subtype, count(*)::int as n from records where record_type = 'object' and deleted_at is null group by 1 order by 1`;
    expect(types.map(({ subtype }) => subtype)).toEqual(["ceramic", "other", "painting"]);
  });

  it("joins a name with the record itself, until somebody takes it back or the record is gone", async () => {
    const admin = await museum.as("admin");
    const metadata_ = { name: [{ value: "Ottilie Sander" }] };
    const made = await admin("/v1/entities", { method: "POST", json: { idno: "P.9", metadata_ } });
    const { id } = (await made.json()) as { id: string };
    const body = new FormData();
    body.append("type", "object");
    const text = "Titel;Maler\nBild;Sander, Ottilie\n";
    body.append("file", new File([text], "Liste.csv", { type: "text/csv" }));
    const sent = await curator.sendFile(`/admin/imports/files?_csrf=${curator.csrf}`, body);
    const address = sent.headers.get("Location")!;
    const run = async (more: Record<string, string> = {}): Promise<string> => {
      const [, same = ""] = /name="same" value="([^"]*)"/.exec(await curator.text(address)) ?? [];
      const choice = { "target/0": "title", "target/1": MAKER, same: same.replaceAll("&quot;", '"') };
      const begun = await curator.send(address, { ...choice, ...more });
      expect(begun.status).toBe(303);
      const job = begun.headers.get("Location")!;
      await endedJob(museum, admin, job.split("/").at(-1)!);
      return curator.text(job);
    };
    const is = `${id}\tOttilie Sander`;
    const join = () => curator.send(`${address}/same`, { kind: "entity", name: "Sander, Ottilie", is });

    expect(await run()).toContain(`name="is" value="${is}"`);
    await join();
    const form = await curator.text(address);
    expect(form).toMatch(
      /name="same\/0" value="yes" checked> <span dir="auto">Sander, Ottilie = Ottilie Sander</,
    );
    expect(await run({ same_shown: "1", "same/0": "yes" })).not.toContain('id="new-names"');
    expect(await run({ same_shown: "1" })).toContain('id="new-names"');
    expect(await curator.text(address)).not.toContain("Sander, Ottilie =");

    await join();
    await admin(`/v1/entities/${id}`, { method: "PATCH", json: { idno: "P.10" } });
    const other = { idno: "P.9", metadata_: { name: [{ value: "Bo Lind" }] } };
    expect((await admin("/v1/entities", { method: "POST", json: other })).status).toBe(201);
    expect(await run()).not.toContain('id="new-names"');
    expect((await admin(`/v1/entities/${id}`, { method: "DELETE" })).status).toBe(204);
    await run({ import: "yes" });
    const names = await museum.services.sql<{ title: string }[]>`
      select e.title from records e join relations l on l.to_id = e.id join records o on o.id = l.from_id
      where o.title = 'Bild'`;
    expect(names.map(({ title }) => title)).toEqual(["Sander, Ottilie"]);
  });
});
