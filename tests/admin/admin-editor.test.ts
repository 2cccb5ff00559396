/** The editor's form: which fields it shows, and what it takes at its word. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Museum } from "../support/museum/museum.ts";
import type { StaffBrowser } from "../support/museum/staff-browser.ts";
import { openStaffMuseum } from "../support/museum/staff-museum.ts";

let museum: Museum;
let curator: StaffBrowser;
let api: Awaited<ReturnType<Museum["as"]>>;

beforeAll(async () => {
  ({ museum, curator, api } = await openStaffMuseum());
});
afterAll(() => museum.close());

const NEW = { object_type: "painting", status: "draft", collection_status: "active" };

/** Creates an object with the form and returns the address of its page. */
async function make(form: Record<string, string>): Promise<string> {
  const made = await curator.send("/admin/objects/new", { ...NEW, ...form });
  expect([made.status, await made.text()]).toEqual([303, ""]);
  return made.headers.get("Location")!;
}

/** The names of the fields that a page shows, in order, and of those behind “Add a field”. */
function fieldsIn(page: string): { shown: string[]; folded: string[] } {
  const [form = "", folded = ""] = page.split('class="folded add-field"');
  const names = (part: string) => [...part.matchAll(/id="metadata_\/(\w+)"/g)].map(([, name]) => name!);
  return { shown: names(form), folded: names(folded) };
}

const headingsIn = (page: string) =>
  [...page.split('class="folded add-field"')[0]!.matchAll(/<section class="group" id="(\w+)"/g)].map(
    ([, id]) => id,
  );

describe("the form of a subtype", () => {
  it("shows its own fields first, by their meaning, and those that have a value", async () => {
    const page = await curator.text(await make({ "metadata_/edition/0/value": "3 of 20" }));
    const { shown, folded } = fieldsIn(page);
    expect(shown.slice(0, 3)).toEqual(["title", "object_name", "creator_text"]);
    expect(shown).toContain("edition");
    expect(folded).not.toContain("edition");
    expect(folded).toContain("bibliography");
    expect([...shown, ...folded].sort()).toEqual([...new Set([...shown, ...folded])].sort());
    expect(headingsIn(page)).toEqual([
      "identification",
      "production",
      "description",
      "rights",
      "acquisition",
    ]);
  });

  it("has its order, also of the headings, from the installation", async () => {
    const form = ["title", "credit_line", "technique", "material", "internal_note"];
    const put = await api("/v1/subtypes/object/coin", {
      method: "PUT",
      json: { label: { en: "Coin" }, form: [...form, "a_field_of_old"] },
    });
    expect(put.status).toBe(200);
    const page = await curator.text(await make({ object_type: "coin", "metadata_/title/0/value": "Gulden" }));
    expect(fieldsIn(page).shown).toEqual(form);
    expect(headingsIn(page).slice(0, 4)).toEqual(["identification", "rights", "production", "notes"]);
  });

  it("shows everything where nobody has chosen", async () => {
    const page = await curator.text("/admin/places/new");
    expect(fieldsIn(page).folded).toEqual([]);
    expect(page).not.toContain("Add a field");
  });

  it("is that of the chosen subtype, with what was typed and nothing saved", async () => {
    const asked = { ...NEW, object_type: "book", more: "subtype", "metadata_/title/0/value": "Logbook" };
    const page = await (await curator.send("/admin/objects/new", asked)).text();
    expect(fieldsIn(page).shown).toContain("edition");
    expect(page).toContain('value="Logbook"');
    expect((await (await api("/v1/objects?q=Logbook")).json()).total).toBe(0);
  });

  it("shows a folded field that is at fault", async () => {
    const form = { ...NEW, "metadata_/acquisition_date/0/value": "1907-02-30" };
    const refused = await curator.send("/admin/objects/new", form);
    expect(refused.status).toBe(422);
    expect(fieldsIn(await refused.text()).shown).toContain("acquisition_date");
  });

  it("begins with the first field, and has pictures, location and status beside the fields", async () => {
    expect(await curator.text("/admin/objects/new")).toMatch(/<input[^>]*title\/0\/value"[^>]*autofocus/);
    const page = await curator.text(await make({ "metadata_/title/0/value": "Sextant" }));
    expect(page).not.toContain("autofocus");
    expect(page).toMatch(/<aside class="beside"[\s\S]*id="media"[\s\S]*id="location"[\s\S]*<\/aside>/);
    expect(page).toMatch(/<div class="bar">[\s\S]*<select id="status"/);
  });
});
