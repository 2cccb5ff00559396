/** Lists in the staff interface: export as files, the trash, duplicates, and the way from one record to the next. */
import { beforeAll, describe, expect, it } from "vitest";
import { answered, linking, made, withRole } from "../support/museum/catalogue.ts";
import { type StaffBrowser, staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

type Entries = { value: string; lang?: string }[];

const make = (plural: string, json: object) => made(api, plural, json);

const anchor = (idno: string, title: Entries, more: Record<string, Entries> = {}, status = "draft") =>
  make("objects", { idno, object_type: "other", status, metadata_: { title, ...more } });

const link = linking(api);

describe("the columns of a list", () => {
  it("are chosen and applied in one place, apart from the filters", async () => {
    const page = await curator.text("/admin/objects");
    const choice = /<details class="column-choice">[\s\S]*?<\/details>/.exec(page)![0];
    expect(choice).toMatch(/<button class="quiet small">Apply<\/button>/);
    expect(page.replace(choice, "")).toContain('<button class="quiet">Filter</button>');
  });
});

describe("chosen columns", () => {
  it("are shown until others are chosen, with makers and locations by name, and stand in exports and views", async () => {
    const smith = await make("entities", { metadata_: { name: [{ value: "Zora Smith" }] } });
    const shed = await make("storage-locations", { metadata_: { name: [{ value: "Boat shed" }] } });
    const oar = await anchor("COL.1", [{ value: "Oar" }], { inscription: [{ value: "Pull" }] });
    await link(oar, "stored_at", "storage_location", shed);
    const copy = { relation_type: "created_by", to_type: "entity", to_id: smith };
    const qualified = { ...copy, metadata_: { qualifier: [{ value: "copy_after" }] } };
    expect((await api(`/v1/objects/${oar}/relations`, { json: qualified })).status).toBe(201);
    const choose = (...columns: string[]) =>
      curator.send("/admin/objects/columns", {
        query: "q=oar",
        ...Object.fromEntries(columns.map((name) => [`column/${name}`, "yes"])),
      });
    const headings = (page: string) =>
      /<thead>[\s\S]*<\/thead>/
        .exec(page)![0]
        .replace(/<[^>]*>/g, " ")
        .trim()
        .split(/\s{2,}/);
    const done = await choose("@maker", "@location", "inscription");
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/admin/objects?q=oar"]);
    const page = await curator.text("/admin/objects?q=oar");
    expect(headings(page)).toEqual(["Picture", "Number", "Name", "Maker", "Location", "Inscription"]);
    expect(page).toMatch(
      /<td dir="auto">copy after Zora Smith<\/td><td dir="auto">Boat shed<\/td><td dir="auto">Pull</,
    );
    const [, csv] = /href="([^"]*format=csv)" download>CSV \(these columns\)/.exec(page)!;
    const [head, row] = (await curator.text(csv!.replaceAll("&amp;", "&"))).trim().split("\r\n");
    expect(head).toMatch(/Inscription,.*created by.*,stored at,stored at \(full path\)$/);
    expect(row).toMatch(/Pull,.*Zora Smith.*,Boat shed$/);
    expect(page).toMatch(
      /name="query" value="q=oar&amp;column=%40maker&amp;column=%40location&amp;column=inscription"/,
    );
    // an address has its own, and nobody else sees these
    expect(headings(await curator.text("/admin/objects?q=oar&column=%40status"))).toEqual([
      ...["Picture", "Number", "Name", "Status"],
    ]);
    const viewer = await staffBrowser(museum, "viewer");
    expect(await viewer.text("/admin/objects?q=oar")).not.toContain("Boat shed</td>");
    await choose();
    expect(headings(await curator.text("/admin/objects?q=oar"))).toContain("Last changed");
  });
});

describe("the export of a list", () => {
  const LIST = "q=anchor&sort=idno&dir=asc";
  beforeAll(async () => {
    const maker = await make("entities", { idno: "SMITH", metadata_: { name: [{ value: "Ada; Smith" }] } });
    const first = await anchor(
      "A.1",
      [
        { value: "Anchor, large", lang: "en" },
        { value: "Großer Anker", lang: "de" },
      ],
      { material: [{ value: "iron" }, { value: "rust" }], description: [{ value: "=HYPERLINK(1)" }] },
      "public",
    );
    await link(first, "created_by", "entity", maker);
    await anchor("A.2", [{ value: "Anchor" }], { internal_note: [{ value: "not to be told" }] });
    await anchor("B.1", [{ value: "Buoy" }]);
  });

  it("is CSV for spreadsheets: one column for each language, links by name, no formulas", async () => {
    const sent = await curator.get(`/admin/objects/export?format=csv&${LIST}`);
    expect(sent.headers.get("Content-Disposition")).toBe('attachment; filename="objects.csv"');
    const bytes = new Uint8Array(await sent.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^Number,Type,Status,Collection status,.*Title.*Title \(de\).*Title \(en\)/);
    expect(lines[0]).toMatch(/created by$/);
    expect(lines[1]).toMatch(/^A\.1,other,public,active,.*Großer Anker,"Anchor, large",/);
    expect(lines[1]).toContain('"iron | rust"');
    expect(lines[1]).toContain("'=HYPERLINK(1)");
    expect(lines[1]).toMatch(/"Ada; Smith"$/);
    expect(lines[2]).toContain("not to be told");
  });

  it("is NDJSON or LIDO in the order of the list, with what the caller may see", async () => {
    const text = await curator.text(`/admin/objects/export?format=ndjson&${LIST}`);
    const records = text
      .trim()
      .split("\n")
      .map((one) => JSON.parse(one) as { idno: string });
    expect(records.map(({ idno }) => idno)).toEqual(["A.1", "A.2"]);
    const lido = await curator.text(`/admin/objects/export?format=lido&${LIST}`);
    expect(lido).toContain("Großer Anker");
    expect(lido.match(/<lido:lido>|<lido:lido /g)).toHaveLength(1);
    expect((await curator.get("/admin/places/export?format=lido")).status).toBe(422);
    expect((await curator.get("/admin/objects/export?format=xls")).status).toBe(422);
    expect((await museum.ask("/admin/objects/export?format=csv")).status).not.toBe(200);
    expect(await curator.text(`/admin/objects?${LIST}`)).toContain("/admin/objects/export?q=anchor");
  });

  it("has only the columns of the view if some were chosen, and says so", async () => {
    const query = `${LIST}&column=material&column=%40status`;
    const csv = await curator.text(`/admin/objects/export?format=csv&${query}`);
    const [head, first] = csv.trim().split("\r\n");
    // by the last change, an import recognises the list
    expect(head).toBe("Number,Status,Last changed in the catalogue,Title,Title (de),Title (en),Material");
    expect(first).toMatch(/^A\.1,public,20[\d:T.-]+,,Großer Anker,"Anchor, large","iron \| rust"$/);
    const page = await curator.text(`/admin/objects?${query}`);
    expect(page).toMatch(/column=%40status&amp;format=csv" download>CSV \(these columns\)/);
    expect(page).toMatch(/dir=asc&amp;format=csv" download>CSV \(all fields\)/);
    expect(await curator.text(`/admin/objects?${LIST}`)).not.toContain("these columns");
  });

  it("is there for programs with the parameters of the list, if they may read the records", async () => {
    const at = "/v1/objects/export?q=anchor&sort_by=idno&sort_dir=asc";
    const csv = await api(`${at}&format=csv`);
    expect([csv.status, csv.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(await csv.text()).toMatch(
      /^idno,object_type,status,collection_status,created_at,updated_at,title,title \(de\),title \(en\),.*created_by\r\nA\.1,other,public,active,20/,
    );
    const lines = (await (await api(`${at}&format=ndjson&status=draft`)).text()).trim().split("\n");
    expect(lines.map((one) => (JSON.parse(one) as { idno: string }).idno)).toEqual(["A.2"]);
    expect(await (await api(`${at}&format=lido`)).text()).toContain("Großer Anker");
    const status = async (path: string, ask = api) => (await ask(path)).status;
    for (const wrong of [
      "&format=xls",
      "&format=csv&page=2",
      "&format=csv&object_type=ship",
      "&format=nquads",
    ])
      expect([wrong, await status(at + wrong)]).toEqual([wrong, 422]);
    expect(await status("/v1/places/export?format=lido")).toBe(422);
    for (const path of [`${at}&format=csv`, "/v1/storage-locations/export?format=csv"])
      expect(await status(path, museum.ask as typeof api)).toBe(401);
    expect(await status("/v1/storage-locations/export")).toBe(422);
  });

  it("contains the numbers of parents, but no name that the reader may not see", async () => {
    const house = await make("storage-locations", { idno: "H", metadata_: { name: [{ value: "House" }] } });
    await make("storage-locations", {
      idno: "H.1",
      parent_id: house,
      metadata_: { name: [{ value: "Room" }] },
    });
    const rows = await (
      await api("/v1/storage-locations/export?format=csv&sort_by=idno&sort_dir=asc")
    ).text();
    expect(rows).toMatch(/^H\.1,[a-z]*,draft,H,/m);

    const reader = await withRole(museum, "objects_only", { object: ["read"] });
    const seen = await (await reader("/v1/objects/export?format=csv&idno=A.1")).text();
    expect(seen).toContain("Großer Anker");
    expect(seen).not.toContain("Ada");
    expect(seen).not.toContain("created_by");
  });

  it("is complete, even beyond one read from the database", async () => {
    const lines = Array.from({ length: 450 }, (_, n) =>
      JSON.stringify({ idno: `Z.${n}`, object_type: "other", metadata_: { title: [{ value: `Peg ${n}` }] } }),
    );
    const headers = { "Content-Type": "application/x-ndjson" };
    await (await api("/v1/objects/bulk", { method: "POST", body: lines.join("\n"), headers })).text();
    const text = await curator.text("/admin/objects/export?format=ndjson&q=peg&sort=title&dir=asc");
    const idnos = text
      .trim()
      .split("\n")
      .map((one) => (JSON.parse(one) as { idno: string }).idno);
    expect(idnos).toEqual(Array.from({ length: 450 }, (_, n) => `Z.${n}`));
  });
});

describe("the trash", () => {
  it("shows what was deleted and by whom, and restores it", async () => {
    const id = await anchor("TR.1", [{ value: "Thrown away <b>" }]);
    await curator.send(`/admin/objects/${id}/delete`, {});
    const page = await curator.text("/admin/objects/trash");
    expect(page).toMatch(/TR\.1<\/td>[\s\S]*Thrown away &lt;b&gt;[\s\S]*admin-\d+@example\.org/);
    const other = await anchor("TR.1", [{ value: "Has the number" }]);
    await answered(
      curator.send(`/admin/objects/${id}/restore`, {}),
      409,
      /role="alert"[\s\S]*number[\s\S]*Thrown away/,
    );
    await curator.send(`/admin/objects/${other}/delete`, {});
    const back = await curator.send(`/admin/objects/${id}/restore`, {});
    expect([back.status, back.headers.get("Location")]).toEqual([303, `/admin/objects/${id}`]);
    expect(await curator.text("/admin/objects/trash")).not.toContain("Thrown away");
    const viewer = await staffBrowser(museum, "viewer");
    expect((await viewer.get("/admin/objects/trash")).status).toBe(403);
    expect(await viewer.text("/admin/objects")).not.toContain("/admin/objects/trash");
  });
});

describe("a duplicate", () => {
  it("is a draft with its own number, and with the links if they were requested", async () => {
    const entity = await make("entities", { idno: "D-MAKER", metadata_: { name: [{ value: "Bea" }] } });
    const first = await anchor("D.1", [{ value: "Pair of oars" }], {}, "public");
    await link(first, "created_by", "entity", entity);
    const copies = [];
    for (const form of [{ links: "yes" }, {}] as Record<string, string>[]) {
      const made = await curator.send(`/admin/objects/${first}/duplicate`, form);
      expect(made.status).toBe(303);
      const address = made.headers.get("Location")!;
      expect(await curator.text(address)).toContain("Pair of oars");
      copies.push(address.split("/").at(-1)!);
    }
    const read = async (path: string) => (await api(path)).json() as Promise<Record<string, unknown>>;
    expect(await read(`/v1/objects/${copies[0]}`)).toMatchObject({ status: "draft", object_type: "other" });
    const idnos = [];
    for (const copy of copies) idnos.push((await read(`/v1/objects/${copy}`)).idno);
    expect(new Set(["D.1", ...idnos]).size).toBe(3);
    expect((await read(`/v1/objects/${copies[0]}/relations`)).total).toBe(1);
    expect((await read(`/v1/objects/${copies[1]}/relations`)).total).toBe(0);
    expect((await curator.send(`/admin/objects/${crypto.randomUUID()}/duplicate`, {})).status).toBe(404);
  });
});

describe("a record opened from a list", () => {
  it("links to the previous and next record of that list, and still does after saving", async () => {
    const ids = await Promise.all(
      ["N.1", "N.2", "N.3"].map((idno) => anchor(idno, [{ value: `Netting ${idno}` }])),
    );
    const list = "q=netting&sort=idno&dir=asc";
    const inList = (id: string) => `/admin/objects/${id}?${new URLSearchParams({ in: list })}`;
    expect(await curator.text(`/admin/objects?${list}`)).toContain(inList(ids[1]!).replaceAll("&", "&amp;"));
    const middle = await curator.text(inList(ids[1]!));
    expect(middle).toContain(`rel="prev" href="${inList(ids[0]!)}"`);
    expect(middle).toContain(`rel="next" href="${inList(ids[2]!)}"`);
    const first = await curator.text(inList(ids[0]!));
    expect(first).not.toContain('rel="prev"');
    const down = inList(ids[1]!).replace("dir%3Dasc", "dir%3Ddesc");
    expect(await curator.text(down)).toMatch(new RegExp(`rel="prev" href="[^"]*${ids[2]}`));
    expect(await curator.text(`/admin/objects/${ids[1]}`)).not.toContain('rel="next"');
    const version = /name="version" value="(\d+)"/.exec(middle)![1]!;
    const form = { version, idno: "N.2", object_type: "other", status: "draft", collection_status: "active" };
    const saved = await curator.send(inList(ids[1]!), { ...form, "metadata_/title/0/value": "Netting N.2" });
    expect([saved.status, saved.headers.get("Location")]).toEqual([303, inList(ids[1]!)]);
  });
});

describe("a saved view of a list", () => {
  it("keeps filters, order and columns under a name, for oneself or for everybody", async () => {
    await anchor("V.1", [{ value: "Capstan" }], { material: [{ value: "elm" }, { value: "iron" }] });
    const query = "q=capstan&sort=idno&dir=asc&column=%40status&column=material";
    const page = await curator.text(`/admin/objects?${query}&column=nothing&page=1`);
    expect(page).toMatch(/<th>Material<\/th>[\s\S]*elm; iron/);
    expect(page).not.toContain("<th>Type</th>");
    expect(page).toMatch(/name="column\/material" value="yes" checked/);
    const keep = (by: StaffBrowser, form: Record<string, string>) => by.send("/admin/objects/views", form);
    const kept = await keep(curator, { name: "Capstans <i>", query, shared: "yes" });
    expect([kept.status, kept.headers.get("Location")]).toEqual([303, `/admin/objects?${query}`]);
    const shown = await curator.text(`/admin/objects?${query}`);
    expect(shown).toMatch(/aria-current="page" dir="auto">Capstans &lt;i&gt;/);

    const viewer = await staffBrowser(museum, "viewer");
    expect(await viewer.text("/admin/objects")).toContain("Capstans &lt;i&gt;");
    // viewers may not share, so this view is only their own
    await keep(viewer, { name: "Mine", query: "status=draft", shared: "yes" });
    expect(await viewer.text("/admin/objects")).toContain(">Mine<");
    expect(await curator.text("/admin/objects")).not.toContain(">Mine<");
    expect(await viewer.text("/admin/places")).not.toContain(">Mine<");
    const address = /action="([^"]+\/views\/[^"]+\/delete)"/;
    const shared = address.exec(shown)![1]!;
    expect((await viewer.send(shared, {})).status).toBe(404);
    const own = address.exec(await viewer.text("/admin/objects"))![1]!;
    expect((await curator.send(own, {})).status).toBe(404);
    expect((await viewer.send(own, {})).status).toBe(303);
    expect((await curator.send(shared, {})).status).toBe(303);
    expect(await viewer.text("/admin/objects")).not.toContain("Capstans");
    for (const name of ["", "x".repeat(101), "a\u0000b"])
      expect([name, (await keep(curator, { name, query })).status]).toEqual([name, 422]);
  });
});
