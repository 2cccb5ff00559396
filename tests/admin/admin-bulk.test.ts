/** Batch edits in the staff interface: records are selected, a change is previewed, made by a job and undone, without a script. */
import { describe, expect, it } from "vitest";
import { planUndo } from "../../src/imports/undo/plan.ts";
import { findJob } from "../../src/jobs/store.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { answered, linking, made } from "../support/museum/catalogue.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const HOSTILE = `"><script>alert(1)</script>`;

const { museum, curator, api } = await staffMuseumHere();

type Json = { id: string; status: string; metadata_: Record<string, { value: string; lang?: string }[]> };

const make = (idno: string, metadata_: Json["metadata_"] = {}, plural = "objects") =>
  made(api, plural, { idno, metadata_, ...(plural === "objects" ? { object_type: "painting" } : {}) });

const object = async (id: string): Promise<Json> => (await api(`/v1/objects/${id}`)).json() as Promise<Json>;
const material = async (id: string) => (await object(id)).metadata_.material?.map(({ value }) => value);
const link = linking(api);
const titled = (value: string) => ({ title: [{ value }] });

/** Selects these records in a list and returns the address of the page that changes them. @param edit the button of the list */
async function choose(
  ids: readonly string[],
  by = curator,
  plural = "objects",
  edit: Record<string, string> = {},
): Promise<string> {
  const picked = Object.fromEntries(ids.map((id) => [`pick/${id}`, "on"]));
  const sent = await by.send(`/admin/${plural}/bulk`, { scope: "chosen", ...picked, ...edit });
  expect([sent.status, await sent.text()]).toEqual([303, ""]);
  return sent.headers.get("Location")!;
}

/** Runs a batch edit and returns its result page. */
async function run(address: string, by = curator): Promise<string> {
  expect((await by.send(`${address}/run`, {})).status).toBe(303);
  await endedJob(museum, api, address.split("/").at(-1)!);
  return by.text(address);
}

async function takeBack(address: string, by = curator): Promise<string> {
  const requested = await by.send(`${address}/undo`, {});
  expect(requested.status).toBe(303);
  const after = requested.headers.get("Location")!;
  await endedJob(museum, api, after.split("undo=")[1]!);
  return by.text(after);
}

describe("a batch edit of a field", () => {
  it("replaces the values of its language only, and says so", async () => {
    const title = [
      { value: "Nef", lang: "fr" },
      { value: "Kahn", lang: "de" },
    ];
    const id = await make("F.0", { title });
    const address = await choose([id]);
    const value = { "metadata_/title/0/value": "Schiff", "metadata_/title/0/lang": "de" };
    await curator.send(address, { what: "set", field: "title", ...value });
    const preview = await curator.text(address);
    expect(preview).toContain("Values in other languages stay.");
    expect(preview).toContain("<ins>Nef (fr); Schiff (de)</ins>");
    await run(address);
    expect((await object(id)).metadata_.title).toEqual([title[0], { value: "Schiff", lang: "de" }]);
  });

  it("is previewed and made, and its undo restores the records that nobody has edited since", async () => {
    const oil = await make("F.1", { ...titled(`Harbour ${HOSTILE}`), material: [{ value: "oil paint" }] });
    const both = await make("F.2", { material: [{ value: "oil paint" }, { value: "canvas" }] });
    const none = await make("F.3");
    const address = await choose([oil, both, none]);
    const value = await curator.text(`${address}?what=add&field=material`);
    expect(value).toContain('name="metadata_/material/0/value"');
    const form = { what: "add", field: "material", "metadata_/material/0/value": "canvas" };
    expect((await curator.send(address, form)).status).toBe(303);
    const preview = await curator.text(address);
    expect(preview).toContain("<del>oil paint</del>");
    expect(preview).toContain("<ins>oil paint; canvas</ins>");
    expect(preview).toContain("Change 2 records");
    expect(preview).not.toContain("<script>alert");
    const german = await staffBrowser(museum, "cataloger", "de");
    const own = await choose([oil], german);
    await german.send(own, form);
    expect(await german.text(own)).toMatch(/hinzu: Leinwand<[\s\S]*<ins>Ölfarbe; Leinwand</);
    expect(await material(oil)).toEqual(["oil paint"]);

    expect(await run(address)).toMatch(/Changed<\/dt><dd>2<[\s\S]*Unchanged<\/dt><dd>1</);
    expect(await material(oil)).toEqual(["oil paint", "canvas"]);
    expect(await material(none)).toEqual(["canvas"]);
    // running it again changes nothing more
    expect(await run(address)).toContain("Done.");
    expect(await material(none)).toEqual(["canvas"]);

    const json = { metadata_: { material: [{ value: "paper" }] } };
    const headers = { "Content-Type": "application/merge-patch+json" };
    await api(`/v1/objects/${none}`, { method: "PATCH", body: JSON.stringify(json), headers });
    const back = await takeBack(address);
    expect(back).toContain("<h1>This batch edit has been partly undone</h1>");
    expect(back).toMatch(/Restored<\/dt><dd>1<[\s\S]*Left as they are<\/dt><dd>1</);
    expect(back).toMatch(/<h2>Restored<\/h2>[\s\S]*F\.1<\/a>[\s\S]*<h2>Left as they are<\/h2>/);
    expect(back).toMatch(/F\.3<\/a>[\s\S]*edited since by admin\S* \(\d+ \w+ \d{4}\)/);
    expect(await material(oil)).toEqual(["oil paint"]);
    expect(await material(none)).toEqual(["paper"]);
  });

  it("replaces or empties values, and an invalid value is refused before anything is changed", async () => {
    const ids = [
      await make("E.1", { material: [{ value: "wood" }] }),
      await make("E.2", { material: [{ value: "bone" }] }),
    ];
    const address = await choose(ids);
    const wrong = { what: "set", field: "date", "metadata_/date/0/value": "about 1888" };
    await answered(curator.send(address, wrong), 422, "did you mean &quot;1888~&quot;?");
    const nothings: Record<string, string>[] = [
      {},
      { what: "set", field: "material" },
      { what: "set", field: "nothing" },
      { what: "link", to: "X" },
    ];
    for (const nothing of nothings)
      expect([nothing, (await curator.send(address, nothing)).status]).toEqual([nothing, 422]);
    // said where the form is
    const moved = { what: "move", to: "Nowhere", day: "2026-01-30" };
    expect(await (await curator.send(address, moved)).text()).toMatch(
      /id="bulk-move">[^<]*<\/h2>\s*<div class="note error"/,
    );
    expect((await curator.send(`${address}/run`, {})).status).toBe(409);
    await curator.send(address, { what: "set", field: "material", "metadata_/material/0/value": "tin" });
    await run(address);
    expect(await Promise.all(ids.map(material))).toEqual([["tin"], ["tin"]]);
    const again = await choose(ids);
    await curator.send(again, { what: "empty", field: "material" });
    expect(await curator.text(again)).toContain("<del>tin</del>");
    await run(again);
    expect(await Promise.all(ids.map(material))).toEqual([undefined, undefined]);
  });
});

describe("a batch edit that is killed midway", () => {
  it("continues where it stopped: no record is changed twice, and all of them can be restored", async () => {
    const lines = Array.from({ length: 120 }, (_, n) =>
      JSON.stringify({ idno: `K.${n}`, object_type: "other", metadata_: titled(`Killed ${n}`) }),
    );
    const headers = { "Content-Type": "application/x-ndjson" };
    await (await api("/v1/objects/bulk", { method: "POST", body: lines.join("\n"), headers })).text();
    const sent = await curator.send("/admin/objects/bulk", { scope: "found", back: "q=killed" });
    const address = sent.headers.get("Location")!;
    await curator.send(address, { what: "add", field: "material", "metadata_/material/0/value": "tin" });
    await curator.send(`${address}/run`, {});
    const { services } = museum;
    const job = (await findJob(services.sql, address.split("/").at(-1)!))!;
    const killed = KIND_WORK.edit.run({
      ...{ services, id: job.id, params: job.params, log: services.log },
      signal: new AbortController().signal,
      report: () => Promise.reject(new Error("killed")),
      remember: async () => undefined,
    });
    await expect(killed).rejects.toThrow("killed");
    const changed = async () => {
      const [row] = await services.sql<{ tin: number; most: number }[]>`
        select count(*) filter (where metadata ? 'material')::int as tin, max(version)::int as most
        from records where idno like 'K.%' and record_type = 'object'`;
      return row;
    };
    expect(await changed()).toEqual({ tin: 100, most: 2 });
    expect(await run(address)).toMatch(/Changed<\/dt><dd>120</);
    expect(await changed()).toEqual({ tin: 120, most: 2 });
    expect(await takeBack(address)).toMatch(/Restored<\/dt><dd>120</);
    expect(await changed()).toEqual({ tin: 0, most: 3 });
  });
});

describe("a batch edit of the status", () => {
  it("publishes complete records, names the others with the reason, and unpublishes only public ones", async () => {
    const complete = await make("S.1", titled("Whole"));
    const untitled = await make("S.2");
    const address = await choose([complete, untitled]);
    await curator.send(address, { what: "status", status: "public" });
    expect(await curator.text(address)).toMatch(
      /cannot be changed[\s\S]*S\.2<\/a>[\s\S]*Title is required for publication/,
    );
    expect(await run(address)).toMatch(/S\.2<\/a>[\s\S]*Title is required/);
    const statuses = async () => [(await object(complete)).status, (await object(untitled)).status];
    expect(await statuses()).toEqual(["public", "draft"]);
    const back = await choose([complete, untitled], curator, "objects", { edit: "unpublish" });
    expect(await curator.text(back)).toMatch(/Drafts stay as they are\.[\s\S]*>Unpublish one record</);
    expect(await run(back)).toMatch(/Changed<\/dt><dd>1<[\s\S]*Unchanged<\/dt><dd>1</);
    expect(await statuses()).toEqual(["internal", "draft"]);
    await takeBack(back);
    await takeBack(address);
    expect(await statuses()).toEqual(["draft", "draft"]);
  });

  it("offers publication only to those who may publish, and is refused to others", async () => {
    const cataloger = await staffBrowser(museum, "cataloger");
    const id = await make("S.3", titled("Not yet"));
    const address = await choose([id], cataloger);
    expect(await cataloger.text(address)).not.toContain('value="public"');
    await cataloger.send(address, { what: "status", status: "public" });
    expect(await cataloger.text(address)).toContain("lacks the permission records:publish");
    await run(address, cataloger);
    expect((await object(id)).status).toBe("draft");
  });
});

describe("a batch edit of links or the trash", () => {
  it("adds to a collection what is not in it yet, and its undo removes only that", async () => {
    const ids = [await make("C.1"), await make("C.2")];
    const collection = await make("COL-BULK", titled("Bequest"), "collections");
    await link(ids[0]!, "in_collection", "collection", collection);
    const links = async (id: string) =>
      ((await (await api(`/v1/objects/${id}/relations`)).json()) as { items: unknown[] }).items.length;
    const address = await choose(ids);
    await curator.send(address, { what: "link", relation_type: "in_collection", to: "COL-BULK" });
    expect(await curator.text(address)).toContain("<ins>COL-BULK Bequest</ins>");
    await run(address);
    expect(await Promise.all(ids.map(links))).toEqual([1, 1]);
    await takeBack(address);
    expect(await Promise.all(ids.map(links))).toEqual([1, 0]);
  });

  it("names a maker beside the same maker with a qualifier, and says who was the maker already", async () => {
    const maker = await make("ENT-MADE", { name: [{ value: "Ada Roos" }] }, "entities");
    const ids = [await make("Q.1"), await make("Q.2"), await make("Q.3")];
    const metadata = [{}, { qualifier: [{ value: "workshop_of" }] }, { role: [{ value: "painter" }] }];
    for (const [at, metadata_] of metadata.entries())
      if (at > 0) await link(ids[at]!, "created_by", "entity", maker, metadata_);
    const links = async (id: string) => {
      const { items } = (await (await api(`/v1/objects/${id}/relations`)).json()) as {
        items: { metadata_: unknown }[];
      };
      return items
        .map(({ metadata_ }) => metadata_)
        .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    };
    const address = await choose(ids);
    await curator.send(address, { what: "link", relation_type: "created_by", to: "ENT-MADE" });
    const skipped =
      /Unchanged<\/h2>(?:(?!<\/section>)[\s\S])*Q\.3<\/a>(?:(?!<\/section>)[\s\S])*is linked like this already/;
    const shown = await curator.text(address);
    expect(shown.split("<ins>")).toHaveLength(3);
    expect(shown).toMatch(skipped);
    await run(address);
    expect(await curator.text(address)).toMatch(skipped);
    expect(await Promise.all(ids.map(links))).toEqual([[{}], [metadata[1], {}], [metadata[2]]]);
    await takeBack(address);
    expect(await Promise.all(ids.map(links))).toEqual([[], [metadata[1]], [metadata[2]]]);
  });

  it("deletes records without links, and its undo restores them with what lay below them", async () => {
    const [linked, free] = [await make("T.1"), await make("T.2")];
    const maker = await make("ENT-BULK", { name: [{ value: "Ada" }] }, "entities");
    await link(linked, "created_by", "entity", maker);
    const address = await choose([linked, free]);
    await curator.send(address, { what: "trash" });
    expect(await curator.text(address)).toMatch(
      /Move one record[\s\S]*T\.1<\/a>[\s\S]*is linked with other records/,
    );
    await run(address);
    expect((await api(`/v1/objects/${free}`)).status).toBe(404);
    expect((await api(`/v1/objects/${linked}`)).status).toBe(200);
    await takeBack(address);
    expect((await api(`/v1/objects/${free}`)).status).toBe(200);

    const house = await make("HOUSE", { name: [{ value: "House" }] }, "storage-locations");
    const room = await make("ROOM", { name: [{ value: "Room" }] }, "storage-locations");
    const patch = { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" } };
    await api(`/v1/storage-locations/${room}`, { ...patch, body: JSON.stringify({ parent_id: house }) });
    const above = async () =>
      ((await (await api(`/v1/storage-locations/${room}`)).json()) as { parent_id: string }).parent_id;
    const places = await choose([house], curator, "storage-locations");
    await curator.send(places, { what: "trash", force: "yes" });
    await run(places);
    expect(await above()).toBeNull();
    await takeBack(places);
    expect(await above()).toBe(house);
  });

  it("does not restore what somebody else has deleted again since", () => {
    const row = { deleted_at: "2026-01-31T12:00:00" } as Parameters<typeof planUndo>[1];
    const deed = {
      ...{ record_id: "1", at: "2026-01-31", undone: null, actor: null, note: null },
      ...{ status_before: null, before: null },
    };
    const own = { ...deed, version: 2, action: "deleted", import_id: "edit" };
    expect(planUndo("edit", row, [own])).toMatchObject({ what: "untrash" });
    const others = [
      { ...deed, version: 3, action: "restored", import_id: null },
      { ...deed, version: 4, action: "deleted", import_id: null },
    ];
    expect(planUndo("edit", row, [own, ...others])).toMatchObject({ what: "left" });
  });
});

describe("a batch edit", () => {
  it("applies to the page or to everything found, as it was when it was selected", async () => {
    const ids = await Promise.all(
      ["W.1", "W.2", "W.3"].map((idno) => make(idno, titled(`Windlass ${idno}`))),
    );
    const list = await curator.text("/admin/objects?q=windlass&sort=idno&dir=asc");
    expect(list).toContain("All 3 results");
    expect(list).toContain(`name="row/${ids[2]}"`);
    const page = { scope: "page", [`row/${ids[0]}`]: "on", [`row/${ids[1]}`]: "on" };
    const two = (await curator.send("/admin/objects/bulk", page)).headers.get("Location")!;
    expect(await curator.text(two)).toContain("2 records are selected");
    const found = { scope: "found", back: "q=windlass&sort=idno&dir=asc" };
    const address = (await curator.send("/admin/objects/bulk", found)).headers.get("Location")!;
    expect(await curator.text(address)).toContain("3 records are selected");
    await api(`/v1/objects/${ids[2]}/status`, { json: { status: "internal" } });
    await curator.send(address, { what: "set", field: "object_type", value: "drawing" });
    expect(await curator.text(address)).toMatch(/W\.3<\/a>[\s\S]*has been changed meanwhile/);
    expect(await run(address)).toMatch(/Changed<\/dt><dd>2</);
    const none = await curator.send("/admin/objects/bulk", { scope: "chosen", back: "q=x" });
    expect([none.status, none.headers.get("Location")]).toEqual([303, "/admin/objects?q=x"]);
  });

  it("is listed afterwards for the person who ran it, even one who may not import", async () => {
    const cataloger = await staffBrowser(museum, "cataloger");
    const id = await make("W.5");
    const address = await choose([id], cataloger);
    await cataloger.send(address, { what: "add", field: "material", "metadata_/material/0/value": "slate" });
    await run(address, cataloger);
    const list = await cataloger.text("/admin/imports");
    expect(list).toContain("<h1>Batch edits</h1>");
    expect(list).not.toContain("Imports and");
    expect(list).toContain(`<a href="${address}">Material of 1 object: slate added</a>`);
    expect(list.match(/<tr>/g)).toHaveLength(2);
    expect(list).toContain(">Undo</button>");
    expect(list).not.toContain('type="file"');
    const told = async (form: Record<string, string>) => {
      const next = await choose([id], cataloger);
      await cataloger.send(next, form);
      await run(next, cataloger);
      const row = new RegExp(`<a href="${next}">([^<]*)`);
      return row.exec(await cataloger.text("/admin/imports"))![1];
    };
    expect(await told({ what: "status", status: "internal" })).toBe("Status of 1 object → Internal");
    expect(await told({ what: "empty", field: "material" })).toBe("Material of 1 object cleared");
    expect(await told({ what: "set", field: "collection_status", value: "pending" })).toBe(
      "Collection status of 1 object → Pending",
    );
    expect(
      await told({
        what: "set",
        field: "condition_note",
        "metadata_/condition_note/0/value": "<b>".repeat(40),
      }),
    ).toMatch(/→ (&lt;b&gt;){26}&lt;b …$/);
    const undo = await cataloger.send(/action="([^"]+\/undo)"/.exec(list)![1]!, {});
    expect(undo.headers.get("Location")).toMatch(/\?undo=/);
    const other = await staffBrowser(museum, "cataloger");
    expect(await other.text("/admin/imports")).not.toContain(address);
    expect(await curator.text("/admin/imports")).toContain(address);
  });

  it("is hidden from others, takes at most a page of records selected by hand, and is refused to viewers", async () => {
    const address = await choose([await make("N.1")]);
    const other = await staffBrowser(museum, "admin");
    expect((await other.get(address)).status).toBe(404);
    expect((await other.send(address, { what: "trash" })).status).toBe(404);
    expect((await curator.get(address.replace("objects", "places"))).status).toBe(404);
    const many = Object.fromEntries(Array.from({ length: 201 }, () => [`pick/${crypto.randomUUID()}`, "on"]));
    expect((await curator.send("/admin/objects/bulk", { scope: "chosen", ...many })).status).toBe(413);
    const viewer = await staffBrowser(museum, "viewer");
    expect(await viewer.text("/admin/objects")).not.toContain("/admin/objects/bulk");
    expect((await viewer.send("/admin/objects/bulk", { scope: "page" })).status).toBe(403);
    await curator.send(address, { what: "status", status: "internal" });
    await run(address);
    expect((await viewer.send(`${address}/undo`, {})).status).toBe(403);
    expect((await curator.send(`${address.slice(0, -36)}${crypto.randomUUID()}/undo`, {})).status).toBe(404);
  });
});
