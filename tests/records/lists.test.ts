import { describe, expect, it } from "vitest";
import { KINDS, kinds } from "../../src/records/kinds.ts";
import {
  create,
  createObject,
  english,
  faults,
  linksOf,
  type Page,
  patched,
  type RecordJson,
  read,
} from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

const SORTS = ["idno", "title", "created_at", "updated_at"] as const;
const ORDERS = SORTS.flatMap((by) => (["asc", "desc"] as const).map((dir) => [by, dir] as const));

describe.each(databases)("lists in the %s database", async (database) => {
  const museum = await museumHere({ database, demo: true });
  const editor = await museum.as("editor");

  const list = (query = "", ask = editor) => read<Page>(ask(`/v1/objects?${query}`));
  const ids = (page: Page) => page.items.map((item) => item.id);

  /** Reads all pages by their next links. */
  async function walk(
    start: string,
    ask = editor,
    between: (page: Page) => Promise<unknown> = async () => undefined,
  ) {
    const pages: Page[] = [];
    for (let next: string | undefined = start; next !== undefined; ) {
      const answer: Response = await ask(next);
      const page = await read<Page>(answer);
      pages.push(page);
      next = linksOf(answer).next;
      expect(pages.length, "pages without end").toBeLessThan(500);
      await between(page);
    }
    return pages;
  }

  describe("pages of a list", () => {
    it("the demo museum has 120 objects for staff and 91 for visitors", async () => {
      expect(await list()).toMatchObject({ total: 120, page: 1, page_size: 50 });
      expect((await list()).items).toHaveLength(50);
      expect((await list("", museum.ask)).total).toBe(91);
    });

    it("contain each record once, and nothing comes after the last page", async () => {
      const seen: string[] = [];
      for (let page = 1; page <= 4; page++) {
        const answer = await list(`page=${page}&page_size=40&sort_by=idno&sort_dir=asc`);
        expect(answer).toMatchObject({ total: 120, page, page_size: 40 });
        seen.push(...ids(answer));
      }
      expect(seen).toHaveLength(120);
      expect(new Set(seen).size).toBe(120);
      expect(await list("page=1000000000&page_size=200")).toMatchObject({ total: 120, items: [] });
    });

    it("link to first, prev, next and last with the same filters", async () => {
      const start = "/v1/objects?page_size=25&sort_by=idno&sort_dir=asc&status=public&q=%C3%B6&page=2";
      const answer = await editor(start);
      const page = await read<Page>(answer);
      const links = linksOf(answer);
      expect(Object.keys(links)).toEqual(["first", "prev", "next", "last"]);
      const last = Math.ceil(page.total / 25);
      expect(last).toBeGreaterThan(2);
      for (const [rel, number] of [
        ["first", 1],
        ["prev", 1],
        ["next", 3],
        ["last", last],
      ] as const) {
        const there = await read<Page>(editor(links[rel]!));
        const direct = await list(`page_size=25&sort_by=idno&sort_dir=asc&status=public&q=ö&page=${number}`);
        expect(there).toEqual(direct);
        expect(there.page).toBe(number);
      }
    });

    it("have no next link on the last page, no prev on the first, and neither if the list is empty", async () => {
      const lone = linksOf(await editor("/v1/objects?page_size=200"));
      expect(Object.keys(lone)).toEqual(["first", "last"]);
      const empty = linksOf(await editor("/v1/objects?idno=nothing"));
      expect(Object.keys(empty)).toEqual(["first", "last"]);
      const beyond = linksOf(await editor("/v1/objects?page=99"));
      expect(beyond.prev).toContain("page=3");
    });

    it("keep the prefix of the request in their links", async () => {
      const answer = await editor("/api/v1/objects?page_size=1");
      for (const target of Object.values(linksOf(answer))) {
        expect(target).toMatch(/^\/api\/v1\/objects\?/);
        expect((await read<Page>(editor(target))).items).toHaveLength(1);
      }
    });
  });

  describe("the order of a list", () => {
    const value = (record: RecordJson, by: (typeof SORTS)[number]) => String(record[by]);

    it.each(ORDERS)("by %s %s is total: each page continues where the one before ended", async (by, dir) => {
      const query = `sort_by=${by}&sort_dir=${dir}`;
      const complete = ids(await list(`${query}&page_size=200`));
      const walked = (await walk(`/v1/objects?${query}&page_size=7`)).flatMap(ids);
      expect(walked).toEqual(complete);
      expect(new Set(walked).size).toBe(120);
      const opposite = dir === "asc" ? "desc" : "asc";
      expect(ids(await list(`sort_by=${by}&sort_dir=${opposite}&page_size=200`))).toEqual(
        complete.toReversed(),
      );
    });

    it.each(["idno", "created_at", "updated_at"] as const)("by %s is that of the values", async (by) => {
      const { items } = await list(`sort_by=${by}&sort_dir=asc&page_size=200`);
      const values = items.map((item) => value(item, by));
      expect(values).toEqual([...values].sort());
      expect(values[0]! <= values.at(-1)!).toBe(true);
    });

    it("is by default that of changes, the newest first", async () => {
      const { id } = (await list("page=2")).items[3]!;
      await patched(editor, `/v1/objects/${id}`, { metadata_: { edition: english("x") } });
      expect((await list()).items[0]!.id).toBe(id);
    });

    it("by title ignores case, accents and quotation marks, and sorts numbers by value", async () => {
      const titles = "Zebra 10,zebra 2,Ärmel,apfel,Órgano,oboe,Łódź,Zebra 2b,“Quoted”".split(",");
      for (const title of titles)
        await create(editor, "entity", { entity_type: "group", metadata_: { name: english(title) } });
      const path = "/v1/entities?sort_by=title&sort_dir=asc&entity_type=group&updated_since=2026-01-01";
      const { items } = await read<Page>(editor(`${path}&page_size=200`));
      const shown = items
        .map((item) => item.metadata_.name![0]!.value)
        .filter((name) => titles.includes(name));
      expect(shown.join()).toBe("apfel,Ärmel,Łódź,oboe,Órgano,“Quoted”,zebra 2,Zebra 2b,Zebra 10");
    });

    it("of records with the same title is that of their ids", async () => {
      const same = [];
      for (let n = 0; n < 5; n++)
        same.push(await create(editor, "occurrence", { metadata_: { title: english("Same") } }));
      const sorted = same.map((record) => record.id).sort();
      const walked = await walk("/v1/occurrences?q=same&sort_by=title&sort_dir=desc&page_size=2");
      expect(walked.flatMap(ids)).toEqual(sorted.toReversed());
    });
  });

  describe("cursors of a list", () => {
    it.each(["idno", "created_at"] as const)(
      "by %s give each record exactly once while records are edited, added and deleted",
      async (by) => {
        const before = new Set(ids(await list("page_size=200")));
        const doomed = await createObject(editor, "Doomed", { idno: `ZZZ-${by}` });
        let edits = 0;
        const walked = await walk(
          `/v1/objects?sort_by=${by}&sort_dir=asc&page_size=10`,
          editor,
          async (page) => {
            for (const id of [page.items[0]!.id, page.items.at(-1)!.id]) {
              const json = { metadata_: { edition: [{ value: `${by} ${edits++}` }] } };
              await read(editor(`/v1/objects/${id}`, { method: "PATCH", json }));
            }
            if (edits === 4) await editor(`/v1/objects/${doomed.id}`, { method: "DELETE" });
            if (edits === 6) await createObject(editor, "Late", { idno: `000-${by}` });
          },
        );
        const seen = walked.flatMap(ids);
        expect(new Set(seen).size).toBe(seen.length);
        for (const id of before) expect(seen).toContain(id);
        expect(seen).not.toContain(doomed.id);
        expect(walked.map((page) => page.page)).toEqual(walked.map((_, index) => index + 1));
        expect(new Set(walked.map((page) => page.total)).size).toBe(1);
      },
    );

    it("by oldest change miss nothing that is edited meanwhile, and show it again", async () => {
      const [first] = (await list("sort_by=updated_at&sort_dir=asc&page_size=1")).items;
      const before = ids(await list("page_size=200"));
      let edited = false;
      const walked = await walk(
        "/v1/objects?sort_by=updated_at&sort_dir=asc&page_size=20",
        editor,
        async () => {
          if (edited) return;
          edited = true;
          await read(editor(`/v1/objects/${first!.id}`, { method: "PATCH", json: { idno: "Edited 1" } }));
        },
      );
      const seen = walked.flatMap(ids);
      for (const id of before) expect(seen).toContain(id);
      expect(seen.filter((id) => id === first!.id)).toHaveLength(2);
    });

    it.each([
      ["updated_at", "desc", (n: number) => ({ metadata_: { edition: english(String(n)) } })],
      ["title", "asc", () => ({ metadata_: { title: english(`AAA ${Math.random()}`) } })],
      ["idno", "desc", (n: number) => ({ idno: `ZZ-${Date.now()}-${n}` })],
    ] as const)(
      "by %s %s end with records that were moved out of their reach meanwhile",
      async (by, dir, change) => {
        const before = ids(await list("page_size=200"));
        const order = ids(await list(`sort_by=${by}&sort_dir=${dir}&page_size=200`));
        // all of them would be missed: they move to where the cursor has already been
        const moved = order.slice(-3);
        const walked = await walk(
          `/v1/objects?sort_by=${by}&sort_dir=${dir}&page_size=25`,
          editor,
          async (page) => {
            if (page.page !== 1) return;
            for (const [n, id] of moved.entries())
              await read(editor(`/v1/objects/${id}`, { method: "PATCH", json: change(n) }));
          },
        );
        const seen = walked.flatMap(ids);
        expect(before.filter((id) => !seen.includes(id))).toEqual([]);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.slice(-3)).toEqual(moved);
      },
    );

    // the embedded database has one session, so no request is answered while another one's transaction is open
    const amongSessions = database === "external" ? it : () => undefined;
    amongSessions(
      "end with what was changed by a transaction that was still open when they began",
      async () => {
        const [last] = (await list("sort_by=updated_at&sort_dir=asc&page_size=1")).items;
        const pages: Page[] = [];
        const answer = await museum.services.sql.begin(async (tx) => {
          await tx`update records set updated_at = clock_timestamp() where id = ${last!.id}`;
          return editor("/v1/objects?page_size=100");
        });
        const page = await read<Page>(answer);
        pages.push(page, ...(await walk(linksOf(answer).next!)));
        expect(pages.flatMap(ids)).toContain(last!.id);
      },
    );

    const nextOf = async (path: string, ask = editor) =>
      new URL(linksOf(await ask(path)).next!, "http://museum");
    const placeIn = (url: URL) => url.searchParams.get("cursor")!.split(".") as [string, string];

    it("are refused if they were forged", async () => {
      const url = await nextOf("/v1/objects?page_size=2");
      const [place, mac] = placeIn(url);
      const parts = JSON.parse(Buffer.from(place, "base64url").toString()) as unknown[];
      const changed = [parts.with(3, 7), parts.with(2, 9), parts.with(1, crypto.randomUUID())];
      for (const each of [...changed, parts.with(0, "x"), []]) {
        const text = Buffer.from(JSON.stringify(each)).toString("base64url");
        for (const end of [`.${mac}`, "", ".", `.${text}`, `.${mac}.${mac}x`]) {
          const cursor = text + end;
          url.searchParams.set("cursor", cursor);
          expect(await faults(editor(`${url.pathname}${url.search}`)), cursor).toEqual(["query:cursor"]);
        }
      }
      url.searchParams.set("cursor", `${place}.${mac}`);
      expect(await read<Page>(editor(`${url.pathname}${url.search}`))).toMatchObject({ page: 2 });
    });

    it.each([
      ["another filter", "/v1/objects?page_size=2&status=draft"],
      ["one filter less", "/v1/objects?page_size=2&q="],
      ["another order", "/v1/objects?page_size=2&status=public&sort_by=title"],
      ["another direction", "/v1/objects?page_size=2&status=public&sort_dir=asc"],
      ["other pages", "/v1/objects?page_size=3&status=public"],
      ["another kind", "/v1/entities?page_size=2&status=public"],
      ["the trash", "/v1/objects/trash?page_size=2&status=public"],
    ])("are refused in a list with %s", async (_what, other) => {
      const url = await nextOf("/v1/objects?page_size=2&status=public");
      const cursor = `&cursor=${url.searchParams.get("cursor")}`;
      expect((await editor(`/v1/objects?status=public&page_size=2&sort_dir=desc${cursor}`)).status).toBe(200);
      expect(await faults(editor(`${other}${cursor}`))).toEqual(["query:cursor"]);
    });

    it("of staff do not reveal to visitors how many records there are", async () => {
      const { pathname, search } = await nextOf("/v1/objects?page_size=2");
      expect(await faults(museum.ask(`${pathname}${search}`))).toEqual(["query:cursor"]);
      const own = await nextOf("/v1/objects?page_size=2", museum.ask);
      expect((await museum.ask(`${own.pathname}${own.search}`)).status).toBe(200);
    });

    it("are refused together with a page number", async () => {
      const { pathname, search } = await nextOf("/v1/objects?page_size=2");
      for (const page of [1, 2]) {
        const answer = await editor(`${pathname}${search}&page=${page}`);
        expect(await faults(answer)).toEqual(["query:page", "query:cursor"]);
      }
    });

    it.each(["x", "%%%", "é", "AAAA", "e30", ".", "e30.e30", "W10.AAAA", "", "a".repeat(3_000)])(
      "that are %s are refused",
      async (cursor) => {
        expect(await faults(editor(`/v1/objects?cursor=${encodeURIComponent(cursor)}`))).toEqual([
          "query:cursor",
        ]);
      },
    );
  });

  describe("filters of a list", () => {
    it.each([
      ["status=draft", (item: RecordJson) => item.status === "draft", 13],
      ["status=internal", (item: RecordJson) => item.status === "internal", 16],
      ["object_type=coin", (item: RecordJson) => item.object_type === "coin", 4],
      ["collection_status=on_loan_out", (item: RecordJson) => item.collection_status === "on_loan_out", 3],
      ["status=public&object_type=painting", (item: RecordJson) => item.object_type === "painting", 7],
      ["idno=OBJ-000001", (item: RecordJson) => item.idno === "OBJ-000001", 1],
      ["object_type=other&status=public&idno=OBJ-none", () => false, 0],
    ])("find records by %s", async (query, fits, atLeast) => {
      const page = await list(`${query}&page_size=200`);
      expect(page.items.every(fits)).toBe(true);
      expect(page.total).toBe(page.items.length);
      expect(page.total).toBeGreaterThanOrEqual(atLeast);
      expect(page.total).toBeLessThan(120);
    });

    const all = async (query: string) => (await list(`${query}&page_size=200`)).items;

    it("take several values, separated by commas or repeated", async () => {
      const either = [...(await all("status=draft")), ...(await all("status=internal"))]
        .map(({ id }) => id)
        .sort();
      for (const query of ["status=draft,internal", "status=draft&status=internal"])
        expect((await all(query)).map(({ id }) => id).sort()).toEqual(either);
      const types = (await all("object_type=coin,painting")).map((item) => item.object_type);
      expect(new Set(types)).toEqual(new Set(["coin", "painting"]));
      const away = await all("collection_status=on_loan_out,pending");
      expect(new Set(away.map((item) => item.collection_status)).has("on_loan_out")).toBe(true);
      expect(await faults(editor("/v1/objects?object_type=coin,coyn"))).toEqual(["query:object_type"]);
      expect(await faults(editor("/v1/objects?status=draft,secret"))).toEqual(["query:status"]);
    });

    it("by ids find those records that the caller may see", async () => {
      const drafts = (await all("status=draft")).slice(0, 2).map(({ id }) => id);
      const [open] = (await all("status=public")).map(({ id }) => id);
      const requested = [...drafts, open, crypto.randomUUID()].join(",");
      expect(ids(await list(`ids=${requested}`)).sort()).toEqual([...drafts, open].sort());
      expect(ids(await list(`ids=${requested}`, museum.ask))).toEqual([open]);
      expect(await faults(editor("/v1/objects?ids=OBJ-000001"))).toEqual(["query:ids"]);
    });

    it("by meta_<field> find the same as a search for the value, narrower terms included", async () => {
      const hits = await read<{ items: { id: string }[] }>(
        editor("/v1/search?type=object&meta_material=canvas&meta_material=paper&page_size=100"),
      );
      const listed = await all("meta_material=canvas&meta_material=paper");
      expect(listed.length).toBeGreaterThan(3);
      expect(listed.map(({ id }) => id).sort()).toEqual(hits.items.map(({ id }) => id).sort());
      expect(await all("meta_material=canvas&meta_title=nothing")).toEqual([]);
      expect(await faults(editor("/v1/objects?meta_titel=x&colour=red&page=0"))).toEqual([
        "query:page",
        "query:colour",
      ]);
      const answer = await editor("/v1/objects?meta_titel=x");
      const detail = 'there is no field "titel"; did you mean "title"?';
      expect((await answer.json()).errors).toEqual([
        { pointer: "query:meta_titel", detail, code: "field.unknown" },
      ]);
    });

    it("do not let visitors search a field that is not public", async () => {
      expect(await faults(museum.ask("/v1/objects?meta_internal_note=x"))).toEqual([
        "query:meta_internal_note",
      ]);
      expect((await editor("/v1/objects?meta_internal_note=x")).status).toBe(200);
    });

    it.each(KINDS)("refuse an unknown subtype, and name the known ones: %s", async (kind) => {
      const { plural, subtypeKey } = kinds[kind];
      const { items } = await read<{ items: { name: string }[] }>(editor(`/v1/subtypes/${kind}`));
      const there = items.map(({ name }) => name).join(", ");
      for (const name of ["nix", ""]) {
        const answer = await editor(`/v1/${plural}?${subtypeKey}=${name}`);
        expect(answer.status).toBe(422);
        const detail = `${JSON.stringify(name)} is not a valid ${subtypeKey}; choose one of: ${there}`;
        expect((await answer.json()).errors).toEqual([
          { pointer: `query:${subtypeKey}`, detail, code: "subtype.unknown" },
        ]);
      }
      expect((await editor(`/v1/${plural}?${subtypeKey}=${items.at(-1)!.name}`)).status).toBe(200);
    });

    it("do not reveal to visitors the subtypes of storage locations", async () => {
      const answer = await museum.ask("/v1/storage-locations?storage_location_type=nix");
      expect([answer.status, (await answer.json()).total]).toEqual([200, 0]);
    });

    it("by q find a part of the number or title, whatever the case and accents", async () => {
      const idno = "Q_100%-\\x";
      const { id } = await createObject(editor, "Straße am Hafen, 2. Fassung 1907", { idno });
      const parts = ["strasse", "STRAßE AM", "am hafen", "fassung 1907", "2. Fassung", "hafen, 2", "02 fass"];
      for (const q of [...parts, "q_100%-\\X", "q–100", "%-"]) {
        expect(ids(await list(`q=${encodeURIComponent(q)}`)), q).toContain(id);
      }
      for (const q of ["strasse hafen", "fassung 1908", "QX100", `${idno}z`, "2 fassung 07"]) {
        expect(ids(await list(`q=${encodeURIComponent(q)}`)), q).not.toContain(id);
      }
      expect((await list("q=%25")).total).toBe(1);
    });

    it("by q with a number that has zeros before it find that one, not those that begin so", async () => {
      const [one, longer] = [
        await createObject(editor, "Dredger", { idno: "DR-000007" }),
        await createObject(editor, "Dredger", { idno: "DR-000072" }),
      ];
      expect(ids(await list("q=DR-000007"))).toEqual([one.id]);
      expect(ids(await list("q=dr%2007"))).toEqual([one.id]);
      expect(ids(await list("q=dr-7")).sort()).toEqual([one.id, longer.id].sort());
    });

    it("by updated_since take days, times and offsets, to the microsecond", async () => {
      const { id, updated_at } = await createObject(editor, "Newest");
      const since = async (text: string) =>
        ids(await list(`page_size=200&updated_since=${encodeURIComponent(text)}`));
      expect(await since(updated_at)).toEqual([id]);
      expect(await since(`${updated_at}Z`)).toEqual([id]);
      const later = `${updated_at.slice(0, -6)}${String(Number(updated_at.slice(-6)) + 1).padStart(6, "0")}`;
      if (!updated_at.endsWith("999999")) expect(await since(later)).toEqual([]);
      const east = new Date(`${updated_at.slice(0, 19)}Z`);
      east.setUTCHours(east.getUTCHours() + 2);
      expect(await since(`${east.toISOString().slice(0, 19)}+02:00`)).toContain(id);
      expect(await since(`${east.toISOString().slice(0, 19)}+00:00`)).toEqual([]);
      expect(await since("2000-01-01")).toHaveLength((await list()).total);
    });

    it.each("0000-01-01,2026-02-30,yesterday,2026-01-01T00:00:00+23:00,2026-01-01T25:00:00,".split(","))(
      "refuse updated_since=%s",
      async (text) => {
        const path = `/v1/objects?updated_since=${encodeURIComponent(text)}`;
        expect(await faults(editor(path))).toEqual(["query:updated_since"]);
      },
    );

    it.each([
      ..."page=0 page=-1 page=1.5 page=x page= page=1e12 page_size=0 page_size=201 page_size=1e9".split(" "),
      ..."page=1&page=2 sort_by=id sort_dir=up status=secret collection_status=lost unknown=1".split(" "),
      ...["entity_type=person", `q=${"x".repeat(501)}`],
    ])("refuse %s", async (query) => {
      expect(await faults(editor(`/v1/objects?${query}`))).toEqual([`query:${query.split("=")[0]}`]);
    });
  });
});
