import { beforeAll, describe, expect, it } from "vitest";
import { KINDS, kinds } from "../../src/records/kinds.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { inLong } from "../support/lane/lane.ts";
import {
  create,
  createObject,
  type Found,
  faults,
  linksOf,
  type Page,
  read,
  samples,
} from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, quickest } from "../support/museum/museum.ts";

/** What the demo museum keeps private (support/museum/marked.ts). */
const CODE_WORDS = ["KESTREL", "OSPREY", "MERLIN", "HARRIER", "PEREGRINE", "GOSHAWK", "WRYNECK", "FULMAR"];
const PRIVATE: [string, string][] = [
  ["object", "internal_note"],
  ["object", "condition_note"],
  ["object", "insurance_value"],
  ["object", "current_location_note"],
  ["procedure", "note"],
];
type Relations = Page<{ id: string; to_id: string; relation_type: string; to_type: string }>;

describe.each(databases)("visibility in the %s database", async (database) => {
  const museum = await museumHere({ database, demo: "with media" });
  const editor = await museum.as("editor");
  const visitor = museum.ask;
  const hidden = await museum.services.sql<
    { id: string; idno: string; title: string; record_type: string }[]
  >`
    select id, idno, title, record_type from records where status <> 'public' or record_type = 'storage_location'`;
  const hiddenMedia = await museum.services.sql<{ id: string }[]>`
    select m.id from object_media m join records r on r.id = m.object_id
    where m.visibility <> 'public' or r.status <> 'public'`;

  /**
   * Everything that somebody can read of the records: every page of every list, every record, medium, relation and
   * search.
   */
  async function everything(ask: Ask): Promise<string[]> {
    const texts: string[] = [];
    const open = async <T>(path: string): Promise<[T, Response]> => {
      const answer = await ask(path);
      const text = await answer.clone().text();
      expect(answer.status, `${path}: ${text.slice(0, 200)}`).toBe(200);
      texts.push(text, JSON.stringify([...answer.headers]));
      return [JSON.parse(text), answer];
    };
    for (const { plural } of Object.values(kinds)) {
      for (let next: string | undefined = `/v1/${plural}?page_size=40&sort_by=idno&sort_dir=asc`; next; ) {
        const [page, answer]: [Page, Response] = await open<Page>(next);
        next = linksOf(answer).next;
        for (const { id } of page.items) {
          await open(`/v1/${plural}/${id}`);
          await open(`/v1/${plural}/${id}?include=title,relations,version,media`);
          if (plural === "objects") {
            await open(`/v1/objects/${id}/media?page_size=200`);
            const manifest = await ask(`/v1/objects/${id}/iiif/manifest`);
            if (manifest.status !== 404) texts.push(await manifest.text());
          }
          const [relations] = await open<Relations>(`/v1/${plural}/${id}/relations?page_size=200`);
          expect(relations.items).toHaveLength(relations.total);
          for (const relation of relations.items.slice(0, 3)) {
            await open(`/v1/${plural}/${id}/relations/${relation.id}`);
          }
        }
      }
    }
    for (const path of ["/v1/search", "/portal/v1/search"]) {
      for (let page = 1, seen = 0, total = 1; seen < total; page++) {
        const [found] = await open<Found>(`${path}?page=${page}&page_size=100&facets=description`);
        total = found.total;
        seen += found.items.length;
        expect(found.items.length).toBeGreaterThan(0);
      }
    }
    return texts;
  }

  describe.each(database === quickest ? ["everything"] : [])("a visitor who reads %s", () => {
    let texts: string;

    beforeAll(async () => {
      texts = (await everything(visitor)).join("\n");
    });

    it("finds none of the code words", () => {
      expect(CODE_WORDS.filter((word) => texts.includes(word))).toEqual([]);
    });

    inLong(it)("would find all of the code words as staff", async () => {
      const staff = (await everything(editor)).join("\n");
      expect(CODE_WORDS.filter((word) => staff.includes(word))).toEqual(CODE_WORDS);
    });

    it("finds no id of a record that is not public", () => {
      expect(hidden.length).toBeGreaterThan(100);
      expect(hidden.filter(({ id }) => texts.includes(id))).toEqual([]);
      expect(hiddenMedia.length).toBeGreaterThan(1);
      expect(hiddenMedia.filter(({ id }) => texts.includes(id))).toEqual([]);
      const titles = hidden.filter(
        ({ title, record_type }) =>
          record_type !== "storage_location" &&
          title.length > 12 &&
          texts.includes(JSON.stringify(title).slice(1, -1)),
      );
      expect(titles.map(({ title }) => title)).toEqual([]);
    });

    it("finds no private field, no private relation and no status but public", () => {
      for (const [, field] of PRIVATE.slice(0, 4)) expect(texts).not.toContain(`"${field}"`);
      expect(texts).not.toMatch(/stored_at|"stores"|storage_location/);
      expect(texts).not.toMatch(/"status":"(draft|internal)"/);
      expect(texts).toContain('"status":"public"');
    });
  });

  describe("a visitor's search", () => {
    const search = (query: string, ask = visitor, path = "/v1/search") =>
      read<Found>(ask(`${path}?${query}`));

    it.each(CODE_WORDS)("finds nothing by %s, which staff find", async (word) => {
      for (const q of [
        word,
        word.toLowerCase(),
        `"${word}"`,
        `${word.slice(0, -1)}*`,
        `${word.slice(0, 4)}*`,
      ]) {
        for (const path of ["/v1/search", "/portal/v1/search"]) {
          const found = await search(`q=${encodeURIComponent(q)}&page_size=100`, visitor, path);
          const ids = new Set(found.items.map(({ id }) => id));
          expect(hidden.filter(({ id }) => ids.has(id))).toEqual([]);
          // a plain word may be corrected to a similar public one
          if (q.toLowerCase() !== word.toLowerCase() && !q.endsWith(`${word.slice(0, 4)}*`))
            expect(found, q).toMatchObject({ total: 0, items: [] });
          const answer = await visitor(`${path}?q=${encodeURIComponent(q)}`);
          expect(answer.headers.get("x-search-suggestion")?.toLowerCase()).not.toBe(word.toLowerCase());
        }
      }
      for (const { plural } of Object.values(kinds)) {
        expect(await read<Page>(visitor(`/v1/${plural}?q=${word}`))).toMatchObject({ total: 0, items: [] });
      }
      // storage locations and captions are not searched, and insurance values are not words
      if (!["GOSHAWK", "MERLIN", "FULMAR"].includes(word))
        expect((await search(`q=${word}`, editor)).total).toBeGreaterThan(0);
    });

    it("does not find words of staff in the portal, even if staff ask there", async () => {
      for (const word of CODE_WORDS)
        expect((await search(`q=%22${word}%22`, editor, "/portal/v1/search")).total).toBe(0);
      const all = await search("page_size=1", visitor);
      expect((await search("page_size=1", editor, "/portal/v1/search")).total).toBe(all.total);
      expect((await search("page_size=1", editor)).total).toBeGreaterThan(all.total);
    });

    it("finds nothing by the number or title of a hidden record", async () => {
      for (const { id, idno, title } of hidden.slice(0, 40)) {
        for (const q of [`"${idno}"`, `"${title.replaceAll('"', "")}"`]) {
          const { items } = await search(`q=${encodeURIComponent(q)}&page_size=100`);
          expect(items.map((item) => item.id)).not.toContain(id);
        }
      }
    });

    it("finds public records, whatever status it asks for", async () => {
      const all = await search("page_size=1");
      for (const status of ["draft", "internal", "public"]) {
        for (const path of ["/v1/search", "/portal/v1/search"]) {
          const found = await search(`status=${status}&page_size=100`, visitor, path);
          expect(found.total).toBe(all.total);
          expect(new Set(found.items.map((item) => item.status))).toEqual(new Set(["public"]));
        }
      }
      const lists = await Promise.all(
        ["draft", "internal"].map((status) => read<Page>(visitor(`/v1/objects?status=${status}`))),
      );
      expect(lists.map(({ total }) => total)).toEqual([91, 91]);
    });

    it("finds public objects with a public collection status only, while lists contain them all", async () => {
      const [row] = await museum.services.sql<{ active: number; all: number }[]>`
        select count(*) filter (where collection_status in ('active', 'on_loan_out'))::int as active, count(*)::int as all
        from records where record_type = 'object' and status = 'public'`;
      expect(row!.active).toBeLessThan(row!.all);
      expect((await search("type=object")).total).toBe(row!.active);
      expect((await read<Page>(visitor("/v1/objects"))).total).toBe(row!.all);
      expect((await search("type=object&status=public", editor)).total).toBe(row!.all);
    });

    it.each(PRIVATE)(
      "cannot filter by or count the private field %s.%s, which staff can",
      async (type, field) => {
        for (const path of ["/v1/search", "/portal/v1/search"]) {
          for (const scope of ["", `&type=${type}`]) {
            const value = encodeURIComponent("KESTREL");
            expect(await faults(visitor(`${path}?meta_${field}=${value}${scope}`))).toEqual([
              `query:meta_${field}`,
            ]);
            expect(await faults(visitor(`${path}?facets=${field}${scope}`))).toEqual(["query:facets"]);
          }
        }
        const counted = await search(`facets=${field}&type=${type}`, editor);
        const [first] = counted.facets[field]!;
        expect(
          (await search(`type=${type}&meta_${field}=${encodeURIComponent(first!.value)}`, editor)).total,
        ).toBe(first!.count);
      },
    );

    it("is refused in the same words for a private field and one that does not exist", async () => {
      const answer = async (name: string) =>
        (await (await visitor(`/v1/search?meta_${name}=x`)).text()).replaceAll(name, "NAME");
      expect(await answer("internal_note")).toBe(await answer("no_such_field"));
    });

    it("counts only public values in facets", async () => {
      const secret = "Only in a draft";
      await createObject(editor, "Hidden", {
        metadata_: { material: [{ value: secret }] },
      });
      const values = async (ask: Ask) =>
        (await search("q=hidden&facets=material", ask)).facets.material!.map(({ value }) => value);
      expect(await values(editor)).toContain(secret);
      expect(await values(visitor)).not.toContain(secret);
      expect((await search(`meta_material=${encodeURIComponent(secret)}`)).total).toBe(0);
      expect((await search(`meta_material=${encodeURIComponent(secret)}`, editor)).total).toBe(1);
    });

    it("knows no storage locations", async () => {
      expect(await faults(visitor("/v1/search?type=storage_location"))).toEqual(["query:type"]);
      expect(await read<Page>(visitor("/v1/storage-locations"))).toMatchObject({ total: 0, items: [] });
    });
  });

  describe("a field that becomes private", () => {
    it("disappears for visitors at once from records, lists and search, and their ETags change", async () => {
      const admin = await museum.as("admin");
      const provenance = [{ value: "Bought from the Quagmire estate", lang: "en" }];
      const { id, idno } = await createObject(editor, "Tide clock", {
        status: "public",
        metadata_: { provenance },
      });
      const paths = [`/v1/objects/${id}`, `/v1/objects/${id}?include=title`, `/v1/objects?idno=${idno}`];
      const tags = await Promise.all(paths.map(async (path) => (await visitor(path)).headers.get("ETag")!));
      const show = (is_public: boolean) =>
        admin("/v1/schemas/object/provenance", { method: "PATCH", json: { is_public } });
      const found = async () => (await read<Found>(visitor("/v1/search?q=quagmire"))).total;
      expect(await found()).toBe(1);

      await read(show(false));
      for (const [index, path] of paths.entries()) {
        const answer = await visitor(path, { headers: { "If-None-Match": tags[index]! } });
        expect(answer.status).toBe(200);
        expect(answer.headers.get("ETag")).not.toBe(tags[index]);
        expect(await answer.text()).not.toContain("Quagmire");
        expect(await (await editor(path)).text()).toContain("Quagmire");
      }
      expect(await faults(visitor("/v1/search?type=object&meta_provenance=x"))).toEqual([
        "query:meta_provenance",
      ]);
      // the index has not followed yet, so it must not be used for this field
      const waiting = await museum.services
        .sql`select 1 from outbox where record_id = ${id} and target = 'search'`;
      expect(waiting).toHaveLength(1);
      expect(await found()).toBe(0);
      await drainOutbox(museum.services);
      expect(await found()).toBe(0);
      expect((await read<Found>(editor("/v1/search?q=quagmire"))).total).toBe(1);

      await read(show(true));
      expect((await read(visitor(paths[0]!))).metadata_.provenance).toEqual(provenance);
      await drainOutbox(museum.services);
      expect(await found()).toBe(1);
    });
  });

  describe("a role", () => {
    const writes = (path: string, draft: object): [string, RequestInit & { json?: unknown }][] => [
      [path.replace(/\/[^/]+$/, ""), { json: draft }],
      [
        `${path.replace(/\/[^/]+$/, "")}/bulk`,
        { method: "POST", body: "{}", headers: { "Content-Type": "application/x-ndjson" } },
      ],
      [path, { method: "PUT", json: draft }],
      [path, { method: "PATCH", json: {} }],
      [path, { method: "DELETE" }],
      [`${path}/status`, { json: { status: "draft" } }],
      [`${path}/publish`, { method: "POST" }],
      [`${path}/restore`, { method: "POST" }],
      [
        `${path}/relations`,
        { json: { relation_type: "related_to", to_type: "object", to_id: crypto.randomUUID() } },
      ],
      [`${path}/relations/${crypto.randomUUID()}`, { method: "DELETE" }],
      [`${path}/history/1/restore`, { method: "POST" }],
    ];

    it.each(KINDS)("that may only read cannot change a %s", async (kind) => {
      const viewer = await museum.as("viewer");
      const { plural, draft } = samples[kind];
      const { id } = await create(editor, kind);
      const before = await read(viewer(`/v1/${plural}/${id}`));
      for (const [path, init] of writes(`/v1/${plural}/${id}`, draft)) {
        await faults(viewer(path, init), 403);
        await faults(visitor(path, init), 401);
      }
      expect(await read(viewer(`/v1/${plural}/${id}`))).toEqual(before);
    });

    it("for cataloguing can write, but neither publish nor delete", async () => {
      const cataloger = await museum.as("cataloger");
      const { id } = await createObject(cataloger, "Net float");
      const path = `/v1/objects/${id}`;
      await read(cataloger(path, { method: "PATCH", json: { collection_status: "pending" } }));
      await faults(cataloger(`${path}/publish`, { method: "POST" }), 403);
      await faults(cataloger(path, { method: "DELETE" }), 403);
      await faults(cataloger(`${path}/restore`, { method: "POST" }), 403);
      expect(await read(cataloger(path))).toMatchObject({ status: "draft", collection_status: "pending" });
    });
  });
});
