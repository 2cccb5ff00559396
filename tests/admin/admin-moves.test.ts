/** Moving objects in the staff interface: from the page of a place, from a list, with a loan; and the way back. */
import { describe, expect, it } from "vitest";
import { answered, linking, made } from "../support/museum/catalogue.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

const create = (plural: string, json: object) => made(api, plural, json);

const place = (idno: string, name: string) =>
  create("storage-locations", { idno, metadata_: { name: [{ value: name }] } });
const object = (idno: string) => create("objects", { idno, object_type: "painting" });

type Told = { from: { title: string } | null; to: { title: string } | null; reason: string | null };
/** `– → Shelf`, the oldest first. */
async function told(id: string): Promise<string[]> {
  const { items } = (await (await api(`/v1/objects/${id}/locations`)).json()) as { items: Told[] };
  return items.map(({ from, to }) => `${from?.title ?? "–"} → ${to?.title ?? "–"}`).reverse();
}

/** Waits for the job that an answer leads to, and returns its page. */
async function resultOf(answer: Response): Promise<string> {
  expect([answer.status, await answer.text()]).toEqual([303, ""]);
  const address = answer.headers.get("Location")!;
  await endedJob(museum, api, /\/bulk\/([\w-]+)/.exec(address)![1]!);
  return curator.text(address);
}

const undone = async (page: string): Promise<void> => {
  const action = /action="([^"]*\/undo)"/.exec(page)![1]!;
  const answer = await curator.send(action, {});
  await endedJob(museum, api, answer.headers.get("Location")!.split("undo=")[1]!);
};

describe("the page of a storage location", () => {
  it("moves objects here by their numbers, in one go, and takes that back", async () => {
    const [attic, cellar] = [await place("P-ATTIC", "Attic"), await place("P-CELLAR", "Cellar")];
    const objects = [await object("P.1"), await object("P.2"), await object("P.3")];
    const bring = (numbers: string, to = "P-ATTIC") =>
      curator.send(`/admin/storage-locations/${attic}/move`, {
        to,
        day: "2026-01-30",
        note: "flood",
        numbers,
      });
    const unknown = await answered(bring("P.1\nP.9\n"), 422, "P.9");
    expect(unknown).toMatch(/<a href="#numbers">[^<]+<\/a>:[\s\S]*<textarea id="numbers"/);
    expect(await told(objects[0]!)).toEqual([]);
    const page = await resultOf(await bring(" P.1\r\nP.2\nP.1\nP.3\n\n"));
    expect(page).toMatch(/Moved to: P-ATTIC Attic\. Date: 30 January 2026\. Reason: flood/);
    expect(page).toMatch(/Changed<\/dt><dd>3</);
    expect(await curator.text(`/admin/storage-locations/${attic}`)).toMatch(
      /Objects here <small>3 objects[\s\S]*?P\.3[\s\S]*?P\.2[\s\S]*?P\.1|Objects here <small>3 objects[\s\S]*?P\.1/,
    );
    // those that were ticked go on, and are shown as having been here
    const away = { scope: "chosen", to: "P-CELLAR", day: "2026-01-31", [`pick/${objects[1]}`]: "on" };
    const moved = await resultOf(await curator.send(`/admin/storage-locations/${attic}/move`, away));
    expect(await told(objects[1]!)).toEqual(["– → Attic", "Attic → Cellar"]);
    expect(await curator.text(`/admin/storage-locations/${attic}`)).toMatch(
      /Objects here <small>2 objects[\s\S]*Objects that were here[\s\S]*P\.2[\s\S]*30 January 2026[\s\S]*31 January 2026/,
    );
    expect(await curator.text(`/admin/storage-locations/${cellar}`)).toContain("<small>1 object<");
    await undone(moved);
    expect(await told(objects[1]!)).toEqual(["– → Attic"]);
    const none = await curator.send(`/admin/storage-locations/${attic}/move`, {
      to: "P-CELLAR",
      day: "2026-01-31",
    });
    expect(none.status).toBe(422);
    const viewer = await staffBrowser(museum, "viewer");
    const seen = await viewer.text(`/admin/storage-locations/${attic}`);
    expect(seen).toContain("P.1");
    expect(seen).not.toContain(`/admin/storage-locations/${attic}/move`);
    expect((await viewer.send(`/admin/storage-locations/${attic}/move`, away)).status).toBe(403);
  });
});

describe("the list of objects", () => {
  it("moves what was selected: the preview says from where and where to", async () => {
    await place("L-OLD", "Old store");
    await place("L-NEW", "New store");
    const [one, two, late] = [await object("L.1"), await object("L.2"), await object("L.3")];
    for (const id of [one, late])
      await curator.send(`/admin/objects/${id}/move`, { to: "L-OLD", day: "2026-01-10" });
    await curator.send(`/admin/objects/${late}/move`, { to: "L-NEW", day: "2026-02-10" });
    await curator.send(`/admin/objects/${late}/move`, { to: "L-OLD", day: "2026-02-11" });
    expect(await curator.text("/admin/objects")).toContain("Move to a location");
    const picked = Object.fromEntries([one, two, late].map((id) => [`pick/${id}`, "on"]));
    const sent = await curator.send("/admin/objects/bulk", { scope: "chosen", move: "yes", ...picked });
    const [address, anchor] = sent.headers.get("Location")!.split("#");
    expect([anchor, await curator.text(address!)]).toEqual(["move", expect.stringContaining('id="move"')]);
    const wish = { what: "move", to: "L-NEW", day: "2026-01-20", note: "" };
    expect((await curator.send(address!, { ...wish, to: "NOWHERE" })).status).toBe(422);
    expect((await curator.send(address!, { ...wish, day: "2026-02-30" })).status).toBe(422);
    for (const what of [wish, { what: "link", relation_type: "created_by" }])
      await answered(curator.send(address!, { ...what, to: " " }), 422, "<li>Enter a name or number.</li>");
    expect((await curator.send(address!, wish)).status).toBe(303);
    const preview = await curator.text(address!);
    expect(preview).toMatch(/L\.1[\s\S]*?<del>Old store<\/del>[\s\S]*?<ins>L-NEW New store<\/ins>/);
    expect(preview).toMatch(/L\.3[\s\S]*?the object was moved on 11 February 2026: a new move/);
    const page = await resultOf(await curator.send(`${address}/run`, {}));
    expect(page).toMatch(/Changed<\/dt><dd>2</);
    expect([await told(one), await told(two)]).toEqual([
      ["– → Old store", "Old store → New store"],
      ["– → New store"],
    ]);
    await undone(page);
    expect([await told(one), await told(two)]).toEqual([["– → Old store"], []]);
  });
});

describe("the page of an object", () => {
  it("names a date that is too early as the form of the move does, and leads there, not to the date of the object", async () => {
    await place("D-ONE", "Room one");
    const id = await object("D.1");
    const german = await staffBrowser(museum, "cataloger", "de");
    const move = (day: string, by = german) => by.send(`/admin/objects/${id}/move`, { to: "D-ONE", day });
    expect((await move("2026-02-10")).status).toBe(303);
    await place("D-TWO", "Room two");
    const send = (form: object, by = german) =>
      answered(by.send(`/admin/objects/${id}/move`, { to: "D-TWO", day: "2026-01-10", ...form }), 422);
    const early = await send({});
    expect(early).toContain('<a href="#move-day">Datum</a>: ');
    expect(early).toMatch(/<details class="folded" open>[\s\S]*?<input id="move-day" type="date" name="day"/);
    expect(early).not.toContain("Datierung</a>:");
    expect(await send({ day: "2126-01-10" }, curator)).toContain('<a href="#move-day">Date</a>: ');
    expect(await send({ day: "" }, curator)).toContain('<a href="#move-day">Date</a>: is missing');
    const nowhere = await send({ to: "D-THREE" }, curator);
    expect(nowhere).toMatch(
      /<a href="#move-to">New location[^<]*<\/a>: [\s\S]*<input id="move-to" name="to"/,
    );
    expect(await curator.text(`/admin/objects/${id}`)).not.toContain('<details class="folded" open>');
  });

  it("tells whoever moves it second where it is now", async () => {
    const from = await place("O-A", "Room A");
    await place("O-B", "Room B");
    await place("O-C", "Room C");
    const id = await object("O.1");
    const move = (form: Record<string, string>) =>
      curator.send(`/admin/objects/${id}/move`, { day: "2026-01-30", ...form });
    expect((await move({ to: "O-A", from: "" })).status).toBe(303);
    const page = await curator.text(`/admin/objects/${id}`);
    expect(page).toContain(`name="from" value="${from}"`);
    expect((await move({ to: "O-B", from })).status).toBe(303);
    await answered(
      move({ to: "O-C", from }),
      409,
      /O\.1 has been moved in the meantime \(\S+@\S+\)\. It is now here: Room B/,
    );
    expect(await told(id)).toEqual(["– → Room A", "Room A → Room B"]);
    // a place is no link among others
    const choice = /<select id="relation_type" name="relation_type">[\s\S]*?<\/select>/;
    expect(choice.exec(page)![0]).not.toContain("stored_at");
    for (let day = 1; day < 12; day++)
      await move({ to: day % 2 === 1 ? "O-C" : "O-B", day: `2026-02-${String(day).padStart(2, "0")}` });
    expect(await curator.text(`/admin/objects/${id}`)).toContain("All 13 entries");
    const all = await curator.text(`/admin/objects/${id}/locations`);
    expect(all.match(/<tr><td/g)).toHaveLength(13);
  });
});

describe("an earlier place of an object", () => {
  it("is not put back from the history while the object is elsewhere", async () => {
    await place("E-A", "Room E");
    await place("E-B", "Room F");
    const id = await object("E.1");
    for (const to of ["E-A", "E-B"]) {
      const moved = await curator.send(`/admin/objects/${id}/move`, { to, day: "2026-01-30" });
      expect(moved.status).toBe(303);
    }
    const history = await curator.text(`/admin/objects/${id}/history`);
    expect(history).toContain("Room E");
    expect(history).not.toContain("/put-back");
    const [noted] = await museum.services.sql<{ id: string }[]>`
      select note #>> '{removed,0,id}' as id from revisions where record_id = ${id} and note #> '{removed,0}' is not null`;
    await answered(
      curator.send(`/admin/objects/${id}/links/${noted!.id}/put-back`, {}),
      409,
      "The object is at another location now",
    );
    expect(await told(id)).toEqual(["– → Room E", "Room E → Room F"]);
  });
});

describe("a loan", () => {
  const patch = (path: string, json: unknown) =>
    api(path, {
      method: "PATCH",
      headers: { "Content-Type": "application/merge-patch+json" },
      body: JSON.stringify(json),
    });
  const state = async (id: string, plural = "objects") =>
    (await (await api(`/v1/${plural}/${id}`)).json()) as Record<string, unknown>;

  it("moves its objects when it is sent out and taken back, with their status and its dates", async () => {
    await place("V-SHELF", "Shelf");
    await place("V-DRAWER", "Drawer");
    await place("V-DOCK", "Loading dock");
    const [shelved, drawn, bare] = [await object("V.1"), await object("V.2"), await object("V.3")];
    await curator.send(`/admin/objects/${shelved}/move`, { to: "V-SHELF", day: "2026-01-01" });
    await curator.send(`/admin/objects/${drawn}/move`, { to: "V-DRAWER", day: "2026-01-02" });
    const loan = await create("procedures", {
      idno: "V-LOAN",
      procedure_type: "loan_out",
      metadata_: { title: [{ value: "To the lake museum" }] },
    });
    for (const id of [shelved, drawn, bare])
      await linking(api)(id, "subject_of_procedure", "procedure", loan);
    const send = (way: string, form: Record<string, string>) =>
      curator.send(`/admin/procedures/${loan}/send`, { way, to: "", ...form });
    const never = await answered(send("out", { day: "2126-01-01" }), 422);
    expect(never).toMatch(/<a href="#send-out-day">Date<\/a>: [\s\S]*<input id="send-out-day"/);
    expect(await curator.text(`/admin/procedures/${loan}`)).toContain("Send out");
    await answered(send("out", { day: "2026-01-01" }), 422, "V.2 was moved on 2 January 2026");
    expect((await send("out", { day: "2026-01-05" })).status).toBe(303);
    expect(await told(shelved)).toEqual(["– → Shelf", "Shelf → –"]);
    expect(await state(shelved)).toMatchObject({ collection_status: "on_loan_out" });
    expect(await state(bare)).toMatchObject({ collection_status: "on_loan_out" });
    expect(await state(loan, "procedures")).toMatchObject({ start_date: "2026-01-05", end_date: null });
    const page = await curator.text(`/admin/objects/${shelved}`);
    expect(page).toMatch(/no location · <a [^>]*>To the lake museum<\/a> <small>V-LOAN/);
    // sent twice, it is out once
    expect((await send("out", { day: "2026-01-05" })).status).toBe(303);
    expect(await told(shelved)).toEqual(["– → Shelf", "Shelf → –"]);
    expect(await curator.text(`/admin/procedures/${loan}`)).toContain("Take back");
    expect((await send("back", { day: "2026-01-20" })).status).toBe(303);
    expect([await told(shelved), await told(drawn), await told(bare)]).toEqual([
      ["– → Shelf", "Shelf → –", "– → Shelf"],
      ["– → Drawer", "Drawer → –", "– → Drawer"],
      [],
    ]);
    expect(await state(shelved)).toMatchObject({ collection_status: "active" });
    expect(await state(loan, "procedures")).toMatchObject({ end_date: "2026-01-20" });
    expect(await curator.text(`/admin/procedures/${loan}`)).not.toContain("Take back");
    // out again, to a place of its own, and back to another one
    await patch(`/v1/procedures/${loan}`, { end_date: null });
    expect((await send("out", { day: "2026-02-01", to: "V-DOCK" })).status).toBe(303);
    expect((await send("back", { day: "2026-02-03", to: "V-SHELF" })).status).toBe(303);
    expect((await told(drawn)).slice(3)).toEqual(["Drawer → Loading dock", "Loading dock → Shelf"]);
    expect(await told(bare)).toEqual(["– → Loading dock", "Loading dock → Shelf"]);
    // lent before the catalogue knew: it is taken back, too
    await patch(`/v1/procedures/${loan}`, { end_date: null });
    await patch(`/v1/objects/${bare}`, { collection_status: "on_loan_out" });
    expect(await curator.text(`/admin/procedures/${loan}`)).toMatch(/Send out[\s\S]*Take back/);
    expect((await send("back", { day: "2026-02-04", to: "V-DOCK" })).status).toBe(303);
    expect((await told(bare)).at(-1)).toBe("Shelf → Loading dock");
    expect(await state(bare)).toMatchObject({ collection_status: "active" });
    expect(await told(drawn)).toHaveLength(5);
    const viewer = await staffBrowser(museum, "viewer");
    expect(
      (await viewer.send(`/admin/procedures/${loan}/send`, { way: "out", day: "2026-02-04" })).status,
    ).toBe(403);
    const check = await create("procedures", {
      procedure_type: "condition_check",
      metadata_: { title: [{ value: "Check" }] },
    });
    const refused = await curator.send(`/admin/procedures/${check}/send`, { way: "out", day: "2026-02-04" });
    expect(refused.status).toBe(409);
  });
});
