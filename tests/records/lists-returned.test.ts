/** Our own lists come back unchanged: exported as CSV or Excel, imported with every guess of the form accepted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/imports/csv/csv.ts";
import { KINDS, type Kind, kinds } from "../../src/records/kinds.ts";
import type { Entry, Metadata } from "../../src/records/record.ts";
import { currentSchema, type Field, fieldsOf } from "../../src/records/schema.ts";
import { inLong, isShort } from "../support/lane/lane.ts";
import { answered, bulk, create, linking, type Page, posted, read } from "../support/museum/catalogue.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { type StaffBrowser, staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();
const german = await staffBrowser(museum, "admin", "de");
const french = await staffBrowser(museum, "admin", "fr");

const plain = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** Sends a list and returns the address of its form, and what the form proposes. */
async function proposed(kind: Kind, csv: BlobPart, by = curator) {
  const body = new FormData();
  body.append("type", kind);
  body.append("file", new File([csv], "list.csv", { type: "text/csv" }));
  const address = (await by.sendFile(`/admin/imports/files?_csrf=${by.csrf}`, body)).headers.get("Location")!;
  const page = await by.text(address);
  const form: Record<string, string> = {};
  for (const row of page.split('<select name="target/').slice(1)) {
    const index = /^\d+/.exec(row)![0];
    form[`target/${index}`] = /<option value="([^"]*)" selected/.exec(row)?.[1] ?? "";
    for (const name of ["split", "lang"])
      form[`${name}/${index}`] = plain(new RegExp(`name="${name}/${index}" value="([^"]*)"`).exec(row)![1]!);
  }
  return { address, form };
}

/** The counts of an import that accepts what the form proposes. */
async function imported(kind: Kind, csv: BlobPart, upsert: string, { by = curator, change = {} } = {}) {
  const { address, form } = await proposed(kind, csv, by);
  const sent = await by.send(address, { ...form, ...change, upsert_strategy: upsert, import: "yes" });
  expect(sent.status, sent.status === 303 ? "" : await sent.text()).toBe(303);
  const { state, result } = await endedJob(museum, api, sent.headers.get("Location")!.split("/").at(-1)!);
  const rejects = result?.rejected
    ? await curator.text(`${sent.headers.get("Location")!.replace(/^.*\/admin/, "/admin")}/rejects`)
    : "";
  expect([state, rejects]).toEqual(["done", ""]);
  const { created, updated, unchanged, skipped } = result as Record<string, number>;
  return { created, updated, unchanged, skipped };
}

const exported = (kind: Kind, by: StaffBrowser | null = curator, query = "") =>
  by === null
    ? api(`/v1/${kinds[kind].plural}/export?format=csv${query}`).then((answer) => answer.text())
    : by.text(`/admin/${kinds[kind].plural}/export?format=csv${query}`);

const FORMATS = ["csv", "xlsx"] as const;
const exportedFile = async (kind: Kind, by: StaffBrowser | null, format: (typeof FORMATS)[number]) => {
  const path = `${kinds[kind].plural}/export?format=${format}`;
  return (await (by === null ? api(`/v1/${path}`) : by.get(`/admin/${path}`))).arrayBuffer();
};

const countOf = async (kind: Kind) => (await read<{ total: number }>(api(`/v1/${kinds[kind].plural}`))).total;
const countAll = () => Promise.all(KINDS.map(countOf));

/** Imports the list of this reader; with null, of a program. */
async function expectUnchanged(kind: Kind, count: number, by: StaffBrowser | null): Promise<void> {
  const before = await countAll();
  for (const format of FORMATS) {
    const file = await exportedFile(kind, by, format);
    for (const upsert of ["merge", "replace"]) {
      const counts = await imported(kind, file, upsert, { by: by ?? curator });
      expect(counts, format).toEqual({ created: 0, updated: 0, unchanged: count, skipped: 0 });
    }
  }
  expect(await countAll()).toEqual(before);
}

/** All objects by number, with their metadata, and their links with roles and qualifiers in any order. */
async function everything() {
  const { sql } = museum.services;
  return sql<Record<string, unknown>[]>`
    select r.idno, r.metadata, (
      select json_agg(json_build_array(l.relation_type, l.to_id, l.metadata) order by l.relation_type, l.to_id, l.metadata::text)
      from relations l where l.from_id = r.id) as links
    from records r where r.record_type = 'object' and r.deleted_at is null order by r.idno collate "C"`;
}

/** Removes all links and values, and imports the list: everything is there again. */
async function expectRestored(by: StaffBrowser | null): Promise<void> {
  const before = await everything();
  const { sql } = museum.services;
  for (const format of FORMATS) {
    const file = await exportedFile("object", by, format);
    await sql`delete from relations`;
    await sql`update records set metadata = '{"title": [{"value": "?"}]}' where record_type = 'object'`;
    await imported("object", file, "replace", { by: by ?? curator });
    expect(await everything()).toEqual(before);
  }
}

const entity = async (name: string, more: Record<string, unknown> = {}) =>
  create(api, "entity", { ...more, metadata_: { name: [{ value: name }] } });
const relate = (
  id: string,
  relation_type: string,
  to_type: Kind,
  to_id: string,
  roles: Entry[] = [],
  qualifying: Metadata = {},
) => linking(api)(id, relation_type, to_type, to_id, { ...qualifying, role: roles });

const PIECES = [
  ...["rock", "cliff", "Łódź", "1920", " ", " ", "|", " | ", "\\", "\\|", "\\.", '"', "'", "''"],
  ...["=", "+", "-", "@"],
  ...[",", ";", "\t", "\n", "\r\n", "_", "{a}", "' ", "a'"],
];
const text = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join("").trim())
  .filter((value) => value !== "");
const rich = fc
  .tuple(fc.constantFrom("", " ", "\n"), text, fc.constantFrom("", " ", "\n\n"))
  .map((parts) => parts.join(""));
const edtf = fc.constantFrom(
  ..."1920-21 1911-12 1985 1984~ 2004-06? -0044 19XX 1964/2008 [1667,1668,1670..1672]".split(" "),
  ..."{1948,1980} ../1922 1858/1862 2001-34 Y-17E7 1600-01 2004-06-11".split(" "),
);
const VALUES: Partial<Record<Field["field_type"], fc.Arbitrary<string>>> = {
  text,
  richtext: rich,
  vocab_free: text,
  measurement: fc.oneof(text, fc.constant("height: 40 cm")),
  date: edtf,
  number: fc.constantFrom("5", "-5", "+3.5"),
  boolean: fc.constantFrom("true", "false"),
  url: fc.constantFrom("https://example.org/a|b", "http://example.org/?q='x'"),
  geo: fc.constantFrom("12.5, -7", "-12.5,7"),
};
const LANGUAGES = [undefined, "de", "en", "pt-BR"];

/** Entries of a field. Its languages are in the order of the columns: another order is not for lists to keep. */
function entriesOf(field: Field): fc.Arbitrary<Entry[]> {
  const value = VALUES[field.field_type]!;
  const most = field.is_repeatable ? 3 : 1;
  const languages = field.is_repeatable || field.is_translatable ? LANGUAGES : [undefined];
  const perLanguage = languages.map((lang) =>
    fc
      .array(value, { maxLength: most })
      .map((values) => values.map((each) => (lang === undefined ? { value: each } : { value: each, lang }))),
  );
  return fc.tuple(...perLanguage).map((lists) => lists.flat());
}

describe("a list that we wrote", () => {
  it("returns exactly, whatever its values, links, roles and attributions are", async () => {
    const all = [...fieldsOf(await currentSchema(museum.services.sql), "object").values()];
    const fields = all.filter(({ field_type }) => VALUES[field_type]);
    expect(new Set(fields.map(({ field_type }) => field_type)).size).toBeGreaterThan(4);
    const people = [];
    const names = [
      "Nora Holm",
      "Nora Holm",
      "nora holm",
      "Pipe | Name",
      "Back\\slash",
      "=Sum'",
      "ENT-000001",
    ];
    for (const name of names) people.push((await entity(name)).id);
    const place = await create(api, "place", { metadata_: { name: [{ value: "Pipe | Name" }] } });
    const words = fc.oneof(
      text,
      ...["workshop_of", "Werkstatt von", ": ", "a@de", "b@", "copy_after: x"].map((one) => fc.constant(one)),
    );
    const wordsIn = fc.record(
      { value: words, lang: fc.constantFrom("de", "fr") },
      { requiredKeys: ["value"] },
    );
    const qualifying = fc.oneof(
      fc.constant<Metadata>({}),
      fc.record<Metadata>(
        {
          qualifier: fc.constantFrom([{ value: "workshop_of" }], [{ value: "copy_after" }]),
          qualifier_text: fc.array(wordsIn, { minLength: 1, maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    );
    const object = fc.record({
      metadata: fc.record(Object.fromEntries(fields.map((field) => [field.name, entriesOf(field)])), {
        requiredKeys: ["title"],
      }),
      number: fc.constantFrom("", " | b", "\\c", "'d", "|"),
      prefix: fc.constantFrom("", "=", "-", "'", "'+"),
      makers: fc.uniqueArray(fc.constantFrom(...people), { maxLength: 4 }),
      roles: fc.array(fc.array(text, { maxLength: 2 }), { minLength: 4, maxLength: 4 }),
      qualifying: fc.array(qualifying, { minLength: 4, maxLength: 4 }),
      depicts: fc.uniqueArray(fc.constantFrom(...people), { maxLength: 3 }),
    });
    const { sql } = museum.services;
    let last = 0;
    const several = fc.array(object, { minLength: 4, maxLength: 8 });
    const reader = fc.constantFrom(curator, german, french, null);
    await fc.assert(
      fc.asyncProperty(several, reader, async (objects, by) => {
        for (const one of objects) {
          const idno = `${one.prefix}${++last}${one.number}`;
          const made = await create(api, "object", { idno, metadata_: one.metadata });
          for (const [at, id] of one.makers.entries()) {
            const roles = [...new Set(one.roles[at])].map((value) => ({ value }));
            await relate(made.id, "created_by", "entity", id, roles, one.qualifying[at]);
            // a work of somebody and the workshop
            if (at === 0 && JSON.stringify(one.qualifying[0]) !== "{}")
              await relate(made.id, "created_by", "entity", id, roles);
            if (at === 1 && roles.length > 0)
              await relate(made.id, "created_by", "entity", id, [], one.qualifying[at]);
          }
          for (const id of one.depicts) await relate(made.id, "depicts", "entity", id);
          if (one.depicts.length > 0) await relate(made.id, "depicts", "place", place.id);
        }
        await expectUnchanged("object", objects.length, by);
        await expectRestored(by);
        // else each run would try those of all earlier ones again
        await sql`update records set deleted_at = now() where record_type = 'object'`;
      }),
      { numRuns: isShort ? 2 : 6, endOnFailure: true },
    );
  }, 300_000);
});

describe("a list for a spreadsheet", () => {
  const subject = (...values: string[]) => ({
    title: [{ value: values[0] ?? "?" }],
    subject: values.map((value) => ({ value })),
  });
  const objectOf = async (idno: string) => (await read<Page>(api(`/v1/objects?idno=${idno}`))).items[0]!;
  const of = (prefix: string) => `&q=${prefix}&sort=idno&dir=asc`;

  it("has several values also if only the last rows have them, beyond all that the form looks through", async () => {
    const lines = Array.from({ length: 520 }, (_, n) => ({
      idno: `LATE.${1000 + n}`,
      object_type: "other",
      metadata_: subject(...(n < 519 ? ["latecomer"] : ["boat", "sea", "rock | cliff"])),
    }));
    await bulk(api, "objects", lines);
    const csv = await exported("object", curator, "&status=draft&sort=idno&dir=asc");
    const late = [csv.split("\r\n")[0], ...csv.split("\r\n").filter((line) => line.startsWith("LATE."))];
    expect(late.at(-1)).toContain('"boat | sea | rock \\| cliff"');
    const counts = await imported("object", late.join("\r\n"), "merge");
    expect(counts).toMatchObject({ created: 0, updated: 0, unchanged: 520 });
    expect((await objectOf("LATE.1519")).metadata_.subject).toMatchObject([
      { value: "boat" },
      { value: "sea" },
      { value: "rock | cliff" },
    ]);
  });

  it("names linked records by number only where an import would not find the name", async () => {
    const [one, two] = [await entity("Twin Brook"), await entity("Twin Brook")];
    const [piped, only] = [await entity("Brook | Bank"), await entity("Only Brook")];
    const { id } = await create(api, "object", { idno: "BROOK.1", metadata_: subject("brook") });
    for (const maker of [two, piped, only]) await relate(id, "created_by", "entity", maker.id);
    await relate(id, "acquired_from", "entity", only.id, [{ value: "heir | executor" }, { value: "seller" }]);
    const csv = await exported("object", curator, of("brook"));
    expect(csv).toContain(`"${two.idno} | Brook \\| Bank | Only Brook"`);
    expect(csv).not.toContain(one.idno);
    expect(csv).toMatch(/acquired from,acquired from \(role\)/);
    expect(csv).toContain('"Only Brook | Only Brook","heir \\| executor | seller"');
    const before = await countAll();
    expect(await imported("object", csv, "replace")).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await countAll()).toEqual(before);
  });

  it.each(["merge", "replace"] as const)(
    "keeps the order of languages, whatever that of its columns is (%s)",
    async (upsert) => {
      const title = [
        { value: "Le fjord", lang: "fr" },
        { value: "Fjord" },
        { value: "Der Fjord", lang: "de" },
      ];
      const idno = `FJORD.${upsert}`;
      await create(api, "object", { idno, metadata_: { title } });
      const csv = await exported("object", curator, of(idno));
      expect(await imported("object", csv, upsert)).toMatchObject({ updated: 0, unchanged: 1 });
      const changed = csv.replace("Der Fjord", "Die Förde");
      expect(await imported("object", changed, upsert)).toMatchObject({ updated: 1 });
      expect((await objectOf(idno)).metadata_.title).toEqual([
        ...title.slice(0, 2),
        { value: "Die Förde", lang: "de" },
      ]);
    },
  );

  it("is recognised if it has only some columns, and after a spreadsheet has saved and changed it", async () => {
    const metadata_ = { ...subject("quay | pier", "sea"), date: [{ value: "1920-21" }] };
    await create(api, "object", { idno: "QUAY.1", metadata_ });
    const csv = await exported("object", curator, `${of("quay")}&column=subject&column=date`);
    expect(await imported("object", csv, "merge")).toMatchObject({ updated: 0, unchanged: 1 });
    const rows: string[][] = [];
    for await (const batch of readCsv(new Response(csv).body!.pipeThrough(new TextDecoderStream())))
      rows.push(...batch.map(({ cells }) => cells));
    const [head, first] = rows as [string[], string[]];
    const saved = [
      ["My remarks", ...head.toReversed(), ""],
      ["at the *harbour*", ...first.toReversed(), ""],
    ];
    const changed = saved.map((cells) => cells.map((cell) => `"${cell}"`).join(";")).join("\n");
    expect(await imported("object", changed, "merge")).toMatchObject({ updated: 0, unchanged: 1 });
    const words = changed.replace("1920-21", "um 1920");
    expect(await imported("object", words, "merge")).toMatchObject({ updated: 1 });
    expect((await objectOf("QUAY.1")).metadata_.date).toEqual([{ value: "1920~" }]);
  });

  it("is another list without its own columns: nothing is undone there, and a date has its usual meaning", async () => {
    const list = "Number;Title;Subject;Date\nFOREIGN.1;A\\\\B;x \\| y;1920-21\n";
    await imported("object", list, "skip", { change: { "split/2": "" } });
    const { metadata_ } = await objectOf("FOREIGN.1");
    expect(metadata_).toMatchObject({
      title: [{ value: "A\\\\B" }],
      subject: [{ value: "x \\| y" }],
      date: [{ value: "1920/1921" }],
    });
  });

  it("has no two columns of the same name, whatever the labels of fields are", async () => {
    const labels = { first_remark: "Number", second_remark: "Title (de)", third_remark: "=Third" };
    for (const [name, label] of Object.entries(labels))
      await posted(api, "/v1/schemas/object", { name, label: { en: label }, field_type: "text" });
    const values = Object.keys(labels).map((name) => [name, [{ value: name }]]);
    const metadata_ = { ...subject("jetty"), ...Object.fromEntries(values) };
    await create(api, "object", { idno: "JETTY.1", metadata_ });
    const csv = await exported("object", curator, of("jetty"));
    expect(csv.split("\r\n")[0]).toMatch(
      /Number \[@idno\],.*Number \[first_remark\],Title \(de\) \[second_remark\],'=Third/,
    );
    for (const upsert of ["merge", "replace"])
      expect(await imported("object", csv, upsert)).toMatchObject({ updated: 0, unchanged: 1 });
  });

  inLong(it)("returns for every kind of record, with parents, coordinates and days", async () => {
    const makeTwo = async (kind: Kind, more: (first: string) => Record<string, unknown>) => {
      const first = await create(api, kind);
      await create(api, kind, more(first.id));
    };
    await makeTwo("collection", (parent_id) => ({ parent_id }));
    await makeTwo("storage_location", (parent_id) => ({ parent_id }));
    await makeTwo("place", () => ({ lat: 0.0000001, lon: -179.5 }));
    await makeTwo("procedure", () => ({ due_date: "2026-02-01", reference_number: "A | B \\ 1" }));
    await makeTwo("occurrence", () => ({}));
    for (const kind of KINDS.filter((each) => each !== "object"))
      await expectUnchanged(kind, await countOf(kind), curator);
  });

  it("keeps links to records of its own kind, also where both have the same title", async () => {
    const [boat, oar] = [await create(api, "object"), await create(api, "object")];
    await relate(oar.id, "part_of", "object", boat.id);
    await relate(boat.id, "related_to", "object", oar.id, [{ value: "pair" }]);
    const csv = await exported("object", curator, of("harbour at dusk"));
    for (const upsert of ["merge", "replace"])
      expect(await imported("object", csv, upsert)).toMatchObject({ updated: 0, unchanged: 2 });
  });

  it("needs the column of the links for their roles", async () => {
    const csv = await exported("object", curator, of("brook"));
    const { address, form } = await proposed("object", csv);
    const at = Object.keys(form).find((key) => form[key] === "__relation:acquired_from:entity__")!;
    await answered(
      curator.send(address, { ...form, [at]: "" }),
      422,
      /acquired from \(role\): is for the roles of links/,
    );
  });
});
