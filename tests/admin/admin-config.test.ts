/** The staff interface: configuration and system pages, as staff use them without scripts. */

import jsonld from "jsonld";
import { Parser } from "n3";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import { said, toldText } from "../../src/messages/said.ts";
import { makeBackup } from "../../workers/back-up.ts";
import { answered, createObject, linking, type Page, posted } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";

const HOSTILE = `"><script>alert(1)</script>`;

const museum = await museumHere();
const head = await staffBrowser(museum, "superuser");
const admin = await staffBrowser(museum, "admin");
const viewer = await staffBrowser(museum, "viewer");
/** The API, to check what was saved. */
const reader = await museum.as("admin");

const read = async <T = Record<string, unknown>>(path: string): Promise<T> => (await reader(path)).json();
const tagIn = (page: string): string => /name="tag" value="([^"]+)"/.exec(page)![1]!;
const UUID = "0198c0de-0000-7000-8000-000000000000";

const fileOf = (text: string) => {
  const body = new FormData();
  body.append("file", new File([text], "file", { type: "text/plain" }));
  return body;
};

const PAGES = [
  ...["users", "roles", "fields", "vocabularies", "relation-types", "settings", "configuration"],
  ...["jobs", "backups", "security"],
];

describe("every form of the staff interface", () => {
  /** What viewers may do with their own account and session. */
  const OWN = /^\/admin\/(account|password|sign-in|sign-out)|\/views(\/|$)|\/columns$/;

  /** Those of somebody who cannot sign in yet. */
  const OPEN = /^\/admin\/(sign-in|first-account|forgotten|reset)$/;

  it("is refused without the token of its page, and to those who may not send it", async () => {
    const forms = museum.api.routes.filter(
      ({ method, path }) => method === "POST" && path.startsWith("/admin/") && !OPEN.test(path),
    );
    expect(forms.length).toBeGreaterThan(40);
    for (const { path } of forms) {
      const at = path
        .replace("{type}", "object")
        .replace("{vocabulary}", "material")
        .replace(/\{(id|key|medium|link)\}/g, UUID)
        .replace(/\{\w+\}/g, "title");
      const foreign = await head.send(at, {}, "wrong");
      const multipart = await head.sendFile(`${at}?_csrf=wrong`, new FormData());
      expect([path, [foreign.status, multipart.status].includes(403)]).toEqual([path, true]);
      expect([path, foreign.status]).not.toEqual([path, 303]);
      if (OWN.test(path)) continue;
      expect([path, (await viewer.send(at, {})).status]).toEqual([path, 403]);
    }
  });

  it("answers a refused file with its own page, where another one can be chosen", async () => {
    const { id } = await createObject(reader, "Tiller");
    let uploads = 0;
    for (const { method, path } of museum.api.routes) {
      if (method !== "POST" || !path.startsWith("/admin/")) continue;
      const at = path
        .replace("{vocabulary}", "material")
        .replace("{id}", id)
        .replace(/\{\w+\}/g, UUID);
      // others take no files, whatever their token
      const foreign = await head.sendFile(`${at}?_csrf=wrong`, new FormData());
      if (foreign.status !== 403) continue;
      uploads++;
      const body = new FormData();
      body.append("type", "object");
      body.append("file", new File([new Uint8Array([0, 255, 0])], "torn.bin"));
      const answer = await head.sendFile(`${at}?_csrf=${head.csrf}`, body);
      const page = await answer.text();
      expect([path, [415, 422].includes(answer.status)]).toEqual([path, true]);
      expect([path, page.includes('role="alert"'), page.includes("fault-page")]).toEqual([path, true, false]);
      // after the preview of a vocabulary the form is one page back
      if (!path.endsWith("/skos"))
        expect([path, page]).toEqual([path, expect.stringContaining('type="file"')]);
    }
    expect(uploads).toBeGreaterThan(4);
  });

  it("is on a page that viewers can neither open nor see in the navigation", async () => {
    const rail = await viewer.text("/admin");
    for (const path of PAGES) {
      expect([path, (await viewer.get(`/admin/${path}`)).status]).toEqual([path, 403]);
      expect([path, (await admin.get(`/admin/${path}`)).status]).toEqual([path, 200]);
      expect(rail).not.toContain(`href="/admin/${path}"`);
    }
  });
});

describe("users", () => {
  it("have no role until one is chosen", async () => {
    const page = await admin.text("/admin/users/new");
    expect(page).toMatch(/<select id="role"[^>]* required[^>]*><option value="" selected>/);
    const made = await admin.send("/admin/users/new", { email: "nobody@museum.example", role: "" });
    expect(made.status).toBe(422);
  });

  it("get a temporary password that can be read while it is typed", async () => {
    expect(await admin.text("/admin/users/new")).toMatch(
      /<input id="password" name="password"[^>]* autocomplete="off" type="text"/,
    );
  });

  it("are created with a password that is shown once, changed, disabled and deleted", async () => {
    const email = "jo@museum.example";
    const jo = { email, display_name: `Jo ${HOSTILE}`, role: "cataloger" };
    const page = await answered(admin.send("/admin/users/new", jo), 200);
    const password = /class="secret">([^<]+)</.exec(page)![1]!;
    expect((await museum.ask("/v1/auth/login", { json: { email, password } })).status).toBe(200);
    const { items } = await read<{ items: { id: string }[] }>("/v1/users?q=jo@museum");
    const address = `/admin/users/${items[0]!.id}`;
    const list = await admin.text("/admin/users?q=jo@museum");
    expect(list).toContain(address);
    expect(list).not.toContain("<script>alert");
    const form = { tag: tagIn(await admin.text(address)), email, display_name: "Jo" };
    expect((await admin.send(address, { ...form, role: "editor", disabled: "yes" })).status).toBe(303);
    expect(await read(`/v1/users/${items[0]!.id}`)).toMatchObject({ role: "editor", disabled: true });
    await answered(admin.send(address, { ...form, role: "viewer" }), 412, "Somebody else changed this");
    expect((await admin.send(`${address}/delete`, {})).status).toBe(303);
    expect((await admin.get(address)).status).toBe(404);
  });

  it("with an address that is taken are refused, and the form keeps what was typed", async () => {
    const { items } = await read<Page<{ email: string }>>("/v1/users");
    const typed = { email: items[0]!.email, display_name: "Somebody New", role: "cataloger" };
    const page = await answered(admin.send("/admin/users/new", typed), 409, "already");
    expect(page).toContain('value="Somebody New"');
  });

  it("with an invalid address are refused, with the fault beside the field", async () => {
    const nobody = { email: "nobody", role: "cataloger" };
    const page = await answered(admin.send("/admin/users/new", nobody), 422, 'href="#email"');
    expect(page).toMatch(/id="email"[^>]*aria-invalid="true"/);
  });

  it("with more permissions than the reader are shown, but cannot be changed", async () => {
    const { items } = await read<{ items: { id: string }[] }>("/v1/users?role=superuser");
    const address = `/admin/users/${items[0]!.id}`;
    const page = await admin.text(address);
    expect(page).toContain("not change it");
    expect(page).not.toContain(`action="${address}"`);
    expect((await admin.send(address, { email: "x@museum.example", role: "viewer" })).status).toBe(403);
    expect(await admin.text("/admin/users/new")).not.toContain('value="superuser"');
  });
});

describe("the page of one's own account", () => {
  it("makes a key within one's own permissions, shows it once and revokes it", async () => {
    const website = { name: "Website", "permissions/records:read": "yes" };
    const made = await answered(viewer.send("/admin/account/keys", website), 200);
    const key = /class="secret">(svc_[^<]+)</.exec(made)![1]!;
    const askWithKey = () => museum.ask("/v1/auth/me", { headers: { "X-API-Key": key } });
    expect((await askWithKey()).status).toBe(200);
    const page = await viewer.text("/admin/account");
    expect(page).not.toContain(key);
    expect(page).toContain("Records – read (records:read)");
    expect(page).toMatch(/<dt>Role<\/dt><dd>Viewer<\/dd>/);
    expect(page).not.toContain("users:manage");
    const beyond = await viewer.send("/admin/account/keys", { name: "x", "permissions/users:manage": "yes" });
    expect(beyond.status).toBe(422);
    const past = { name: "x", "permissions/records:read": "yes", expires_at: "2020-01-31" };
    await answered(viewer.send("/admin/account/keys", past), 422, 'href="#expires_at"');
    await answered(
      viewer.send("/admin/account/keys", { name: "x" }),
      422,
      "Permissions</a>: choose at least one",
    );
    const revoke = /action="([^"]+\/revoke)"/.exec(page)![1]!;
    expect((await admin.send(revoke, {})).status).toBe(404);
    expect((await viewer.send(revoke, {})).status).toBe(303);
    expect((await askWithKey()).status).toBe(401);
  });
});

describe("roles", () => {
  it("are created, changed and deleted; one that may change what it may not read is refused", async () => {
    const role = {
      name: "volunteer",
      "label/en": "Volunteer",
      "label/de": "Ehrenamt",
      "permissions/records/object/read": "yes",
      "permissions/records/object/update": "yes",
      "permissions/features/media:write": "yes",
    };
    expect((await admin.send("/admin/roles/new-role", role)).status).toBe(303);
    expect(await read("/v1/roles/volunteer")).toMatchObject({
      label: { en: "Volunteer", de: "Ehrenamt" },
      permissions: { records: { object: ["read", "update"] }, features: ["media:write"] },
    });
    const tag = tagIn(await admin.text("/admin/roles/volunteer"));
    const change = { tag, "label/en": "Volunteer", "permissions/records/object/read": "yes" };
    expect((await admin.send("/admin/roles/volunteer", change)).status).toBe(303);
    expect(await read("/v1/roles/volunteer")).toMatchObject({
      label: { en: "Volunteer" },
      permissions: { records: { object: ["read"] }, features: [] },
    });
    const blind = { ...role, name: "blind", "permissions/records/place/update": "yes" };
    await answered(admin.send("/admin/roles/new-role", blind), 422, "must also be allowed to read");
    expect(await head.text("/admin/roles/superuser")).not.toContain('action="/admin/roles/superuser"');
    expect((await head.send("/admin/roles/superuser", { "label/en": "x" })).status).toBe(409);
    expect((await admin.send("/admin/roles/volunteer/delete", {})).status).toBe(303);
    expect((await reader("/v1/roles/volunteer")).status).toBe(404);
  });
});

describe("fields and subtypes", () => {
  const WATERMARK = {
    name: "watermark",
    "label/en": "Watermark",
    "label/+/lang": "da",
    "label/+/text": "Vandmærke",
    "help/de": "Im Gegenlicht",
    field_type: "text",
    is_public: "yes",
    is_searchable: "B",
    "mapping/dc": "description",
  };

  it("are added, changed and deleted", async () => {
    expect((await admin.send("/admin/fields/object/new-field", WATERMARK)).status).toBe(303);
    const made = await read("/v1/schemas/object/watermark");
    expect(made).toMatchObject({
      label: { en: "Watermark", da: "Vandmærke" },
      help: { de: "Im Gegenlicht" },
      is_public: true,
      is_searchable: "B",
      is_facet: false,
      mapping: { dc: "description" },
    });
    const page = await admin.text("/admin/fields/object/watermark");
    expect(page).toContain('name="label/da"');
    expect(await admin.text("/admin/objects/new")).toContain("Watermark");
    const { name: _, "label/+/lang": __, "label/+/text": ___, ...form } = WATERMARK;
    const change = { ...form, tag: tagIn(page), "label/da": "Vandmærke", "mapping/dc": "", sort_order: "7" };
    expect((await admin.send("/admin/fields/object/watermark", change)).status).toBe(303);
    expect(await read("/v1/schemas/object/watermark")).toEqual({ ...made, mapping: {}, sort_order: 7 });
    expect((await admin.send("/admin/fields/object/watermark/delete", {})).status).toBe(303);
    expect((await reader("/v1/schemas/object/watermark")).status).toBe(404);
  });

  it("are refused with the reason, and the form keeps what was typed", async () => {
    const wrong = { ...WATERMARK, name: "Water mark", field_type: "vocab" };
    const page = await answered(
      admin.send("/admin/fields/object/new-field", wrong),
      422,
      'value="Water mark"',
    );
    expect(page).toContain('href="#name"');
    await answered(admin.send("/admin/fields/object/title/delete", {}), 409, "cannot be deleted");
    expect((await admin.get("/admin/fields/nothing")).status).toBe(404);
    expect((await admin.get("/admin/fields/object/nothing")).status).toBe(404);
  });

  it("what is in use is not deleted, and the page says so with names that staff know", async () => {
    const german = await staffBrowser(museum, "admin", "de");
    const page = await answered(german.send("/admin/vocabularies/material/delete", {}), 409);
    expect(page).toContain("<h2>Löschen nicht möglich</h2>");
    expect(page).toContain("Das Vokabular Material wird von Material (Objekte) benutzt");
    await answered(german.send("/admin/roles/viewer/delete", {}), 409, "Die Rolle Leserecht ");
  });

  it("subtypes are added, changed and deleted", async () => {
    const form = { name: "banner", "label/en": "Banner" };
    expect((await admin.send("/admin/subtypes/object/new-subtype", form)).status).toBe(303);
    const again = await admin.send("/admin/subtypes/object/new-subtype", form);
    expect(again.status).toBe(409);
    const tag = tagIn(await admin.text("/admin/subtypes/object/banner"));
    const change = { tag, "label/en": "Banner or flag" };
    expect((await admin.send("/admin/subtypes/object/banner", change)).status).toBe(303);
    expect(await read("/v1/subtypes/object/banner")).toMatchObject({ label: { en: "Banner or flag" } });
    expect(await admin.text("/admin/fields/object")).toContain("Banner or flag");
    const tagOfForm = tagIn(await admin.text("/admin/subtypes/object/banner"));
    const fields = { tag: tagOfForm, "label/en": "Banner", "form/0": "title", "form/2": "material" };
    expect((await admin.send("/admin/subtypes/object/banner", fields)).status).toBe(303);
    expect(await read("/v1/subtypes/object/banner")).toMatchObject({ form: ["title", "material"] });
    expect((await admin.send("/admin/subtypes/object/banner/delete", {})).status).toBe(303);
  });
});

describe("vocabularies", () => {
  const here = "/admin/vocabularies/sails";
  const words = (text: string) => text.replace(/\s+/g, " ").trim();
  const termsOf = async () =>
    (await read<{ items: Record<string, unknown>[] }>("/v1/vocabularies/sails/terms?page_size=200")).items;

  it("have terms in a tree", async () => {
    const sails = { name: "sails", "label/en": "Sails" };
    const made = await admin.send("/admin/vocabularies/new-vocabulary", sails);
    expect([made.status, made.headers.get("Location")]).toEqual([303, here]);
    expect((await admin.send(`${here}/terms/new`, { value: "sail", "label/de": "Segel" })).status).toBe(303);
    const [sail] = await termsOf();
    const jib = { value: "jib", broader_id: "sail", uri: "http://vocab.getty.edu/aat/1" };
    expect((await admin.send(`${here}/terms/new`, jib)).status).toBe(303);
    const page = await admin.text(here);
    expect(page).toMatch(/Segel<\/a> <span[^>]*>sail<[\s\S]*<ul[\s\S]*jib<\/a>/);
    // several of one kind are lines of one control, and several broader terms one control each
    const genny = { "alt_label/en": "overlapping jib\r\n\r\nGenny", "scope_note/fr": "Grand foc" };
    const genoa = { value: "genoa", ...genny };
    const jibId = (await termsOf()).find(({ value }) => value === "jib")!.id as string;
    const above = { broader_id: "jib", "also_broader/0": "sail" };
    expect((await admin.send(`${here}/terms/new`, { ...genoa, ...above })).status).toBe(303);
    const genoaNow = (await termsOf()).find(({ value }) => value === "genoa")!;
    expect(genoaNow).toMatchObject({
      ...{ broader_id: jibId, also_broader: [sail!.id] },
      ...{ alt_label: { en: ["overlapping jib", "Genny"] }, scope_note: { fr: "Grand foc" } },
    });
    expect((await admin.text(here)).split("genoa</a>")).toHaveLength(3);
    expect(await admin.text(`${here}/terms/${sail!.id}`)).toMatch(/<h1[^>]*>Segel</);
    const form = await admin.text(`${here}/terms/${genoaNow.id}`);
    expect(form).toContain("overlapping jib\nGenny</textarea>");
    // found while somebody types, however many terms there are
    expect(form).toMatch(/name="broader_id"[^>]* data-terms="sails"[^>]* value="jib"/);
    expect(form).toMatch(/name="also_broader\/0"[^>]* data-terms="sails"[^>]* value="sail"/);
    const wrong = { value: "genoa", broader_id: "jib", "also_broader/0": "spar" };
    await answered(
      admin.send(`${here}/terms/${genoaNow.id}`, wrong),
      422,
      /value="spar"[\s\S]*&quot;spar&quot; is not a term of the vocabulary sails/,
    );
    const changed = { value: "genoa", ...above, "also_broader/0": "", "alt_label/en": "Genny" };
    expect((await admin.send(`${here}/terms/${genoaNow.id}`, changed)).status).toBe(303);
    expect((await termsOf()).find(({ value }) => value === "genoa")).toMatchObject({
      ...{ broader_id: jibId, also_broader: [], alt_label: { en: ["Genny"] }, scope_note: {} },
    });
    expect((await admin.send(`${here}/terms/${genoaNow.id}/delete`, {})).status).toBe(303);
    const circle = { value: "sail", broader_id: "sail" };
    expect((await admin.send(`${here}/terms/${sail!.id}`, circle)).status).toBe(422);
    expect((await termsOf())[0]).toMatchObject({ value: "sail", broader_id: null });
  });

  it("are exported as SKOS and come back the same", async () => {
    const before = await termsOf();
    const sent = await admin.get(`${here}/skos`);
    expect(sent.headers.get("Content-Type")).toBe("text/turtle; charset=utf-8");
    const preview = await admin.sendFile(`${here}/skos?_csrf=${admin.csrf}`, fileOf(await sent.text()));
    const page = await preview.text();
    expect([preview.status, page]).toEqual([200, expect.stringContaining("2 terms do not change")]);
    expect(page).not.toContain("/skos/import");
    expect(await termsOf()).toEqual(before);
  });

  it("are the same in JSON-LD as in Turtle", async () => {
    const sent = await admin.get(`${here}/skos?format=jsonld`);
    expect(sent.headers.get("Content-Type")).toBe("application/ld+json");
    const format = "application/n-quads";
    const quads = (await jsonld.toRDF((await sent.json()) as object, { format })) as string;
    const lines = (text: string) =>
      new Parser().parse(text).map(({ subject, predicate, object }) => {
        const language = "language" in object ? object.language : "";
        return `${subject.value} ${predicate.value} ${object.value} ${language}`;
      });
    expect(lines(quads).sort()).toEqual(lines(await admin.text(`${here}/skos`)).sort());
    expect(lines(quads).length).toBeGreaterThan(8);
  });

  it("take terms from SKOS, after a preview of the changes", async () => {
    const [sail] = await termsOf();
    const skos = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix e: <http://example.org/> .
      e:1 a skos:Concept ; skos:prefLabel "jib"@en, "foc"@fr ; skos:altLabel "headsail"@en, "Fock"@de ; skos:narrower e:2 .
      e:2 a skos:Concept ; skos:prefLabel "storm jib" ; skos:exactMatch e:9 .`;
    const page = await (await admin.sendFile(`${here}/skos?_csrf=${admin.csrf}`, fileOf(skos))).text();
    expect(page).toContain("One term is added");
    expect(page).toContain("One term changes");
    // each with its other names and its place, and without the file
    const items = [...page.matchAll(/<li><span dir="auto">(.*?)<\/li>/g)];
    const lines = items.map(([, line]) => words(line!.replace(/<[^>]*>/g, "")));
    expect(lines).toEqual([
      "storm jib Broader term: jib",
      "jib Labels, Address (URI), Alternative labels · Alternative labels: headsail, Fock · Broader term: sail",
    ]);
    expect(page).not.toContain("<textarea");
    expect(page).toMatch(
      /Not imported[\s\S]*skos:exactMatch<\/code> once, for example: [\s\S]*example.org\/9/,
    );
    expect(await termsOf()).toHaveLength(2);
    const done = await admin.send(`${here}/skos/import`, { skos });
    const told = await done.text();
    expect([done.status, told]).toEqual([200, expect.stringContaining("skos:exactMatch")]);
    expect(told).toContain("One term was added.</li><li>One term was changed.");
    const again = skos.replace("; skos:exactMatch e:9", "");
    expect((await admin.send(`${here}/skos/import`, { skos: again })).status).toBe(303);
    const terms = await termsOf();
    const jib = terms.find(({ value }) => value === "jib")!;
    const uri = "http://example.org/1";
    expect(jib).toMatchObject({ label: { en: "jib", fr: "foc" }, uri, broader_id: sail!.id });
    expect(terms.find(({ value }) => value === "storm jib")).toMatchObject({ broader_id: jib.id });
  });

  it("take thousands of terms at once, in a tree", async () => {
    const concepts = Array.from({ length: 1_500 }, (_, n) => {
      const above = n === 0 ? "" : `; skos:broader m:${Math.floor((n - 1) / 10)}`;
      return `m:${n} a skos:Concept ; skos:prefLabel "mast ${n}" ${above} .`;
    });
    const skos = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix m: <http://example.org/m/> .
      ${concepts.join("\n")}`;
    const masts = { name: "masts", "label/en": "Masts" };
    expect((await admin.send("/admin/vocabularies/new-vocabulary", masts)).status).toBe(303);
    const path = "/admin/vocabularies/masts";
    expect((await admin.send(`${path}/skos/import`, { skos })).status).toBe(303);
    type Term = { id: string; value: string; broader_id: string | null };
    const { total, items } = await read<Page<Term>>("/v1/vocabularies/masts/terms?page_size=200");
    expect(total).toBe(1_500);
    const byValue = new Map(items.map((term) => [term.value, term]));
    expect(byValue.get("mast 11")?.broader_id).toBe(byValue.get("mast 1")?.id);
    expect((await admin.sendFile(`${path}/skos?_csrf=${admin.csrf}`, fileOf(skos))).status).toBe(200);
    expect((await admin.send(`${path}/delete`, {})).status).toBe(303);
  });

  it("take nothing from a file with any fault", async () => {
    const before = await termsOf();
    const circle = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix e: <http://example.org/> .
      e:7 a skos:Concept ; skos:prefLabel "one" ; skos:broader e:8 .
      e:8 a skos:Concept ; skos:prefLabel "two" ; skos:broader e:7 .`;
    const wrong = ["not Turtle", "<a> <b> <c> .", circle.replaceAll('"two"', '"one"'), circle];
    for (const skos of wrong) {
      expect([skos, (await admin.send(`${here}/skos/import`, { skos })).status]).toEqual([skos, 422]);
    }
    const sent = admin.sendFile(`${here}/skos?_csrf=${admin.csrf}`, fileOf("not Turtle"));
    await answered(sent, 422, "is not Turtle");
    expect(await termsOf()).toEqual(before);
    expect((await admin.send(`${here}/delete`, {})).status).toBe(303);
  });
});

describe("relation types", () => {
  it("are created with both ends, and refused with the reason without one", async () => {
    const form = {
      name: "restored_by",
      "label/en": "Restored by",
      inverse: "restored",
      "inverse_label/en": "Restored",
      "from_types/object": "yes",
      "to_types/entity": "yes",
      is_public: "yes",
    };
    expect((await admin.send("/admin/relation-types/new-type", form)).status).toBe(303);
    expect(await read("/v1/relation-types/restored_by")).toMatchObject({
      from_types: ["object"],
      to_types: ["entity"],
      is_public: true,
      is_hierarchical: false,
    });
    const page = await admin.text("/admin/relation-types/restored_by");
    expect(page).toContain("Restored by");
    const { name: _, "from_types/object": __, ...rest } = form;
    const endless = { ...rest, tag: tagIn(page) };
    await answered(admin.send("/admin/relation-types/restored_by", endless), 422, 'href="#from_types"');
    expect((await admin.send("/admin/relation-types/restored_by/delete", {})).status).toBe(303);
  });

  it("become no hierarchy while their links make a circle, which names them by their label", async () => {
    const type = {
      ...{ name: "copied_from", label: { en: "copied from" }, from_types: ["object"] },
      ...{ inverse: "copied_as", inverse_label: { en: "copied as" }, to_types: ["object"] },
    };
    await posted(reader, "/v1/relation-types", type);
    const object = async (idno: string) => (await createObject(reader, "Copy", { idno })).id;
    const [one, other] = [await object("CIRCLE-1"), await object("CIRCLE-2")];
    await linking(reader)(one, "copied_from", "object", other);
    await linking(reader)(other, "copied_from", "object", one);
    const here = "/admin/relation-types/copied_from";
    const ends = {
      "label/en": "copied from",
      inverse: "copied_as",
      "inverse_label/en": "copied as",
      "from_types/object": "yes",
      "to_types/object": "yes",
    };
    const form = { tag: tagIn(await admin.text(here)), ...ends, is_hierarchical: "yes" };
    const told = /make a circle: (CIRCLE-\d) copied from CIRCLE-\d copied from \1;/;
    const page = await answered(admin.send(here, form), 409, told);
    expect(page).not.toContain("Cannot be deleted");
  });
});

describe("settings", () => {
  const send = async (part: string, form: Record<string, string>) => {
    const path = `/admin/settings${part}`;
    const fields = { tag: tagIn(await admin.text(path)), ...form };
    if (part !== "") return admin.send(path, fields);
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append("file", new File([], ""));
    return admin.sendFile(`${path}?_csrf=${admin.csrf}`, body);
  };

  it("are changed on short pages, each of which leaves the others alone and is refused if it is outdated", async () => {
    await reader("/v1/objects", { json: { idno: "S.1", object_type: "painting" } });
    const ada = { idno: "S.2", entity_type: "person", metadata_: { name: [{ value: "Ada Sail" }] } };
    await reader("/v1/entities", { json: ada });
    const parts: [string, Record<string, string>][] = [
      ["", { "name/en": "Harbour Museum", "name/de": "Hafenmuseum" }],
      [
        "/home",
        { home_text: "", "highlights/0": "S.1", "highlights/1": " ", "highlights/2": "Ada Sail (S.2)" },
      ],
      ["/look", { accent_colour: "#14575E", typeface: "sans" }],
      [
        "/footer",
        { "footer_links/0/label/en": "Imprint", "footer_links/0/url": "https://museum.example/imprint" },
      ],
      [
        "/machines",
        {
          metadata_rights: "https://creativecommons.org/publicdomain/zero/1.0/",
          "harvest_sets/0/spec": "silver",
          "harvest_sets/0/label/en": "Silver",
          "harvest_sets/0/query": "type=object&meta_material=silver",
        },
      ],
    ];
    for (const [part, form] of parts) expect([part, (await send(part, form)).status]).toEqual([part, 303]);
    const settings = await read<{ highlights: string[] }>("/v1/settings");
    expect(settings).toMatchObject({
      name: { en: "Harbour Museum", de: "Hafenmuseum" },
      accent_colour: "#14575e",
      typeface: "sans",
      footer_links: [{ label: { en: "Imprint" }, url: "https://museum.example/imprint" }],
      viewer_url: "",
      metadata_rights: "https://creativecommons.org/publicdomain/zero/1.0/",
      harvest_sets: [{ spec: "silver", label: { en: "Silver" }, query: "type=object&meta_material=silver" }],
    });
    expect(settings.highlights).toHaveLength(2);
    const machines = await admin.text("/admin/settings/machines");
    expect(machines).toContain('value="https://creativecommons.org/publicdomain/zero/1.0/" selected');
    expect(machines).toContain('name="harvest_sets/1/spec"');
    const home = await admin.text("/admin/settings/home");
    expect(home).toMatch(
      /name="highlights\/0" value="S\.1"[\s\S]*name="highlights\/1" value="Ada Sail \(S\.2\)"/,
    );
    const stale = await send("", { "name/en": "Older", tag: "older" });
    expect(stale.status).toBe(412);
    expect((await send("/home", { "highlights/0": "" })).status).toBe(303);
    expect(await read("/v1/settings")).toMatchObject({ highlights: [], name: { en: "Harbour Museum" } });
  });

  it("are refused for a pale colour, a wrong set name or an unknown record, with the reason", async () => {
    await answered(send("/look", { accent_colour: "#ffff00" }), 422, "has a contrast of");
    const bad = { "harvest_sets/0/spec": "Silver!", "harvest_sets/0/query": "q=silver" };
    await answered(send("/machines", bad), 422, "must begin with a lower-case letter");
    const nothing = await send("/home", { "highlights/0": "NO.SUCH" });
    const text = await nothing.text();
    expect([nothing.status, text]).toEqual([422, expect.stringContaining('value="NO.SUCH"')]);
    expect(text).toContain("no record has the number or name &quot;NO.SUCH&quot;");
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`highlights/${n}`, "S.1"]));
    expect((await send("/home", many)).status).toBe(422);
  });

  it("accept a picture as the logo, but no SVG, together with the name or not at all", async () => {
    const sendLogo = (bytes: Uint8Array<ArrayBuffer>, name: string) => {
      const body = new FormData();
      body.append("name/en", name);
      body.append("name/de", "");
      body.append("file", new File([bytes], "logo.png", { type: "image/png" }));
      return admin.sendFile(`/admin/settings?_csrf=${admin.csrf}`, body);
    };
    const picture = await sharp({ create: { width: 60, height: 20, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    expect((await sendLogo(new Uint8Array(picture), "Silver Museum")).status).toBe(303);
    const changed = { logo: { width: 60, height: 20 }, name: { en: "Silver Museum" } };
    expect(await read("/v1/settings")).toMatchObject(changed);
    await answered(
      sendLogo(new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>"), "Other"),
      415,
      /SVG[\s\S]*value="Other"/,
    );
    expect(await read("/v1/settings")).toMatchObject(changed);
    expect((await admin.send("/admin/settings/logo/remove", {})).status).toBe(303);
    expect(await read("/v1/settings")).toMatchObject({ logo: null });
  });
});

describe("jobs", () => {
  it("are requested, cancelled and queued again", async () => {
    const requested = await admin.send("/admin/jobs/reindex", {});
    const address = requested.headers.get("Location")!;
    expect([requested.status, address]).toEqual([
      303,
      expect.stringMatching(/^\/admin\/jobs\/[0-9a-f-]{36}$/),
    ]);
    const page = await admin.text(address);
    expect(page).toContain("waiting");
    expect(page).toContain("data-live");
    expect(await admin.text("/admin/jobs?kind=reindex&state=queued")).toContain(address);
    expect((await admin.send(`${address}/cancel`, {})).status).toBe(303);
    expect(await read(`/v1${address.slice("/admin".length)}`)).toMatchObject({ state: "cancelled" });
    expect((await admin.send(`${address}/retry`, {})).status).toBe(303);
    expect((await viewer.get(address)).status).toBe(403);
    expect((await viewer.send(`${address}/cancel`, {})).status).toBe(403);
    expect((await admin.send("/admin/jobs/rebuild", {})).status).toBe(409);
    await admin.send(`${address}/cancel`, {});
  });

  it("say in the reader's language why they failed", async () => {
    const { sql } = museum.services;
    const { job } = await enqueueJob(sql, { kind: "housekeeping", createdBy: null });
    const reason = toldText(said("problem.starter.account"));
    await sql`update jobs set state = 'failed', reason = ${reason}, finished_at = now() where id = ${job.id}`;
    const german = await staffBrowser(museum, "admin", "de");
    expect(await german.text(`/admin/jobs/${job.id}`)).toContain("ist nicht mehr gültig");
    await answered(
      german.send(`/admin/jobs/${job.id}/cancel`, {}),
      409,
      "Die Aufgabe ist schon beendet (fehlgeschlagen)",
    );
  });
});

describe("what came of a job", () => {
  it("has a word for each fact, and no names of the program", async () => {
    const { sql } = museum.services;
    const { job } = await enqueueJob(sql, {
      kind: "import-undo",
      createdBy: null,
      params: { record_type: "object", on_behalf: { key: null } },
    });
    await sql`update jobs set state = 'done', finished_at = now(), result = ${sql.json({ trashed: 3, links: 0, dry_run: false, named: [] })} where id = ${job.id}`;
    const page = await (await staffBrowser(museum, "superuser", "de")).text(`/admin/jobs/${job.id}`);
    expect(page).toContain("<dt>In den Papierkorb gelegt</dt><dd>3</dd>");
    expect(page).toContain("<dt>Art</dt><dd>Objekte</dd>");
    expect(page).not.toMatch(/dry.run|on.behalf|<code>/);
  });
});

describe("backups", () => {
  it("are listed and made by administrators, and downloaded only by a superuser", async () => {
    const { database } = await makeBackup(museum.services, { media: false });
    const address = `/admin/backups/${database.name}`;
    expect(await head.text("/admin/backups")).toContain(`href="${address}"`);
    expect(await admin.text("/admin/backups")).not.toContain(`href="${address}"`);
    expect((await admin.get(address)).status).toBe(403);
    const file = new Uint8Array(await (await head.get(address)).arrayBuffer());
    expect([file.byteLength, file[0], file[1]]).toEqual([database.bytes, 0x1f, 0x8b]);
    const opened = vi.spyOn(museum.services.backups, "open");
    const about = await museum.ask(address, { method: "HEAD", headers: { Cookie: head.cookie } });
    expect([about.status, about.headers.get("Content-Length")]).toEqual([200, `${database.bytes}`]);
    const { content } = (await opened.mock.results[0]!.value)!;
    opened.mockRestore();
    // the file is closed again
    expect((await content.getReader().read()).done).toBe(true);
    for (const name of ["..%2F..%2Fetc%2Fpasswd", `${database.name}.sha256`, "db_1.sql.gz"]) {
      expect([name, (await head.get(`/admin/backups/${name}`)).status]).toEqual([name, 404]);
    }
    const requested = await admin.send("/admin/backups", {});
    expect([requested.status, requested.headers.get("Location")]).toEqual([
      303,
      expect.stringMatching(/^\/admin\/jobs\//),
    ]);
    await admin.send(`${requested.headers.get("Location")}/cancel`, {});
  });

  it("are tested by a job, and the list shows the result", async () => {
    const { database } = await makeBackup(museum.services, { media: false });
    expect(await admin.text("/admin/backups")).toContain("not checked recently");
    const requested = await admin.send(`/admin/backups/${database.name}/verify`, {});
    const [, id] = /^\/admin\/jobs\/(.+)$/.exec(requested.headers.get("Location")!)!;
    const { state, title } = (await read(`/v1/jobs/${id}`)) as Record<string, unknown>;
    expect([state, title]).toEqual(["queued", expect.stringContaining("Test a backup")]);
    expect(await admin.text("/admin/backups")).toContain("being checked");
    // while the job waits, another click leads to the same job
    const again = await admin.send(`/admin/backups/${database.name}/verify`, {});
    expect(again.headers.get("Location")).toBe(requested.headers.get("Location"));
    await museum.services.sql`update jobs set state = 'failed', finished_at = now() where id = ${id!}`;
    expect(await admin.text("/admin/backups")).toContain("Cannot be restored");
    for (const name of ["db_1.sql.gz", database.name.replace("db_", "media_").replace("sql", "tar")])
      expect((await admin.send(`/admin/backups/${name}/verify`, {})).status).toBe(404);
    expect((await viewer.send(`/admin/backups/${database.name}/verify`, {})).status).toBe(403);
  });
});

describe("a configuration file", () => {
  const send = (text: string, by = head) =>
    by.sendFile(`/admin/configuration?_csrf=${by.csrf}`, fileOf(text));

  it("is exported, and imported by a superuser after a preview of every step", async () => {
    const text = await admin.text("/admin/configuration/file");
    const file = JSON.parse(text) as { settings: Record<string, unknown>; roles: object[] };
    const same = await send(text);
    expect(same.status).toBe(303);
    expect(await head.text(same.headers.get("Location")!)).toContain("Nothing to do");

    file.settings.name = { en: "Sternhöft" };
    file.roles.push({ name: "packer", label: { en: "Packer" }, permissions: { records: {}, features: [] } });
    const address = (await send(JSON.stringify(file))).headers.get("Location")!;
    const plan = await head.text(address);
    expect(plan).toMatch(
      /Add<\/td>\s*<td>role Packer <code>packer<\/code>[\s\S]*Change<\/td>\s*<td>settings/,
    );
    const german = await staffBrowser(museum, "superuser", "de");
    const there = (await send(JSON.stringify(file), german)).headers.get("Location")!;
    expect(await german.text(there)).toMatch(
      /<td>Rolle Packer <code>packer<\/code>[\s\S]*<td>Einstellungen<\/td>\s*<td>Name des Museums/,
    );
    expect(await read("/v1/settings")).not.toMatchObject({ name: { en: "Sternhöft" } });
    expect((await head.send(address, {})).headers.get("Location")).toBe("/admin/configuration");
    expect(await read("/v1/settings")).toMatchObject({ name: { en: "Sternhöft" } });
    expect(await admin.text("/admin/security?event=role_created")).toMatch(/superuser-\d+@[\s\S]*packer/);
  });

  it("changes nothing if one of its steps cannot be done", async () => {
    const file = JSON.parse(await admin.text("/admin/configuration/file")) as { fields: { name: string }[] };
    file.fields.find(({ name }) => name === "title")!.name = "title__";
    const address = (await send(JSON.stringify(file))).headers.get("Location")!;
    const plan = await head.text(`${address}?remove=yes`);
    expect(plan).toContain("cannot be done");
    expect(plan).not.toContain("Apply all steps");
    expect((await head.send(address, { remove: "yes" })).status).toBe(200);
    expect(await admin.text("/admin/configuration/file")).not.toContain("title__");
  });

  it("is refused if it is invalid, and to anybody but a superuser", async () => {
    for (const text of ["{}", "no JSON", '{"format":"svc-configuration","version":9}'])
      expect([text, (await send(text)).status]).toEqual([text, 422]);
    const german = await staffBrowser(museum, "superuser", "de");
    const empty = await answered(send("{}", german), 422, "Die Datei ist keine Konfigurationsdatei:");
    expect(empty).toContain("<li>/format: ");
    const broken = await (await send('{"format" 1}', german)).text();
    expect(broken).toContain("<li>Der Inhalt ist kein gültiges JSON (Zeile 1, Spalte 11)</li>");
    const text = await admin.text("/admin/configuration/file");
    expect((await send(text, admin)).status).toBe(403);
    expect(await admin.text("/admin/configuration")).toContain("Only a superuser");
    const address = (await send(text)).headers.get("Location")!;
    expect((await admin.get(address)).status).toBe(403);
    expect((await viewer.get("/admin/configuration")).status).toBe(403);
  });
});

describe("security events", () => {
  it("name who did what to whom, in the reader's language", async () => {
    const page = await admin.text("/admin/security?event=role_created");
    expect(page).toContain("volunteer");
    expect(page).toMatch(/admin-\d+@example\.org/);
    expect(await admin.text("/admin/security?lang=de")).toContain("Rolle gelöscht");
  });
});

it("everybody can change their own display name, on the page and over the API; an API key cannot", async () => {
  expect((await viewer.send("/admin/account/name", { display_name: "Vera <V>" })).status).toBe(303);
  expect(await viewer.text("/admin/account")).toContain("Vera &lt;V&gt;");
  await answered(
    viewer.send("/admin/account/name", { display_name: "a\u202eb" }),
    422,
    "changes the direction",
  );
  const jo = await museum.as("viewer");
  const named = await jo("/v1/auth/me", { method: "PATCH", json: { display_name: " Jo " } });
  expect([named.status, await named.json()]).toMatchObject([200, { display_name: "Jo", role: "viewer" }]);
  expect(await (await jo("/v1/auth/me")).json()).toMatchObject({ display_name: "Jo" });
  expect((await jo("/v1/auth/me", { method: "PATCH", json: { role: "admin" } })).status).toBe(422);
  const form = { name: "robot", "permissions/records:read": "yes", permissions: "records:read" };
  const made = await viewer.send("/admin/account/keys", form);
  const headers = { "X-API-Key": /<code class="secret">([^<]+)</.exec(await made.text())![1]! };
  const renaming = { method: "PATCH", headers, json: { display_name: "Robot" } };
  expect((await museum.ask("/v1/auth/me", renaming)).status).toBe(403);
});
