/** What museums write in columns of names: words for nobody, and the years of a life. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { attributedIn } from "../../src/imports/mapping/written-attributions.ts";
import { lifeIn } from "../../src/imports/mapping/written-lives.ts";
import { nobodyIn } from "../../src/imports/mapping/written-names.ts";
import { createReport } from "../../src/imports/report/report.ts";
import { allInEnglish } from "../support/lane/in-english.ts";
import { importRoom, MAKERS, TITLES } from "../support/museum/import-room.ts";
import { emptied, type Imported } from "../support/museum/importing.ts";
import { quickest } from "../support/museum/museum.ts";

const NOBODY = {
  unknown: [
    ...["unknown", "Artist unknown", "Anonymous", "anon.", "unbekannt", "Unbekannter Künstler", "Anonym"],
    ...["Hersteller/in unbekannt", "Meister unbekannt", "inconnu", "Auteur inconnu", "artiste anonyme"],
    ...[
      "Autore sconosciuto",
      "ignoto",
      "anonimo",
      "Autor desconocido",
      "Fotógrafo desconocido",
      "Onbekende schilder",
    ],
    ...["N.N.", "N. N.", "No Name", "nicht bekannt", "s. n.", "non identifié"],
    ...["Maker not known", "Auteur non identifié", "Hersteller nicht bekannt", "maker niet bekend"],
  ],
  empty: [
    "?",
    "-",
    "–",
    "(?)",
    "k. A.",
    "k.A.",
    "n/a",
    "N.A.",
    "keine Angabe",
    "n. c.",
    "non renseigné",
    "none",
    ...["non indicato", "no consta", "niet vermeld", "n.v.t."],
  ],
};
const SOMEBODY = [
  "Anna Unbekannt",
  "Unbekannter Meister, Werkstatt Cranach",
  "Na Li",
  "★",
  "K. Angabe",
  "Meister",
  "Künstler",
  ...["N.C.", "N. R.", "S.N.", "K.A.", "O.A."],
  "7",
];

const LIVES: [string, string, string][] = [
  ["Brander, Oluf (1851–1912)", "Brander, Oluf", "1851 1912"],
  ["Brander, Oluf [1851-1912]", "Brander, Oluf", "1851 1912"],
  ["Oluf Brander, 1851-1912", "Oluf Brander", "1851 1912"],
  ["Oluf Brander 1851 – 1912", "Oluf Brander", "1851 1912"],
  ["Oluf Brander, * 1851", "Oluf Brander", "1851 "],
  ["Brander, Oluf, geb. 1851", "Brander, Oluf", "1851 "],
  ["Oluf Brander (born 1851, died 1912)", "Oluf Brander", "1851 1912"],
  ["Oluf Brander (né en 1851)", "Oluf Brander", "1851 "],
  ["Oluf Brander (*12.3.1851, †4. Mai 1912)", "Oluf Brander", "1851-03-12 1912-05-04"],
  ["Oluf Brander † 1912", "Oluf Brander", " 1912"],
  ["Oluf Brander jun. 1851-1912", "Oluf Brander jun.", "1851 1912"],
  ["Brander (um 1851–nach 1912)", "Brander", "1851~ 1912/.."],
  ["Oluf Brander (1951–)", "Oluf Brander", "1951 "],
  ["Brander (nato nel 1851, morto nel 1912)", "Brander", "1851 1912"],
  ["Brander, nacido en 1851", "Brander", "1851 "],
  ["Brander (hacia 1851–después de 1912)", "Brander", "1851~ 1912/.."],
  ["Brander (omstreeks 1851–1912)", "Brander", "1851~ 1912"],
  ["Brander (attivo 1880-1900)", "Brander", "  attivo 1880-1900"],
  ["Brander (?–1912)", "Brander", " 1912"],
  ["Brander, Oluf (fl. 1880–1900)", "Brander, Oluf", "  fl. 1880–1900"],
  ["Brander, Oluf, tätig 1880-1900", "Brander, Oluf", "  tätig 1880-1900"],
];
const NO_LIFE = [
  ...[
    "Brander",
    "Weltausstellung (1900)",
    "Studio B. 1912",
    "Brander (1912–1851)",
    "Brander (1851-52)",
    "1851–1912",
  ],
  ...["Brander, Oluf (Odense 1851–1912 Kopenhagen)", "Brander 1851", "Werft 44 -1912", "M (1851–1912)"],
  ...[
    "Brander, Oluf, approximately 1851-1912",
    "Brander, Oluf, 1851 or 1852-1912",
    "Brander, vermutlich 1851-1912",
    "Brander, Mai 1851–1912",
    "Brander, kurz nach 1851-1912",
    "Brander III, r. 1851-1912",
    "Brander (1851-1912) et Aas (1860-1920)",
  ],
];

test("words for nobody", () => {
  for (const [what, texts] of Object.entries(NOBODY))
    for (const text of texts) expect([text, nobodyIn(text)]).toEqual([text, what]);
  for (const text of SOMEBODY) expect([text, nobodyIn(text)]).toEqual([text, null]);
});

test.each(LIVES)("the life in %s", (text, name, dates) => {
  const { birth = "", death = "", active = "", ...found } = lifeIn(text)!;
  expect([found.name, [birth, death, ...(active ? [active] : [])].join(" ")]).toEqual([name, dates]);
});

test.each(NO_LIFE)("no life in %s", (text) => {
  expect(lifeIn(text)).toBeNull();
});

const ATTRIBUTED = [
  ...[
    "zugeschrieben",
    "Zugeschrieben an",
    "zugeschr.",
    "Zuschreibung",
    "attributed to",
    "Attr.",
    "attrib. to",
  ],
  ...[
    "attribué à",
    "Attribuée à",
    "attribution à",
    "attribuito a",
    "atribuido a",
    "atribución",
    "toegeschreven aan",
  ],
];

test.each(ATTRIBUTED)("a maker who is %s, in each way to write it", (words) => {
  const name = "Brander, Oluf";
  for (const text of [`${words} ${name}`, `${words}: ${name}`, `${words}:${name}`, `${words} : ${name}`])
    expect([text, attributedIn(text)]).toEqual([text, { name, qualifier: "attributed_to" }]);
  for (const text of [`${name} (${words})`, `${name}, ${words}`, `${name} [${words}]`])
    expect([text, attributedIn(text)]).toEqual([text, { name, qualifier: "attributed_to" }]);
});

test.each([
  ["Attribué au Maître de Moulins", "Maître de Moulins"],
  ["attribuito ad Antonio Canova", "Antonio Canova"],
  ["attr. al Guercino", "Guercino"],
  ["attribuito a de Chirico", "de Chirico"],
])("the name without the article in %s", (text, name) => {
  expect(attributedIn(text)).toEqual({ name, qualifier: "attributed_to" });
});

test.each([
  ["navolger van Rembrandt", "Rembrandt", "follower_of"],
  ["Nachfolger von Lucas Cranach", "Lucas Cranach", "follower_of"],
  ["Follower of van Gogh", "van Gogh", "follower_of"],
  ["atelier van Rembrandt", "Rembrandt", "workshop_of"],
  ["Werkstatt des Tilman Riemenschneider", "Tilman Riemenschneider", "workshop_of"],
  ["Workshop of the Master of Frankfurt", "Master of Frankfurt", "workshop_of"],
  ["bottega del Verrocchio", "Verrocchio", "workshop_of"],
  ["Rubens, Peter Paul (Werkstatt)", "Rubens, Peter Paul", "workshop_of"],
  ["Peter Paul Rubens, werkplaats", "Peter Paul Rubens", "workshop_of"],
  ["Umkreis: Cranach, Lucas", "Cranach, Lucas", "circle_of"],
  ["entourage de Nicolas Poussin", "Nicolas Poussin", "circle_of"],
  ["copia da Raffaello", "Raffaello", "copy_after"],
  ["copie d’après Rembrandt", "Rembrandt", "copy_after"],
  ["Kopie nach Hans Holbein", "Hans Holbein", "copy_after"],
  ["maniera di Caravaggio", "Caravaggio", "manner_of"],
  ["in der Art des Rembrandt", "Rembrandt", "manner_of"],
  ["Possibly Hans Holbein", "Hans Holbein", "possibly"],
  ["möglicherweise von Hans Holbein", "Hans Holbein", "possibly"],
  ["formerly attributed to Jan Steen", "Jan Steen", "formerly_attributed_to"],
])("another attribution than attributed in %s", (text, name, qualifier) => {
  expect(attributedIn(text)).toEqual({ name, qualifier });
});

test.each([
  "attribuito da Federico Zeri",
  "Zuschreibung von Max J. Friedländer",
  "Attribution Uncertain",
  "Attributed Artist: Thomas Sully",
  "Rubens and Jan Brueghel (attributed)",
  "Rubens; Jan Brueghel (attributed)",
  "Atelier van Lieshout",
  "Círculo de Lectores",
  "Studio Harcourt",
  "Art Kane",
  "Art van Triest",
  "Smith, Art",
  "Werkstatt des Meisters von Meßkirch",
  "Workshop of Wedgwood & Sons",
  "Umkreis Rembrandt",
  "nach Rembrandt",
  "follower of Rembrandt (1640-1650)",
  "follower of an Italian",
  "copy after a follower of Rubens",
  "Workshop",
  "Attribut, Anna",
  "Attrida",
  "zugeschrieben",
  "zugeschrieben: ?",
  "Anna Zuschreibung",
  "Attr",
  "(attr.)",
  "Zuschreibung unsicher",
  "Attribution uncertain",
  "attribuzione incerta",
  "Attributed artist: Thomas Sully",
  "zugeschrieben dem Meister von Meßkirch",
])("no attribution to one maker in %s", (text) => {
  expect(attributedIn(text)).toBeNull();
});

function reportOf(done: Imported) {
  const report = createReport({ kind: "object", unit: "row", dryRun: false });
  report.take(done.outcomes);
  return { text: allInEnglish(report.lines(done)).join("\n"), json: JSON.stringify(report.json(done)) };
}

describe("an import", () => {
  const room = importRoom(quickest);
  const { run, records, titles, links } = room;
  const file = (...makers: string[]) =>
    `No,Title,Maker\n${makers.map((maker, n) => `${n + 1},T,"${maker}"`).join("\n")}\n`;
  const people = async () =>
    (await records("entity")).map(({ title, metadata }) => {
      const { name: _, ...beside } = metadata as Record<string, { value: string }[]>;
      return [title, ...Object.entries(beside).map(([field, [entry]]) => `${field} ${entry!.value}`)].join(
        "; ",
      );
    });

  it("creates nobody for words that name nobody, keeps them beside the object, and reports them", async () => {
    const done = await run(file("unbekannt", "?", "Unbekannter Künstler", "Ada Holm", "unbekannt"), MAKERS);
    expect(await titles("entity")).toEqual(["ENT-000001 Ada Holm"]);
    const texts = (await records()).map(
      ({ metadata }) => (metadata as { creator_text?: unknown }).creator_text,
    );
    expect(texts).toEqual([
      [{ value: "unbekannt" }],
      undefined,
      [{ value: "Unbekannter Künstler" }],
      undefined,
      [{ value: "unbekannt" }],
    ]);
    const { text } = reportOf(done);
    expect(text).toContain('Maker: "unbekannt" in 2 rows, the first in line 2: is not a name');
    expect(text).toContain('Maker: "?" in 1 row (line 3): is not a name');
  });

  it("in a merge, leaves a record either a maker or words for nobody", async () => {
    const merge = { upsertStrategy: "merge" } as const;
    await run(file("Ada Holm", "unbekannt"), MAKERS);
    const changed = file("unbekannt", "Bea Lind");
    const preview = await run(changed, MAKERS, { ...merge, dryRun: true });
    const done = await run(changed, MAKERS, merge);
    for (const each of [preview, done]) {
      expect(each).toMatchObject({ unchanged: 1, updated: 1 });
      expect(reportOf(each).text).toContain(
        "is not a name; the record of line 2 keeps the links that it has",
      );
    }
    expect(await links()).toEqual(["1 created_by Ada Holm", "2 created_by Bea Lind"]);
    for (const { metadata } of await records()) expect(Object.keys(metadata as object)).toEqual(["title"]);
    expect(await run(changed, MAKERS, merge)).toMatchObject({ unchanged: 2 });
  });

  it("takes no date away in a merge because the cell says that it is unknown, and says so", async () => {
    const mapping = {
      No: "__idno__",
      Title: "title",
      Date: { target: "date", transforms: [{ type: "edtf" }] },
    };
    const merge = { upsertStrategy: "merge" } as const;
    await run("No,Title,Date\n1,Jug,1780\n2,Cup,?\n", mapping);
    const before = (await records()).map(({ metadata }) => metadata);
    const changed = "No,Title,Date\n1,Jug,?\n2,Cup,?\n";
    for (const dryRun of [true, false]) {
      const done = await run(changed, mapping, { ...merge, dryRun });
      expect(done).toMatchObject({ unchanged: 2 });
      expect(reportOf(done).text).toContain("1 record keeps its date all the same: line 2");
    }
    expect((await records()).map(({ metadata }) => metadata)).toEqual(before);
  });

  it("qualifies makers who are attributed, and only makers", async () => {
    const attributed = [
      "zugeschrieben: Holm, Ada",
      "Holm, Ada (attr.)",
      "navolger van Holm, Ada",
      "Holm, Ada",
    ];
    const { text } = reportOf(await run(file(...attributed), MAKERS));
    expect(text).toContain('"navolger van Holm, Ada" in 1 row (line 4): "Holm, Ada", with an attribution');
    expect(await titles("entity")).toEqual(["ENT-000001 Holm, Ada"]);
    const qualifiers = (
      await room.services.sql<{ metadata: object }[]>`
      select metadata from relations order by created_at, id`
    ).map(({ metadata }) => metadata);
    const qualified = { qualifier: [{ value: "attributed_to" }] };
    expect(qualifiers).toEqual([qualified, qualified, { qualifier: [{ value: "follower_of" }] }, {}]);
    const Donor = "__relation:acquired_from:entity__";
    await run("No,Title,Donor\n9,T,attr. Bo Lind\n", { ...TITLES, Donor });
    expect(await titles("entity")).toContain("ENT-000002 attr. Bo Lind");
  });

  it("qualifies no maker whose record the mapping names", async () => {
    const same = { "navolger van Holm, Ada": "Aas, Bo" };
    const Maker = { target: "__relation:created_by:entity__", same };
    await run(file("navolger van Holm, Ada"), { ...TITLES, Maker });
    expect(await titles("entity")).toEqual(["ENT-000001 Aas, Bo"]);
    expect(await room.services.sql`select metadata from relations`).toMatchObject([{ metadata: {} }]);
  });

  it("keeps them also beside what somebody gave", async () => {
    const Donor = "__relation:acquired_from:entity__";
    await run("No,Title,Donor\n1,T,Anonymous\n", { ...TITLES, Donor });
    expect(await titles("entity")).toEqual([]);
    expect((await records())[0]).toMatchObject({ metadata: { acquisition_note: [{ value: "Anonymous" }] } });
  });

  it("fills only an empty text with them", async () => {
    const Text = "creator_text";
    await run("No,Title,Text\n1,T,Meister um 1480\n2,T,\n", { ...TITLES, Text });
    await run(file("unbekannt", "unbekannt"), MAKERS, { upsertStrategy: "merge" });
    const texts = (await records()).map(({ metadata }) => (metadata as Record<string, unknown>)[Text]);
    expect(texts).toEqual([[{ value: "Meister um 1480" }], [{ value: "unbekannt" }]]);
  });

  it.each(["skip", "merge", "replace"] as const)(
    "links a record that is called so (%s)",
    async (upsertStrategy) => {
      await run("No,Name\nE1,Unbekannt\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      const Maker = { target: "__relation:created_by:entity__", role: { column: "Role" } };
      const list = "No,Title,Maker,Role\n1,T,unbekannt,painter\n2,T,?,\n";
      for (const _ of [1, 2]) {
        const done = await run(list, { ...TITLES, Maker }, { upsertStrategy });
        expect(done).toMatchObject({ rejected: 0, without: {} });
        expect(await links()).toEqual(["1 created_by Unbekannt"]);
        expect(reportOf(done).text).not.toContain("unbekannt");
      }
      expect(JSON.stringify(await records())).not.toContain("creator_text");
      const [link] = await room.services.sql<{ metadata: unknown }[]>`select metadata from relations`;
      expect(link).toEqual({ metadata: { role: [{ value: "painter" }] } });
    },
  );

  it("takes them for names, and dates for a part of them, if the mapping says so", async () => {
    const Maker = { target: "__relation:created_by:entity__", as_written: true };
    await run(file("unknown", "Holm (1851–1912)"), { ...TITLES, Maker });
    expect(await people()).toEqual(["unknown", "Holm (1851–1912)"]);
  });

  it("gives people the years after their names, whichever row comes first", async () => {
    const rows = ["Ada Holm", "Ada Holm (1851–1912)", "ada  holm, 1851-1912", "Bo Aas (fl. 1880–1900)"];
    for (const makers of [rows, [...rows].reverse()]) {
      await emptied(room.museum.services.sql);
      const done = await run(file(...makers), MAKERS, { batch: 2 });
      expect((await people()).map((each) => each.toLowerCase().replace("  ", " ")).sort()).toEqual([
        "ada holm; birth_date 1851; death_date 1912",
        "bo aas; biography fl. 1880–1900",
      ]);
      expect(await links()).toHaveLength(4);
      expect(reportOf(done).text).toContain('"Ada Holm (1851–1912)" in 1 row');
    }
  });

  it("tells two people of one name apart by their years, and an organisation from a person", async () => {
    await run(file("Hans Bo (1700–1760)", "Hans Bo (1801–1850)", "Hans Bo (um 1800–1850)"), MAKERS);
    expect(await people()).toEqual([
      "Hans Bo; birth_date 1700; death_date 1760",
      "Hans Bo; birth_date 1801; death_date 1850",
    ]);
    await emptied(room.museum.services.sql);
    const Maker = { target: "__relation:created_by:entity__", subtype: "organisation" };
    const firms = [
      "Werft AG (1851–1912)",
      "Kaufmann & Söhne, 1850-1920",
      "Infanterie-Regiment 1812-1815",
      "Fotoatelier Holm (1895-1920)",
    ];
    await run(file(firms[0]!), { ...TITLES, Maker });
    expect(await people()).toEqual(["Werft AG; formation 1851; dissolution 1912"]);
    await emptied(room.museum.services.sql);
    await run(file(...firms), MAKERS);
    expect(await people()).toEqual(firms);
  });

  it("prefers the person whose name is spelled exactly the same", async () => {
    await run("No,Name\nE1,ADA HOLM\nE2,Ada Holm\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
    const done = await run(file("Ada Holm (1851–1912)"), MAKERS, { upsertStrategy: "merge" });
    expect(done).toMatchObject({ created: 1, rejected: 0 });
    expect(await people()).toEqual(["ADA HOLM", "Ada Holm; birth_date 1851; death_date 1912"]);
  });

  it("finds a person whose name in the catalogue, or in the file, has the years", async () => {
    const name = "Brander, Oluf (1851–1912)";
    const asWritten = { No: "__idno__", Name: "name", Group: "__relation:member_of:entity__" };
    await run(`No,Name\nE1,"${name}"\n`, { No: "__idno__", Name: "name" }, { kind: "entity" });
    await run(file("Brander, Oluf, 1851-1912", name), MAKERS, { upsertStrategy: "merge" });
    expect(await people()).toEqual([`${name}; birth_date 1851; death_date 1912`]);
    expect(await links()).toEqual([`1 created_by ${name}`, `2 created_by ${name}`]);
    await emptied(room.museum.services.sql);
    const done = await run(`No,Name,Group\nE2,Bo,"${name}"\nE1,"${name}",\n`, asWritten, { kind: "entity" });
    expect(done).toMatchObject({ created: 2, rejected: 0, without: {} });
    expect(await links()).toEqual([`E2 member_of ${name}`]);
    expect(await titles("entity")).toEqual([`E1 ${name}`, "E2 Bo"]);
  });

  it("takes only one of two people of one name for a record without dates", async () => {
    const [one, other] = ["Hans Bo (1800–1870)", "Hans Bo (1900–1980)"];
    for (const [upsertStrategy, batch] of [
      ["skip", 2],
      ["skip", 1],
      ["merge", 2],
    ] as const) {
      await emptied(room.museum.services.sql);
      await run("No,Name\nE1,Hans Bo\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      const done = await run(file(one, other, one, other), MAKERS, { batch, upsertStrategy });
      expect(done).toMatchObject({ created: 4, rejected: 0 });
      const first = upsertStrategy === "merge" ? "Hans Bo; birth_date 1800; death_date 1870" : "Hans Bo";
      expect(await people()).toEqual([first, "Hans Bo; birth_date 1900; death_date 1980"]);
      const ends = await room.services.sql<{ idno: string }[]>`
        select t.idno from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id order by f.idno`;
      expect(ends.map(({ idno }) => idno)).toEqual(["E1", "ENT-000001", "E1", "ENT-000001"]);
    }
    const { lines } = await run("No,Title,Maker\n9,Boat,Hans Bo\n", MAKERS);
    expect(lines[2]).toContain(
      '(E1 "Hans Bo" (1800–1870), ENT-000001 "Hans Bo" (1900–1980)); write its number in the cell',
    );
  });

  it("takes names for the record that the mapping names, also through a third name", async () => {
    await run("No,Name\nE1,Oluf Brander\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
    const same = { "O. Brander": "Brander, Oluf", "brander, oluf": "E1", "X (1851–1912)": "E1" };
    const Maker = { target: "__relation:created_by:entity__", same };
    const done = await run(file("O. Brander", "Brander, Oluf (1851–1912)", "X (1851–1912)", "Bo"), {
      ...TITLES,
      Maker,
    });
    expect(await links()).toEqual([
      ...["1", "2", "3"].map((number) => `${number} created_by Oluf Brander`),
      "4 created_by Bo",
    ]);
    expect(reportOf(done).text).toContain(
      '"Brander, Oluf (1851–1912)" in 1 row (line 3): "E1", born 1851, died 1912',
    );
  });

  it("loses nothing: every cell is in the catalogue or in the report", async () => {
    const name = fc.constantFrom("Ada Holm", "Bo Aas", "Brander, Oluf", "Werft AG");
    const years = fc.constantFrom(
      "",
      " (1851–1912)",
      ", 1851-1912",
      " * 1851",
      " (fl. 1880–1900)",
      " (1912–1851)",
    );
    const maker = fc.oneof(
      fc.constantFrom(...NOBODY.unknown, ...NOBODY.empty, ...SOMEBODY, ...NO_LIFE),
      fc.tuple(name, years).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(maker, { minLength: 1, maxLength: 12 }), async (makers) => {
        await emptied(room.museum.services.sql);
        const done = await run(file(...makers), MAKERS);
        const all = JSON.stringify([await records(), await records("entity"), await links()]);
        const { json } = reportOf(done);
        const key = (text: string) => text.toLowerCase().replace(/\s+/g, " ");
        for (const [at, each] of makers.entries()) {
          const kept = key(all).includes(key(each)) || json.includes(JSON.stringify(each).slice(1, -1));
          expect([each, kept || done.lines[at + 2]]).toEqual([each, true]);
        }
      }),
      { numRuns: 15 },
    );
  });
});
