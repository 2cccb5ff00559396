/** Collections care in the staff interface: moving objects leaves a trace, and due dates are listed. */

import { describe, expect, it } from "vitest";
import { answered, made } from "../support/museum/catalogue.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";
import { scanned } from "../support/scanned.ts";

const { museum, curator, api } = await staffMuseumHere({ ARK_ENABLED: "true", ARK_NAAN: "12345" });

const create = (plural: string, json: object) => made(api, plural, json);

const named = (value: string) => ({ metadata_: { name: [{ value }] } });

type Linked = { items: { relation_type: string; to_id: string; to_type: string; to_title: string }[] };
const linksOf = async (id: string): Promise<Linked["items"]> =>
  ((await (await api(`/v1/objects/${id}/relations`)).json()) as Linked).items;

describe("moving an object", () => {
  it("replaces its location and records a movement, in one step", async () => {
    const store = await create("storage-locations", { idno: "M-STORE", ...named("Store") });
    const shelf = await create("storage-locations", {
      idno: "M-SHELF",
      parent_id: store,
      ...named("Shelf 3"),
    });
    const id = await create("objects", { idno: "M.1", object_type: "painting" });
    const move = (form: Record<string, string>) => curator.send(`/admin/objects/${id}/move`, form);
    expect((await move({ to: "M-STORE", day: "2026-01-30" })).status).toBe(303);
    expect((await move({ to: "M-SHELF", day: "2026-01-31", note: "for the exhibition" })).status).toBe(303);
    const links = await linksOf(id);
    expect(links.filter(({ relation_type }) => relation_type === "stored_at")).toMatchObject([
      { to_id: shelf },
    ]);
    const page = await curator.text(`/admin/objects/${id}`);
    const history = /Location history[\s\S]*?<\/table>/.exec(page)![0];
    expect(history.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toMatch(
      /Store › Shelf 3 M-SHELF 31 January 2026 now for the exhibition \S+@\S+ Store M-STORE 30 January 2026 31 January 2026 \S+@/,
    );
    const shelfPage = await curator.text(`/admin/storage-locations/${shelf}`);
    expect(shelfPage).not.toContain('<option value="public"');
    expect(shelfPage).toMatch(/Objects here[\s\S]*?M\.1[\s\S]*?31 January 2026/);
    expect(await curator.text(`/admin/storage-locations/${store}`)).toMatch(
      /No objects are here[\s\S]*?Locations inside[\s\S]*?>Shelf 3<\/a>[\s\S]*?1 object[\s\S]*?Objects that were here[\s\S]*?M\.1[\s\S]*?30 January 2026[\s\S]*?31 January 2026/,
    );
    const plan = await curator.text("/admin/storage");
    expect(plan).toMatch(/>Store<\/a>[\s\S]*?1 object[\s\S]*?>Shelf 3<\/a>[\s\S]*?1 object/);
    // many rooms have a shelf 3
    for (const place of [
      "/admin/objects?column=%40location",
      `/admin/objects/${id}/card`,
      "/admin/storage-locations",
      `/admin/storage-locations/${shelf}`,
      `/admin/objects/${id}/history`,
      "/admin/find?q=shelf",
    ])
      expect([place, await curator.text(place)]).toEqual([place, expect.stringContaining("Store › Shelf 3")]);
    const csv = await curator.text("/admin/objects/export?format=csv&column=%40location");
    expect(csv).toMatch(/stored at \(full path\)\r\nM\.1,.*,Shelf 3,Store › Shelf 3\r\n/);
  });

  it("is refused if the object is there already, and records nothing", async () => {
    const id = await create("objects", { idno: "M.3", object_type: "painting" });
    await create("storage-locations", { idno: "M-CHEST", ...named("Chest") });
    const german = await staffBrowser(museum, "admin", "de");
    const move = () => german.send(`/admin/objects/${id}/move`, { to: "M-CHEST", day: "2026-01-30" });
    expect((await move()).status).toBe(303);
    const before = await linksOf(id);
    await answered(move(), 422, "Das Objekt ist schon an diesem Standort: Chest");
    expect(await linksOf(id)).toEqual(before);
    // one of two places is chosen: that is a move
    await create("storage-locations", { idno: "M-OTHER", ...named("Other") }).then((to_id) =>
      api(`/v1/objects/${id}/relations`, {
        json: { relation_type: "stored_at", to_type: "storage_location", to_id },
      }),
    );
    expect((await move()).status).toBe(303);
  });

  it("changes nothing if it fails", async () => {
    const id = await create("objects", { idno: "M.2", object_type: "painting" });
    const move = (form: Record<string, string>) => curator.send(`/admin/objects/${id}/move`, form);
    const unknown = await move({ to: "NOWHERE", day: "2026-01-31" });
    const page = await unknown.text();
    expect([unknown.status, page]).toEqual([422, expect.stringContaining("NOWHERE")]);
    expect(page).toContain(`action="/admin/objects/${id}/move"`);
    expect((await move({ to: "M-STORE", day: "2026-02-30" })).status).toBe(422);
    expect(await (await move({ to: "M-STORE", day: "2999-02-28" })).text()).toContain("is in the future");
    // the location is written, then writing the movement fails
    await museum.services.sql`
      create function no_movement() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`;
    await museum.services
      .sql`create trigger no_movement before insert on movements for each row execute function no_movement()`;
    expect((await move({ to: "M-STORE", day: "2026-01-31" })).status).toBe(500);
    await museum.services.sql`drop trigger no_movement on movements`;
    expect(await linksOf(id)).toEqual([]);
    const viewer = await staffBrowser(museum, "viewer");
    const refused = await viewer.send(`/admin/objects/${id}/move`, { to: "M-STORE", day: "2026-01-31" });
    expect(refused.status).toBe(403);
    expect(await viewer.text(`/admin/objects/${id}`)).not.toContain(`/admin/objects/${id}/move`);
  });
});

describe("the list of due dates", () => {
  it("shows procedures until they have ended, the earliest first", async () => {
    const loan = (idno: string, due_date: string, end_date: string | null = null) =>
      create("procedures", {
        idno,
        procedure_type: "loan_out",
        due_date,
        end_date,
        metadata_: { title: [{ value: `Loan ${idno}` }] },
      });
    await loan("DUE-LATE", "2001-05-01");
    await loan("DUE-NEXT", "2999-05-01");
    await loan("DUE-ENDED", "2001-04-01", "2001-03-01");
    await loan("DUE-PLANNED", "2999-06-01", "2999-06-01");
    const page = await curator.text("/admin/due");
    expect(page).toMatch(/Overdue[\s\S]*?DUE-LATE[\s\S]*?DUE-NEXT[\s\S]*?DUE-PLANNED/);
    expect(page).not.toContain("DUE-ENDED");
  });
});

describe("loans and other procedures", () => {
  const loan = (json: Record<string, unknown>) =>
    create("procedures", { procedure_type: "loan_out", metadata_: { title: [{ value: "Loan" }] }, ...json });
  const lend = (object: string, to_id: string) =>
    api(`/v1/objects/${object}/relations`, {
      json: { relation_type: "subject_of_procedure", to_type: "procedure", to_id },
    });
  const patch = (path: string, json: unknown) =>
    api(path, {
      method: "PATCH",
      headers: { "Content-Type": "application/merge-patch+json" },
      body: JSON.stringify(json),
    });

  it("a loan cannot be due before it starts; other procedures may have been due earlier", async () => {
    const title = { "metadata_/title/0/value": "Loan" };
    const dates = { start_date: "2026-03-01", due_date: "2026-02-28" };
    const form = { ...title, ...dates, procedure_type: "loan_in", status: "draft" };
    const page = await answered(curator.send("/admin/procedures/new", form), 422);
    expect(page).toContain(
      '<a href="#due_date">Due date</a>: is before Start, so the loan would be due before it begins',
    );
    expect(page).toMatch(/id="due_date"[^>]*aria-invalid="true"/);
    const sameDay = { ...form, due_date: "2026-03-01" };
    expect((await curator.send("/admin/procedures/new", sameDay)).status).toBe(303);
    const check = { ...form, procedure_type: "condition_check" };
    expect((await curator.send("/admin/procedures/new", check)).status).toBe(303);
  });

  it("an object is linked to a procedure as what it concerns, unless another link is chosen", async () => {
    const first = /<select id="([^"]+)" name="\1"><option value="(\w+)"/;
    const id = await loan({ idno: "LOAN-CONCERNS" });
    const object = await create("objects", { idno: "LO.9", object_type: "painting" });
    const pages = [`procedures/${id}`, "procedures/new", `objects/${object}`, "objects/new"];
    const offered = await Promise.all(
      pages.map(async (path) => first.exec(await curator.text(`/admin/${path}`))?.[2]),
    );
    expect(offered).toEqual(["concerns", "concerns", "created_by", "created_by"]);
  });

  it("an object is on at most one open loan, even if another is reopened or restored", async () => {
    const object = await create("objects", { idno: "LO.1", object_type: "painting" });
    const first = await loan({ idno: "LOAN-1", start_date: "2026-01-01" });
    const second = await loan({ idno: "LOAN-2" });
    expect((await lend(object, first)).status).toBe(201);
    const refused = await lend(object, second);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      {
        errors: [{ pointer: "/to_id", detail: expect.stringContaining("LO.1 is on another outgoing loan") }],
      },
    ]);
    // a loan that has ended may be linked as well, but not reopened
    expect((await patch(`/v1/procedures/${second}`, { end_date: "2026-01-31" })).status).toBe(200);
    expect((await lend(object, second)).status).toBe(201);
    expect((await patch(`/v1/procedures/${second}`, { end_date: null })).status).toBe(422);
    expect((await patch(`/v1/procedures/${first}`, { end_date: "2026-01-31" })).status).toBe(200);
    expect((await patch(`/v1/procedures/${second}`, { end_date: null })).status).toBe(200);
    // nor restored from the trash
    await api(`/v1/procedures/${second}?force=true`, { method: "DELETE" });
    expect((await patch(`/v1/procedures/${first}`, { end_date: null })).status).toBe(200);
    expect((await api(`/v1/procedures/${second}/restore`, { method: "POST" })).status).toBe(422);
  });

  it("a loan shows what it lacks, and sets its objects to the status that it proposes", async () => {
    const object = await create("objects", { idno: "LO.2", object_type: "painting" });
    const id = await loan({ idno: "LOAN-3", start_date: "2026-01-01" });
    await lend(object, id);
    const address = `/admin/procedures/${id}`;
    const page = await curator.text(address);
    for (const text of [
      "A lender or borrower",
      "A return date",
      "condition check no more than twelve months old when the loan begins, for: LO.2",
    ])
      expect(page).toContain(text);
    expect(page).toContain("Set to “On loan to others”");
    // an end that is planned does not end it
    await patch(`/v1/procedures/${id}`, { end_date: "2999-01-31" });
    expect(await curator.text(address)).toContain("A return date");
    const viewer = await staffBrowser(museum, "viewer");
    expect((await viewer.send(`${address}/statuses`, { to: "on_loan_out" })).status).toBe(403);
    expect((await curator.send(`${address}/statuses`, { to: "on_loan_out" })).status).toBe(303);
    const status = async () =>
      ((await (await api(`/v1/objects/${object}`)).json()) as { collection_status: string })
        .collection_status;
    expect(await status()).toBe("on_loan_out");
    await patch(`/v1/procedures/${id}`, { end_date: "2026-01-31" });
    expect(await curator.text(address)).toContain("Set to “In the collection”");
    // unless it is out on the next loan
    const next = await loan({ idno: "LOAN-NEXT", start_date: "2026-02-01" });
    await lend(object, next);
    expect(await curator.text(address)).not.toContain("Set to");
    await patch(`/v1/procedures/${next}`, { start_date: "2999-01-01" });
    expect(await curator.text(address)).toContain("Set to “In the collection”");
    await patch(`/v1/procedures/${next}`, { start_date: "2026-02-01", end_date: "2026-02-02" });
    const gone = await create("procedures", {
      procedure_type: "deaccession_and_disposal",
      end_date: "2026-02-01",
      metadata_: { title: [{ value: "Transfer" }] },
    });
    await lend(object, gone);
    expect((await curator.send(`/admin/procedures/${gone}/statuses`, { to: "deaccessioned" })).status).toBe(
      303,
    );
    expect(await status()).toBe("deaccessioned");
    expect(await curator.text(`/admin/procedures/${gone}`)).not.toContain("Set to");
  });

  it("whoever takes part in a loan is called its borrower or lender, unless the link says another role", async () => {
    const museum = await create("entities", named("Fjord Museum"));
    const courier = await create("entities", { entity_type: "person", ...named("Ida Krog") });
    const out = await loan({ idno: "LOAN-OUT" });
    const back = await loan({ idno: "LOAN-IN", procedure_type: "loan_in" });
    const check = await loan({ idno: "CHECK", procedure_type: "condition_check" });
    const takesPart = { relation_type: "participant", to_type: "entity" };
    for (const id of [out, back, check])
      expect(
        (await api(`/v1/procedures/${id}/relations`, { json: { ...takesPart, to_id: museum } })).status,
      ).toBe(201);
    const role = { ...takesPart, to_id: courier, metadata_: { role: [{ value: "courier" }] } };
    expect((await api(`/v1/procedures/${out}/relations`, { json: role })).status).toBe(201);
    const labels = async (path: string) =>
      [...(await curator.text(path)).matchAll(/<li>\s*<span class="help">([^<]*)<\/span>/g)].map(
        ([, label]) => label,
      );
    expect(await labels(`/admin/procedures/${out}`)).toEqual(["borrower", "participants"]);
    expect(await labels(`/admin/procedures/${back}`)).toEqual(["lender"]);
    expect(await labels(`/admin/procedures/${check}`)).toEqual(["participants"]);
    expect(await labels(`/admin/entities/${museum}`)).toContain("participated in");
    expect(await curator.text(`/admin/procedures/${out}`)).toMatch(
      /<option value="participant"[^>]*>borrower</,
    );
    const form = { more: "subtype", procedure_type: "loan_out" };
    const fresh = await (await curator.send("/admin/procedures/new", form)).text();
    expect(fresh).toMatch(/<option value="participant"[^>]*>borrower</);
    expect(await curator.text(`/admin/procedures/${out}/print`)).toMatch(
      /<dt>borrower<\/dt><dd dir="auto">Fjord Museum<[\s\S]*<dt>participants<\/dt><dd dir="auto">Ida Krog, courier</,
    );
    expect(await curator.text(`/admin/procedures/${out}/history`)).toMatch(/borrower[\s\S]*Fjord Museum/);
  });

  it("the card of an object has its makers", async () => {
    const object = await create("objects", { idno: "CARD.1", object_type: "painting" });
    const [maker, sitter] = [
      await create("entities", { entity_type: "person", ...named("Ada Vigdal") }),
      await create("entities", { entity_type: "person", ...named("Somebody") }),
    ];
    for (const [relation_type, to_id] of [
      ["created_by", maker],
      ["depicts", sitter],
    ])
      expect(
        (await api(`/v1/objects/${object}/relations`, { json: { relation_type, to_type: "entity", to_id } }))
          .status,
      ).toBe(201);
    const card = await curator.text(`/admin/objects/${object}/card`);
    expect(card).toContain('<dt>created by</dt><dd dir="auto">Ada Vigdal</dd>');
    expect(card).not.toContain("Somebody");
  });

  it("a list to be signed, the card of an object and labels with codes can be printed", async () => {
    const object = await create("objects", {
      idno: "LO.3",
      object_type: "painting",
      metadata_: { title: [{ value: "Harbour <b>" }], insurance_value: [{ value: "EUR 9,000" }] },
    });
    const id = await loan({ idno: "LOAN-4", due_date: "2026-03-01" });
    await lend(object, id);
    const list = await curator.text(`/admin/procedures/${id}/print`);
    for (const text of ["Harbour &lt;b&gt;", "EUR 9,000", "1 March 2026", "1 object"])
      expect(list).toContain(text);
    const card = await curator.text(`/admin/objects/${object}/card`);
    const page = `http://127.0.0.1:8000/admin/objects/${object}`;
    expect(card).toContain(`aria-label="${page}"`);
    expect(scanned(card)).toEqual([page]);
    await api(`/v1/objects/${object}/publish`, { method: "POST" });
    const ark = await curator.text(`/admin/objects/${object}/card`);
    expect(ark).toContain("EUR 9,000");
    const [read] = scanned(ark);
    expect(ark).toContain(`<figcaption>${read}</figcaption>`);
    expect(read).toMatch(/\/ark:\/?12345\/\w+$/);
    const room = await create("storage-locations", { idno: "P-ROOM", ...named("Room") });
    const shelf = await create("storage-locations", { idno: "P-SHELF", parent_id: room, ...named("Shelf") });
    const label = await curator.text(`/admin/storage-locations/${room}/label`);
    expect(label).toContain(`aria-label="http://127.0.0.1:8000/admin/storage-locations/${room}"`);
    expect(label).not.toContain("P-SHELF");
    expect(scanned(await curator.text(`/admin/storage-locations/${room}/label?below=yes`))).toEqual(
      [room, shelf].map((id) => `http://127.0.0.1:8000/admin/storage-locations/${id}`),
    );
    expect(scanned(await curator.text(`/admin/objects/${object}/label`))).toEqual([read]);
    const plain = await create("objects", { idno: "LO.10", object_type: "painting" });
    const choose = async (plural: string, ids: readonly string[], browser = curator) => {
      const picked = Object.fromEntries(ids.map((id) => [`pick/${id}`, "on"]));
      const form = { scope: "chosen", back: "sort=idno&dir=asc", labels: "yes", ...picked };
      const sent = await browser.send(`/admin/${plural}/bulk`, form);
      expect(sent.status).toBe(303);
      return sent.headers.get("Location")!;
    };
    const address = await choose("objects", [plain, object]);
    const labels = await curator.text(address);
    expect(scanned(labels)).toEqual([`http://127.0.0.1:8000/admin/objects/${plain}`, read]);
    expect(labels).toContain('<b dir="auto">Harbour &lt;b&gt;</b><span>LO.3</span>');
    expect(labels).toContain('<a href="/admin/objects?sort=idno&amp;dir=asc">Back to the list</a>');
    expect(scanned(await curator.text(await choose("storage-locations", [shelf])))).toEqual([
      `http://127.0.0.1:8000/admin/storage-locations/${shelf}`,
    ]);
    // what somebody else has chosen
    expect((await (await staffBrowser(museum, "editor")).get(address)).status).toBe(404);
    const stranger = await museum.ask(`/admin/objects/${object}/card`, { headers: { Accept: "text/html" } });
    expect(stranger.status).toBe(303);
  });
});
