/** Publishing says which linked records stay drafts, and leads to where they are published; nothing is published unasked. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReport } from "../../src/imports/report/report.ts";
import { sayAll } from "../../src/messages/said.ts";
import { translator } from "../../src/messages/translate.ts";
import { MAKERS } from "../support/museum/import-room.ts";
import { importText } from "../support/museum/importing.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { openStaffMuseum } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await openStaffMuseum();
afterAll(() => museum.close());

type Json = { id: string; idno: string; status: string };
async function make(plural: string, idno: string, more: object = {}): Promise<string> {
  const answer = await api(`/v1/${plural}`, { json: { idno, ...more } });
  expect([answer.status, idno]).toEqual([201, idno]);
  return ((await answer.json()) as Json).id;
}
const person = (idno: string, name: string) =>
  make("entities", idno, { entity_type: "person", metadata_: { name: [{ value: name }] } });
const place = (idno: string, name: string) =>
  make("places", idno, { place_type: "settlement", metadata_: { name: [{ value: name }] } });
const object = (idno: string) =>
  make("objects", idno, { object_type: "painting", metadata_: { title: [{ value: `Title ${idno}` }] } });
async function link(from: string, relation_type: string, to_type: string, to_id: string): Promise<void> {
  const answer = await api(`/v1/objects/${from}/relations`, { json: { relation_type, to_type, to_id } });
  expect([answer.status, relation_type]).toEqual([201, relation_type]);
}
const statusOf = async (path: string) => ((await (await api(path)).json()) as Json).status;
const numbers = async (query: string) =>
  ((await (await api(query)).json()) as { items: Json[] }).items.map(({ idno }) => idno).sort();

/** Does the job that the preview at this address offers, and returns the page of its result. */
async function run(address: string): Promise<string> {
  expect((await curator.send(`${address}/run`, {})).status).toBe(303);
  await endedJob(museum, api, address.split("/").at(-1)!);
  return curator.text(address);
}

const NONE = /Visitors do not see/;

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
    expect(page).toContain(`/admin/entities?status=draft&amp;linked_with=${boat}">1 entity<`);
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
    expect(page).not.toContain("Publish these too");
  });

  it("leads to a preview, which publishes only these, and only when asked", async () => {
    const back = `status=draft&linked_with=${boat}`;
    const sent = await curator.send("/admin/entities/bulk", { scope: "found", back, publish: "yes" });
    const address = sent.headers.get("Location")!;
    expect(await curator.text(address)).toContain("Change one record");
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

it("objects published together say it on the page of the batch edit", async () => {
  const id = await object("D.2");
  await link(id, "created_by", "entity", await person("P.4", "Bea"));
  const sent = await curator.send("/admin/objects/bulk", { scope: "chosen", [`pick/${id}`]: "on" });
  const address = sent.headers.get("Location")!;
  await curator.send(address, { what: "status", status: "public" });
  const page = await run(address);
  expect(page).toContain("A linked record is a draft");
  const edit = address.split("/").at(-1)!;
  expect(page).toContain(`/admin/entities?status=draft&amp;linked_with=${edit}">1 entity<`);
  expect(await numbers(`/v1/entities?linked_with=${edit}`)).toEqual(["P.4"]);
});

describe("an import that publishes", () => {
  it("says it at its end, in every language, and as JSON", async () => {
    await person("P.5", "Cleo");
    const done = await importText(museum.services, "No,Title,Maker\nD.3,A,Cleo\nD.4,B,Dora\n", MAKERS, {
      autoPublish: true,
    });
    const report = createReport({ kind: "object", unit: "row", dryRun: false, upsertStrategy: "skip" });
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
    expect(page).toContain("Publish these too");
  });
});

async function numbersPath(idno: string): Promise<string> {
  const { items } = (await (await api(`/v1/entities?idno=${idno}`)).json()) as { items: Json[] };
  return `/v1/entities/${items[0]!.id}`;
}
