/** A list that is too long for its place says how many there are and leads to the rest. */
import { describe, expect, it } from "vitest";
import { made, said } from "../support/museum/catalogue.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();
const { sql } = museum.services;

const create = (plural: string, json: object) =>
  made(api, plural, { status: "public", metadata_: { title: said("Sheet") }, ...json });

/** Records like this one, numbered, as they would be after an import. */
async function copies(id: string, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title, parent_id, due_date)
    select gen_random_uuid(), record_type, idno || '.' || lpad(n::text, 4, '0'), subtype, status, collection_status,
      metadata, title || ' ' || n, sort_title, parent_id, due_date
    from records cross join generate_series(1, ${count}::int) n where records.id = ${id} returning id`;
  return rows.map((row) => row.id);
}

async function linkAll(from: readonly string[], type: string, to: readonly string[]): Promise<void> {
  await sql`
    insert into relations (id, relation_type, from_id, to_id)
    select gen_random_uuid(), ${type}, f, t from unnest(${from as string[]}::uuid[]) f, unnest(${to as string[]}::uuid[]) t`;
}

const read = async (path: string): Promise<string> =>
  (await museum.ask(path, { headers: { Accept: "text/html", "Accept-Language": "en" } })).text();

/** What a reader of all parts finds, part after part, by following the links to the next one in this section. */
async function everyPart(
  load: (path: string) => Promise<string>,
  path: string,
  found: RegExp,
  total: number,
): Promise<string[]> {
  const all: string[] = [];
  for (let next: string | undefined = path; next; ) {
    const page = await load(next);
    expect(page).toMatch(new RegExp(`\\d+–\\d+ of ${total}<`));
    all.push(...[...page.matchAll(found)].map((match) => match[1]!));
    next = /rel="next" href="([^"#]*part=\d+)/.exec(page)?.[1];
  }
  return all;
}

describe("the files of an object", async () => {
  const object = await create("objects", { idno: "SKETCHBOOK", object_type: "drawing" });
  await sql`
    insert into object_media (id, object_id, storage_key, filename, mime_type, category, status, bytes, sha256, width, height,
      pages, visibility, position)
    select gen_random_uuid(), ${object}, 'originals/' || n, 'sheet-' || n || '.jpg', 'image/jpeg', 'image', 'ready', 1000,
      md5(n::text) || md5(n::text), 400, 300, 1, 'public', n
    from generate_series(1, 450) n`;
  const ids = (await sql<{ id: string }[]>`select id from object_media order by position`).map(
    ({ id }) => id,
  );

  it("are all on the pages of the object", async () => {
    const image = /data-zoom="[^"]*\/([0-9a-f-]{36})\/info.json"/g;
    const shown = (page: string) => [...page.matchAll(image)].map(([, id]) => id);
    const first = await read(`/objects/${object}`);
    // one wish, one way: behind the pictures that are folded
    expect(first).toMatch(/<details>(?:(?!<\/details>)[\s\S])*1–200 of 450/);
    expect(shown(first)).toEqual(ids.slice(0, 200));
    const address = /href="([^"]*\?media=all)"/.exec(first)![1]!;
    expect(shown(await read(address))).toEqual(ids);
  });

  it("are all in the editor", async () => {
    const form = /\/media\/([0-9a-f-]{36})"/g;
    const load = curator.text;
    expect(await everyPart(load, `/admin/objects/${object}`, form, 450)).toEqual(ids);
  });

  it("are counted where they are included, with the address of all", async () => {
    const seen = await (await museum.ask(`/v1/objects/${object}?include=media`)).json();
    expect(seen).toMatchObject({ media_total: 450, media_url: `/v1/objects/${object}/media` });
    expect((seen as { media: unknown[] }).media).toHaveLength(200);
    const list = await (await museum.ask("/v1/objects?include=media&idno=SKETCHBOOK")).json();
    expect(list).toMatchObject({ items: [{ media_total: 450 }] });
    const last = await museum.ask(`${(seen as { media_url: string }).media_url}?page=3&page_size=200`);
    expect(await last.json()).toMatchObject({ total: 450, items: { length: 50 } });
  });
});

describe("the links of a record", async () => {
  const maker = await create("entities", { entity_type: "person", metadata_: { name: [{ value: "Ada" }] } });
  const first = await create("objects", {
    idno: "MANY",
    object_type: "drawing",
    metadata_: { title: [{ value: "Sheet" }] },
  });
  const objects = await copies(first, 210);
  await linkAll(objects, "created_by", [maker]);
  // a symmetric type, stored from both ends
  await linkAll([first], "related_to", objects.slice(0, 30));
  await linkAll(objects.slice(30, 60), "related_to", [first]);

  it("are all on the pages for visitors", async () => {
    const name = /<a [^>]*href="\/objects\/([0-9a-f-]{36})"/g;
    for (const [path, expected] of [
      [`/entities/${maker}`, objects],
      [`/objects/${first}`, objects.slice(0, 60)],
    ] as const) {
      const found = await everyPart(read, path, name, expected.length);
      expect(new Set(found)).toEqual(new Set(expected));
      // none in two parts
      const perPart = await everyPart(read, path, /(\d+–\d+ of)/g, expected.length);
      expect(new Set(perPart).size).toBe(Math.ceil(expected.length / 24));
    }
  });

  it("are all in the editor", async () => {
    const load = curator.text;
    const name = /<a href="\/admin\/objects\/([0-9a-f-]{36})"/g;
    const found = await everyPart(load, `/admin/entities/${maker}`, name, 210);
    expect(new Set(found)).toEqual(new Set(objects));
  });

  it("are counted where they are included, with the address of all", async () => {
    const seen = await (await museum.ask(`/v1/entities/${maker}?include=relations`)).json();
    expect(seen).toMatchObject({
      relations: { length: 200 },
      relations_total: 210,
      relations_url: `/v1/entities/${maker}/relations`,
    });
  });

  it("all go with a copy of the record", async () => {
    const whole = await create("objects", { idno: "PARTS", object_type: "drawing" });
    const many = await copies(whole, 510);
    await linkAll([first], "depicts", [maker]);
    await linkAll([first], "part_of", many);
    await curator.send(`/admin/objects/${first}/duplicate`, { links: "yes" });
    const [copy] = await sql<{ count: number }[]>`
      select count(*)::int from relations l join records r on r.id = l.from_id
      where l.relation_type = 'part_of' and l.from_id <> ${first}`;
    expect(copy!.count).toBe(510);
  });
});

describe("in collections care", async () => {
  const loan = await create("procedures", {
    ...{ idno: "LOAN-LONG", procedure_type: "loan_out", status: "internal", start_date: "2026-01-01" },
    metadata_: { title: [{ value: "Loan" }] },
  });
  const first = await create("objects", { idno: "LENT", object_type: "drawing" });
  const objects = await copies(first, 510);
  await linkAll(objects, "subject_of_procedure", [loan]);
  const load = curator.text;

  it("the objects of a procedure are all on its pages and on the lists that are printed", async () => {
    const name = /<span class="help">(LENT\.\d+)<\/span>\s*<a/g;
    const found = await everyPart(load, `/admin/procedures/${loan}`, name, 510);
    expect(new Set(found).size).toBeGreaterThanOrEqual(510);
    const printed = await everyPart(load, `/admin/procedures/${loan}/print`, /(LENT\.\d+)/g, 510);
    expect(new Set(printed).size).toBe(510);
  });

  it("the objects of the second part get the status that is proposed, too", async () => {
    const path = `/admin/procedures/${loan}/statuses?part=2`;
    await curator.send(path, { to: "on_loan_out" });
    const lent = await sql`select 1 from records where collection_status = 'on_loan_out'`;
    expect(lent).toHaveLength(10);
  });

  it("everything that is due is listed", async () => {
    const due = await create("procedures", {
      ...{ idno: "DUE", procedure_type: "loan_out", status: "internal", due_date: "2026-02-01" },
    });
    await copies(due, 510);
    const found = await everyPart(load, "/admin/due", />(DUE\.?\d*)<\/small>/g, 511);
    expect(new Set(found).size).toBe(511);
  });
});
