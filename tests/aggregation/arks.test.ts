/** Persistent names: who gets one and when, where they lead, and that none is given twice (contract §8.4). */
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { resetCatalogue } from "../../src/adapters/database/dump/reset.ts";
import { arksBy } from "../../src/arks/mint.ts";
import { arkPath, checkCharacter, newName, readArk } from "../../src/arks/names.ts";
import type { Config } from "../../src/config/read.ts";
import { headerLine, readHeader } from "../../src/exports/format.ts";
import { load } from "../../src/exports/load.ts";
import { withReading } from "../../src/exports/read.ts";
import { KINDS } from "../../src/records/kinds.ts";
import { mintArks } from "../../workers/mint-arks.ts";
import { purgeTrash } from "../../workers/purge-trash.ts";
import { inLong } from "../support/lane/lane.ts";
import {
  bulk,
  create,
  createObject,
  english,
  linking,
  linksOf,
  type Page,
  type ProblemJson,
  type RecordJson,
  read,
  samples,
} from "../support/museum/catalogue.ts";
import {
  type Ask,
  databases,
  type Museum,
  museumHere,
  openMuseum,
  quickest,
} from "../support/museum/museum.ts";
import { openOffice } from "../support/programs/command.ts";

const NAAN = "12345";
const ON = { ARK_ENABLED: "true", ARK_NAAN: NAAN };
const FORM = /^ark:\/12345\/[0-9bcdfghjkmnpqrstvwxz]{8}$/;

describe("an ARK", () => {
  it("ends with NOID's check character", () => {
    expect(checkCharacter("13030/xf93gt2")).toBe("q");
    for (let n = 0; n < 200; n++) {
      const name = newName(NAAN, 6);
      expect(name).toMatch(/^[0-9bcdfghjkmnpqrstvwxz]{6}$/);
      expect(readArk({ naan: NAAN, name })).toEqual({ naan: NAAN, name });
    }
  });

  it("is invalid with one wrong letter, or with two letters swapped", () => {
    const [naan, name] = ["13030", "xf93gt2q"];
    for (let at = 0; at < name.length; at++) {
      for (const letter of "0123456789bcdfghjkmnpqrstvwxz") {
        const typed = name.slice(0, at) + letter + name.slice(at + 1);
        if (typed !== name) expect(readArk({ naan, name: typed }), typed).toBeNull();
      }
      const swapped =
        name.slice(0, at) +
        name
          .slice(at, at + 2)
          .split("")
          .reverse()
          .join("") +
        name.slice(at + 2);
      if (swapped !== name) expect(readArk({ naan, name: swapped }), swapped).toBeNull();
    }
  });

  it.each([
    ["13030", "XF93GT2Q"],
    ["13030", "xf93-gt2q"],
    ["13030", "xf\u2010\u201193\u00adgt\u20142q-"],
    ["130-30", "xf93gt2q"],
  ])("reads %s/%s as 13030/xf93gt2q", (naan, name) => {
    expect(readArk({ naan, name })).toEqual({ naan: "13030", name: "xf93gt2q" });
  });

  it.each([
    ["13030", ""],
    ["13030", "-"],
    ["13030", "xf93gt2l"],
    ["13030", "xf93gt2q'--"],
    ["", "xf93gt2q"],
  ])("does not accept %s/%s", (naan, name) => expect(readArk({ naan, name })).toBeNull());

  it.each([
    ["/ark:12345/x", "/ark:/12345/x"],
    ["/ark:/12345/x", "/ark:/12345/x"],
    ["/ARK%3A/12345/x/", "/ark:/12345/x"],
    ["/ark%3a%2F12345%2fx.", "/ark:/12345/x"],
    ["/arks:/12345/x", "/arks:/12345/x"],
    ["/v1/ark:/12345/x/", "/v1/ark:/12345/x/"],
  ])("routes the path %s as %s", (path, routed) => expect(arkPath(path)).toBe(routed));
});

describe.each(databases)("ARKs in the %s database", async (database) => {
  const museum = await museumHere({ database, env: ON });
  const editor = await museum.as("editor");

  const within = (ask: Ask, path: string) => read(ask(`${path}?include=ark`));
  const arkOf = async ({ id }: { id: string }, plural = "objects", ask = editor) =>
    (await within(ask, `/v1/${plural}/${id}`)).ark as string | null;
  const publish = (path: string) => read(editor(`${path}/publish`, { method: "POST" }));
  const status = (path: string, to: string) => read(editor(`${path}/status`, { json: { status: to } }));
  /** The services of this museum as if it had been started with other ARK settings. */
  const started = (ark: Partial<Config["ark"]>): Museum["services"] => {
    const { services } = museum;
    const config = { ...services.config, ark: { ...services.config.ark, ...ark } };
    return { ...services, config, arks: arksBy(config) };
  };
  const withSettings = async <T>(ark: Partial<Config["ark"]>, work: () => Promise<T>): Promise<T> => {
    const { config, arks } = museum.services;
    Object.assign(museum.services, started(ark));
    try {
      return await work();
    } finally {
      Object.assign(museum.services, { config, arks });
    }
  };
  const goesTo = async (path: string, ask = museum.ask) => {
    const answer = await ask(path);
    expect(answer.status, path).toBe(303);
    return answer.headers.get("Location");
  };
  const refusal = (answer: Promise<Response>, code: number) => read<ProblemJson>(answer, code);

  describe("minting", () => {
    it("a draft gets no ARK; a published record gets one and keeps it", async () => {
      const { id } = await createObject(editor, "Harbour at dusk");
      const path = `/v1/objects/${id}`;
      expect(await arkOf({ id })).toBeNull();
      await publish(path);
      const ark = await arkOf({ id }, "objects", museum.ask);
      expect(ark).toMatch(FORM);
      await status(path, "draft");
      expect(await arkOf({ id })).toBe(ark);
      await publish(path);
      expect(await arkOf({ id })).toBe(ark);
    });

    it.each(KINDS.filter((kind) => kind !== "storage_location"))(
      "a %s that is created public gets an ARK",
      async (kind) => {
        const { id } = await create(editor, kind, { status: "public" });
        expect(await arkOf({ id }, samples[kind].plural)).toMatch(FORM);
      },
    );

    it("a record published by PATCH, by PUT or in bulk gets an ARK", async () => {
      const patched = await createObject(editor, "Deck watch");
      await read(editor(`/v1/objects/${patched.id}`, { method: "PATCH", json: { status: "public" } }));
      const put = await createObject(editor, "Sextant");
      await read(
        editor(`/v1/objects/${put.id}`, {
          method: "PUT",
          json: { metadata_: { title: english("Sextant") }, status: "public" },
        }),
      );
      const merged = await createObject(editor, "Quadrant");
      const lines = [
        { object_type: "painting", status: "public", metadata_: { title: english("Made in bulk") } },
        { id: merged.id, status: "public" },
        { object_type: "painting", metadata_: { title: english("A draft in bulk") } },
      ];
      const made = await bulk(editor, "objects?upsert=merge", lines);
      const names = await Promise.all([patched, put, made[0]!, merged].map((record) => arkOf(record)));
      for (const name of names) expect(name).toMatch(FORM);
      expect(new Set(names).size).toBe(4);
      expect(await arkOf(made[2]!)).toBeNull();
    });

    it("a record whose publication is refused gets no ARK", async () => {
      const { id } = await create(editor, "object", { metadata_: { material: [{ value: "brass" }] } });
      expect((await editor(`/v1/objects/${id}/publish`, { method: "POST" })).status).toBe(422);
      expect(await arkOf({ id })).toBeNull();
    });

    it("ARK_ENABLED=false: no new ARKs, but existing ones stay and still lead to their records", async () => {
      const named = await createObject(editor, "Before", { status: "public" });
      const ark = await arkOf(named);
      await withSettings({ enabled: false, naan: null }, async () => {
        const later = await createObject(editor, "Meanwhile", { status: "public" });
        expect(await arkOf(later)).toBeNull();
        expect(await arkOf(named)).toBe(ark);
        expect(await goesTo(`/${ark}`)).toMatch(named.id);
        const { detail } = await refusal(editor(`/v1/objects/${later.id}/ark`, { method: "POST" }), 409);
        expect(detail).toBe("No ARKs are minted here: ARK_ENABLED is false");
        expect(await read(editor(`/v1/objects/${named.id}/ark`, { method: "POST" }))).toMatchObject({ ark });
      });
    });

    it("by hand, those who may publish can give an ARK to a public record that has none", async () => {
      const { id } = await withSettings({ enabled: false }, () =>
        createObject(editor, "Older than its name", { status: "public" }),
      );
      const path = `/v1/objects/${id}/ark`;
      expect((await museum.ask(path, { method: "POST" })).status).toBe(401);
      expect((await (await museum.as("cataloger"))(path, { method: "POST" })).status).toBe(403);
      const answer = await editor(path, { method: "POST" });
      const made = await read<{ ark: string; url: string }>(answer, 201);
      expect(made.ark).toMatch(FORM);
      expect(made.url).toBe(`http://127.0.0.1:8000/${made.ark}`);
      expect(answer.headers.get("Location")).toBe(made.url);
      expect(await read(editor(path, { method: "POST" }))).toEqual(made);

      const draft = await createObject(editor, "Not yet");
      const { detail } = await refusal(editor(`/v1/objects/${draft.id}/ark`, { method: "POST" }), 409);
      expect(detail).toBe(`${draft.idno} is not public: it gets an ARK when it is published`);
      await refusal(editor(`/v1/objects/${crypto.randomUUID()}/ark`, { method: "POST" }), 404);
      await refusal(editor(`/v1/storage-locations/${id}/ark`, { method: "POST" }), 404);
    });

    it("in bulk, every public record gets an ARK, and a second run does nothing", async () => {
      const made = await withSettings({ enabled: false }, async () => {
        const records: RecordJson[] = [];
        for (let n = 0; n < 5; n++)
          records.push(await createObject(editor, `Old ${n}`, { status: "public" }));
        return records;
      });
      const draft = await createObject(editor, "Old draft");
      const heard: unknown[] = [];
      const report = async (progress: unknown) => void heard.push(progress);
      const { services } = museum;
      expect(await mintArks({ services, report })).toMatchObject({ named: expect.any(Number) });
      expect(heard.at(-1)).toEqual({ done: expect.any(Number), total: expect.any(Number) });
      for (const record of made) expect(await arkOf(record)).toMatch(FORM);
      expect(await arkOf(draft)).toBeNull();
      const turtle = await museum.ask(`/v1/objects/${made[0]!.id}/export?format=turtle`);
      expect(await turtle.text()).toContain(`"${await arkOf(made[0]!)}"`);
      expect(await mintArks({ services, report })).toEqual({ named: 0 });
      await expect(mintArks({ services: started({ enabled: false }), report })).rejects.toThrow(
        "ARK_ENABLED is false",
      );
    });

    it("with another NAAN, records get new ARKs, and the old ones still lead to them", async () => {
      const record = await createObject(editor, "Museum that was merged", { status: "public" });
      const before = await arkOf(record);
      await withSettings({ naan: "b5060" }, async () => {
        expect(await arkOf(record)).toBe(before);
        await mintArks({ services: museum.services, report: async () => undefined });
        const after = await arkOf(record);
        expect(after).toMatch(/^ark:\/b5060\//);
        expect(await goesTo(`/${before}`)).toBe(await goesTo(`/${after}`));
      });
      expect(await arkOf(record)).toBe(before);
    });

    it("with many requests at once, each record gets one ARK, and no ARK is given twice", async () => {
      const some = await withSettings({ enabled: false }, () =>
        Promise.all(
          Array.from({ length: 10 }, (_, n) => createObject(editor, `Crowd ${n}`, { status: "public" })),
        ),
      );
      const one = some[0]!;
      const hands = Array.from({ length: 8 }, () => editor(`/v1/objects/${one.id}/ark`, { method: "POST" }));
      const bulk = Array.from({ length: 3 }, () =>
        mintArks({ services: museum.services, report: async () => undefined }),
      );
      const answers = await Promise.all(hands);
      await Promise.all(bulk);
      const arks = await Promise.all(
        answers.map(async (answer) => ((await answer.json()) as { ark: string }).ark),
      );
      expect(new Set(arks).size).toBe(1);
      expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
      const names = await Promise.all(some.map((record) => arkOf(record)));
      expect(new Set(names).size).toBe(some.length);
    });

    it("if nearly all names are taken, publication fails and says so", async () => {
      const { sql } = museum.services;
      const letters = [..."0123456789bcdfghjkmnpqrstvwxz"];
      const all = letters.flatMap((a) =>
        letters.flatMap((b) => letters.map((c) => `${a}${b}${c}${checkCharacter(`77777/${a}${b}${c}`)}`)),
      );
      await sql`
        insert into arks (naan, name, record_id)
        select '77777', x, gen_random_uuid() from unnest(${all}::text[]) x`;
      const { id } = await createObject(editor, "One too many");
      await withSettings({ naan: "77777", suffixLength: 4 }, async () => {
        const { detail } = await refusal(editor(`/v1/objects/${id}/publish`, { method: "POST" }), 503);
        expect(detail).toMatch(/^Nearly all ARKs of 4 characters are taken: set ARK_SUFFIX_LENGTH/);
        expect((await read(editor(`/v1/objects/${id}`))).status).toBe("draft");
        // a free name among some thousand is found, and the record can be published
        await sql`delete from arks where naan = '77777' and name = any(${all.slice(0, 8_000)})`;
        await publish(`/v1/objects/${id}`);
        expect(await arkOf({ id })).toMatch(/^ark:\/77777\/.{4}$/);
      });
      await sql`delete from arks where naan = '77777'`;
    });
  });

  describe("resolving an ARK", () => {
    let record: RecordJson;
    let ark: string;
    let name: string;
    beforeAll(async () => {
      const maker = await create(editor, "entity", {
        status: "public",
        metadata_: { name: [{ value: "Lindqvist; Greta" }] },
      });
      record = await createObject(editor, "Nets\n drying", {
        status: "public",
        metadata_: {
          date: [{ value: "1887~" }],
          creator_text: [{ value: "somebody" }],
          internal_note: [{ value: "Frame to be checked" }],
        },
      });
      await linking(editor)(record.id, "created_by", "entity", maker.id);
      ark = (await arkOf(record))!;
      name = ark.slice("ark:/12345/".length);
    });

    it("leads to the page of the record, in every spelling", async () => {
      const page = `http://127.0.0.1:8000/objects/${record.id}`;
      const spellings = [
        ...[`/ark:/12345/${name}`, `/ark:12345/${name}`, `/ARK:/12345/${name.toUpperCase()}`],
        ...[
          `/ark%3A/12345/${name}`,
          `/ark%3a%2f12345%2f${name}`,
          `/ark:/12345/${name}/`,
          `/ark:/12345/${name}.`,
        ],
        ...[
          `/ark:/123-45/${name.slice(0, 4)}-${name.slice(4)}`,
          `/ark:/12345/${name.slice(0, 4)}%E2%80%90${name.slice(4)}`,
        ],
        `/ark:/12345/${name}?utm_source=letter`,
      ];
      for (const spelling of spellings) expect(await goesTo(spelling), spelling).toBe(page);
      const answer = await museum.ask(`/${ark}`);
      expect(answer.headers.get("Cache-Control")).toBe("public, max-age=60");
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
      const head = await museum.ask(`/${ark}`, { method: "HEAD" });
      expect([head.status, head.headers.get("Location")]).toEqual([303, page]);
      const posted = await museum.ask(`/${ark}`, { method: "POST" });
      expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    });

    it.each(["?info", "?", "??", "?info="])(
      "with %s describes the record with public fields only",
      async (inflection) => {
        const answer = await museum.ask(`/${ark}${inflection}`);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
        expect(await answer.text()).toBe(
          [
            "erc:",
            "who: Lindqvist%sc Greta",
            "what: Nets drying",
            "when: 1887~",
            `where: http://127.0.0.1:8000/${ark}`,
            "erc-support:",
            "who: 127.0.0.1:8000",
            "what: The name is never given to anything else, even if the record is deleted.",
            "where: http://127.0.0.1:8000",
            "",
          ].join("\n"),
        );
        const again = { headers: { "If-None-Match": answer.headers.get("ETag")! } };
        expect((await museum.ask(`/${ark}${inflection}`, again)).status).toBe(304);
      },
    );

    it("uses the ERC code for what is not available", async () => {
      const place = await create(editor, "place", { status: "public" });
      const text = await (await museum.ask(`/${await arkOf(place, "places")}?info`)).text();
      expect(text).toContain("who: (:unav)\nwhat: Sternhöft\nwhen: (:unav)\n");
    });

    it("finds nothing for unknown or mistyped names, or below a name", async () => {
      const other = newName(NAAN, 8);
      for (const path of [
        `/ark:/12345/${other}`,
        `/ark:/54321/${name}`,
        `/ark:/12345/${name.slice(0, -1)}`,
        `/ark:/12345/${name}x`,
        `/ark:/12345/${name}/page2`,
        "/ark:/12345",
        "/ark:/",
        "/ark:",
        "/ark:/12345/%ff",
        "/ark:/%zz/x",
        `/ark:/12345/${"x".repeat(5_000)}`,
      ]) {
        expect((await museum.ask(path)).status, path).toBe(404);
      }
      expect((await museum.ask("/ark:/12345/%00")).status).toBe(400);
      const shown = await museum.ask(`/ark:/12345/${other}`, { headers: { Accept: "text/html" } });
      expect([shown.status, shown.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
    });

    it("answers visitors for a withdrawn record as if the name had never existed", async () => {
      const { id } = await createObject(editor, "Withdrawn", { status: "public" });
      const withdrawn = (await arkOf({ id }))!;
      await status(`/v1/objects/${id}`, "internal");
      for (const end of ["", "?info"]) {
        const answer = await refusal(museum.ask(`/${withdrawn}${end}`), 404);
        const unknown = newName(NAAN, 8);
        const nothing = await refusal(museum.ask(`/ark:/12345/${unknown}${end}`), 404);
        expect(answer.detail.replace(withdrawn, "")).toBe(
          nothing.detail.replace(`ark:/12345/${unknown}`, ""),
        );
      }
      expect(await goesTo(`/${withdrawn}`, editor)).toMatch(id);
      expect((await editor(`/${withdrawn}`)).headers.get("Cache-Control")).toBe("private, no-store");
    });

    it("answers 410 for a deleted record, even after the trash was emptied", async () => {
      const { services } = museum;
      const { id } = await createObject(editor, "Lost at sea", { status: "public" });
      const lost = (await arkOf({ id }))!;
      const said = async () => (await refusal(museum.ask(`/${lost}?info`), 410)).detail;
      await read(editor(`/v1/objects/${id}`, { method: "DELETE" }), 204);
      expect(await said()).toBe(
        `${lost} was the name of a record that was deleted; it is never given to anything else`,
      );
      const shown = await museum.ask(`/${lost}`, { headers: { Accept: "text/html" } });
      expect([shown.status, shown.headers.get("Content-Type")]).toEqual([410, "text/html; charset=utf-8"]);
      await read(editor(`/v1/objects/${id}/restore`, { method: "POST" }));
      expect(await goesTo(`/${lost}`)).toMatch(id);
      await read(editor(`/v1/objects/${id}`, { method: "DELETE" }), 204);
      await services.sql`update records set deleted_at = now() - interval '31 days' where id = ${id}`;
      await purgeTrash(services);
      expect(await said()).toMatch(/^ark:.* was the name of a record that was deleted/);
    });

    it("of the test NAAN leads nowhere, and says so to staff", async () => {
      await withSettings({ naan: "99999" }, async () => {
        const tried = await createObject(editor, "A trial", { status: "public" });
        const test = (await arkOf(tried))!;
        expect(test).toMatch(/^ark:\/99999\//);
        const { detail } = await refusal(editor(`/${test}`), 404);
        expect(detail).toContain("99999 is the NAAN for tests");
        await withSettings({ naan: NAAN }, async () => {
          expect(await arkOf(tried)).toBeNull();
          const { ark } = await read<{ ark: string }>(
            editor(`/v1/objects/${tried.id}/ark`, { method: "POST" }),
            201,
          );
          expect(ark).toMatch(FORM);
        });
      });
    });

    it("gives addresses with ARK_RESOLVER_URL, but still redirects to this service", async () => {
      await withSettings({ resolverUrl: "https://n2t.net" }, async () => {
        expect(await read(editor(`/v1/objects/${record.id}/ark`, { method: "POST" }))).toEqual({
          ark,
          url: `https://n2t.net/${ark}`,
        });
        expect(await (await museum.ask(`/${ark}?info`)).text()).toContain(`where: https://n2t.net/${ark}\n`);
        expect(await goesTo(`/${ark}`)).toBe(`http://127.0.0.1:8000/objects/${record.id}`);
      });
    });
  });

  describe("include=ark", () => {
    it("adds the ARK to lists and their further pages, beside title and version", async () => {
      await createObject(editor, "Listed", { status: "public" });
      await createObject(editor, "Listed draft");
      const answer = await editor(
        "/v1/objects?q=listed&include=ark,title,version&page_size=1&sort_by=title&sort_dir=asc",
      );
      const next = linksOf(answer).next!;
      const [first] = (await read<Page>(answer)).items;
      expect(first).toMatchObject({ title: "Listed", version: 1, ark: expect.stringMatching(FORM) });
      expect((await read<Page>(editor(next))).items).toMatchObject([{ title: "Listed draft", ark: null }]);
      const [plain] = (await read<Page>(editor("/v1/objects?q=listed"))).items;
      expect(Object.keys(plain!)).not.toContain("ark");
    });

    it("does not accept relations for a list, and names what it accepts", async () => {
      const { detail } = await refusal(editor("/v1/objects?include=relations"), 422);
      expect(detail).toContain("query:include unknown: relations; choose from title, version, ark");
    });
  });
});

inLong(describe.each(databases))("ARKs of a catalogue that moves, in the %s database", (database) => {
  it("are exported and loaded again, and stay taken after a reset", async () => {
    const museum = await openMuseum({ database, env: ON });
    onTestFinished(() => museum.close());
    const editor = await museum.as("editor");
    const { services } = museum;
    const { id } = await createObject(editor, "Moved", { status: "public" });
    const { ark } = await read<{ ark: string }>(editor(`/v1/objects/${id}?include=ark`));
    const lines = await withReading(services, false, async ({ pages }) => {
      const all: string[] = [];
      for await (const page of pages) all.push(...page);
      return all;
    });
    const header = readHeader(headerLine(false, new Date()));
    async function* each(given: readonly string[]) {
      yield* given;
    }
    await resetCatalogue(services.sql, { all: false });
    expect((await read<ProblemJson>(museum.ask(`/${ark}`), 410)).detail).toMatch(
      /was the name of a record that was deleted/,
    );
    await load(services, header, each(lines));
    expect((await museum.ask(`/${ark}`)).headers.get("Location")).toMatch(id);

    await resetCatalogue(services.sql, { all: true });
    await services.sql`update arks set record_id = gen_random_uuid()`;
    await expect(load(services, header, each(lines))).rejects.toThrow(`${ark} is in the export, but it`);
    await services.sql`delete from arks`;
    await load(services, header, each(lines));
    expect((await museum.ask(`/${ark}`)).status).toBe(303);
  });
});

inLong(describe)("svc-manage", () => {
  it("gives ARKs to what an import publishes, and with ark-mint to what is public already", async () => {
    const office = await openOffice(quickest);
    const counts = () =>
      office.look(async ({ sql }) => {
        const [row] = await sql<{ records: number; arks: number; named: number }[]>`
          select (select count(*)::int from records) as records, count(*)::int as arks,
            count(distinct record_id)::int as named from arks`;
        return { ...row };
      });
    const importing = async (numbers: readonly string[]) => {
      await office.put("list.csv", ["No,Title,Maker", ...numbers.map((no) => `${no},Net,${no}`)].join("\n"));
      const { code } = await office.run(
        ...["import-csv", "list.csv", "--type", "object", "--mapping", "mapping.json", "--auto-publish"],
      );
      expect(code).toBe(0);
    };
    onTestFinished(() => office.close());
    const mapping = { No: "__idno__", Title: "title", Maker: "__relation:created_by:entity__" };
    await office.put("mapping.json", JSON.stringify(mapping));
    await importing(["1", "2"]);
    expect(await counts()).toEqual({ records: 4, arks: 0, named: 0 });
    expect(await office.run("ark-mint")).toMatchObject({
      code: 1,
      err: "ARK_ENABLED is false: no ARKs are minted here. Set it, and ARK_NAAN, first",
    });
    Object.assign(office.settings, ON);
    await importing(["3", "4", "5"]);
    expect(await counts()).toEqual({ records: 10, arks: 6, named: 6 });
    expect(await office.run("ark-mint")).toMatchObject({ code: 0, out: "4 records got an ARK" });
    expect(await counts()).toEqual({ records: 10, arks: 10, named: 10 });
    expect(await office.run("ark-mint")).toMatchObject({ code: 0, out: "0 records got an ARK" });
  });
});
