/** The staff interface: lists and the editor, as staff use them without scripts. */

import { describe, expect, it } from "vitest";
import { qualifierOfForm } from "../../src/admin/editor/qualifier-form.ts";
import { translator } from "../../src/messages/translate.ts";
import type { Entry } from "../../src/records/record.ts";
import { answered, patched } from "../support/museum/catalogue.ts";
import { plainPicture } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";
import { NEW_OBJECT, objectByForm, staffBrowser } from "../support/museum/staff-browser.ts";

const HOSTILE = `"><script>alert(1)</script><b title='`;

const museum = await museumHere();
const curator = await staffBrowser(museum, "admin");
const viewer = await staffBrowser(museum, "viewer");
/** The API, to check what was saved. */
const reader = await museum.as("admin");

const make = (form: Record<string, string>) => objectByForm(curator, form);

/** The object as the API returns it. `address` is that of its page in the staff interface. */
async function saved(address: string): Promise<Record<string, unknown>> {
  return (await reader(`/v1/objects/${address.split("/").at(-1)}`)).json();
}

/** What the form of a page would send if nothing were typed. */
function formOf(page: string): Record<string, string> {
  const form: Record<string, string> = {};
  const editor = /<form method="post"[^>]*class="editor"[\s\S]*?<\/form>/.exec(page)![0];
  const plain = (text: string) =>
    text.replace(/&(quot|#39|lt|gt|amp);/g, (_all, name: string) => {
      return { quot: '"', "#39": "'", lt: "<", gt: ">", amp: "&" }[name]!;
    });
  for (const [tag, name = ""] of editor.matchAll(/<input[^>]*\bname="([^"]+)"[^>]*>/g)) {
    if (/type="radio"/.test(tag) && !/ checked/.test(tag)) continue;
    form[name] = plain(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "");
  }
  for (const [, name = "", text = ""] of editor.matchAll(
    /<textarea[^>]*\bname="([^"]+)"[^>]*>([\s\S]*?)<\/textarea>/g,
  )) {
    form[name] = plain(text);
  }
  for (const [, name = "", options = ""] of editor.matchAll(
    /<select[^>]*\bname="([^"]+)"[^>]*>([\s\S]*?)<\/select>/g,
  )) {
    form[name] = plain(/<option value="([^"]*)" selected/.exec(options)?.[1] ?? "");
  }
  delete form._csrf;
  return form;
}

describe("the list of a kind of record", () => {
  it("finds by name and number, filters by status, and escapes what it shows", async () => {
    await make({ idno: "L.1", "metadata_/title/0/value": `Harbour ${HOSTILE}` });
    await make({ idno: "L.2", "metadata_/title/0/value": "Lighthouse", status: "internal" });
    const harbour = await curator.text("/admin/objects?q=harbour");
    expect(harbour).toContain("L.1");
    expect(harbour).not.toContain("L.2");
    expect(harbour).not.toContain("<script>alert");
    const internal = await curator.text("/admin/objects?status=internal");
    expect(internal).toContain("L.2");
    expect(internal).not.toContain("L.1<");
    expect(await curator.text("/admin/objects?q=nothing+like+it")).toContain("Nothing was found");
  });

  it("is for those who may read the kind, and asks visitors to sign in", async () => {
    expect((await viewer.get("/admin/objects")).status).toBe(200);
    expect(await viewer.text("/admin/objects")).not.toContain("/admin/objects/new");
    expect((await viewer.get("/admin/objects/new")).status).toBe(403);
    const stranger = await museum.ask("/admin/objects", { headers: { Accept: "text/html" } });
    const there = "/admin/sign-in?to=%2Fadmin%2Fobjects";
    expect([stranger.status, stranger.headers.get("Location")]).toEqual([303, there]);
  });
});

describe("the editor", () => {
  it("saves what was typed, and changes nothing when the form is sent back as it is", async () => {
    const address = await make({
      idno: "E.1",
      "metadata_/title/0/value": "Harbour at dusk",
      "metadata_/title/0/lang": "en",
      "metadata_/title/3/value": "Hafen am Abend",
      "metadata_/title/3/lang": "de",
      "metadata_/description/0/value": "Two boats.\r\n\r\nOne is red.",
    });
    const first = await saved(address);
    expect(first.metadata_).toEqual({
      title: [
        { value: "Harbour at dusk", lang: "en" },
        { value: "Hafen am Abend", lang: "de" },
      ],
      description: [{ value: "Two boats.\n\nOne is red." }],
    });
    const again = await curator.send(address, formOf(await curator.text(address)));
    expect(again.status).toBe(303);
    expect(await saved(address)).toEqual(first);
  });

  it("reports faults, readings of dates and missing fields while the form is filled in, and writes nothing", async () => {
    const check = async (form: Record<string, string>) =>
      (await curator.send("/admin/objects/check", { ...NEW_OBJECT, ...form })).json();
    expect(
      await check({
        "metadata_/date/0/value": "1887~",
        "metadata_/date/1/value": "about 1888",
        "metadata_/date/2/value": "12/05/1923",
        "metadata_/date/3/value": "in the time of the pilots",
        "metadata_/acquisition_date/0/value": "vers 1907",
        "metadata_/number_of_parts/0/value": "some",
      }),
    ).toMatchObject({
      missing: [{ name: "title", label: "Title" }],
      readings: {
        "metadata_/date/0/value": { text: "about 1887 (1887-01-01 – 1887-12-31)", suggestions: [] },
        "metadata_/date/1/value": {
          text: "Will be saved as 1888~ (about 1888); your words are kept",
          suggestions: [],
        },
        "metadata_/date/2/value": {
          text: "",
          suggestions: [{ edtf: "1923-05-12" }, { edtf: "1923-12-05" }],
          keeps: true,
        },
        "metadata_/date/3/value": { text: "", suggestions: [], keeps: true },
        "metadata_/acquisition_date/0/value": { text: "Will be saved as 1907~ (about 1907)" },
      },
      faults: [
        { pointer: "/metadata_/date/2/value" },
        { pointer: "/metadata_/date/3/value" },
        { pointer: "/metadata_/number_of_parts/0/value" },
      ],
    });
    const good = { faults: [], missing: [], readings: {}, unlisted: [] };
    expect(await check({ "metadata_/title/0/value": "Checked only" })).toEqual(good);
    expect(await curator.text("/admin/objects?q=checked+only")).toContain("Nothing was found");
    expect((await viewer.send("/admin/objects/check", NEW_OBJECT)).status).toBe(403);
    expect((await curator.send("/admin/objects/check", NEW_OBJECT, "of another page")).status).toBe(403);
  });

  it("shows how a date is read and what publication still needs, and offers to look up identifiers", async () => {
    const address = await make({ idno: "E.20", "metadata_/date/0/value": "192X" });
    const page = await curator.text(address);
    expect(page).toContain("1920s (1920-01-01 – 1929-12-31)");
    expect(page).toMatch(/Required before publishing: <span><a href="#metadata_\/title">Title</);
    const form = await curator.text("/admin/entities/new");
    const sources = [...form.matchAll(/data-look-up="(\w+)"/g)].map(([, source]) => source);
    expect(sources).toEqual(["gnd", "wikidata"]);
  });

  it("removes a value that was emptied", async () => {
    const address = await make({ idno: "E.2", "metadata_/title/0/value": "Red boat" });
    const form = formOf(await curator.text(address));
    await curator.send(address, { ...form, "metadata_/title/0/value": "" });
    expect((await saved(address)).metadata_).toEqual({});
  });

  it("refuses a new record in whose form nothing was filled in", async () => {
    const blank = { ...NEW_OBJECT, "metadata_/title/0/value": " " };
    await answered(curator.send("/admin/objects/new", blank), 422, "Fill in at least one field");
  });

  it("shows a fault beside its field, and keeps what was typed", async () => {
    const typed = { "metadata_/title/0/value": "Kept", "metadata_/date/0/value": "last summer" };
    const sent = curator.send("/admin/objects/new", { ...NEW_OBJECT, ...typed });
    const text = await answered(sent, 422, 'value="Kept"');
    expect(text).toContain('href="#metadata_/date"');
    expect(text).toMatch(/aria-invalid="true"[^>]*value="last summer"/);
  });

  it("adds an empty row without saving anything", async () => {
    const form = { ...NEW_OBJECT, "metadata_/title/0/value": "First", more: "title" };
    await answered(curator.send("/admin/objects/new", form), 200, 'name="metadata_/title/1/value"');
  });

  it("publishes a record, or says what it lacks", async () => {
    const address = await make({ idno: "E.3" });
    const form = formOf(await curator.text(address));
    const again = await answered(curator.send(address, { ...form, publish: "yes" }), 422);
    expect(again).toContain(">Title is required for publication</a>");
    expect(again).toContain("Save and publish");
    await curator.send(address, { ...form, "metadata_/title/0/value": "Named", publish: "yes" });
    expect((await saved(address)).status).toBe("public");
  });

  it("says what is wrong in the reader's language", async () => {
    await make({ idno: "E.30" });
    const refused = async (language: string, more: Record<string, string>) =>
      (await curator.send(`/admin/objects/new?lang=${language}`, { ...NEW_OBJECT, ...more })).text();
    expect(await refused("de", { idno: "E.30" })).toContain("Diese Nummer ist schon vergeben (Objekt)");
    expect(await refused("fr", { publish: "yes" })).toContain("doit être renseigné avant la publication");
    expect(await refused("de", { "metadata_/date/0/value": "1900 rum" })).toContain(
      "„1900 rum“ ist kein EDTF-Datum",
    );
    // the field is named, although the sentence has the same word
    const french = await refused("fr", { "metadata_/date/0/value": "1900 rum" });
    expect(french).toContain(
      '<a href="#metadata_/date">Date</a>\u00a0: «\u00a01900 rum\u00a0» n’est pas une date EDTF',
    );
  });

  it("loses no change when two people edit at the same time", async () => {
    const address = await make({
      idno: "E.4",
      "metadata_/title/0/value": "Before",
      "metadata_/description/0/value": "Before",
      "metadata_/inventory_notes/0/value": "",
    });
    const mine = formOf(await curator.text(address));
    const theirs = formOf(await curator.text(address));
    const typed = { "metadata_/title/0/value": "Theirs", "metadata_/description/0/value": "Only theirs" };
    await curator.send(address, { ...theirs, ...typed });
    const page = await answered(curator.send(address, { ...mine, "metadata_/title/0/value": "Mine" }), 409);
    const merged = formOf(page);
    expect(merged).toMatchObject({ ...typed, "metadata_/title/0/value": "Mine" });
    expect(page).toContain('<q dir="auto">Theirs</q>');
    await curator.send(address, { ...merged, "keep/title": "theirs" });
    expect((await saved(address)).metadata_).toEqual({
      title: [{ value: "Theirs" }],
      description: [{ value: "Only theirs" }],
    });
  });

  it.each([
    ["was refused first", { parent_id: "COL-NONE" }, 422],
    ["asked for another row first", { more: "title" }, 200],
  ])("loses no change when one of both forms %s", async (_title, more, status) => {
    const fresh = formOf(await curator.text("/admin/collections/new"));
    const before = { ...fresh, "metadata_/title/0/value": "Before" };
    const made = await curator.send("/admin/collections/new", before);
    const address = made.headers.get("Location")!;
    const mine = { ...formOf(await curator.text(address)), "metadata_/title/0/value": "Mine" };
    await curator.send(address, { ...mine, "metadata_/title/0/value": "Theirs" });
    const answer = await curator.send(address, { ...mine, ...more });
    expect(answer.status).toBe(status);
    const form = { ...formOf(await answer.text()), parent_id: "" };
    expect((await curator.send(address, form)).status).toBe(409);
    expect(formOf(await curator.text(address))["metadata_/title/0/value"]).toBe("Theirs");
  });

  it("keeps the choice between both versions when the form asks for something first", async () => {
    const both = (title: string, description: string) => ({
      "metadata_/title/0/value": title,
      "metadata_/description/0/value": description,
    });
    const address = await make(both("Before", "Before"));
    const mine = { ...formOf(await curator.text(address)), ...both("Mine", "Mine") };
    await curator.send(address, { ...mine, ...both("Theirs", "Theirs") });
    const merged = formOf(await (await curator.send(address, mine)).text());
    const asked = { ...merged, "keep/title": "theirs", more: "subtype" };
    const page = await (await curator.send(address, asked)).text();
    expect(page).toContain('<q dir="auto">Theirs</q>');
    const form = formOf(page);
    expect(form).toMatchObject({
      ...both("Mine", "Mine"),
      "keep/title": "theirs",
      "keep/description": "mine",
    });
    expect((await curator.send(address, form)).status).toBe(303);
    expect(await saved(address)).toMatchObject({
      metadata_: { title: [{ value: "Theirs" }], description: [{ value: "Mine" }] },
    });
  });

  it("refuses a form from another site, and one from somebody who may only read", async () => {
    const address = await make({ idno: "E.5", "metadata_/title/0/value": "Safe" });
    const form = formOf(await curator.text(address));
    const changed = { ...form, "metadata_/title/0/value": "Stolen" };
    expect((await curator.send(address, changed, "wrong")).status).toBe(403);
    expect((await viewer.send(address, changed)).status).toBe(403);
    expect(await viewer.text(address)).not.toContain("<button>Save</button>");
    expect((await saved(address)).metadata_).toEqual({ title: [{ value: "Safe" }] });
  });

  it("links records by their numbers, and removes links", async () => {
    const address = await make({ idno: "E.6", "metadata_/title/0/value": "Vase" });
    await curator.send("/admin/entities/new", {
      idno: "ENT-LINK",
      entity_type: "person",
      status: "draft",
      "metadata_/name/0/value": "Greta Lindqvist",
      "metadata_/name/0/lang": "en",
      "metadata_/name/1/value": "Grete Lindquist",
      "metadata_/name/1/lang": "de",
    });
    const wish = { relation_type: "created_by", to: "ENT-LINK", role: "potter" };
    const linked = await curator.send(`${address}/links`, wish);
    expect([linked.status, linked.headers.get("Location")]).toEqual([303, `${address}#links`]);
    const page = await curator.text(address);
    expect(page).toContain("Greta Lindqvist");
    expect(page).toContain("potter");
    expect(await curator.text(`${address}?lang=de`)).toContain("Grete Lindquist");
    await answered(curator.send(`${address}/delete`, {}), 409, "linked with");
    const remove = /action="([^"]+\/links\/[^"]+\/remove)"/.exec(page)![1]!;
    expect((await curator.send(remove, {})).status).toBe(303);
    expect(await curator.text(address)).not.toContain("Greta Lindqvist");
    await answered(curator.send(`${address}/links`, { ...wish, to: "ENT-NOBODY" }), 422, "ENT-NOBODY");
  });

  it("qualifies the maker of a link, and takes the qualifier away again", async () => {
    const address = await make({ idno: "BUST-1", "metadata_/title/0/value": "Bust" });
    await curator.send("/admin/entities/new", {
      ...{ idno: "ENT-MASTER", entity_type: "person", status: "draft" },
      "metadata_/name/0/value": "Aert Moons",
    });
    const qualified = { qualifier: "workshop_of", qualifier_text: "" };
    const wish = { relation_type: "created_by", to: "ENT-MASTER", role: "", ...qualified };
    expect((await curator.send(`${address}/links`, wish)).status).toBe(303);
    expect(await curator.text(address)).toContain(">workshop of Aert Moons</a>");
    expect(await curator.text(`${address}?lang=de`)).toContain(">Werkstatt von Aert Moons</a>");
    const shown = await curator.text(address);
    const entity = /href="(\/admin\/entities\/[^"]+)"[^>]*>workshop of Aert/.exec(shown)![1]!;
    // neither end says that he made it
    expect(await curator.text(address)).toMatch(/<li>\s*<span class="help">Maker<\/span>/);
    expect(await curator.text(entity)).toMatch(/>workshop of Aert Moons<\/span>\s*<a [^>]*>Bust<\/a>/);
    // what else than makers takes an attribution
    const choices = [...(await curator.text(address)).matchAll(/<option value="(\w+)" data-to="\w[^>]*>/g)];
    const qualifying = choices.filter(([option]) => option.includes("data-qualifies"));
    expect(choices.length).toBeGreaterThan(10);
    expect(qualifying.map(([, name]) => name)).toEqual(["created_by"]);
    const qualify = /action="([^"]+\/links\/[^"]+\/qualify)"/.exec(await curator.text(address))![1]!;
    const say = async (qualifier: string, qualifier_text: string) => {
      expect((await curator.send(qualify, { qualifier, qualifier_text })).status).toBe(303);
      return curator.text(address);
    };
    const said = await say("workshop_of", "Workshop or circle of");
    expect(said).toContain(">Workshop or circle of Aert Moons</a>");
    expect(await say("", "")).toContain(">Aert Moons</a>");
    expect((await curator.send(qualify, { qualifier: "by", qualifier_text: "" })).status).toBe(422);
    // faults are in people's words, in their language
    const refused = async (language: string, change: object, path = `${address}/links`) => {
      const answer = await curator.send(`${path}?lang=${language}`, { ...wish, ...change });
      const told = /role="alert">(.*?)<\/div>/s.exec(await answer.text())![1]!.replace(/<[^>]*>/g, " ");
      expect(told).not.toMatch(/PATCH|metadata_|qualifier|owned_by|created_by|made_at/);
      return `${answer.status} ${told}`;
    };
    const owner = { relation_type: "owned_by" };
    expect(await refused("en", owner)).toMatch(
      /422 .*links of the type &quot;owned by&quot; do not name a maker/s,
    );
    expect(await refused("de", owner)).toMatch(/422 .*Verknüpfungen vom Typ „im Eigentum von/s);
    expect(await refused("fr", owner)).toMatch(/422 .*les liens du type «\spropriété de/s);
    expect(await refused("en", { qualifier: "by" })).toMatch(
      /422 .*not a term of the vocabulary Attribution/s,
    );
    expect(await refused("de", { qualifier: "by" })).toMatch(/422 .*des Vokabulars Zuschreibung/s);
    expect(await refused("de", { role: "x".repeat(5_001) })).toMatch(/422 .*Rolle/s);
    expect((await curator.send(`${address}/links`, wish)).status).toBe(303);
    for (const [language, words] of [
      ["en", "with this role and this attribution"],
      ["de", "mit dieser Rolle und dieser Zuschreibung"],
      ["fr", "avec ce rôle et cette attribution"],
    ] as const)
      expect(await refused(language, {})).toMatch(new RegExp(`409 .*${words}`, "s"));
  });

  it("keeps the words of a qualifier in the languages that nobody edits", () => {
    const de = { value: "Hand des", lang: "de" };
    const en = { value: "hand of", lang: "en" };
    const written = (text: string, old: Entry[]) =>
      qualifierOfForm(translator("de"), new Map([["qualifier_text", text]]), { qualifier_text: old })
        .qualifier_text;
    const changed = { value: "Von der Hand des", lang: "de" };
    expect(written("Von der Hand des", [de, en])).toEqual([changed, en]);
    expect(written("Von der Hand des", [en])).toEqual([changed, en]);
    expect(written("Von der Hand des", [])).toEqual([changed]);
    expect(written("Von der Hand des", [{ value: "Hand des" }])).toEqual([{ value: "Von der Hand des" }]);
    expect(written("Hand des", [de, en])).toEqual([de, en]);
    expect(written("", [de, en])).toEqual([en]);
    expect(written("", [en])).toEqual([]);
  });

  it("refuses a circular link, in the reader's language, and a link that exists already", async () => {
    const [whole, part] = [await make({ idno: "RING-1" }), await make({ idno: "RING-2" })];
    const wish = (to: string) => ({ relation_type: "part_of", to, role: "" });
    expect((await curator.send(`${part}/links`, wish("RING-1"))).status).toBe(303);
    const again = await answered(curator.send(`${part}/links`, wish("RING-1")), 409, "already");
    expect(again).toContain(`action="${part}/links"`);
    const german = await staffBrowser(museum, "admin", "de");
    const circle = "Die Verknüpfung ergäbe einen Kreis: RING-1 Teil von RING-2 Teil von RING-1";
    await answered(german.send(`${whole}/links`, wish("RING-2")), 422, circle);
  });

  it("suggests terms of a long vocabulary while they are typed, even the last one", async () => {
    const label = { en: "Alloys" };
    expect((await reader("/v1/vocabularies", { json: { name: "alloys", label } })).status).toBe(201);
    const values = Array.from({ length: 301 }, (_, index) => `alloy ${index + 1}`);
    const added = values.map((value) => reader("/v1/vocabularies/alloys/terms", { json: { value } }));
    expect((await Promise.all(added)).every(({ status }) => status === 201)).toBe(true);
    const field = { name: "alloy", label, field_type: "vocab", vocabulary: "alloys" };
    expect((await reader("/v1/schemas/object", { json: field })).status).toBe(201);
    const page = await curator.text(await make({ idno: "LONG-1" }));
    expect(page).toContain('data-terms="alloys"');
    expect(page).not.toContain("alloy 300");
    const typed = await reader("/v1/vocabularies/alloys/terms?page_size=20&q=alloy%20301");
    expect((await typed.json()).items).toMatchObject([{ value: "alloy 301" }]);
    const kept = await make({ idno: "LONG-2", "metadata_/alloy/0/value": "alloy 301" });
    expect(await saved(kept)).toMatchObject({ metadata_: { alloy: [{ value: "alloy 301" }] } });
  });

  it("adds a picture, changes its caption and visibility, and removes it", async () => {
    const address = await make({ idno: "E.8", "metadata_/title/0/value": "With a picture" });
    const body = new FormData();
    body.append("file", new File([await plainPicture()], "boat.png", { type: "image/png" }));
    const foreign = await curator.sendFile(`${address}/media?_csrf=wrong`, body);
    expect(foreign.status).toBe(403);
    // the account may do this: its form is out of date
    expect(await foreign.text()).toContain("has expired: load the page again");
    const added = await curator.sendFile(`${address}/media?_csrf=${curator.csrf}`, body);
    expect([added.status, added.headers.get("Location")]).toEqual([303, `${address}#media`]);
    const page = await curator.text(address);
    expect(page).toContain("boat.png");
    // the script also sends files to this page, and shows why one is refused
    const reading = await staffBrowser(museum, "admin", "de");
    const drawing = new FormData();
    drawing.append("file", new File(["<svg xmlns='http://www.w3.org/2000/svg'/>"], "boat.svg"));
    const sending = (file: FormData) => reading.sendFile(`${address}/media?_csrf=${reading.csrf}`, file);
    const types = "senden Sie sie als PNG oder PDF. Möglich sind diese Dateitypen: JPEG";
    await answered(sending(drawing), 415, types);
    const half = new FormData();
    half.append("file", new File([(await plainPicture()).subarray(0, -20)], "half.png"));
    await answered(sending(half), 422, "Das Bild ist unvollständig.");
    const form = /action="([^"]+\/media\/[^"/]+)">[\s\S]*?name="version" value="(\d+)"/.exec(page)!;
    const said = { version: form[2]!, "caption/0/value": "A boat", "caption/0/lang": "en", position: "1" };
    const wrong = await answered(reading.send(form[1]!, { ...said, "caption/0/lang": "1" }), 422);
    const [, medium] = /\/media\/([^/]+)$/.exec(form[1]!)!;
    expect(wrong).toContain(`<a href="#caption-${medium}">Bildunterschrift</a>: `);
    expect(wrong).toContain(`<fieldset class="field" id="caption-${medium}">`);
    const changed = await curator.send(form[1]!, { ...said, visibility: "private" });
    expect(changed.status).toBe(303);
    const of = `/v1/objects/${address.split("/").at(-1)}/media`;
    const { items } = (await (await reader(of)).json()) as { items: Record<string, unknown>[] };
    expect(items).toMatchObject([{ caption: [{ value: "A boat", lang: "en" }], visibility: "private" }]);
    const image = `/iiif/3/${(items[0] as { media_id: string }).media_id}/full/max/0/default.png`;
    expect((await curator.get(image)).status).toBe(200);
    expect((await museum.ask(image)).status).toBe(404);
    const stale = await curator.send(form[1]!, { ...said, visibility: "public" });
    expect(stale.status).toBe(412);
    expect((await curator.send(`${form[1]}/remove`, {})).status).toBe(303);
    expect(await (await reader(of)).json()).toMatchObject({ total: 0 });
    const send = async (name: string, content: string) => {
      const sent = new FormData();
      sent.append("file", new File([content], name));
      expect((await curator.sendFile(`${address}/media?_csrf=${curator.csrf}`, sent)).status).toBe(303);
      return curator.text(address);
    };
    const alone = "film or sound of the same name";
    expect(await send("talk.de.vtt", "WEBVTT\n")).toContain(alone);
    expect(await send("talk.wav", "RIFF\0\0\0\0WAVE")).not.toContain(alone);
  });

  it("shows who changed what, and restores a version", async () => {
    const first = { "metadata_/title/0/value": "First words", "metadata_/material/0/value": "oil paint" };
    const address = await make({ idno: "E.9", ...first });
    const second = { "metadata_/title/0/value": "Second words", "metadata_/material/0/value": "canvas" };
    await curator.send(address, { ...formOf(await curator.text(address)), ...second });
    const page = await curator.text(`${address}/history`);
    const german = await staffBrowser(museum, "viewer", "de");
    expect(await german.text(`${address}/history`)).toMatch(/Ölfarbe<\/td><td dir="auto">Leinwand</);
    expect(page).toMatch(/First words<\/td><td dir="auto">Second words/);
    expect(page, "a wide table can also be scrolled with the keyboard").not.toContain('<div class="scroll">');
    const restore = `${address}/history/1/restore`;
    expect((await viewer.get(restore)).status).toBe(403);
    expect((await viewer.send(restore, {})).status).toBe(403);
    const preview = await curator.text(restore);
    expect(preview).toMatch(/Second words<\/td><td dir="auto">First words/);
    expect(await curator.text(`${restore}?part=links`)).toContain("already as it was then");
    const seen = (page: string) => ({ part: "all", seen: /name="seen" value="(\d+)"/.exec(page)![1]! });
    await curator.send(address, { ...formOf(await curator.text(address)), idno: "E.9a" });
    await answered(curator.send(restore, seen(preview)), 412, /E\.9a<\/td><td[^>]*>E\.9</);
    expect((await curator.send(restore, seen(await curator.text(restore)))).status).toBe(303);
    expect((await saved(address)).metadata_).toMatchObject({ title: [{ value: "First words" }] });
    expect((await curator.send(`${address}/history/99/restore`, {})).status).toBe(404);
  });

  it("shows what changed in a link, in the reader's words", async () => {
    const address = await make({ idno: "E.10", "metadata_/title/0/value": "Jug" });
    await curator.send("/admin/entities/new", {
      ...{ idno: "ENT-JUG", entity_type: "person", status: "draft" },
      "metadata_/name/0/value": "Lena Pauwels",
    });
    const wish = { relation_type: "created_by", to: "ENT-JUG", role: "potter", qualifier: "workshop_of" };
    await curator.send(`${address}/links`, { ...wish, qualifier_text: "" });
    const qualify = /action="([^"]+\/links\/([^"]+)\/qualify)"/.exec(await curator.text(address))!;
    await curator.send(qualify[1]!, { qualifier: "", qualifier_text: "Hand of" });
    const id = (await saved(address)).id;
    for (const metadata_ of [{ role: [{ value: "thrower" }] }, { since: [{ value: "1650" }] }])
      await patched(reader, `/v1/objects/${id}/relations/${qualify[2]}`, { metadata_ });
    await curator.send(qualify[1]!.replace(/qualify$/, "remove"), {});
    const rows = async (language: string) => {
      const page = await curator.text(`${address}/history?lang=${language}`);
      const found = page.match(/<tr><th scope="row".*?<\/tr>/gs)!.slice(0, 6);
      return found.map((row) => row.replace(/<\/t[hd]>/g, "|").replace(/<[^>]*>/g, ""));
    };
    expect(await rows("en")).toEqual([
      expect.stringMatching(/^created by\|Hand of Lena Pauwels, thrower, 1650\|–\s+Put back\|$/),
      "created by (Lena Pauwels): since|–|1650|",
      "created by (Lena Pauwels): Role|potter|thrower|",
      "created by (Lena Pauwels): Attribution|workshop of|–|",
      "created by (Lena Pauwels): Attribution in your own words|–|Hand of (en)|",
      "created by|–|workshop of Lena Pauwels, potter|",
    ]);
    expect((await rows("de"))[3]).toMatch(/Zuschreibung\|Werkstatt von\|–\|$/);
    expect((await rows("fr"))[5]).toMatch(/\|atelier de Lena Pauwels, potier\/potière\|$/);
  });

  it("moves a record to the trash", async () => {
    const address = await make({ idno: "E.7", "metadata_/title/0/value": "Broken" });
    expect((await viewer.send(`${address}/delete`, {})).status).toBe(403);
    expect((await curator.send(`${address}/delete`, {})).status).toBe(303);
    expect((await curator.get(address)).status).toBe(404);
  });
});

describe("what there is not, or may not be done", () => {
  const STAFF = '<body class="staff">';

  it("is said to staff within their own pages, which show no more than theirs", async () => {
    const nowhere = `/admin/objects/${crypto.randomUUID()}`;
    for (const [path, status] of [
      ["/admin/nothing", 404],
      [nowhere, 404],
      ["/admin/users", 403],
    ] as const) {
      const answer = await viewer.get(path);
      const page = await answer.text();
      expect([path, answer.status]).toEqual([path, status]);
      expect(page).toContain(STAFF);
      expect(page).toContain('<a href="/admin/objects"');
      expect(page).not.toContain('href="/admin/users"');
      expect(page).not.toContain('action="/search"');
    }
    await answered(viewer.send("/admin/objects/new", NEW_OBJECT), 403, STAFF);
    await answered(curator.send("/admin/objects/new", NEW_OBJECT, "wrong"), 403, STAFF);
    const page = await curator.text(nowhere);
    expect(page).toContain("deleted or is not visible to you");
    expect(page).toContain('<a href="/admin">');
  });

  it("is a page of the portal for visitors, and for staff outside their own pages", async () => {
    const visitor = { headers: { Accept: "text/html" } };
    for (const answer of [
      await museum.ask("/admin/nothing", visitor),
      await museum.ask("/administration", visitor),
      await curator.get("/administration"),
      await curator.get("/nothing"),
    ]) {
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain(STAFF);
    }
  });
});

describe("the start page", () => {
  it("counts by status what its reader may read, and names the latest change", async () => {
    await make({ idno: "D.1", "metadata_/title/0/value": "Newest of all" });
    const page = await viewer.text("/admin");
    expect(page).toContain("Newest of all");
    expect(page).toMatch(/href="\/admin\/objects\?status=draft">[\d,]+</);
    expect(page).toContain("There is no backup yet");
  });
});

describe("the guide to the first steps", () => {
  const PERSON = { entity_type: "person", metadata_: { name: [{ value: "Ada Sail" }] } };
  it("ticks off what is done, names the next step, and disappears when it is closed", async () => {
    const { sql } = museum.services;
    await sql`update configuration set guide_closed = false`;
    await sql`delete from settings`;
    await sql`update configuration set version = version + 1`;
    const desk = () => curator.text("/admin");
    const steps = async () =>
      [
        ...(await desk()).matchAll(
          /<li class="(done)?" (aria-current="step")?>[\s\S]*?<a href="[^"]+">([^<]+)</g,
        ),
      ].map(([, done, next, label]) => `${label}${done ? ", done" : ""}${next ? ", next" : ""}`);
    const begun = await steps();
    expect(begun.map((step) => step.replace(", done", ""))).toEqual([
      ...["Name and logo, next", "Your list", "Photos", "People", "First look"],
    ]);
    const reader = await museum.as("admin");
    await reader("/v1/settings", {
      ...{ method: "PATCH", json: { name: { en: "Harbour Museum" } } },
      headers: { "Content-Type": "application/merge-patch+json" },
    });
    expect((await steps())[0]).toBe("Name and logo, next");
    const logo = { method: "PUT", headers: { "Content-Type": "image/png" }, body: await plainPicture() };
    expect((await reader("/v1/settings/logo", logo)).status).toBe(200);
    expect((await steps())[0]).toBe("Name and logo, done");
    const { id } = (await (await reader("/v1/entities", { json: PERSON })).json()) as { id: string };
    expect((await reader(`/v1/entities/${id}/publish`, { method: "POST" })).status).toBe(200);
    expect((await steps())[3]).toBe("People, done");
    const [first, settings] = [await desk(), await curator.text("/admin/settings")];
    const next = /aria-current="step">[\s\S]*?<a (href="[^"]+">[^<]+)</.exec(first)![1]!;
    expect(settings).toContain(`<a ${next.replace(">", ">First steps: ")}</a>`);
    expect((await viewer.send("/admin/first-steps", {})).status).toBe(403);
    expect((await curator.send("/admin/first-steps", {})).status).toBe(303);
    expect(await steps()).toEqual([]);
    expect(await curator.text("/admin/settings")).not.toContain("First steps");
  });
});
