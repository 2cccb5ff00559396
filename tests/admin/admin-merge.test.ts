/** Records that may be one, in the staff interface: told apart, merged, and separated again. */
import { describe, expect, it } from "vitest";
import { made, posted, type RecordJson, said } from "../support/museum/catalogue.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

const LIST = "/admin/entities/duplicates";

const maker = (name: string, more: Record<string, unknown> = {}) =>
  made(api, "entities", { entity_type: "person", metadata_: { name: said(name), ...more } });

const versionsIn = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/name="(into|version|into_version)" value="([^"]+)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  ) as Record<string, string>;

describe("possible duplicates", () => {
  it("stand beside each other, and are not offered again once they are two", async () => {
    const [one, other] = [
      await maker("Karl Blom", { birth_date: [{ value: "1850" }] }),
      await maker("Blom, <Karl>"),
    ];
    expect(await curator.text("/admin/entities")).toContain(`href="${LIST}"`);
    const page = await curator.text(LIST);
    expect(page).toContain(`/admin/entities/${one}"`);
    expect(page).toContain("born 1850");
    expect(page).toContain("Blom, &lt;Karl&gt;");
    const pair = { a: other, b: one, page: "1" };
    const said = await curator.send(LIST, pair);
    expect(said.status).toBe(303);
    const after = await curator.text(said.headers.get("Location")!);
    expect(after).toContain("No possible duplicates");
    expect(after).toContain("1 pair is marked as not the same");
    const dismissed = `${LIST}?dismissed=true`;
    expect(after).toContain(`href="${dismissed}"`);
    expect(await curator.text(dismissed)).toMatch(/Karl Blom[\s\S]*Offer them again/);
    const again = await curator.send(LIST, { ...pair, again: "yes" });
    expect(again.headers.get("Location")).toBe(`${LIST}?page=1&dismissed=true`);
    expect(await curator.text(dismissed)).not.toContain("Karl Blom");
    expect(await curator.text(LIST)).not.toContain("No possible duplicates");
    await curator.send(LIST, pair);
  });

  it("are not merged if a hierarchy would lead back to itself, which is said in words", async () => {
    const [whole, middle, part] = [await maker("Ring A"), await maker("Ring B"), await maker("Ring C")];
    const member = async (from: string, to_id: string) => {
      await posted(api, `/v1/entities/${from}/relations`, {
        relation_type: "member_of",
        to_type: "entity",
        to_id,
      });
    };
    await member(part, middle);
    await member(middle, whole);
    const german = await staffBrowser(museum, "admin", "de");
    const circle = /ergäben einen Kreis: ENT-\d+ Mitglied von ENT-\d+ Mitglied von ENT-\d+\. /;
    expect(await german.text(`/admin/entities/${part}/merge?into=${whole}`)).toMatch(circle);
    expect(await german.text(`/admin/entities/merge?id=${part}&id=${whole}`)).toMatch(circle);
  });

  it("are merged after a look at the result, and separated again", async () => {
    const [stays, goes] = [
      await maker("Oluf Brander"),
      await maker("Brander, Oluf", { birth_date: [{ value: "1850" }], role: [{ value: "painter" }] }),
    ];
    const address = `/admin/entities/${goes}/merge`;
    expect(await curator.text(LIST)).toContain(`${address}?into=${stays}`);
    const preview = await curator.text(`${address}?into=${stays}`);
    expect(preview).toMatch(/1850[\s\S]*–[\s\S]*1850/);
    expect(preview).toContain(`/admin/entities/${stays}/merge?into=${goes}`);
    const german = await staffBrowser(museum, "admin", "de");
    expect(await german.text(`${address}?into=${stays}`)).toContain("Malerin/Maler</td>");
    expect((await api(`/v1/entities/${goes}`)).status).toBe(200);

    const form = versionsIn(preview);
    const stale = await curator.send(address, { ...form, into_version: "9" });
    expect(stale.status).toBe(409);
    const done = await curator.send(address, form);
    expect([done.status, done.headers.get("Location")]).toEqual([303, expect.stringContaining(address)]);
    const told = await curator.text(address);
    expect(told).toContain(`/admin/entities/${stays}"`);
    expect((await api(`/v1/entities/${goes}`)).status).toBe(301);

    // the way back is also in the list of duplicates, and in the history
    expect(await curator.text(LIST)).toMatch(
      /Undo the merge of Brander, Oluf \(ENT-\d+\) into Oluf Brander \(ENT-\d+\)/,
    );
    expect(await curator.text(`/admin/entities/${stays}/history`)).toContain(`href="${address}"`);

    const back = await curator.send(`/admin/entities/${goes}/unmerge`, {});
    expect([back.status, back.headers.get("Location")]).toEqual([
      303,
      expect.stringContaining(`/admin/entities/${goes}`),
    ]);
    expect((await api(`/v1/entities/${goes}`)).status).toBe(200);
    expect((await curator.get(address)).status).toBe(404);
    const history = await curator.text(`/admin/entities/${stays}/history`);
    expect(history).toMatch(/Merge undone[\s\S]*Brander, Oluf \(ENT-\d+\)<\/bdi> → <bdi>Oluf Brander/);
    expect(history).not.toContain(address);
    expect((await curator.send(`/admin/entities/${goes}/unmerge`, {})).status).toBe(404);
  });

  it("tell what an undo leaves, because somebody has changed it since", async () => {
    const [stays, goes] = [
      await maker("Grete Holm"),
      await maker("G. Holm", { birth_date: [{ value: "1860" }] }),
    ];
    await api(`/v1/entities/${goes}/merge`, { json: { into: stays } });
    await api(`/v1/entities/${stays}`, {
      method: "PATCH",
      json: { metadata_: { birth_date: [{ value: "1861" }] } },
    });
    const back = await curator.send(`/admin/entities/${goes}/unmerge`, {});
    expect(back.status).toBe(200);
    expect(await back.text()).toMatch(/<li>Field: <span dir="auto">[^<]*[Bb]irth/);
  });

  it("are merged field by field", async () => {
    const [stays, goes] = [
      await maker("Anna Rask", { birth_date: [{ value: "1870" }] }),
      await maker("A. Rask", { birth_date: [{ value: "1871" }] }),
    ];
    const address = `/admin/entities/${goes}/merge`;
    const form = versionsIn(await curator.text(`${address}?into=${stays}`));
    const choices = { "choice/birth_date": "merged", "choice/name": "kept", "choice/nonsense": "x" };
    const look = await (await curator.send(address, { ...form, ...choices, look: "yes" })).text();
    expect(look).toMatch(/1871[\s\S]*1870[\s\S]*value="merged" selected[\s\S]*1871/);
    expect((await api(`/v1/entities/${goes}`)).status).toBe(200);
    const unknown = await curator.send(address, { ...form, "choice/nonsense": "kept" });
    expect(unknown.status).toBe(409);
    expect((await curator.send(address, { ...form, ...choices })).status).toBe(303);
    const { metadata_ } = (await (await api(`/v1/entities/${stays}`)).json()) as RecordJson;
    expect([metadata_.name, metadata_.birth_date]).toEqual([[{ value: "Anna Rask" }], [{ value: "1871" }]]);
    await curator.send(`/admin/entities/${goes}/unmerge`, {});
  });

  it("are merged into one, several at once from the list, and separated again", async () => {
    const names = ["Oda Friis", "Friis, Oda", "O. Friis"];
    const dates = [{}, { birth_date: [{ value: "1881" }] }, { death_date: [{ value: "1950" }] }];
    const ids: string[] = [];
    for (const [at, name] of names.entries()) ids.push(await maker(name, dates[at]));
    const before = await Promise.all(ids.map(async (id) => (await api(`/v1/entities/${id}`)).json()));
    const picks = Object.fromEntries(ids.map((id) => [`pick/${id}`, "on"]));
    const picked = await curator.send("/admin/entities/bulk", {
      back: "",
      scope: "chosen",
      merge: "yes",
      ...picks,
    });
    const address = picked.headers.get("Location")!;
    const preview = await curator.text(address);
    expect(preview).toMatch(/1881[\s\S]*1950[\s\S]*<button>Merge into/);
    const other = await curator.text(`${address}&into=${ids[2]}`);
    expect(other).toMatch(new RegExp(`value="${ids[2]}" checked`));
    const form = Object.fromEntries(
      [...preview.matchAll(/name="(into|version\/[^"]+)" value="([^"]+)"(?! checked)/g)].flatMap(
        ([, name, value]) => (name === "into" && value !== ids[0] ? [] : [[name, value]]),
      ),
    ) as Record<string, string>;
    const stale = await curator.send("/admin/entities/merge", { ...form, [`version/${ids[2]}`]: "9" });
    expect(stale.status).toBe(409);
    expect((await api(`/v1/entities/${ids[1]}`)).status).toBe(200);
    const done = await curator.send("/admin/entities/merge", form);
    expect(done.status).toBe(303);
    const told = await curator.text(done.headers.get("Location")!);
    expect(told).toContain("2 records were merged into");
    const one = (await (await api(`/v1/entities/${ids[0]}`)).json()) as RecordJson;
    expect([one.metadata_.birth_date, one.metadata_.death_date]).toEqual([
      [{ value: "1881" }],
      [{ value: "1950" }],
    ]);
    for (const id of ids.slice(1)) expect((await api(`/v1/entities/${id}`)).status).toBe(301);
    const merged = Object.fromEntries(
      [...told.matchAll(/name="(merged\/[^"]+)"/g)].map(([, name]) => [name, "on"]),
    );
    expect((await curator.send("/admin/entities/unmerge", merged)).status).toBe(303);
    const after = await Promise.all(ids.map(async (id) => (await api(`/v1/entities/${id}`)).json()));
    const said = (all: unknown[]) =>
      (all as RecordJson[]).map(({ id, idno, metadata_ }) => ({ id, idno, metadata_ }));
    expect(said(after)).toEqual(said(before));
    for (const query of ["", `?id=${ids[0]}`, "?id=x&id=y"])
      expect((await curator.get(`/admin/entities/merge${query}`)).status).toBe(422);
    expect((await curator.send("/admin/entities/unmerge", {})).status).toBe(303);
  });

  it("are there only for those who may merge", async () => {
    const viewer = await staffBrowser(museum, "viewer");
    expect(await viewer.text("/admin/entities")).not.toContain(LIST);
    const id = await maker("Ida Lund");
    for (const path of [LIST, `/admin/entities/${id}/merge?into=${id}`])
      expect((await viewer.get(path)).status).toBe(403);
    expect((await curator.get(`/admin/entities/${id}/merge?into=x`)).status).toBe(404);
    expect((await curator.get(`/admin/entities/${id}/merge?into=${id}`)).status).toBe(200);
  });
});

describe("possible duplicates among terms", () => {
  const terms = "/v1/vocabularies/material/terms";
  const page = "/admin/vocabularies/material/duplicates";
  const term = async (value: string, label = {}) => {
    const made = await api(terms, { json: { value, label } });
    expect(made.status).toBe(201);
    return ((await made.json()) as { id: string }).id;
  };

  it("are merged after a look at the result, and separated again", async () => {
    const [one, many] = [await term("driftwood <x>", { en: "Drift" }), await term("driftwoods <x>")];
    expect(await curator.text("/admin/vocabularies/material")).toContain(page);
    const list = await curator.text(page);
    const address = `/admin/vocabularies/material/terms/${many}/merge`;
    expect(list).toContain(`${address}?into=${one}`);
    expect(list).toContain('aria-label="Merge Drift and driftwoods &lt;x&gt;"');
    expect(list).toContain("Vocabulary <bdi>Material</bdi>");
    // chosen by its value on the page of the term
    const preview = await curator.text(`${address}?into=${encodeURIComponent("driftwood <x>")}`);
    expect(preview).toContain(`name="into" value="${one}"`);
    expect((await api(`${terms}/${many}`)).status).toBe(200);
    expect(await curator.text(`${address}?into=nothing`)).toContain("nothing");
    expect((await curator.send(address, { into: many })).status).toBe(422);

    const done = await curator.send(address, { into: one });
    expect(done.status).toBe(303);
    expect(await curator.text(page)).toContain(
      "Undo the merge of driftwoods &lt;x&gt; into driftwood &lt;x&gt;",
    );
    expect((await api(`${terms}/${many}`)).status).toBe(301);
    const undo = `/admin/vocabularies/material/terms/${many}/unmerge`;
    // who did it can be read for ever, but not undone
    const shift = (days: number) =>
      museum.services
        .sql`update term_merges set at = at - make_interval(days => ${days}) where term_id = ${many}`;
    await shift(31);
    expect(await curator.text(page)).toMatch(/driftwoods &lt;x&gt;<\/bdi> → <bdi>driftwood &lt;x&gt;/);
    expect(await curator.text(page)).not.toContain(undo);
    await shift(-31);
    expect((await curator.send(undo, {})).status).toBe(303);
    expect((await api(`${terms}/${many}`)).status).toBe(200);
    expect((await curator.send(undo, {})).status).toBe(404);

    const said = await curator.send(page, { a: one, b: many, page: "3" });
    expect(said.headers.get("Location")).toBe(`${page}?page=3`);
    expect(await curator.text(page)).not.toContain(address);
    expect(await curator.text(`${page}?dismissed=true`)).toMatch(/driftwood[\s\S]*Offer them again/);
    expect((await (await staffBrowser(museum, "cataloger")).get(page)).status).toBe(403);
  });
});
