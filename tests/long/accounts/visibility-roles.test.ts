/** Roles that may not read every kind of record: they see those kinds completely, and of the rest what visitors see. */
import { beforeAll, describe, expect, it } from "vitest";
import { KINDS, type Kind, kinds } from "../../../src/records/kinds.ts";
import {
  createObject,
  english,
  type Found,
  faults,
  linksOf,
  type Page,
  read,
  withKey,
  withRole,
} from "../../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, onceFor } from "../../support/museum/museum.ts";

type Relations = Page<{ id: string; to_id: string; relation_type: string; to_type: string; to_idno: string }>;

const PUBLIC_KINDS = KINDS.filter((kind) => kind !== "storage_location");
const isOf = (kind: Kind) => (path: string) => path.startsWith(`/v1/${kinds[kind].plural}`);

describe.each(databases)("roles that may read only some kinds, in the %s database", async (database) => {
  const once = onceFor(database);
  const museum = await museumHere({ database, demo: true });
  const editor = await museum.as("editor");
  const visitor = museum.ask;
  /** Sees objects completely, and of the rest what is public. */
  let guide: Ask;
  /** Sees entities completely. */
  let genealogist: Ask;
  /** Has an account, but may read nothing. */
  let guest: Ask;
  /** A program with an editor's key that is only for media. */
  let uploader: Ask;

  beforeAll(async () => {
    guide = await withRole(museum, "guide", { object: ["read"] });
    genealogist = await withRole(museum, "genealogist", { entity: ["read", "create", "update"] });
    guest = await withRole(museum, "guest", {});
    uploader = await withKey(museum, editor, "media:write");
  });

  /** Every list, record, link and search, by address without the cursor. */
  async function everything(ask: Ask): Promise<Map<string, unknown>> {
    const all = new Map<string, unknown>();
    const open = async <T>(path: string): Promise<T> => {
      const body = await read<T>(ask(path));
      all.set(path, body);
      return body;
    };
    for (const { plural } of Object.values(kinds)) {
      const first = `/v1/${plural}?page_size=40&sort_by=idno&sort_dir=asc`;
      for (let next: string | undefined = first, n = 1; next; n++) {
        const answer: Response = await ask(next);
        next = linksOf(answer).next;
        const page = await read<Page>(answer);
        all.set(`${first}#${n}`, page);
        for (const { id } of page.items) {
          await open(`/v1/${plural}/${id}`);
          await open(`/v1/${plural}/${id}?include=title,relations,version`);
          await open(`/v1/${plural}/${id}/relations?page_size=200`);
        }
      }
      await open(`/v1/${plural}?q=the`);
    }
    for (const path of ["/v1/search", "/portal/v1/search"]) {
      for (const query of [
        "",
        "q=harbour",
        "q=lamp&type=object",
        "q=a*",
        "meta_material=oak",
        "q=-harbour",
      ]) {
        await open(`${path}?page_size=100&facets=material&${query}`);
      }
      for (const type of PUBLIC_KINDS) await open(`${path}?page_size=100&type=${type}`);
    }
    await open("/v1/schemas");
    return all;
  }

  /** Everything that visitors can read. */
  let open: Map<string, unknown> | undefined;

  once("a caller who may read nothing sees exactly what visitors see", async () => {
    open = await everything(visitor);
    expect(open.size).toBeGreaterThan(300);
    for (const ask of [guest, uploader]) expect([...(await everything(ask))]).toEqual([...open]);
  });

  once("a caller who may read objects sees them as staff do, and the rest as visitors do", async () => {
    open ??= await everything(visitor);
    const [staffView, guideView] = [await everything(editor), await everything(guide)];
    const others = [...guideView.keys()].filter(
      (path) => path.startsWith("/v1/") && !isOf("object")(path) && !path.startsWith("/v1/s"),
    );
    expect(others.length).toBeGreaterThan(100);
    for (const path of others.filter((each) => !/relations/.test(each))) {
      expect(guideView.get(path), path).toEqual(open.get(path));
    }
    const objects = [...guideView.keys()].filter((path) => isOf("object")(path) && !/relations/.test(path));
    expect(objects.length).toBeGreaterThan(100);
    for (const path of objects) expect(guideView.get(path), path).toEqual(staffView.get(path));
    // nothing that visitors can read is missing, nor any of its links
    expect([...open.keys()].filter((path) => !guideView.has(path))).toEqual([]);
    const linked = [...open].filter(([path]) => path.endsWith("/relations?page_size=200"));
    for (const [path, body] of linked) {
      const seen = (guideView.get(path) as Relations).items.map(({ id }) => id);
      expect(seen, path).toEqual(expect.arrayContaining((body as Relations).items.map(({ id }) => id)));
    }
  });

  it("links of objects lead a guide to objects, and otherwise only to what is public", async () => {
    const id = museum.demo.get("obj-lighthouse-lens")!;
    const all = await read<Relations>(editor(`/v1/objects/${id}/relations?page_size=200`));
    const seen = await read<Relations>(guide(`/v1/objects/${id}/relations?page_size=200`));
    expect(seen.total).toBe(seen.items.length);
    expect(seen.total).toBeLessThan(all.total);
    for (const { id: link, to_id, to_type } of all.items) {
      const { plural } = kinds[to_type as Kind];
      const isPublic = (await visitor(`/v1/${plural}/${to_id}`)).status === 200;
      const isSeen = to_type === "object" || isPublic;
      expect(seen.items.some((item) => item.id === link)).toBe(isSeen);
      expect((await guide(`/v1/${plural}/${to_id}`)).status).toBe(isSeen ? 200 : 404);
      expect((await guide(`/v1/objects/${id}/relations/${link}`)).status).toBe(isSeen ? 200 : 404);
    }
    await faults(guide(`/v1/procedures/${all.items[0]!.to_id}/history`), 403);
  });

  it("search counts for each kind the same as its list, and drafts only of kinds that are seen completely", async () => {
    const total = async (ask: Ask, query: string) => (await read<Found>(ask(`/v1/search?${query}`))).total;
    let sum = 0;
    for (const type of PUBLIC_KINDS) {
      const found = await total(guide, `type=${type}`);
      expect(found, type).toBe(await total(type === "object" ? editor : visitor, `type=${type}`));
      sum += found;
    }
    expect(await total(guide, "")).toBe(sum);
    for (const status of ["draft", "internal"]) {
      expect(await total(guide, `status=${status}`)).toBe(
        await total(editor, `type=object&status=${status}`),
      );
      const entities = `/v1/entities?status=${status}`;
      expect(await read<Page>(guide(entities))).toEqual(await read<Page>(visitor(entities)));
    }
    expect(await total(guide, "status=public&type=entity")).toBe(await total(visitor, "type=entity"));
    expect((await read<Page>(guide("/v1/storage-locations"))).total).toBe(0);
  });

  it("words, facets and scores tell a genealogist nothing about objects that visitors may not know", async () => {
    const secret = "Wolframite";
    const plain = { title: english("Casket of the guild"), material: [{ value: "Ebony" }] };
    const open = await createObject(editor, "", { status: "public", metadata_: plain });
    const noted = { ...plain, internal_note: english(`${secret} ${secret}, casket, casket`) };
    const close = await createObject(editor, "", { status: "public", metadata_: noted });
    const draft = { title: english("Casket, unfinished"), material: [{ value: "Ebony" }] };
    await createObject(editor, "", { metadata_: draft });
    await read(editor("/v1/entities", { json: { metadata_: { name: english("Casket, Ida") } } }), 201);
    const search = (ask: Ask, query: string) => read<Found>(ask(`/v1/search?${query}`));

    expect((await search(editor, `q=${secret}`)).total).toBe(1);
    expect((await search(genealogist, `q=${secret}`)).total).toBe(0);
    // excluding the word does not reveal the record either
    const without = await search(genealogist, `q=casket+-${secret}`);
    expect(without.items.map(({ id }) => id)).toEqual(expect.arrayContaining([open.id, close.id]));
    const found = await search(genealogist, "q=casket&facets=material");
    expect(found.total).toBe(3);
    expect(found.items.map(({ record_type }) => record_type).sort()).toEqual(["entity", "object", "object"]);
    expect(found.facets.material).toEqual([{ value: "Ebony", count: 2 }]);
    const scores = new Map(found.items.map(({ id, score }) => [id, score]));
    expect(scores.get(close.id)).toBe(scores.get(open.id));
    expect(await faults(genealogist("/v1/search?meta_internal_note=x"))).toEqual([
      "query:meta_internal_note",
    ]);
    expect((await read(genealogist(`/v1/objects/${close.id}`))).metadata_).not.toHaveProperty(
      "internal_note",
    );

    // withdrawn and not yet projected, so no word finds it any more
    await museum.services.sql`
      insert into outbox (target, record_id, version) values ('search', ${open.id}, 99)
      on conflict (target, record_id) do update set version = 99`;
    expect((await search(genealogist, "q=casket&type=object")).items.map(({ id }) => id)).toEqual([close.id]);
    expect((await search(editor, "q=casket&type=object")).total).toBe(3);
    await museum.services.sql`delete from outbox where record_id = ${open.id}`;
  });

  it("a private link between public records is for those who may read the record to which it belongs", async () => {
    const admin = await museum.as("admin");
    const type = {
      name: "valued_by",
      inverse: "valued",
      from_types: ["object"],
      to_types: ["entity"],
      label: labelled("valued by"),
      inverse_label: labelled("valued"),
      is_public: false,
    };
    await read(admin("/v1/relation-types", { json: type }), 201);
    const object = await createObject(editor, "Sea chest", { status: "public" });
    const person = { status: "public", metadata_: { name: english("Ada Thorn") } };
    const entity = await read(editor("/v1/entities", { json: person }), 201);
    const link = { relation_type: "valued_by", to_type: "entity", to_id: entity.id };
    await read(editor(`/v1/objects/${object.id}/relations`, { json: link }), 201);
    const seen = async (ask: Ask, path: string) => (await read<Relations>(ask(`${path}/relations`))).total;
    for (const [who, ask, number] of [
      ["visitor", visitor, 0],
      ["guest", guest, 0],
      ["genealogist", genealogist, 0],
      ["guide", guide, 1],
      ["editor", editor, 1],
    ] as const) {
      expect(await seen(ask, `/v1/objects/${object.id}`), who).toBe(number);
      expect(await seen(ask, `/v1/entities/${entity.id}`), who).toBe(number);
    }
    // with records:write alone, a program cannot make a link that it could not see
    const program = await withKey(museum, editor, "records:write");
    const other = await read(editor("/v1/entities", { json: person }), 201);
    const write = (relation_type: string) =>
      program(`/v1/objects/${object.id}/relations`, { json: { ...link, relation_type, to_id: other.id } });
    await faults(write("valued_by"), 403);
    await read(write("created_by"), 201);
  });

  it("a field hidden from visitors changes the ETag for a guide, too", async () => {
    const admin = await museum.as("admin");
    const person = {
      status: "public",
      metadata_: { name: english("Tove Lind"), biography: english("Drowned") },
    };
    const { id } = await read(editor("/v1/entities", { json: person }), 201);
    const before = await guide(`/v1/entities/${id}`);
    expect(await before.text()).toContain("Drowned");
    await read(admin("/v1/schemas/entity/biography", { method: "PATCH", json: { is_public: false } }));
    const headers = { "If-None-Match": before.headers.get("ETag")! };
    const after = await guide(`/v1/entities/${id}`, { headers });
    expect(after.status).toBe(200);
    expect(await after.text()).not.toContain("Drowned");
    expect(await (await genealogist(`/v1/entities/${id}`)).text()).toContain("Drowned");
  });
});

/** A label in one language. */
function labelled(text: string): Record<string, string> {
  return { en: text };
}
