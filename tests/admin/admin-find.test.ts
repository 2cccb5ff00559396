/** The box of staff finds any word of what they may see, in lists and in all kinds together; and visitors learn nothing of it. */
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { linking, made, withRole } from "../support/museum/catalogue.ts";
import { numbersIn, type StaffBrowser, staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

const make = (plural: string, json: object) => made(api, plural, json);

const value = (text: string) => [{ value: text }];

const object = (
  idno: string,
  title: string,
  more: Record<string, { value: string }[]> = {},
  status = "draft",
) => make("objects", { idno, object_type: "painting", status, metadata_: { title: value(title), ...more } });

const link = linking(api);

const listed = async (q: string, { browser = curator, more = "" } = {}) =>
  numbersIn(await browser.text(`/admin/objects?${new URLSearchParams({ q })}${more}`));

/** The names of the records that all kinds together have. */
async function foundAnywhere(q: string, browser: StaffBrowser = curator): Promise<string[]> {
  const page = await browser.text(`/admin/find?${new URLSearchParams({ q })}`);
  const found = page.split('id="found"')[1]?.split("</ul>")[0] ?? "";
  return [...found.matchAll(/<span dir="auto">([^<]*)</g)].map(([, name]) => name!);
}

let quay: string;
beforeAll(async () => {
  quay = await object(
    "1998.4.2",
    "The old quay",
    {
      accession_number: value("ACC/1998/17"),
      technique: value("mezzotint"),
      internal_note: value("Sold by the smuggler Brackwater"),
    },
    "public",
  );
  // makers and places that visitors do not see
  const maker = await make("entities", { metadata_: { name: value("Tanaka, Kinuyo") } });
  const attic = await make("storage-locations", { metadata_: { name: value("Attic Zeppelin") } });
  await link(quay, "created_by", "entity", maker);
  await link(quay, "stored_at", "storage_location", attic);
  await object("OBJ-000123", "Herring boat");
  await object("1998.40", "Barge");
});

describe("the box of a list", () => {
  it.each([
    ["a number in a field", "ACC/1998/17"],
    ["a maker who is a draft", "tanaka"],
    ["a technique", "mezzotint"],
    ["a private note", "brackwater"],
    ["a place of storage", "zeppelin"],
    ["words of several fields", "quay mezzotint kinuyo"],
    ["a phrase and an excluded word", '"old quay" -oil'],
    ["the beginning of a word", "mezzot"],
    ["a typing error", "smugler"],
  ])("finds by %s, as Ctrl-K does", async (_, q) => {
    expect(await listed(q)).toEqual(["1998.4.2"]);
    expect(await foundAnywhere(q)).toContain("The old quay");
  });

  it("finds numbers and parts of them, the number itself first", async () => {
    expect(await listed("1998.4")).toEqual(["1998.4.2"]);
    expect(await listed("OBJ-12")).toEqual(["OBJ-000123"]);
    expect(await listed("errin")).toEqual(["OBJ-000123"]);
    for (const idno of ["QR 10", "QR 2", "QR 1"]) await object(idno, "Ring");
    expect((await listed("QR 1"))[0]).toBe("QR 1");
    expect(await listed("ring", { more: "&sort=idno&dir=asc" })).toEqual(["QR 1", "QR 2", "QR 10"]);
  });

  it("says what it searched instead, and when nothing is found", async () => {
    const page = await curator.text("/admin/objects?q=smugler");
    expect(page).toMatch(
      /No results for “smugler”\. Showing results for\s*<a href="[^"]*q=smuggler">smuggler</,
    );
    expect(await curator.text("/admin/objects?q=qqqqqq")).toContain("No record matches");
  });

  it("gives the best first unless a heading was clicked, and the way from record to record is the same", async () => {
    await object("W.1", "Warehouse", { description: value("beside a windlass") });
    await object("W.2", "Windlass");
    expect(await listed("windlass")).toEqual(["W.2", "W.1"]);
    const page = await curator.text("/admin/objects?q=windlass");
    const [first] = /\/admin\/objects\/[0-9a-f-]{36}\?in=q%3Dwindlass/.exec(page)!;
    const record = await curator.text(first);
    expect(record).toMatch(/rel="next"/);
    expect(record).not.toMatch(/rel="prev"/);
    expect(await listed("windlass", { more: "&sort=idno&dir=asc" })).toEqual(["W.1", "W.2"]);
    const file = await curator.text("/admin/objects/export?format=ndjson&q=windlass");
    expect(file.trim().split("\n")).toHaveLength(2);
  });

  it("has every kind of record, places of storage, too", async () => {
    expect(await foundAnywhere("zeppelin")).toEqual(
      expect.arrayContaining(["Attic Zeppelin", "The old quay"]),
    );
    expect(await curator.text("/admin/storage-locations?q=zeppelin")).toContain("Attic Zeppelin");
    expect(await curator.text("/admin/find?q=zeppelin")).toContain(
      'href="/admin/storage-locations?q=zeppelin"',
    );
    expect((await museum.ask("/admin/find?q=quay")).status).not.toBe(200);
  });

  it("says what is wrong with the words, in all kinds together, too", async () => {
    const q = Array.from({ length: 33 }, (_, index) => `word${index}`).join(" ");
    for (const path of ["/admin/objects", "/admin/find"]) {
      const answer = await curator.get(`${path}?${new URLSearchParams({ q })}`);
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        200,
        expect.stringMatching(/role="alert">[\s\S]*32/),
      ]);
    }
  });

  it("finds by number and name while the search does not answer, and says so", async () => {
    const { search } = museum.services;
    const { find } = search;
    search.find = () => Promise.reject(new Error("away"));
    try {
      const page = await curator.text("/admin/objects?q=quay");
      expect(numbersIn(page)).toEqual(["1998.4.2"]);
      expect(page).toContain("The search is not available at the moment.");
      expect(await listed("mezzotint")).toEqual([]);
      expect(await foundAnywhere("1998")).toEqual(["The old quay", "Barge"]);
    } finally {
      search.find = find;
    }
  });
});

describe("who may read objects only", () => {
  it("finds neither by records that they may not see nor such records", async () => {
    await withRole(museum, "objects_only", { object: ["read"] });
    const reader = await staffBrowser(museum, "objects_only");
    expect(await listed("brackwater", { browser: reader })).toEqual(["1998.4.2"]);
    for (const q of ["tanaka", "kinuyo", "zeppelin", "zeppel", "tanakas"]) {
      expect([q, await listed(q, { browser: reader })]).toEqual([q, []]);
      expect([q, await foundAnywhere(q, reader)]).toEqual([q, []]);
      expect(await reader.text(`/admin/objects?q=${q}`)).not.toMatch(/Showing results/);
    }
    expect((await reader.get("/admin/entities?q=tanaka")).status).toBe(403);
  });
});

describe("visitors", () => {
  /** Everything that a search tells a visitor. */
  async function told(q: string): Promise<unknown> {
    const asked = encodeURIComponent(q);
    const answers = [];
    for (const path of [
      `/v1/search?q=${asked}&facets=technique,material,date,object_type,maker&include=idno`,
      `/portal/v1/search/suggest?q=${asked}`,
      `/v1/search/suggest?q=${asked}`,
      `/v1/objects?q=${asked}`,
    ]) {
      const answer = await museum.ask(path);
      answers.push([answer.status, await answer.text(), answer.headers.get("X-Search-Suggestion")]);
    }
    return answers;
  }

  it("get the same answers with and without words of staff", async () => {
    const word = fc.stringMatching(/^[bdfgklmnprst][aeiou][bdfgklmnprst]{1,2}[aeiou][bdfgklmnprst]$/);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(word, { minLength: 4, maxLength: 4 }),
        async ([note, other, name, shown]) => {
          const idno = `V.${crypto.randomUUID().slice(0, 8)}`;
          const open = await object(idno, `Visible ${shown}`, { technique: value("etching") }, "public");
          const queries = [
            note,
            other,
            name,
            shown,
            `${shown} ${note}`,
            note!.slice(0, 4),
            `${other!.slice(0, -1)}x`,
            "visible",
          ];
          const before = [];
          for (const q of queries) before.push(await told(q!));
          const patched = await api(`/v1/objects/${open}`, {
            method: "PATCH",
            headers: { "Content-Type": "application/merge-patch+json" },
            json: { metadata_: { internal_note: value(`${note} ${shown} visible`) } },
          });
          expect(patched.status).toBe(200);
          await object(`${idno}-draft`, `${other} ${shown} visible`, { technique: value(`${note} work`) });
          const maker = await make("entities", { metadata_: { name: value(`${name}, ${shown}`) } });
          await link(open, "created_by", "entity", maker);
          // staff find it
          expect(await listed(note!)).toContain(idno);
          expect(await listed(name!)).toContain(idno);
          const after = [];
          for (const q of queries) after.push(await told(q!));
          expect(after).toEqual(before);
        },
      ),
      { numRuns: 3 },
    );
  });
});
