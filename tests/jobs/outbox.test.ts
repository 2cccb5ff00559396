/** The outbox: records that cannot be projected, targets that do not answer, and what visitors find in the meantime. */
import { describe, expect, it, onTestFinished } from "vitest";
import { inHalves, type Outage } from "../../src/records/batch/in-halves.ts";
import { claimRecords, finish, markFor } from "../../src/records/outbox.ts";
import { enqueueReindex } from "../../src/search/enqueue-reindex.ts";
import { rebuildSearch } from "../../src/search/rebuild.ts";
import type { Services } from "../../src/services.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { inLong } from "../support/lane/lane.ts";
import { bulk, create, createObject, english, type Page, read } from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, openMuseum } from "../support/museum/museum.ts";
import { openTypesenseDouble } from "../support/search/typesense-double.ts";

/** What somebody does who edits the database by hand. */
const damage = ({ sql }: Services, id: string) =>
  sql`update records set metadata = '{"title": [null]}' where id = ${id}`;
const mend = ({ sql }: Services, id: string, title: string) =>
  sql`update records set metadata = ${sql.json({ title: english(title) })} where id = ${id}`;

const mark = ({ sql }: Services, ids: readonly string[], hides = true) =>
  sql.begin((tx) => markFor(tx, "search", ids, { by: "worker", hides }));

type Waiting = { record_id: string; attempts: number; last_error: string | null; wait: number };
const waiting = async ({ sql }: Services): Promise<Waiting[]> => [
  ...(await sql<Waiting[]>`
    select record_id, attempts, last_error, extract(epoch from due_at - now())::float8 as wait from outbox
    where target = 'search' order by record_id`),
];
const becomeDue = ({ sql }: Services) => sql`update outbox set due_at = now()`;

/** Counts how often something is put into the index; `fault` is thrown instead. */
function counted(services: Services, fault?: string) {
  const tries = { n: 0 };
  const put: Services["search"]["put"] = async (documents) => {
    tries.n += 1;
    if (fault !== undefined) throw new Error(fault);
    await services.search.put(documents);
  };
  return { tries, services: { ...services, search: { ...services.search, put } } };
}

async function objects(ask: Ask, count: number, title: string): Promise<string[]> {
  const lines = Array.from({ length: count }, (_, n) => ({
    ...{ object_type: "painting", status: "public", metadata_: { title: english(`${title} ${n}`) } },
  }));
  return (await bulk(ask, "objects", lines)).flatMap(({ id }) => id ?? []);
}

describe.each(databases)("the outbox, with the %s database", async (database) => {
  const museum = await museumHere({ database });
  const services = museum.services;
  const editor = await museum.as("editor");

  const total = async (q: string, ask: Ask = museum.ask) =>
    (await read<Page>(ask(`/v1/search?q=${encodeURIComponent(q)}&type=object`))).total;

  it("keeps a mark that was set after a slow worker had claimed the record", async () => {
    const { sql } = services;
    const { id } = await createObject(editor, "Ferry in the fog");
    await mark(services, [id]);
    const slow = await claimRecords(sql, "search", [id]);
    expect(await finish(sql, "search", await claimRecords(sql, "search", [id]))).toEqual([]);
    await mark(services, [id]);
    expect(await finish(sql, "search", slow)).toEqual([id]);
    expect((await waiting(services)).map(({ record_id }) => record_id)).toContain(id);
    await drainOutbox(services);
  });

  it("makes a waiting record due at once when one of its fields is changed", async () => {
    const { id } = await createObject(editor, "Kite of the lifeguard");
    await mark(services, [id]);
    await services.sql`update outbox set attempts = 9, last_error = 'refused', due_at = now() + interval '1 hour'`;
    const chief = await museum.as("superuser");
    await read(chief("/v1/schemas/object/title", { method: "PATCH", json: { is_facet: true } }));
    const [row] = (await waiting(services)).filter(({ record_id }) => record_id === id);
    expect(row!.wait).toBeLessThanOrEqual(0);
    await read(chief("/v1/schemas/object/title", { method: "PATCH", json: { is_facet: false } }));
    await drainOutbox(services);
    expect(await waiting(services)).toEqual([]);
  });

  describe("a record that cannot be projected", () => {
    it("keeps its error, delays no other record, and is projected after it is repaired", async () => {
      const ids = await objects(editor, 40, "Barometer");
      const [bad, worse] = [ids[7]!, ids[33]!];
      await damage(services, bad);
      await damage(services, worse);
      await mark(services, ids);
      expect(await total("barometer")).toBe(0);
      expect(await drainOutbox(services)).toBe(38);
      expect(await total("barometer")).toBe(38);
      const left = await waiting(services);
      expect(left.map(({ record_id }) => record_id).sort()).toEqual([bad, worse].sort());
      for (const { last_error, wait } of left) {
        expect(last_error).toMatch(/null/);
        expect(wait).toBeGreaterThan(50);
      }
      expect(
        museum.log.filter((line) => line.includes("could not be processed") && line.includes(bad)),
      ).toHaveLength(1);
      // the next writer projects it at once
      await mend(services, bad, "Barometer 7");
      await read(editor(`/v1/objects/${bad}/status`, { json: { status: "internal" } }));
      await mend(services, worse, "Barometer 33");
      await becomeDue(services);
      expect(await drainOutbox(services)).toBe(1);
      expect(await waiting(services)).toEqual([]);
      expect(await total("barometer")).toBe(39);
    });

    it("is due at once when it is marked again while it fails", async () => {
      const { id } = await createObject(editor, "Hygrometer", { status: "public" });
      await mark(services, [id]);
      const failing: Services = {
        ...services,
        search: {
          ...services.search,
          async put() {
            await mark(services, [id]);
            throw new Error("refused");
          },
        },
      };
      // because it is due at once, it is claimed again each time it is marked: stop at the third time
      let looks = 0;
      await drainOutbox(failing, () => looks++ === 2);
      expect(await waiting(services)).toMatchObject([{ record_id: id, attempts: 0, last_error: null }]);
      expect((await waiting(services))[0]!.wait).toBeLessThanOrEqual(0);
      await drainOutbox(services);
      expect(await waiting(services)).toEqual([]);
    });

    it("is left out of a new index, whose result gives the number of such records", async () => {
      const ids = await objects(editor, 12, "Astrolabe");
      await damage(services, ids[5]!);
      const { id: jobId } = await enqueueReindex(services.sql, null, null);
      const made = await rebuildSearch(services, { jobId, report: async () => undefined });
      await services.sql`delete from jobs`;
      expect(made.failed).toBe(1);
      expect(made.records).toBeGreaterThanOrEqual(12);
      expect(await total("astrolabe")).toBe(11);
      expect(await waiting(services)).toMatchObject([
        { record_id: ids[5], last_error: expect.stringMatching(/null/) },
      ]);
      await mend(services, ids[5]!, "Astrolabe 5");
      await becomeDue(services);
      await drainOutbox(services);
      expect([await total("astrolabe"), await waiting(services)]).toEqual([12, []]);
    });
  });

  describe("a search index that accepts nothing", () => {
    it("is not tried record by record; all records follow when it accepts them again", async () => {
      const ids = await objects(editor, 60, "Chronometer");
      await mark(services, ids);
      const full = counted(services, "No space left on device");
      await expect(drainOutbox(full.services)).rejects.toThrow("No space left on device");
      expect(full.tries.n).toBeLessThanOrEqual(20);
      const left = await waiting(services);
      expect(left).toHaveLength(60);
      expect(left.every(({ last_error }) => last_error === "No space left on device")).toBe(true);
      await becomeDue(services);
      expect(await drainOutbox(services)).toBe(60);
      expect(await total("chronometer")).toBe(60);
    });

    it("leaves the current index as it is during a rebuild", async () => {
      await objects(editor, 3, "Planimeter");
      const { generations } = services.search;
      const put = async () => {
        throw new Error("No space left on device");
      };
      const full = { ...services, search: { ...services.search, generations: { ...generations, put } } };
      const { id: jobId } = await enqueueReindex(services.sql, null, null);
      const options = { jobId, report: async () => undefined };
      await expect(rebuildSearch(full, options)).rejects.toThrow("No space left on device");
      expect(await total("planimeter")).toBe(3);
      await rebuildSearch(services, options);
      await services.sql`delete from jobs`;
      await drainOutbox(services);
      expect(await total("planimeter")).toBe(3);
    });
  });

  describe("a visitor's search by words while a record waits", () => {
    /** A public work, its maker, and the relation between them. */
    async function work(title: string, name: string) {
      const { id } = await createObject(editor, title, { status: "public" });
      const maker = await create(editor, "entity", { status: "public", metadata_: { name: english(name) } });
      const link = { relation_type: "created_by", to_type: "entity", to_id: maker.id };
      await read(editor(`/v1/objects/${id}/relations`, { json: link }), 201);
      expect(await waiting(services)).toEqual([]);
      return {
        id,
        rename: async (to: string) =>
          read(
            editor(`/v1/entities/${maker.id}`, {
              method: "PATCH",
              json: { metadata_: { name: english(to) } },
            }),
          ),
        become: async (status: string) =>
          read(editor(`/v1/entities/${maker.id}/status`, { json: { status } })),
        remove: async () => read(editor(`/v1/entities/${maker.id}?force=true`, { method: "DELETE" }), 204),
      };
    }

    it("finds the works of a maker who was renamed", async () => {
      const { id, rename } = await work("Sextant of brass", "Ada Vellum");
      await rename("Ada Quire");
      expect((await waiting(services)).map(({ record_id }) => record_id)).toEqual([id]);
      expect([await total("sextant"), await total("vellum"), await total("quire")]).toEqual([1, 1, 0]);
      await drainOutbox(services);
      expect([await total("sextant"), await total("vellum"), await total("quire")]).toEqual([1, 0, 1]);
    });

    it("does not find the works of a maker who is no longer public, by an old or a new name", async () => {
      const { rename, become } = await work("Octant of ebony", "Ben Parchment");
      await become("internal");
      await rename("Ben Papyrus");
      expect([await total("octant"), await total("parchment")]).toEqual([0, 0]);
      expect(await total("octant", editor)).toBe(1);
      await drainOutbox(services);
      expect([await total("octant"), await total("parchment"), await total("papyrus")]).toEqual([1, 0, 0]);
      await become("public");
      expect(await total("octant")).toBe(1);
      await drainOutbox(services);
      expect(await total("papyrus")).toBe(1);
    });

    it("does not find the works of a maker who is in the trash", async () => {
      const { remove } = await work("Quadrant of pearwood", "Cy Codex");
      await remove();
      expect([await total("quadrant"), await total("codex")]).toEqual([0, 0]);
      await drainOutbox(services);
      expect([await total("quadrant"), await total("codex")]).toEqual([1, 0]);
    });

    it("does not find works that were hidden themselves, even if their maker is renamed", async () => {
      const { id, rename } = await work("Astrary of lead", "Di Folio");
      await mark(services, [id]);
      await rename("Di Quarto");
      expect(await total("astrary")).toBe(0);
      await drainOutbox(services);
      expect(await total("astrary")).toBe(1);
    });

    it("finds records with a field that became a facet, but not records with a field that was hidden", async () => {
      const admin = await museum.as("admin");
      const define = { name: "motto", label: { en: "Motto" }, field_type: "text", is_public: true };
      await read(admin("/v1/schemas/object", { json: { ...define, is_searchable: "B" } }), 201);
      const motto = [{ value: "Semper apertus" }];
      const metadata_ = { title: english("Nocturnal of boxwood"), motto };
      const { id } = await createObject(editor, "Nocturnal", { status: "public", metadata_ });
      const change = (json: object) => read(admin("/v1/schemas/object/motto", { method: "PATCH", json }));
      // a worker projects it at once, whatever failed before
      await services.sql`
        insert into outbox (target, record_id, due_at, hides) values ('search', ${id}, now() + interval '1 hour', false)`;
      await change({ is_facet: true });
      expect(await total("apertus")).toBe(1);
      expect((await waiting(services))[0]!.wait).toBeLessThanOrEqual(0);
      await change({ is_public: false });
      expect(await total("apertus")).toBe(0);
      expect(await total("nocturnal")).toBe(0);
      await drainOutbox(services);
      expect([await total("apertus"), await total("nocturnal")]).toEqual([0, 1]);
    });
  });
});

inLong(describe)("a Typesense server that does not answer", () => {
  it("is tried only once, and no record waits for it longer than until the next attempt", async () => {
    const double = await openTypesenseDouble();
    const museum = await openMuseum({
      env: { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey },
    });
    const { services } = museum;
    const editor = await museum.as("editor");
    const visitorFinds = async (q: string) => (await read<Page>(museum.ask(`/v1/search?q=${q}`))).total;
    onTestFinished(() => double.close());
    onTestFinished(() => museum.close());
    const ids = await objects(editor, 30, "Orrery");
    await drainOutbox(services);
    await double.stop();
    await mark(services, ids, false);
    const away = counted(services);
    await expect(drainOutbox(away.services)).rejects.toThrow("Typesense cannot be reached");
    expect(away.tries.n).toBe(1);
    const left = await waiting(services);
    expect(left).toHaveLength(30);
    expect(Math.max(...left.map(({ wait }) => wait))).toBeLessThan(15);
    expect(left[0]!.last_error).toContain("Typesense cannot be reached");
    await double.start();
    // none of them was taken out
    expect(await visitorFinds("orrery")).toBe(30);
    await mark(services, ids.slice(0, 10));
    expect(await visitorFinds("orrery")).toBe(20);
    await drainOutbox(services);
    expect(await visitorFinds("orrery")).toBe(30);
  });
});

describe("processing many records at once", () => {
  const names = Array.from({ length: 500 }, (_, n) => `${n}`);
  const isThere = async () => undefined;
  const refusing = (bad: readonly string[]) => {
    const tries: number[] = [];
    const work = async (part: readonly string[]) => {
      tries.push(part.length);
      const found = part.filter((name) => bad.includes(name));
      if (found.length > 0) throw new Error(`${found.join()} refused`);
    };
    return { tries, work };
  };

  it("names the records that fail, wherever they are, and completes the others in few attempts", async () => {
    for (const bad of [[], ["0"], ["499"], ["3", "4"], ["0", "250", "499"], names.slice(0, 30)]) {
      const { tries, work } = refusing(bad);
      const failures = await inHalves(names, work, isThere);
      expect(failures.map(({ id }) => id).sort()).toEqual([...bad].sort());
      expect(failures.every(({ id, reason }) => reason === `${id} refused`)).toBe(true);
      expect(tries.length).toBeLessThan(20 + 20 * bad.length);
    }
  });

  it("ends soon when all fail, and at once when the target says so or cannot be reached", async () => {
    const { tries, work } = refusing(names);
    const over = (await inHalves(names, work, isThere).catch((error) => error)) as Outage;
    expect([over.name, tries.length]).toEqual(["Outage", 20]);
    expect(over.failures.length).toBeGreaterThan(0);
    tries.length = 0;
    await expect(inHalves(names, work, () => Promise.reject(new Error("away")))).rejects.toThrow("refused");
    expect(tries).toEqual([500]);
    const broken = Object.assign(new Error("closed"), { code: "CONNECTION_CLOSED" });
    await expect(inHalves(names, () => Promise.reject(broken), isThere)).rejects.toThrow("closed");
  });

  it("tries each of a few records, even when all fail", async () => {
    const few = ["a", "b", "c"];
    const failures = await inHalves(few, refusing(few).work, isThere);
    expect(failures.map(({ id }) => id).sort()).toEqual(few);
  });
});
