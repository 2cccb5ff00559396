/** How to add a projection: one file and one line in the table. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/ids.ts";
import { enqueueRebuild } from "../../src/jobs/enqueue.ts";
import { findJob } from "../../src/jobs/store.ts";
import type { Projection } from "../../src/records/projections.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { housekeep } from "../../workers/housekeeping.ts";
import { enableProjections, PROJECTIONS } from "../../workers/projections.ts";
import { rebuildProjection } from "../../workers/rebuild-projection.ts";
import { inLong } from "../support/lane/lane.ts";
import { type CardCatalogue, cardCatalogue } from "../support/museum/card-catalogue.ts";
import { bulk, create, createObject, english, type Page, read } from "../support/museum/catalogue.ts";
import { type Ask, databases, type Museum, openMuseum } from "../support/museum/museum.ts";
import { endedJob } from "../support/museum/sent-imports.ts";

const own: CardCatalogue = cardCatalogue();
const table = PROJECTIONS as Projection[];
// the line in the table
beforeAll(() => void table.push(own));
// other test files use the same table
afterAll(() => void table.splice(table.indexOf(own), 1));

describe.each(databases)("an additional projection, with the %s database", (database) => {
  let museum: Museum;
  let editor: Ask;
  beforeAll(async () => {
    own.cards.clear();
    museum = await openMuseum({ database });
    editor = await museum.as("editor");
  });
  afterAll(() => museum.close());
  beforeEach(async () => {
    Object.assign(own, { isOn: true, away: null, bad: null, asked: 0 });
    await enableProjections(museum.services);
  });

  const published = async (title: string) => (await createObject(editor, title, { status: "public" })).id;
  const patch = (path: string, json: object) => read(editor(path, { method: "PATCH", json }));
  const become = (id: string, status: string) =>
    read(editor(`/v1/objects/${id}/status`, { json: { status } }));
  const found = async (q: string) => (await read<Page>(museum.ask(`/v1/search?q=${q}`))).total;
  const waiting = async (): Promise<Record<string, number>> => {
    const rows = await museum.services.sql<{ target: string; n: number }[]>`
      select target, count(*)::int as n from outbox group by target`;
    return Object.fromEntries(rows.map(({ target, n }) => [target, n]));
  };
  const becomeDue = () => museum.services.sql`update outbox set due_at = now()`;
  const metric = async (name: string) => {
    const text = await (await (await museum.as("superuser"))("/metrics")).text();
    return Number(new RegExp(`^${name}{target="cards"} (.+)$`, "m").exec(text)?.[1]);
  };

  /** A public work, its maker and its collection, which is inside another one. */
  async function linked(title: string) {
    const id = await published(title);
    const maker = await create(editor, "entity", {
      status: "public",
      metadata_: { name: english("Ada Vellum") },
    });
    const named = { status: "public", metadata_: { title: english("Prints") } };
    const above = await create(editor, "collection", named);
    const below = await create(editor, "collection", { ...named, parent_id: above.id });
    const link = (relation_type: string, to_type: string, to_id: string) =>
      read(editor(`/v1/objects/${id}/relations`, { json: { relation_type, to_type, to_id } }), 201);
    await link("created_by", "entity", maker.id);
    await link("in_collection", "collection", below.id);
    await drainOutbox(museum.services);
    return { id, maker: maker.id, above: above.id, below: below.id };
  }

  it("is kept up to date by the writers themselves", async () => {
    const draft = await createObject(editor, "Astrolabe");
    expect(own.cards.has(draft.id)).toBe(false);
    // a record that was never public costs nothing
    expect(own.asked).toBe(0);
    await become(draft.id, "public");
    expect(own.cards.get(draft.id)).toBe("Astrolabe");
    await patch(`/v1/objects/${draft.id}`, { metadata_: { title: english("Brass astrolabe") } });
    expect(own.cards.get(draft.id)).toBe("Brass astrolabe");
    await become(draft.id, "internal");
    expect(own.cards.has(draft.id)).toBe(false);
    await become(draft.id, "public");
    await read(editor(`/v1/objects/${draft.id}`, { method: "DELETE" }), 204);
    expect(own.cards.has(draft.id)).toBe(false);
    await read(editor(`/v1/objects/${draft.id}/restore`, { method: "POST" }));
    expect(own.cards.get(draft.id)).toBe("Brass astrolabe");
    expect(await waiting()).toEqual({});
  });

  it("follows linked records that are renamed or withdrawn, and collections that are moved", async () => {
    const { id, maker, above, below } = await linked("Etching");
    expect(own.cards.get(id)).toBe("Etching / Ada Vellum / Prints");
    await patch(`/v1/entities/${maker}`, { metadata_: { name: english("Ada Quire") } });
    await drainOutbox(museum.services);
    expect(own.cards.get(id)).toBe("Etching / Ada Quire / Prints");
    await read(editor(`/v1/entities/${maker}/status`, { json: { status: "internal" } }));
    await drainOutbox(museum.services);
    expect(own.cards.get(id)).toBe("Etching / Prints");
    const marked = async () =>
      (
        await museum.services.sql<{ record_id: string }[]>`
          select record_id from outbox where target = 'cards'`
      ).map(({ record_id }) => record_id);
    await patch(`/v1/collections/${above}`, { metadata_: { title: english("Works on paper") } });
    expect((await marked()).sort()).toEqual([below, id].sort());
    await drainOutbox(museum.services);
    await patch(`/v1/collections/${below}`, { parent_id: null });
    expect(await marked()).toEqual([id]);
    await drainOutbox(museum.services);
  });

  it("that is unavailable is reported separately, and delays neither writers nor the search", async () => {
    own.away = () => Promise.reject(new Error("the cards are being moved"));
    const id = await published("Sundial");
    expect(await found("sundial")).toBe(1);
    expect(await waiting()).toEqual({ cards: 1 });
    expect(await metric("svc_outbox_rows")).toBe(1);
    expect(await metric("svc_outbox_failing_rows")).toBe(1);
    await becomeDue();
    await expect(drainOutbox(museum.services)).rejects.toThrow("the cards are being moved");
    expect(own.cards.has(id)).toBe(false);
    own.away = null;
    await becomeDue();
    expect(await drainOutbox(museum.services)).toBe(1);
    expect(own.cards.get(id)).toBe("Sundial");
    expect([await waiting(), await metric("svc_outbox_rows")]).toEqual([{}, 0]);
    // the triple store reports it in this way; the message of the job gives the reason
    own.away = () => Promise.reject(Object.assign(new Error("connect 10.0.0.7"), { code: "UNREACHABLE" }));
    const { services } = museum;
    const context = { services, id: newId(), params: { target: "cards" }, report: async () => undefined };
    const rebuild = rebuildProjection(context as unknown as Parameters<typeof rebuildProjection>[0]);
    await expect(rebuild).rejects.toThrow("the card catalogue: cannot be reached");
    own.away = null;
    await becomeDue();
    await drainOutbox(services);
  });

  inLong(it)("that hangs makes one writer wait, not each of them", async () => {
    const hanging = await openMuseum({ database });
    onTestFinished(() => hanging.close());
    own.away = () =>
      new Promise((_, reject) => setTimeout(() => reject(new Error("no answer in time")), 1_100));
    const hand = await hanging.as("editor");
    for (const title of ["Gnomon", "Nocturnal", "Quadrant"])
      await createObject(hand, title, { status: "public" });
    // only for the first: its attempt, and the check whether the place can be reached
    expect(own.asked).toBe(1);
  });

  it("keeps a record that cannot be projected apart from the rest, with the reason", async () => {
    own.bad = "Orrery";
    const [bad, good] = [await published("Orrery"), await published("Planetarium")];
    expect([own.cards.has(bad), own.cards.has(good)]).toEqual([false, true]);
    const rows = await museum.services.sql`select target, record_id, last_error from outbox`;
    expect([...rows]).toEqual([{ target: "cards", record_id: bad, last_error: "Orrery is refused" }]);
    own.bad = null;
    await becomeDue();
    await drainOutbox(museum.services);
    expect(own.cards.has(bad)).toBe(true);
  });

  inLong(it)(
    "is rebuilt by a job that adds what is missing, removes what does not belong, and continues after a kill",
    async () => {
      const { services } = museum;
      const sheet = (n: number) => ({ object_type: "print", metadata_: { title: english(`Sheet ${n}`) } });
      const sheets = Array.from({ length: 600 }, (_, n) => ({ ...sheet(n), status: "public" }));
      await bulk(editor, "objects", sheets);
      const whole = new Map(own.cards);
      expect(whole.size).toBeGreaterThan(600);
      own.cards.clear();
      own.cards.set(newId(), "nobody knows what this was");
      const { id } = await enqueueRebuild(services.sql, "cards", null);
      // killed after the first batch
      const context = { services, id, params: { target: "cards" } };
      const reports: number[] = [];
      const dying = rebuildProjection({
        ...context,
        async report({ done, result }: { done?: number; result?: Record<string, unknown> }) {
          reports.push(done!);
          await services.sql`update jobs set result = ${services.sql.json(result as never)} where id = ${id}`;
          if (done! > 0) throw new Error("killed");
        },
      } as unknown as Parameters<typeof rebuildProjection>[0]);
      await expect(dying).rejects.toThrow("killed");
      expect(reports).toEqual([0, 500]);
      expect(own.cards.size).toBeLessThan(whole.size);
      own.asked = 0;
      expect((await endedJob(museum, await museum.as("admin"), id)).state).toBe("done");
      expect(Object.fromEntries(own.cards)).toEqual(Object.fromEntries(whole));
      expect(own.asked).toBe(2);
      const { result, done, total } = (await findJob(services.sql, id))!;
      expect([result, done, total]).toEqual([{ records: done, removed: 1, failed: 0 }, done, done]);
      expect(await waiting()).toEqual({});
    },
  );

  it("that is switched off gets no marks, and is filled when it is switched on later", async () => {
    const { services } = museum;
    own.away = () => Promise.reject(new Error("away"));
    await published("Sextant");
    expect(await waiting()).toEqual({ cards: 1 });
    own.isOn = false;
    await enableProjections(services);
    expect(await waiting()).toEqual({});
    const id = await published("Octant");
    // a write that had begun before
    await services.sql`insert into outbox (target, record_id) values ('cards', ${id})`;
    await housekeep(services);
    expect(await waiting()).toEqual({});
    await services.sql`delete from jobs`;
    own.isOn = true;
    await enableProjections(services);
    const jobs = await services.sql`select kind, params from jobs`;
    expect([...jobs]).toEqual([{ kind: "rebuild", params: { target: "cards" } }]);
  });
});
