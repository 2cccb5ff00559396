/** The page of one record: what visitors can read there, and what they cannot. */
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { OPERATOR } from "../../src/caller.ts";
import { formatsOf } from "../../src/pages/formats.ts";
import { COLLECTION_STATUSES, type Kind, kinds } from "../../src/records/kinds.ts";
import type { Metadata } from "../../src/records/record.ts";
import { deleteRecord } from "../../src/records/write/trash.ts";
import { changeSettings } from "../../src/settings/change.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { keeping } from "../support/museum/keeping.ts";
import { museumHere } from "../support/museum/museum.ts";

const HOSTILE = `</title></script><script>alert(1)</script>"'`;

const museum = await museumHere({ env: { ARK_ENABLED: "true", ARK_NAAN: "12345" } });
const api = createApp(museum.services);

const { keep, link } = keeping(museum.services);

async function read(
  kind: Kind,
  id: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; page: string; headers: Headers }> {
  const answer = await api.app.request(`http://127.0.0.1:8000/${kinds[kind].plural}/${id}`, {
    headers: { Accept: "text/html", ...headers },
  });
  return { status: answer.status, page: await answer.text(), headers: answer.headers };
}

async function addFile(id: string, filename: string, type: string, category: string): Promise<void> {
  await museum.services.sql`
    insert into object_media (id, object_id, storage_key, filename, mime_type, category, status, bytes, sha256, visibility, position)
    select gen_random_uuid(), ${id}, ${`originals/${filename}`}, ${filename}, ${type}, ${category}, 'ready', 1000,
      md5(${filename}) || md5(${filename}), 'public', count(*) + 1
    from object_media where object_id = ${id}`;
}

describe("A visitor who opens a record", () => {
  it("reads its public fields, with labels and dates in the reader's language", async () => {
    const id = await keep("object", {
      title: [
        { value: "Evening", lang: "en" },
        { value: "Abend", lang: "de" },
      ],
      description: [{ value: "One.\n\nTwo.", lang: "en" }],
      date: [{ value: "1887~" }],
      material: [{ value: "oil paint" }, { value: "canvas" }],
      rights: [{ value: "http://creativecommons.org/publicdomain/mark/1.0/" }],
      insurance_value: [{ value: "EUR 65,000" }],
    });
    const german = await read("object", id, { "Accept-Language": "de" });
    expect(german.status).toBe(200);
    for (const words of ['<h1 dir="auto">Abend</h1>', "Material", "um 1887", "Ölfarbe", "Leinwand"])
      expect(german.page).toContain(words);
    // a text that exists in another language only is marked with that language
    expect(german.page).toContain('<p dir="auto" lang="en">One.</p><p dir="auto" lang="en">Two.</p>');
    expect(german.page).toContain(
      "Public Domain Mark 1.0 (gemeinfrei)<small>Kein Urheberrechtsschutz</small>",
    );
    expect(german.page).not.toContain("65,000");
    expect((await read("object", id, { "Accept-Language": "fr" })).page).toContain("vers 1887");
  });

  it("reads it in the order of a museum: makers come first among the facts, and no fact comes twice", async () => {
    const maker = await keep("entity", { name: [{ value: "Carsten Voß" }] }, { subtype: "person" });
    const id = await keep(
      "object",
      {
        title: [{ value: "Regatta" }],
        alternative_title: [{ value: "regatta" }, { value: "Boat race" }],
        object_name: [{ value: "painting" }],
        description: [{ value: "Sails." }],
        date: [{ value: "1926-22" }],
        date_text: [{ value: "Summer 1926" }],
        creator_text: [{ value: "Voss, Carsten" }, { value: "somebody at the harbour" }],
        accession_number: [{ value: "1926.4" }],
        other_numbers: [{ value: "4.1926" }],
        rights: [{ value: "http://creativecommons.org/publicdomain/mark/1.0/" }],
      },
      { subtype: "painting", idno: "1926.4" },
    );
    await link(id, "created_by", "entity", maker);
    const { page } = await read("object", id);
    const places = ["<h1", 'class="lead"', 'class="told"', ">Details<", ">Cite and reuse<"].map((part) =>
      page.indexOf(part),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    const facts = [...page.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs)].map(([, label, value]) => [
      label!,
      value!.replace(/<[^>]+>/g, ""),
    ]);
    expect(facts).toEqual([
      ["created by", "Carsten Voß"],
      ["Creator", "somebody at the harbour"],
      ["Alternative title", "Boat race"],
      ["Object name", "painting"],
      ["Date", "summer 1926"],
      ["Other numbers", "4.1926"],
      ["Number", "1926.4"],
    ]);
  });

  it("reads that an object is lent, and to whom only if the museum wants it and the borrower is public", async () => {
    const museumOf = (name: string, status: "public" | "draft") =>
      keep("entity", { name: [{ value: name }] }, { status });
    const [open, courier, secret] = await Promise.all([
      museumOf("Kunsthalle Lund", "public"),
      museumOf("Rolf Kurier", "public"),
      museumOf("Secret Collector", "draft"),
    ]);
    const piece = await keep(
      "object",
      { title: [{ value: "Lent piece" }] },
      { collection_status: "on_loan_out" },
    );
    const loan = await keep(
      "procedure",
      { title: [{ value: "Loan" }] },
      { subtype: "loan_out", status: "internal", start_date: "2020-02-01" },
    );
    const earlier = await keep(
      "procedure",
      { title: [{ value: "Earlier loan" }] },
      { subtype: "loan_out", end_date: "2020-01-31" },
    );
    const former = await museumOf("Former Borrower", "public");
    await link(piece, "subject_of_procedure", "procedure", earlier);
    await link(former, "participated_in", "procedure", earlier, {}, "entity");
    await link(piece, "subject_of_procedure", "procedure", loan);
    await link(secret, "participated_in", "procedure", loan, {}, "entity");
    await link(courier, "participated_in", "procedure", loan, { role: [{ value: "Kurier" }] }, "entity");
    expect((await read("object", piece)).page).toMatch(/<p class="on-loan">On loan<\/p>/);
    const show = (show_borrower: boolean) =>
      changeSettings(museum.services, { caller: OPERATOR, client: "test" }, null, { show_borrower }, String);
    await show(true);
    expect((await read("object", piece)).page).toMatch(/<p class="on-loan">On loan<\/p>/);
    await link(open, "participated_in", "procedure", loan, { role: [{ value: "Leihnehmer" }] }, "entity");
    const { page } = await read("object", piece, { "Accept-Language": "de" });
    expect(page).toMatch(
      /<p class="on-loan">Derzeit verliehen an <a [^>]*><bdi[^>]*>Kunsthalle Lund<\/bdi><\/a><\/p>/,
    );
    await museum.services.sql`update records set start_date = current_date + 1 where id = ${loan}`;
    expect((await read("object", piece)).page).toMatch(/<p class="on-loan">On loan<\/p>/);
    await museum.services.sql`update records set start_date = current_date where id = ${loan}`;
    expect((await read("object", piece)).page).toContain("Kunsthalle Lund");
    await show(false);
    expect((await read("object", piece)).page).not.toMatch(/Kunsthalle|Former|Kurier|Secret/);
  });

  it("counts as many works on the page of a maker as the search and the list of people", async () => {
    const maker = await keep("entity", { name: [{ value: "Zz Counted" }] });
    for (const collection_status of COLLECTION_STATUSES) {
      const id = await keep(
        "object",
        { title: [{ value: `Counted ${collection_status}` }] },
        { collection_status },
      );
      await link(id, "created_by", "entity", maker);
    }
    await drainOutbox(museum.services);
    const count = async (path: string, one: RegExp) =>
      (await (await api.app.request(path, { headers: { Accept: "text/html" } })).text()).match(one)?.length ??
      0;
    expect(await count(`/entities/${maker}`, /<b[^>]*>Counted /g)).toBe(2);
    expect(await count(`/search?type=object&rel_entity=${maker}`, /<b[^>]*>Counted /g)).toBe(2);
    expect(await count("/browse/entities?letter=z", /Zz Counted<[\s\S]{0,300}2 objects/g)).toBe(1);
  });

  it("reads a workshop's piece as a workshop's piece, there, on cards and on the page of the master", async () => {
    const master = await keep("entity", { name: [{ value: "Joos Verbeke" }] });
    const of = (title: string) => keep("object", { title: [{ value: title }] });
    const [own, workshop, hand, other] = await Promise.all(["Own", "Workshop", "Hand", "Other"].map(of));
    const by = (id: string, metadata_: Metadata) => link(id, "created_by", "entity", master, metadata_);
    await by(own!, { role: [{ value: "painter" }] });
    await by(other!, {});
    await by(workshop!, { qualifier: [{ value: "workshop_of" }], role: [{ value: "painter" }] });
    await by(hand!, { qualifier_text: [{ value: "Hand des", lang: "de" }] });
    const german = { "Accept-Language": "de" };
    const piece = await read("object", workshop!, german);
    expect(piece.page).toContain(">Werkstatt von Joos Verbeke</bdi></a>");
    expect(piece.page).not.toMatch(/>Joos Verbeke<|workshop_of|Mehr von/);
    const cited = (page: string) => /<p id="citation"[^>]*>(.*?)\./.exec(page)![1]!.replace(/<[^>]+>/g, "");
    expect(cited((await read("object", workshop!, { "Accept-Language": "fr" })).page)).toBe(
      "Atelier de Joos Verbeke",
    );
    expect(piece.headers.get("Link")).not.toContain('rel="author"');
    for (const [language, row] of [
      ["de", /<dt>Urheberschaft<\/dt><dd>[\s\S]*?Werkstatt von Joos Verbeke/],
      ["en", /<dt>Maker<\/dt><dd>[\s\S]*?workshop of Joos Verbeke/],
      ["fr", /<dt>Auteur<\/dt><dd>[\s\S]*?atelier de Joos Verbeke/],
    ] as const)
      expect((await read("object", workshop!, { "Accept-Language": language })).page).toMatch(row);
    expect((await read("object", own!, german)).page).toMatch(
      /<dt>geschaffen von<\/dt><dd>[\s\S]*?Joos Verbeke/,
    );
    const words = await read("object", hand!);
    expect(words.page).toContain(">Hand des Joos Verbeke</bdi></a>");
    const mine = await read("object", own!);
    expect(mine.headers.get("Link")).toContain('rel="author"');
    // what else there is by him
    const also = mine.page.slice(mine.page.indexOf('class="wall"'));
    expect([also.includes("Other"), also.includes("Workshop"), also.includes("Hand")]).toEqual([
      true,
      false,
      false,
    ]);
    const page = (await read("entity", master, german)).page;
    const walls = page
      .split('<section class="wall">')
      .slice(1)
      .map((wall) => {
        const heading = /<h2>(.*?)<\/h2>/.exec(wall)![1]!.replace(/<[^>]+>/g, "");
        return [heading, ...[...wall.matchAll(/\/objects\/([\da-f-]{36})/g)].map(([, id]) => id).sort()];
      });
    expect(walls).toEqual([
      ["Werke", ...[own!, other!].sort()],
      ["Werkstatt von Joos Verbeke", workshop],
      ["Hand des Joos Verbeke", hand],
    ]);
    const cards = await api.app.request("http://127.0.0.1:8000/search?type=object", {
      headers: { Accept: "text/html" },
    });
    const text = await cards.text();
    for (const maker of ["workshop of Joos Verbeke", "Hand des Joos Verbeke"])
      expect(text).toContain(`<bdi>${maker}</bdi>`);
  });

  it("gets the captions of each film by its name, in languages called as the reader calls them", async () => {
    const id = await keep("object", { title: [{ value: "Two talks" }] });
    for (const name of ["talk.mp4", "talk-2.mp4"]) await addFile(id, name, "video/mp4", "video");
    for (const name of ["talk.vtt", "Talk.de.vtt", "talk-2_pt.vtt", "other.en.vtt"])
      await addFile(id, name, "text/vtt", "captions");
    const { page } = await read("object", id, { "Accept-Language": "de" });
    const films = page
      .match(/<video.*?<\/video>/gs)!
      .map((film) =>
        [
          ...film.matchAll(
            /<track kind="captions" src="[^"]+"(?: srclang="([^"]+)")? label="([^"]+)"( default)?>/g,
          ),
        ].map(([, ...track]) => track),
      );
    expect(films).toEqual([
      [
        [undefined, "Untertitel", undefined],
        ["de", "Deutsch", " default"],
      ],
      [["pt", "Portugiesisch", undefined]],
    ]);
    expect(page).not.toContain("other.en.vtt");
  });

  it("may compile and unpack models only where there is one, in the kept page, too", async () => {
    const id = await keep("object", { title: [{ value: "Lens" }] });
    const policy = async () => (await read("object", id)).headers.get("Content-Security-Policy")!;
    const widened = [/'wasm-unsafe-eval'/, /blob:/];
    for (const more of widened) expect(await policy()).not.toMatch(more);
    await addFile(id, "lens.glb", "model/gltf-binary", "3d");
    for (const _ of ["made", "kept"]) {
      for (const more of widened) expect(await policy()).toMatch(more);
      expect(await policy()).not.toContain("'unsafe-eval'");
    }
  });

  it("gets it with one database query while nothing changes, and up to date after every change", async () => {
    const id = await keep("object", { title: [{ value: "Lantern" }] });
    let queries = 0;
    const sql = new Proxy(museum.services.sql, {
      apply(target, self, args) {
        queries++;
        return Reflect.apply(target, self, args);
      },
    });
    const { app } = createApp({ ...museum.services, sql });
    const ask = async (headers: Record<string, string> = {}) => {
      queries = 0;
      const answer = await app.request(`http://127.0.0.1:8000/objects/${id}`, {
        headers: { Accept: "text/html", ...headers },
      });
      const page = await answer.text();
      const [, nonce] = /'nonce-([\w-]+)'/.exec(answer.headers.get("Content-Security-Policy")!) ?? [];
      const nonces = new Set([...page.matchAll(/nonce="([^"]+)"/g)].map(([, one]) => one));
      return { page, nonce, nonces: [...nonces], queries, headers: answer.headers, status: answer.status };
    };
    const first = await ask();
    expect(first.queries).toBeGreaterThan(5);
    // writes in other databases of the same server count as changes, too
    await expect.poll(async () => (await ask()).queries, { interval: 20 }).toBe(1);
    const again = await ask();
    expect(again.page).toBe(first.page.replaceAll(first.nonce!, again.nonce!));
    expect([again.nonces, again.nonce === first.nonce]).toEqual([[again.nonce], false]);
    for (const name of ["ETag", "Cache-Control", "Vary", "Link", "Content-Type"])
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    const unchanged = await app.request(`http://127.0.0.1:8000/objects/${id}`, {
      headers: { Accept: "text/html", "If-None-Match": first.headers.get("ETag")! },
    });
    expect(unchanged.status).toBe(304);
    // the page that the browser has kept has another nonce
    expect(unchanged.headers.get("Content-Security-Policy") ?? "").not.toContain("nonce-");
    expect((await ask({ "Accept-Language": "de" })).page).toContain('<html lang="de">');

    const editor = await museum.as("editor");
    const json = { metadata_: { title: [{ value: "Ship’s lantern" }] } };
    expect((await editor(`/v1/objects/${id}`, { method: "PATCH", json })).status).toBe(200);
    expect((await ask()).page).toContain("Ship’s lantern");
    expect((await editor(`/v1/objects/${id}/status`, { json: { status: "draft" } })).status).toBe(200);
    expect((await ask()).status).toBe(404);
  });

  it("reads numbers and measurements in the notation of the reader's language", async () => {
    const id = await keep("object", {
      title: [{ value: "Chest", lang: "en" }],
      dimensions: [
        { value: "height: 62.5 cm" },
        { value: "12.5 x 30,25 cm" },
        { value: "1,100 mm" },
        { value: "duration: 43200 s" },
        { value: "Duration: 142 s" },
        { value: "size: 2.6 GB" },
      ],
    });
    const german = (await read("object", id, { "Accept-Language": "de" })).page;
    for (const words of ["Höhe: 62,5 cm", "12,5 x 30,25 cm", "1,100 mm", "Dauer: 12 Std.", "Größe: 2,6 GB"])
      expect(german).toContain(words);
    expect((await read("object", id, { "Accept-Language": "fr" })).page).toContain("Hauteur\u00a0: 62,5 cm");
    const english = (await read("object", id)).page;
    for (const words of ["Height: 62.5 cm", "Duration: 12 hr", "Duration: 2 min 22 sec"])
      expect(english).toContain(words);
    expect(["-12.50", "1234567.125", "3"].map(formatsOf("de", "UTC").decimal)).toEqual([
      "-12,50",
      "1.234.567,125",
      "3",
    ]);
  });

  it("begins with the own works of a person, before what they gave", async () => {
    const person = await keep("entity", { name: [{ value: "Griet Mol" }] });
    for (const relation of ["created_by", "acquired_from", "acquired_from"]) {
      const id = await keep("object", { title: [{ value: `Of Griet, ${relation}` }] });
      await link(id, relation, "entity", person);
    }
    const { page } = await read("entity", person);
    expect(page).toContain("Of Griet, created_by");
    expect(page.indexOf("Of Griet, created_by")).toBeLessThan(page.indexOf("Of Griet, acquired_from"));
  });

  it("hears titles in their own language, because each is marked with it", async () => {
    const above = await keep("collection", { title: [{ value: "Schiffe", lang: "de" }] });
    const below = await keep("collection", { title: [{ value: "Boote", lang: "de" }] }, { parent_id: above });
    const maker = await keep(
      "entity",
      { name: [{ value: "Werft", lang: "de" }] },
      { subtype: "organisation" },
    );
    const id = await keep("object", { title: [{ value: "קערה", lang: "he" }] });
    await link(id, "created_by", "entity", maker);
    await link(id, "in_collection", "collection", below);
    const { page } = await read("object", id);
    expect(page).toContain('<h1 dir="auto" lang="he">קערה</h1>');
    expect(page).toContain('<bdi lang="de">Werft</bdi>');
    const inside = (await read("collection", below)).page;
    expect(inside).toContain('<bdi lang="de">Schiffe</bdi>');
    expect(inside).toContain('<b dir="auto" lang="he">קערה</b>');
    expect((await read("collection", below, { "Accept-Language": "de" })).page).toContain(
      "<bdi>Schiffe</bdi>",
    );
  });

  it("finds linked records, but none that is not public", async () => {
    const painter = await keep("entity", { name: [{ value: "Carsten Voß" }] }, { subtype: "person" });
    const secret = await keep(
      "entity",
      { name: [{ value: "The Lender" }] },
      { subtype: "person", status: "internal" },
    );
    const shelf = await keep("storage_location", { name: [{ value: "Shelf 9" }] }, { status: "internal" });
    const id = await keep("object", { title: [{ value: "The Flood" }] });
    await link(id, "created_by", "entity", painter, { role: [{ value: "painter" }] });
    await link(id, "owned_by", "entity", secret);
    await link(id, "stored_at", "storage_location", shelf);
    const { page } = await read("object", id);
    expect(page).toContain(`href="/entities/${painter}"`);
    expect(page).toContain(`<small><bdi>painter</bdi></small>`);
    const german = await read("object", id, { "Accept-Language": "de" });
    expect(german.page).toContain(`<small><bdi>Malerin/Maler</bdi></small>`);
    expect(page).not.toMatch(/Lender|Shelf 9/);
    expect((await read("entity", painter)).page).toContain("The Flood");
  });

  it("finds what was made at a place under a heading that makes sense on its own", async () => {
    const place = await keep("place", { name: [{ value: "Sternhöft" }] });
    const id = await keep("object", { title: [{ value: "Vase with jellyfish" }] });
    await link(id, "made_at", "place", place);
    expect((await read("place", place)).page).toMatch(/<h2>made here<\/h2>[\s\S]*Vase with jellyfish/);
    expect((await read("place", place, { "Accept-Language": "de" })).page).toContain(
      "<h2>hier hergestellt</h2>",
    );
  });

  it("moves up and down the tree of collections", async () => {
    const top = await keep("collection", { title: [{ value: "Fine Art" }] });
    const below = await keep("collection", { title: [{ value: "Prints" }] }, { parent_id: top });
    await keep("collection", { title: [{ value: "Not yet ready" }] }, { parent_id: top, status: "draft" });
    expect((await read("collection", below)).page).toContain(
      `<a href="/collections/${top}"><bdi>Fine Art</bdi></a>`,
    );
    const { page } = await read("collection", top);
    expect(page).toContain(`<a href="/collections/${below}">`);
    expect(page).not.toContain("Not yet ready");
  });

  it("gets the persistent name for citation, which leads back to the page", async () => {
    const id = await keep("object", { title: [{ value: "Sea chest" }] });
    const [, ark] = /<a href="http:\/\/127\.0\.0\.1:8000(\/ark:\/12345\/\w{8})">/.exec(
      (await read("object", id)).page,
    )!;
    const led = await api.app.request(`http://127.0.0.1:8000${ark}`);
    expect(led.headers.get("Location")).toBe(`http://127.0.0.1:8000/objects/${id}`);
  });

  it("gets 304 while nothing has changed", async () => {
    const id = await keep("place", { name: [{ value: "Höft" }] });
    const { headers } = await read("place", id);
    const again = await read("place", id, { "If-None-Match": headers.get("ETag")! });
    expect([again.status, again.headers.get("Content-Security-Policy")]).toEqual([304, null]);
  });
});

describe("What visitors may not see", () => {
  it.each(["draft", "internal"] as const)("is not found while it is %s", async (status) => {
    const id = await keep("object", { title: [{ value: "Unfinished" }] }, { status });
    const { status: answered, page } = await read("object", id);
    expect(answered).toBe(404);
    expect(page).not.toContain("Unfinished");
  });

  it("is answered as withdrawn if it was public before", async () => {
    const id = await keep("object", { title: [{ value: "Sold" }] });
    await deleteRecord(museum.services, OPERATOR, "object", id, { force: false, expected: null });
    const { status, page } = await read("object", id);
    expect(status).toBe(410);
    expect(page).not.toContain("Sold");
  });

  it("includes storage locations, ids of another kind and invalid ids", async () => {
    const shelf = await keep("storage_location", { name: [{ value: "Shelf 9" }] }, { status: "internal" });
    const object = await keep("object", { title: [{ value: "Jug" }] });
    expect((await read("storage_location", shelf)).status).toBe(404);
    expect((await read("entity", object)).status).toBe(404);
    expect((await read("object", "..%2F..%2Fetc")).status).toBe(404);
  });
});

describe("The content of a record is shown as text, whatever it is", () => {
  it("in the page, its head and its data for machines", async () => {
    const id = await keep("object", {
      title: [{ value: HOSTILE }],
      description: [{ value: HOSTILE }],
      material: [{ value: HOSTILE }],
      rights: [{ value: "http://creativecommons.org/publicdomain/mark/1.0/" }],
    });
    const { page, headers } = await read("object", id);
    expect(page).not.toContain("<script>alert");
    const data = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(page)![1]!;
    expect(JSON.parse(data)).toMatchObject({
      name: HOSTILE,
      description: HOSTILE,
      license: "http://creativecommons.org/publicdomain/mark/1.0/",
    });
    expect(headers.get("Content-Security-Policy")).not.toContain("unsafe");
  });

  it("and an address is a link only if it leads to the web", async () => {
    const id = await keep("entity", {
      name: [{ value: "Museum" }],
      website: [{ value: "https://museum.example/" }],
      biography: [{ value: "javascript:alert(1)" }],
    });
    const { page } = await read("entity", id);
    expect(page).toContain('<a href="https://museum.example/" rel="noopener nofollow">museum.example</a>');
    expect(page).not.toContain('href="javascript:');
  });
});
