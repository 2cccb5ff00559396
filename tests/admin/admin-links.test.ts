/** Links in the staff interface, without a script: what becomes of them is told, and what is removed comes back. */
import { describe, expect, it } from "vitest";
import { answered, withRole } from "../support/museum/catalogue.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

const NAMES: Record<string, string> = { entities: "name", places: "name" };

/** Makes a record with a name, and returns its address. */
async function made(plural: string, name: string, more: Record<string, string> = {}): Promise<string> {
  const field = NAMES[plural] ?? "title";
  const sent = await curator.send(`/admin/${plural}/new`, { [`metadata_/${field}/0/value`]: name, ...more });
  expect(sent.status).toBe(303);
  return sent.headers.get("Location")!;
}
const idIn = (address: string) => address.split("/").at(-1)!;
const linked = async (address: string) =>
  (await (await api(`/v1${address.slice("/admin".length)}/relations`)).json()).items as {
    id: string;
    to_title: string;
    to_type: string;
    metadata_: unknown;
  }[];
/** Links the object with somebody as its maker; returns the address of the link. */
async function madeBy(object: string, maker: string): Promise<string> {
  const wish = { relation_type: "created_by", to_type: "entity", to_id: idIn(maker) };
  const answer = await api(`/v1/objects/${idIn(object)}/relations`, { json: wish });
  return `${object}/links/${(await answer.json()).id}`;
}
const words = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

it("says and takes the role of a link in the reader's language", async () => {
  const editor = await staffBrowser(museum, "cataloger", "it");
  await made("entities", "Ida Falk");
  const link = { type: "created_by", value: "Ida Falk", role: "pittore/pittrice" };
  const form = {
    object_type: "painting",
    status: "draft",
    "metadata_/title/0/value": "Harbour",
    ...Object.fromEntries(Object.entries(link).map(([part, value]) => [`link/0/${part}`, value])),
  };
  const more = await editor.send("/admin/objects/new", { ...form, more: "links" });
  expect(await more.text()).toContain('name="link/0/role" value="pittore/pittrice"');
  const object = (await editor.send("/admin/objects/new", form)).headers.get("Location")!;
  const stamper = { relation_type: "created_by", to: "Ida Falk", role: "stampatore/stampatrice" };
  expect((await editor.send(`${object}/links`, stamper)).status).toBe(303);
  expect((await linked(object)).map(({ metadata_ }) => metadata_)).toEqual([
    { role: [{ value: "painter" }] },
    { role: [{ value: "printer" }] },
  ]);
  const reader = await staffBrowser(museum, "viewer", "it");
  expect(words(await reader.text(object))).toContain("· pittore/pittrice");
  expect(words(await reader.text(`${object}/history`))).toContain("Ida Falk, pittore/pittrice");
});

it("a linked record is not deleted at first; the page says what to do, without a word of the API", async () => {
  const [object, maker] = [await made("objects", "Bowl"), await made("entities", "Maret Kask")];
  await madeBy(object, maker);
  const refused = await curator.send(`${maker}/delete`, {});
  expect(refused.status).toBe(409);
  const page = await refused.text();
  expect(page).toContain("remove the links, or delete it all the same");
  expect(page).toContain(">Delete all the same</button>");
  expect(page).not.toContain("force=true");
});

describe("a link that is removed", () => {
  it("is named on the page, which puts it back as it was", async () => {
    const [object, maker] = [await made("objects", "Vase"), await made("entities", "Greta Lindqvist")];
    const link = await madeBy(object, maker);
    const before = await linked(object);
    const removed = await curator.send(`${link}/remove`, {});
    expect([removed.status, removed.headers.get("Location")]).toEqual([
      303,
      `${object}?removed=${idIn(link)}#links`,
    ]);
    const page = await curator.text(`${object}?removed=${idIn(link)}`);
    expect(words(page)).toContain("The link is removed: created by – Greta Lindqvist Put back");
    expect(page).toContain(`action="${link}/put-back"`);
    const back = await curator.send(`${link}/put-back`, {});
    expect([back.status, back.headers.get("Location")]).toEqual([303, `${object}#links`]);
    expect(await linked(object)).toEqual(before);
    expect(await curator.text(`${object}?removed=${idIn(link)}`)).not.toContain(">Put back<");
    expect((await curator.get(`${object}?removed=nonsense`)).status).toBe(200);
    const viewer = await staffBrowser(museum, "viewer");
    expect((await viewer.send(`${link}/put-back`, {})).status).toBe(403);
  });

  it("is in the history of both ends, with who removed it, and comes back from there", async () => {
    const [object, maker] = [await made("objects", "Carafe"), await made("entities", "Aert Moons")];
    const link = await madeBy(object, maker);
    await curator.send(`${link}/remove`, {});
    const history = await curator.text(`${maker}/history`);
    expect(words(history)).toMatch(
      /At the other end: Carafe Link removed · admin-\d+@example.org · .*works Carafe – Put back/,
    );
    const put = new RegExp(`action="(${maker}/links/[^"]+/put-back)"`).exec(history)![1]!;
    expect((await curator.send(put, {})).status).toBe(303);
    expect(await linked(object)).toMatchObject([{ to_title: "Aert Moons" }]);
    expect(words(await curator.text(`${object}/history`))).toMatch(
      /Version 4 Link added .*created by – Aert Moons/,
    );
    // its other end may be in the trash
    await curator.send(`${maker}/delete`, { force: "yes" });
    expect(words(await curator.text(`${object}/history`))).toMatch(
      /At the other end: Aert Moons Deleted .* created by Aert Moons \(in the trash\) –/,
    );
  });

  it("has one button in the history however often it was removed", async () => {
    const [object, maker] = [await made("objects", "Jug"), await made("entities", "Nils Bo")];
    const link = await madeBy(object, maker);
    for (const step of ["remove", "put-back", "remove"]) await curator.send(`${link}/${step}`, {});
    for (const address of [object, maker])
      expect((await curator.text(`${address}/history`)).match(/put-back/g)).toHaveLength(1);
  });

  it("is not counted in the history for those who may not see its other end", async () => {
    const [object, maker] = [await made("objects", "Flask"), await made("entities", "Una Dahl")];
    await withRole(museum, "objects_only", { object: ["read"] });
    const reader = await staffBrowser(museum, "objects_only");
    await museum.services.sql`
      insert into revisions (record_id, version, at, action, note)
      select ${idIn(maker)}, n, now(), 'relation_added', jsonb_build_object('relation_type', 'depicts', 'from_id', ${idIn(maker)}::text,
        'to_id', ${idIn(object)}::text, 'metadata', '{}'::jsonb)
      from generate_series(2, 40) n`;
    expect(await curator.text(`${object}/history`)).toContain("history?page=2");
    expect(await reader.text(`${object}/history`)).not.toContain("history?page=2");
  });

  it("is named where a record is deleted, which then takes one answer", async () => {
    const [object, maker] = [await made("objects", "Tankard"), await made("entities", "Mina Holm")];
    const deletion = async (address: string) =>
      words(/<section class="group" id="trash"[\s\S]*?<\/section>/.exec(await curator.text(address))![0]);
    expect(await deletion(object)).not.toContain("linked");
    await madeBy(object, maker);
    expect(await deletion(maker)).toMatch(/It is linked with \S+\. .*Delete all the same/);
    // somebody whose page did not show the link yet
    const refused = await curator.send(`${maker}/delete`, {});
    expect([refused.status, words(await refused.text())]).toEqual([
      409,
      expect.stringMatching(/is linked with .*Delete all the same/),
    ]);
    expect((await curator.send(`${maker}/delete`, { force: "yes" })).status).toBe(303);
    expect(await deletion(object)).not.toContain("linked");
    const [above, below] = [await made("collections", "Silver"), await made("collections", "Spoons")];
    const { idno: number } = (await (await api(`/v1/collections/${idIn(below)}`)).json()) as { idno: string };
    await api(`/v1/collections/${idIn(below)}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/merge-patch+json" },
      body: JSON.stringify({ parent_id: idIn(above) }),
    });
    expect(await deletion(above)).toContain(`Below it: ${number}.`);
  });

  it("is asked for if it is the only maker of a public object", async () => {
    const [object, maker] = [await made("objects", "Ewer"), await made("entities", "Lena Pauwels")];
    await madeBy(object, maker);
    expect(await curator.text(object)).not.toContain("Remove all the same");
    await api(`/v1/objects/${idIn(object)}/publish`, { method: "POST" });
    for (const address of [object, maker])
      expect(words(await curator.text(address))).toMatch(
        /only maker of a public object\..*Remove all the same/,
      );
    await madeBy(object, await made("entities", "Joris van Eck"));
    expect(await curator.text(object)).not.toContain("Remove all the same");
  });
});

describe("a record that a link leads to", () => {
  const link = (object: string, form: Record<string, string>) =>
    curator.send(`${object}/links`, { relation_type: "created_by", to: "", role: "", ...form });
  const choices = async (q: string, who = curator, kinds = "entities") =>
    (await (await who.get(`/admin/choices?${new URLSearchParams({ q, kinds })}`)).json()).items as {
      value: string;
      about: string;
      picture: string | null;
    }[];

  it("is suggested with what tells it from others of its name", async () => {
    const years = (from: string, to: string) => ({
      "metadata_/birth_date/0/value": from,
      "metadata_/death_date/0/value": to,
      entity_type: "person",
    });
    await made("entities", "Jan Brander", { idno: "ENT-A", ...years("1650", "1701") });
    await made("entities", "Jan Brander", { idno: "ENT-B", ...years("1702", "1760") });
    expect(await choices("brander")).toMatchObject([
      { value: "Jan Brander (ENT-B)", about: "Person · 1702–1760 · ENT-B" },
      { value: "Jan Brander (ENT-A)", about: "Person · 1650–1701 · ENT-A" },
    ]);
    // not to who may not read such records, nor of kinds that nobody asked for
    expect(await choices("brander", curator, "places")).toEqual([]);
    await museum.services.sql`update records set status = 'draft' where idno = 'ENT-A'`;
    expect(
      (await museum.ask("/admin/choices?q=brander&kinds=entities", { headers: { Accept: "text/html" } }))
        .status,
    ).not.toBe(200);
  });

  it("is suggested if it is called so, however many others have this in their names, and by words in any order", async () => {
    for (let each = 1; each <= 9; each++) await made("entities", `Boring ${each}`);
    await made("entities", "Ring", { idno: "ENT-R" });
    expect((await choices("ring"))[0]).toMatchObject({ value: "Ring (ENT-R)" });
    expect(await choices("ring")).toHaveLength(8);
    await made("entities", "Ilse Hartung", {
      idno: "ENT-I",
      "metadata_/alternative_name/0/value": "Weberin",
    });
    for (const q of ["Hartung Ilse", "weberin", "artun"])
      expect(await choices(q), q).toMatchObject([{ value: "Ilse Hartung (ENT-I)" }]);
  });

  it("is suggested with a picture of the host of the page, whatever the public address is", async () => {
    const object = idIn(await made("objects", "Zograscope"));
    await museum.services.sql`
      insert into object_media (id, object_id, storage_key, filename, mime_type, category, status, bytes, sha256, width, height,
        pages, visibility, position)
      values (gen_random_uuid(), ${object}, 'originals/z', 'z.jpg', 'image/jpeg', 'image', 'ready', 1000, repeat('0', 64), 400, 300,
        1, 'public', 1)`;
    const [found] = await choices("zograscope", curator, "objects");
    expect(found!.picture).toMatch(/^\/iiif\//);
  });

  it("is suggested with what it lies in", async () => {
    const parent = await made("collections", "Maritime");
    const child = { title: [{ value: "Sextants" }] };
    await api("/v1/collections", { json: { idno: "COL-S", parent_id: idIn(parent), metadata_: child } });
    expect((await choices("sextants", curator, "collections"))[0]!.about).toContain("Maritime");
  });

  it("is suggested by its number alone if its name is too long for a filter", async () => {
    await made("entities", `Schiffergesellschaft ${"zu Lübeck ".repeat(40)}`, { idno: "ENT-L" });
    expect(await choices("schiffergesellschaft")).toMatchObject([{ value: "ENT-L" }]);
  });

  it("is chosen by its name, by the suggestion, or by its number; one name of two records is not enough", async () => {
    await made("entities", "Oluf Brander (the Elder)", { idno: "ENT-O" });
    for (const to of [
      "Oluf Brander (the Elder)",
      "oluf brander (the elder)",
      "Oluf Brander (the Elder) (ENT-O)",
      "ENT-O",
    ]) {
      const object = await made("objects", "Tile");
      expect((await link(object, { to })).status, to).toBe(303);
      expect(await linked(object)).toMatchObject([{ to_title: "Oluf Brander (the Elder)" }]);
    }
    const object = await made("objects", "Tile");
    const two = await link(object, { to: "Jan Brander" });
    expect([two.status, words(await two.text())]).toEqual([
      422,
      expect.stringContaining("Jan Brander: ENT-A, ENT-B"),
    ]);
    expect((await link(object, { to: "Jan Brander (ENT-B)" })).status).toBe(303);
    const nobody = await answered(link(object, { to: "Nobody at all" }), 422);
    expect(nobody).toMatch(/<a href="#to">Name or number<\/a>: [\s\S]*<input id="to" name="to"/);
  });

  it("has a role, whose fault leads to the box of the link, also beside a field with the same name", async () => {
    await made("places", "Rungholt");
    const role = "x".repeat(5_001);
    const entity = await made("entities", "Edda Rohde");
    const wish = { relation_type: "active_at", to: "Rungholt", role };
    const told = await answered(curator.send(`${entity}/links`, wish), 422);
    expect(told).toMatch(/<a href="#role">Role \(optional\)<\/a>: [\s\S]*<input id="role" name="role"/);
    const row = { "link/0/type": "active_at", "link/0/value": "Rungholt", "link/0/role": role };
    const form = { entity_type: "person", "metadata_/name/0/value": "Edda Rohde the Younger", ...row };
    const page = await answered(curator.send("/admin/entities/new", form), 422);
    expect(page).toMatch(/<a href="#link\/0\/role">Role \(optional\)<\/a>: [\s\S]*<input id="link\/0\/role"/);
    for (const each of [told, page]) expect(each).not.toContain('aria-invalid="true"');
  });

  it("is created as a draft if the form says so, and only with the permission to create it", async () => {
    const object = await made("objects", "Beaker");
    expect((await link(object, { to: "Marta Holm", create: "entity:person" })).status).toBe(303);
    const [made1] = await linked(object);
    expect(made1).toMatchObject({ to_title: "Marta Holm", to_type: "entity" });
    const [row] = await museum.services.sql`select status, subtype from records where title = 'Marta Holm'`;
    expect(row).toEqual({ status: "draft", subtype: "person" });
    for (const create of ["entity:nonsense", "object:painting", "place:other", "nonsense"])
      expect((await link(object, { to: "Nowhere", create })).status, create).toBe(422);
    await withRole(museum, "no_people", { object: ["read", "create", "update"], entity: ["read"] });
    const other = await staffBrowser(museum, "no_people");
    expect(await other.text(object)).not.toContain('value="entity:person"');
    const refused = await other.send(`${object}/links`, {
      relation_type: "created_by",
      to: "Ida Holm",
      create: "entity:person",
    });
    expect(refused.status).toBe(403);
    expect(
      await museum.services.sql`select 1 from records where title in ('Nowhere', 'Ida Holm')`,
    ).toHaveLength(0);
  });

  it("is created with the first save of the record that is linked with it, or not at all", async () => {
    const form = {
      "metadata_/title/0/value": "Sea chart",
      ...{
        "link/0/type": "created_by",
        "link/0/value": "Per Lund",
        "link/0/create": "entity:person",
        "link/0/role": "engraver",
        "link/0/qualifier": "workshop_of",
      },
      ...{ "link/1/type": "made_at", "link/1/value": "Flensburg", "link/1/create": "place:settlement" },
      // hidden, since links to places take none
      "link/1/qualifier": "workshop_of",
    };
    const counted = async () =>
      (await museum.services.sql`select 1 from records where title in ('Sea chart', 'Per Lund', 'Flensburg')`)
        .length;
    // one more row is no save, and neither is a refused form
    const more = await curator.send("/admin/objects/new", { ...form, more: "links" });
    expect(await more.text()).toContain('name="link/2/value"');
    const typo = await curator.send("/admin/objects/new", {
      ...form,
      "link/2/type": "made_at",
      "link/2/value": "Nowhere known",
    });
    const page = await typo.text();
    expect([typo.status, await counted()]).toEqual([422, 0]);
    expect(page).toContain('<a href="#link/2/value">Name or number</a>: ');
    expect(page).toContain('<input id="link/2/value" name="link/2/value" value="Nowhere known"');
    expect(page).toContain('value="Per Lund"');
    expect(page).toMatch(/<option value="entity:person" selected/);
    expect(words(page)).toContain("No record with the name or number “Nowhere known” can be linked here");
    const unnamed = curator.send("/admin/objects/new", { ...form, "link/0/value": " " });
    expect(await (await unnamed).text()).toContain("Enter a name or number.");
    const sent = await curator.send("/admin/objects/new", form);
    expect(sent.status).toBe(303);
    expect(await linked(sent.headers.get("Location")!)).toMatchObject([
      {
        to_title: "Per Lund",
        metadata_: { role: [{ value: "engraver" }], qualifier: [{ value: "workshop_of" }] },
      },
      { to_title: "Flensburg", metadata_: {} },
    ]);
    expect(await counted()).toBe(3);
  });

  it("is created once if two links of the new record name it", async () => {
    const row = (index: number, type: string) => ({
      [`link/${index}/type`]: type,
      [`link/${index}/value`]: "Anna Ancher",
      [`link/${index}/create`]: "entity:person",
    });
    const sent = await curator.send("/admin/objects/new", {
      "metadata_/title/0/value": "Self-portrait",
      ...row(0, "created_by"),
      ...row(100, "depicts"),
    });
    expect(sent.status).toBe(303);
    const ends = await linked(sent.headers.get("Location")!);
    expect(ends).toMatchObject([{ to_title: "Anna Ancher" }, { to_title: "Anna Ancher" }]);
    expect(await museum.services.sql`select 1 from records where title = 'Anna Ancher'`).toHaveLength(1);
  });
});
