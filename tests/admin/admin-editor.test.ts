/** The editor's form: which fields it shows, and what it takes at its word. */
import { describe, expect, it } from "vitest";
import { answered } from "../support/museum/catalogue.ts";
import { plainPicture } from "../support/museum/media.ts";
import {
  NEW_OBJECT,
  objectByForm,
  type StaffBrowser,
  staffBrowser,
} from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

const make = (form: Record<string, string>) => objectByForm(curator, form);

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

  it("folds the field for a maker in words as soon as a maker is linked, unless it has words", async () => {
    const maker = (await (await api("/v1/entities", { json: { entity_type: "person" } })).json()).id;
    for (const [words, part] of [
      ["", "folded"],
      ["Workshop in Vigdal", "shown"],
    ] as const) {
      const address = await make({ idno: `W.${part}`, "metadata_/creator_text/0/value": words });
      expect(fieldsIn(await curator.text(address)).shown).toContain("creator_text");
      const link = { relation_type: "created_by", to_type: "entity", to_id: maker };
      await api(`/v1${address.slice("/admin".length)}/relations`, { json: link });
      expect(fieldsIn(await curator.text(address))[part]).toContain("creator_text");
    }
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
    const asked = {
      ...NEW_OBJECT,
      object_type: "book",
      more: "subtype",
      "metadata_/title/0/value": "Logbook",
    };
    const page = await (await curator.send("/admin/objects/new", asked)).text();
    expect(fieldsIn(page).shown).toContain("edition");
    expect(page).toContain('value="Logbook"');
    expect((await (await api("/v1/objects?q=Logbook")).json()).total).toBe(0);
  });

  it("shows a folded field that is at fault", async () => {
    const form = { ...NEW_OBJECT, "metadata_/acquisition_date/0/value": "1907-02-30" };
    const refused = await curator.send("/admin/objects/new", form);
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(fieldsIn(page).shown).toContain("acquisition_date");
    // the help of a field that has the focus would cover what is wrong
    expect(page).not.toContain("autofocus");
  });

  it("begins with the first field, and has pictures, location and status beside the fields", async () => {
    expect(await curator.text("/admin/objects/new")).toMatch(/<input[^>]*title\/0\/value"[^>]*autofocus/);
    const page = await curator.text(await make({ "metadata_/title/0/value": "Sextant" }));
    expect(page).not.toContain("autofocus");
    expect(page).toMatch(/<aside class="beside"[\s\S]*id="media"[\s\S]*id="location"[\s\S]*<\/aside>/);
    expect(page).toMatch(/<div class="bar">[\s\S]*<select id="status"/);
  });
});

/** The object as the API returns it. `address` is that of its page. */
const saved = async (address: string) => (await api(`/v1/objects/${address.split("/").at(-1)}`)).json();
const metadataOf = async (address: string) => (await saved(address)).metadata_;

describe("a new record", () => {
  it("has the subtype that its maker used last, and not that of somebody else", async () => {
    const other = await staffBrowser(museum, "editor");
    await make({ object_type: "photograph", "metadata_/title/0/value": "Quay" });
    expect(await curator.text("/admin/objects/new")).toContain('value="photograph" selected');
    expect(await other.text("/admin/objects/new")).toContain('value="other" selected');
  });
});

describe("a date in words", () => {
  it.each([
    ["um 1887", "1887~"],
    ["about 1887", "1887~"],
    ["vers 1887", "1887~"],
    ["2. Hälfte 19. Jh.", "1850/1899"],
    ["années 1920", "192X"],
  ])("%s is stored as %s, and its words are kept", async (words, edtf) => {
    expect(await metadataOf(await make({ "metadata_/date/0/value": words }))).toMatchObject({
      date: [{ value: edtf }],
      date_text: [{ value: words }],
    });
  });

  it.each([
    ["takes the place of the words of a date that is no more", [], "um 1887", "um 1890"],
    ["is added to the words of another date", ["1887-22"], "Sommer 1887", "Sommer 1887; um 1890"],
    ["is added to a curator's own text", [], "painted after the flood", "painted after the flood; um 1890"],
    ["is not added twice", ["1887~"], "um 1887; um 1890; the flood", "um 1887; um 1890; the flood"],
  ])("%s", async (_title, dates, before, after) => {
    const address = await make({ "metadata_/date_text/0/value": before });
    const rows = [...dates, "um 1890"].map((date, row) => [`metadata_/date/${row}/value`, date]);
    const form = {
      ...NEW_OBJECT,
      idno: (await saved(address)).idno,
      version: "1",
      ...Object.fromEntries(rows),
    };
    const answer = await curator.send(address, { ...form, "metadata_/date_text/0/value": before });
    expect(answer.status).toBe(303);
    const { date, date_text } = await metadataOf(address);
    expect(date).toEqual([...dates, "1890~"].map((value) => ({ value })));
    expect(date_text).toEqual([{ value: after }]);
  });

  it("is only kept as words where nobody can read it, if its author says so", async () => {
    const form = { ...NEW_OBJECT, "metadata_/date/0/value": "in the time of the pilots" };
    const page = await answered(curator.send("/admin/objects/new", form), 422);
    expect(page).toMatch(/name="wording" value="metadata_\/date\/0\/value"[^>]*>Keep the wording only/);
    const kept = await (
      await curator.send("/admin/objects/new", { ...form, wording: "metadata_/date/0/value" })
    ).text();
    expect(kept).toMatch(/name="metadata_\/date_text\/0\/value"[^>]*value="in the time of the pilots"/);
    expect(kept).toMatch(/name="metadata_\/date\/0\/value"[^>]*value=""/);
    const written = { "metadata_/date_text/0/value": "painted after the flood" };
    const both = await (
      await curator.send("/admin/objects/new", { ...form, ...written, wording: "metadata_/date/0/value" })
    ).text();
    expect(both).toContain('value="painted after the flood; in the time of the pilots"');
    // rows that are empty are not sent
    const last = { ...NEW_OBJECT, "metadata_/date/0/value": "", "metadata_/date/1/value": "1887" };
    const third = { ...last, "metadata_/date/2/value": "long ago", wording: "metadata_/date/2/value" };
    const moved = await (await curator.send("/admin/objects/new", third)).text();
    expect(moved).toMatch(/name="metadata_\/date_text\/0\/value"[^>]*value="long ago"/);
    expect(moved).toMatch(/name="metadata_\/date\/0\/value"[^>]*value="1887"/);
    const other = { ...NEW_OBJECT, "metadata_/acquisition_date/0/value": "long ago" };
    expect(await (await curator.send("/admin/objects/new", other)).text()).not.toContain('name="wording"');
  });
});

describe("a term that is not in the list", () => {
  const told = (page: string, name: string) =>
    new RegExp(`id="metadata_/${name}/0/value"[\\s\\S]*?<p class="help" data-unlisted ([^>]*)>([^<]*)<`).exec(
      page,
    )!;

  it("is said so at the field, and kept as free text", async () => {
    const form = { "metadata_/material/0/value": "oakum", "metadata_/technique/0/value": "etching" };
    const page = await curator.text(await make(form));
    expect(told(page, "material").slice(1)).toEqual(["", expect.stringContaining("kept as free text")]);
    expect(told(page, "technique")[1]).toBe("hidden");
    const check = await (await curator.send("/admin/objects/check", { ...NEW_OBJECT, ...form })).json();
    expect(check.unlisted).toEqual(["metadata_/material/0/value"]);
  });

  it("is one that readers neither name by its value nor by its label in their language", async () => {
    const german = await staffBrowser(museum, "admin", "de");
    const [name, other] = ["metadata_/technique/0/value", "metadata_/technique/1/value"];
    const form = { ...NEW_OBJECT, [name!]: "Radierung", [other!]: "engraving" };
    const check = await (await german.send("/admin/objects/check", form)).json();
    expect(check.unlisted).toEqual([]);
    const id = (await objectByForm(german, form)).split("/").at(-1)!.split("?")[0]!;
    const saved = await (await api(`/v1/objects/${id}`)).json();
    expect(saved.metadata_.technique).toMatchObject([{ value: "etching" }, { value: "engraving" }]);
    const boxes = async (browser: StaffBrowser) =>
      [
        ...(await browser.text(`/admin/objects/${id}`)).matchAll(
          /name="metadata_\/technique\/[01]\/value"[^>]*? value="([^"]*)"/g,
        ),
      ].map(([, value]) => value);
    expect(await boxes(german)).toEqual(["Radierung", "Stich"]);
    expect(await boxes(curator)).toEqual(["etching", "engraving"]);
    const list = await german.send("/admin/objects/columns", { query: "", "column/technique": "yes" });
    expect(list.status).toBe(303);
    expect(await german.text("/admin/objects")).toContain(">Radierung; Stich</td>");
    // a label that two terms have names neither
    await api("/v1/vocabularies/technique/terms", {
      json: { value: "needlework", label: { de: "Radierung" } },
    });
    expect((await boxes(german))[0]).toBe("etching");
    expect((await (await german.send("/admin/objects/check", form)).json()).unlisted).toEqual([name]);
  });

  it("is the one of its row, also below an empty one", async () => {
    const row = (index: number) => `metadata_/material/${index}/value`;
    const form = { ...NEW_OBJECT, [row(0)]: "", [row(1)]: "baleen", [row(2)]: "bog oak" };
    const check = await (await curator.send("/admin/objects/check", form)).json();
    expect(check.unlisted).toEqual([row(1), row(2)]);
    await curator.send("/admin/objects/new", { ...form, term: row(1) });
    const after = await (await curator.send("/admin/objects/check", form)).json();
    expect(after.unlisted).toEqual([row(2)]);
  });

  it("stays in the form, with the reason, when it cannot be added", async () => {
    const [first, second] = ["metadata_/material/0/value", "metadata_/material/1/value"];
    const form = {
      ...NEW_OBJECT,
      [first!]: "",
      [second!]: "x".repeat(600),
      "metadata_/title/0/value": "Buoy",
    };
    const page = await answered(curator.send("/admin/objects/new", { ...form, term: second! }), 422);
    expect(page).toMatch(/id="metadata_\/material\/0\/value-fault">[^<]*500/);
    expect(page).toContain('value="Buoy"');
  });

  it("is added to the list on the spot by those who may, without saving the record", async () => {
    const form = { ...NEW_OBJECT, "metadata_/material/0/value": "tarred rope" };
    const ask = { ...form, term: "metadata_/material/0/value" };
    const editor = await staffBrowser(museum, "editor");
    expect(await editor.text(await make(form))).not.toContain("Add to the list");
    expect((await editor.send("/admin/objects/new", ask)).status).toBe(403);
    const terms = async () =>
      (await (await api("/v1/vocabularies/material/terms?q=tarred")).json()).items as { value: string }[];
    expect(await terms()).toEqual([]);
    const page = await (await curator.send("/admin/objects/new", ask)).text();
    expect(told(page, "material")[1]).toBe("hidden");
    expect(page).toContain('value="tarred rope"');
    expect(await terms()).toMatchObject([{ value: "tarred rope", label: { en: "tarred rope" } }]);
  });

  it("is added beside a list from which one chooses, in the editor and in a batch edit", async () => {
    const field = "/v1/schemas/object/department";
    await api(field, { method: "PATCH", json: { field_type: "vocab" } });
    const [name, fresh] = ["metadata_/department/0/value", "metadata_/department/0/new"];
    const page = await curator.text("/admin/objects/new");
    expect(page).toContain(`name="${fresh}"`);
    expect(await (await staffBrowser(museum, "editor")).text("/admin/objects/new")).not.toContain(fresh);
    const unlisted = await curator.send("/admin/objects/new", { ...NEW_OBJECT, [name]: "", [fresh]: "Maps" });
    expect(unlisted.status).toBe(422);
    expect(await unlisted.text()).toContain('<option value="Maps" selected>');
    const added = await curator.send("/admin/objects/new", {
      ...NEW_OBJECT,
      [name]: "",
      [fresh]: "Maps",
      term: name,
    });
    expect(await added.text()).toContain('<option value="Maps" selected>Maps</option>');
    const id = (await make({ [name]: "Maps" })).split("/").at(-1)!;
    const chosen = await curator.send("/admin/objects/bulk", { [`pick/${id}`]: "yes", back: "" });
    const bulk = chosen.headers.get("Location")!;
    const set = { field: "department", what: "set", [name]: "", [fresh]: "Charts" };
    const again = await (await curator.send(bulk, { ...set, term: name })).text();
    expect(again).toContain('<option value="Charts" selected>Charts</option>');
    expect((await curator.send(bulk, { ...set, [fresh]: "", [name]: "Charts" })).status).toBe(303);
    expect(await curator.text(bulk)).toContain("<ins>Charts</ins>");
    await api(field, { method: "PATCH", json: { field_type: "vocab_free" } });
  });
});

it("an id stands once in a page, however many entries a field has", async () => {
  const subject = (n: number) => `metadata_/subject/${n}/value`;
  const address = await make({
    "metadata_/title/0/value": "Chart",
    [subject(0)]: "Maps",
    [subject(1)]: "Seas",
  });
  const page = await curator.text(address);
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(page.split('list="terms-subject"')).toHaveLength(3);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids).toContain("terms-subject");
});

describe("measurements", () => {
  const control = (n: number) => `metadata_/dimensions/${n}/value`;
  const stored = async (address: string) => {
    const record = await (await api(`/v1${address.slice("/admin".length)}`)).json();
    return record.metadata_.dimensions.map(({ value }: { value: string }) => value);
  };

  it.each([
    ["de", "Länge: 18,2 m", "Dauer: 131 s", "Höhe: 1,5 cm"],
    ["fr", "Longueur\u00a0: 18,2 m", "Durée\u00a0: 131 s", "Hauteur : 1,5 cm"],
    ["it", "Lunghezza: 18,2 m", "Durata: 131 s", "altezza: 1,5 cm"],
    ["en", "length: 18.2 m", "duration: 131 s", "height: 1.5 cm"],
  ])(
    "stand in the form as %s writes them, and are stored for all readers",
    async (language, one, two, new_) => {
      const values = ["length: 18.2 m", "duration: 131 s", "height: 1,100 m", "24 x 18.5 cm", "Höhe 62,5 cm"];
      const form = Object.fromEntries(values.map((value, n) => [control(n), value]));
      const address = await make({ ...form, "metadata_/title/0/value": "Barge" });
      expect(await stored(address)).toEqual(values);
      const reader = await staffBrowser(museum, "cataloger", language);
      const page = await reader.text(address);
      const shown = values.map(
        (_, n) => page.match(new RegExp(`<input id="${control(n)}"[^>]*? value="([^"]*)"`))?.[1],
      );
      expect(shown).toEqual([one, two, ...values.slice(2)]);
      const sent = Object.fromEntries([...shown, new_].map((value, n) => [control(n), value!]));
      const of = (name: string) => new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(page)![1]!;
      const title = { "metadata_/title/0/value": "Barge" };
      const saved = { ...NEW_OBJECT, ...title, ...sent, idno: of("idno"), version: of("version") };
      expect((await reader.send(address, saved)).status).toBe(303);
      expect(await stored(address)).toEqual([...values, "height: 1.5 cm"]);
    },
  );
});

describe("rights", () => {
  const BY = "http://creativecommons.org/licenses/by/4.0/";

  it("are chosen by name, with a badge for what was saved", async () => {
    const page = await curator.text(await make({ "metadata_/rights/0/value": BY }));
    expect(page).toMatch(/<optgroup label="No copyright">[\s\S]*CC0 1.0 Universal/);
    expect(page).toContain(`<option value="${BY}" selected>CC BY 4.0 (Attribution)</option>`);
    expect(page).toMatch(/class="rights licensed" href="[^"]*\/by\/4.0\/"/);
  });

  it.each([
    ["https://rights.museum.example/loan-only", "rights.museum.example/loan-only"],
    ["https://creativecommons.org/licenses/by-sa/3.0/de/deed.de", "CC BY-SA 3.0 DE"],
    ["Ask the family", "Ask the family"],
  ])("of another kind stay as they are: %s", async (value, name) => {
    const page = await curator.text(await make({ "metadata_/rights/0/value": value }));
    expect(page).toContain(`<option value="${value}" selected>${name}</option>`);
  });

  it("of a picture are chosen in the same way", async () => {
    const address = await make({ "metadata_/title/0/value": "Harbour" });
    const file = new FormData();
    file.append("file", new Blob([await plainPicture()], { type: "image/png" }), "harbour.png");
    await curator.sendFile(`${address}/media?_csrf=${curator.csrf}`, file);
    expect(await curator.text(address)).toMatch(
      /<select id="license_uri-[^>]*>[\s\S]*In Copyright<\/option>/,
    );
  });
});
