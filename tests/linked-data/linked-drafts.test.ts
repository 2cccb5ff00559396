/** Publishing says what visitors still do not see, and publishes linked drafts too; nothing is published unasked. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { createReport } from "../../src/imports/report/report.ts";
import { sayAll } from "../../src/messages/said.ts";
import { translator } from "../../src/messages/translate.ts";
import { linking, made } from "../support/museum/catalogue.ts";
import { MAKERS } from "../support/museum/import-room.ts";
import { importText } from "../support/museum/importing.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

type Json = { id: string; idno: string; status: string };
const make = (plural: string, idno: string, more: object) => made(api, plural, { idno, ...more });
const person = (idno: string, name: string) =>
  make("entities", idno, { entity_type: "person", metadata_: { name: [{ value: name }] } });
const place = (idno: string, name: string) =>
  make("places", idno, { place_type: "settlement", metadata_: { name: [{ value: name }] } });
const object = (idno: string) =>
  make("objects", idno, { object_type: "painting", metadata_: { title: [{ value: `Title ${idno}` }] } });
const link = linking(api);
const statusOf = async (path: string) => ((await (await api(path)).json()) as Json).status;
const numbers = async (query: string) =>
  ((await (await api(query)).json()) as { items: Json[] }).items.map(({ idno }) => idno).sort();

/** Does the job that the preview at this address offers, and returns the page of its result. */
async function run(address: string): Promise<string> {
  expect((await curator.send(`${address}/run`, {})).status).toBe(303);
  await endedJob(museum, api, address.split("/").at(-1)!);
  return curator.text(address);
}

const NONE = /Visitors (do not )?see|does not find/;

describe("a published object", () => {
  let boat: string;
  let maker: string;
  beforeAll(async () => {
    boat = await object("D.1");
    maker = await person("P.1", "Nora <b>Twin</b>");
    await link(boat, "created_by", "entity", maker);
    await link(boat, "depicts", "place", await place("O.1", "Genoa"));
    const seen = await person("P.2", "Ada Seen");
    await link(boat, "created_by", "entity", seen);
    expect((await api(`/v1/entities/${seen}/publish`, { method: "POST" })).status).toBe(200);
    await person("P.3", "Not Linked");
  });

  it("says on its page how many linked records are drafts, which, and where they are", async () => {
    expect(await curator.text(`/admin/objects/${boat}`)).not.toMatch(NONE);
    const form = await curator.text(`/admin/objects/${boat}`);
    const version = /name="version" value="(\d+)"/.exec(form)![1]!;
    const sent = await curator.send(`/admin/objects/${boat}`, {
      ...{ version, publish: "yes", idno: "D.1", object_type: "painting", collection_status: "active" },
      "metadata_/title/0/value": "Boat",
    });
    expect(sent.status).toBe(303);
    const page = await curator.text(`/admin/objects/${boat}`);
    expect(page).toContain("2 linked records are drafts");
    expect(page).toContain("P.1 Nora &lt;b&gt;Twin&lt;/b&gt;");
    expect(page).toContain("O.1 Genoa");
    expect(page).toContain(
      `/admin/entities?status=draft&amp;linked_with=${boat}">People and organisations: 1<`,
    );
    const list = await curator.text(`/admin/entities?status=draft&linked_with=${boat}`);
    expect(list).toContain("P.1");
    expect(list).not.toMatch(/P\.[23]/);
    expect(list).toContain(`name="linked_with" value="${boat}" checked`);
    expect(await statusOf(`/v1/entities/${maker}`)).toBe("draft");
    expect(await numbers(`/v1/entities?status=draft&linked_with=${boat}`)).toEqual(["P.1"]);
  });

  it("offers no publishing to those who lack the permission", async () => {
    const page = await (await staffBrowser(museum, "cataloger")).text(`/admin/objects/${boat}`);
    expect(page).toContain("2 linked records are drafts");
    expect(page).not.toContain("/admin/publish-drafts");
  });

  it("leads to a preview, which publishes only these, and only when asked", async () => {
    const back = `status=draft&linked_with=${boat}`;
    const sent = await curator.send("/admin/entities/bulk", { scope: "found", back, edit: "publish" });
    const address = sent.headers.get("Location")!;
    expect(await curator.text(address)).toContain("Publish one record");
    expect(await statusOf(`/v1/entities/${maker}`)).toBe("draft");
    await run(address);
    expect(await statusOf(`/v1/entities/${maker}`)).toBe("public");
    expect(await numbers("/v1/entities?status=draft")).toEqual(["P.3"]);
    expect(await curator.text(`/admin/objects/${boat}`)).toContain("A linked record is a draft");
  });

  it("tells visitors nothing of drafts", async () => {
    expect(await (await museum.ask(`/v1/places?linked_with=${boat}`)).json()).toMatchObject({ items: [] });
  });
});

it("objects published together say it before and after; one undo takes back what was published with them", async () => {
  const id = await object("D.2");
  const maker = await person("P.4", "Bea");
  await link(id, "created_by", "entity", maker);
  expect(await curator.text("/admin/objects")).toMatch(/name="edit" value="publish">Publish …</);
  const picked = { scope: "chosen", [`pick/${id}`]: "on" };
  const sent = await curator.send("/admin/objects/bulk", { ...picked, edit: "publish" });
  const address = sent.headers.get("Location")!;
  expect(await curator.text(address)).toMatch(
    /A linked record is a draft[\s\S]*: 1 <span dir="auto">P\.4 Bea/,
  );
  const page = await run(address);
  expect(page).toMatch(/Done\.[\s\S]*<a class="button quiet" href="\/">Portal/);
  expect(page).toContain("A linked record is a draft");
  const edit = address.split("/").at(-1)!;
  expect(page).toContain(
    `/admin/entities?status=draft&amp;linked_with=${edit}">People and organisations: 1<`,
  );
  expect(await numbers(`/v1/entities?linked_with=${edit}`)).toEqual(["P.4"]);

  await curator.send("/admin/publish-drafts", { id: edit, here: address });
  expect(await statusOf(`/v1/entities/${maker}`)).toBe("public");
  const undo = (await curator.send(`${address}/undo`, {})).headers.get("Location")!;
  await endedJob(museum, api, undo.split("undo=")[1]!);
  expect(await curator.text(undo)).toMatch(
    /<h1>This publication has been undone<\/h1>[\s\S]*Restored<\/dt><dd>2<[\s\S]*D\.2[\s\S]*P\.4/,
  );
  expect([await statusOf(`/v1/objects/${id}`), await statusOf(`/v1/entities/${maker}`)]).toEqual([
    "draft",
    "draft",
  ]);
});

describe("the page of what was published", () => {
  it("publishes the makers and places with one button, except those that it says cannot be", async () => {
    const id = await object("D.30");
    const { id: nameless } = (await (
      await api("/v1/entities", { json: { idno: "P.30", entity_type: "person" } })
    ).json()) as Json;
    await link(id, "created_by", "entity", nameless);
    await link(id, "created_by", "entity", await person("P.31", "Pia"));
    await link(id, "depicts", "place", await place("O.30", "Bergen"));
    expect((await api(`/v1/objects/${id}/publish`, { method: "POST" })).status).toBe(200);
    const here = `/admin/objects/${id}`;
    const before = await curator.text(here);
    expect(before).toContain("3 linked records are drafts");
    expect(before).toMatch(/One draft cannot be published yet:<\/p><ul><li><a [^>]*>P\.30<\/a>: [^<]*Name/);
    expect(before).toContain("Publish these 2 too");
    const sent = await curator.send("/admin/publish-drafts", { id, here });
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, here]);
    expect(await statusOf(await numbersPath("P.31"))).toBe("public");
    const after = await curator.text(here);
    expect(after).toContain("A linked record is a draft");
    expect(after).not.toContain("/admin/publish-drafts");
    const viewer = await staffBrowser(museum, "viewer");
    expect((await viewer.send("/admin/publish-drafts", { id, here })).status).toBe(403);
    expect(await statusOf(await numbersPath("P.30"))).toBe("draft");
    const elsewhere = await curator.send("/admin/publish-drafts", { id: "x", here: "//elsewhere.example" });
    expect(elsewhere.headers.get("Location")).toBe("/admin");
  });

  it("says when visitors' search leaves the object out, and when all its pictures are private", async () => {
    const id = await object("D.31");
    const picture = await sharp({ create: { width: 4, height: 3, channels: 3, background: "navy" } })
      .png()
      .toBuffer();
    const sent = await api(`/v1/objects/${id}/media`, {
      ...{ method: "POST", body: picture as BodyInit },
      headers: { "Content-Type": "image/png", "Content-Disposition": 'attachment; filename="a.png"' },
    });
    expect(sent.status).toBe(201);
    const { media_id } = (await sent.json()) as { media_id: string };
    const change = (path: string, json: object) => api(path, { method: "PATCH", json });
    await change(`/v1/objects/${id}`, { status: "public" });
    await change(`/v1/objects/${id}/media/${media_id}`, { visibility: "public" });
    expect(await curator.text(`/admin/objects/${id}`)).not.toMatch(NONE);
    await change(`/v1/objects/${id}/media/${media_id}`, { visibility: "private" });
    await change(`/v1/objects/${id}`, { collection_status: "deaccessioned" });
    const page = await curator.text(`/admin/objects/${id}`);
    expect(page).toContain("Visitors see no picture of one object");
    expect(page).toContain("search does not find one object");
  });
});

describe("an import that publishes", () => {
  it("says it at its end, in every language, and as JSON", async () => {
    await person("P.5", "Cleo");
    const done = await importText(museum.services, "No,Title,Maker\nD.3,A,Cleo\nD.4,B,Dora\n", MAKERS, {
      autoPublish: true,
    });
    const report = createReport({ kind: "object", unit: "row", dryRun: false });
    const list = `/admin/entities?status=draft&linked_with=${done.importId}`;
    for (const language of ["en", "de", "fr"]) {
      const text = sayAll(translator(language), report.lines(done)).join("\n");
      expect(text).toContain(translator(language)("drafts.linked", { count: 1 }));
      expect(text).toMatch(/1 .*: P\.5 Cleo/);
      expect(text).toContain(list);
    }
    expect(report.json(done)).toMatchObject({ linked_drafts: [{ record_type: "entity", count: 1, list }] });
    expect(await statusOf(await numbersPath("P.5"))).toBe("draft");
  });

  it("says it on its page", async () => {
    const body = new FormData();
    body.append("type", "object");
    body.append("file", new File(["No,Title,Maker\nD.5,A,Cleo\n"], "list.csv", { type: "text/csv" }));
    const sent = await curator.sendFile(`/admin/imports/files?_csrf=${curator.csrf}`, body);
    const begun = await curator.send(sent.headers.get("Location")!, {
      ...{ "target/0": "__idno__", "target/1": "title", "target/2": "__relation:created_by:entity__" },
      ...{ import: "yes", auto_publish: "yes" },
    });
    const address = begun.headers.get("Location")!;
    await endedJob(museum, api, address.split("/").at(-1)!);
    const page = await curator.text(address);
    expect(page).toContain("A linked record is a draft");
    expect(page).toContain("P.5 Cleo");
    expect(page).toContain("Publish it too");
  });
});

async function numbersPath(idno: string): Promise<string> {
  const { items } = (await (await api(`/v1/entities?idno=${idno}`)).json()) as { items: Json[] };
  return `/v1/entities/${items[0]!.id}`;
}

describe("publishing with others", () => {
  type Draft = Json & { record_type: string; title: string };
  let object1: string;
  let maker: string;
  beforeAll(async () => {
    object1 = await object("D.20");
    maker = await person("P.20", "Mia Maker");
    await link(object1, "created_by", "entity", maker);
    await link(object1, "depicts", "place", await place("O.20", "Lübeck"));
  });
  const publish = (id: string, json: object, query = "", ask = api) =>
    ask(`/v1/objects/${id}/publish${query}`, { json });
  const faultsOf = async (answer: Response) => {
    const { errors = [] } = (await answer.json()) as { errors?: { pointer: string; code: string }[] };
    return { status: answer.status, errors: errors.map(({ pointer, code }) => `${pointer} ${code}`) };
  };

  it("tells with include=drafts what visitors do not see, and keeps to the usual members without", async () => {
    const plain = (await (await publish(object1, {})).json()) as object;
    const told = (await (await publish(object1, {}, "?include=drafts")).json()) as { drafts: Draft[] };
    const { drafts, ...rest } = told;
    expect(rest).toEqual(plain);
    expect(drafts.map(({ record_type, idno, title }) => [record_type, idno, title])).toEqual([
      ["entity", "P.20", "Mia Maker"],
      ["place", "O.20", "Lübeck"],
    ]);
    const back = await api(`/v1/objects/${object1}/status?include=drafts`, { json: { status: "draft" } });
    expect(await back.json()).toMatchObject({ status: "draft", drafts: [] });
  });

  it("publishes all of them, or none when one is not as it must be", async () => {
    const { id: nameless } = (await (
      await api("/v1/entities", { json: { idno: "P.21", entity_type: "person" } })
    ).json()) as Json;
    const unknown = crypto.randomUUID();
    expect(await faultsOf(await publish(object1, { also: [maker, nameless, unknown] }))).toEqual({
      status: 422,
      errors: ["/also/1/metadata_/name field.required", "/also/2 id.unknown"],
    });
    expect(await statusOf(`/v1/objects/${object1}`)).toBe("draft");
    expect(await statusOf(`/v1/entities/${maker}`)).toBe("draft");
    const json = { status: "public", also: [object1, maker.toUpperCase()] };
    const done = await api(`/v1/objects/${object1}/status?include=drafts`, { json });
    expect(await done.json()).toMatchObject({ status: "public", drafts: [{ idno: "O.20" }] });
    expect(await statusOf(`/v1/entities/${maker}`)).toBe("public");
    expect(await (await museum.ask(`/v1/entities/${maker}`)).json()).toMatchObject({ id: maker });
  });

  it("needs the permission for each, and a record that the caller may see", async () => {
    const id = await object("D.21");
    const other = await person("P.22", "Otto");
    const put = async (kinds: object) => {
      const records = { object: ["read", "update", "publish"], ...kinds };
      const json = { permissions: { records, features: [] } };
      await museum.services.sql`
        insert into roles (name, permissions) values ('publisher', ${museum.services.sql.json(json.permissions)})
        on conflict (name) do update set permissions = excluded.permissions`;
    };
    await put({ entity: ["read"] });
    const publisher = await museum.as("publisher" as "editor");
    expect((await publish(id, { also: [other] }, "", publisher)).status).toBe(403);
    await put({ entity: [] });
    expect(await faultsOf(await publish(id, { also: [other] }, "", publisher))).toMatchObject({
      status: 422,
    });
    expect(await statusOf(`/v1/objects/${id}`)).toBe("draft");
    await put({ entity: ["read", "publish"] });
    expect((await publish(id, { also: [other] }, "", publisher)).status).toBe(200);
    expect(await statusOf(`/v1/entities/${other}`)).toBe("public");
  });

  it("tells nothing of what the caller may not see, and checks nothing that it does not write", async () => {
    const admin = await museum.as("admin");
    const field = { name: "valued_on", label: { en: "Valued on" }, field_type: "date", is_public: false };
    expect((await admin("/v1/schemas/object", { json: field })).status).toBe(201);
    const maker = await person("P.23", "Ida");
    const other = await object("D.23");
    expect((await publish(other, {})).status).toBe(200);
    const { sql } = museum.services;
    // as it was before its field became a date
    await sql`
      update records set metadata = metadata || '{"valued_on": [{"value": "of the widow"}]}' where id = ${other}`;
    const permissions = sql.json({ records: { entity: ["read", "publish"] }, features: [] } as never);
    await sql`insert into roles (name, permissions) values ('namer', ${permissions})`;
    const namer = await museum.as("namer" as "editor");
    const answer = await namer(`/v1/entities/${maker}/publish`, { json: { also: [other] } });
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining("widow")]);
  });

  it("refuses what makes no sense", async () => {
    const id = await object("D.22");
    const status = (json: object) => api(`/v1/objects/${id}/status`, { json });
    expect(await faultsOf(await status({ status: "draft", also: [maker] }))).toEqual({
      ...{ status: 422, errors: ["/also also.published"] },
    });
    for (const also of [["x"], [maker, maker], maker, Array.from({ length: 201 }, () => crypto.randomUUID())])
      expect((await status({ status: "public", also })).status).toBe(422);
    expect((await publish(id, {}, "?include=title")).status).toBe(422);
  });
});
