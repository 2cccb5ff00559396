/**
 * Public dates: when something public about a record last changed. Harvests, the sitemap and the list of changes use
 * them.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import {
  countPublicDates,
  earliestPublicDate,
  type PublicDate,
  publicDatesById,
  settledUntil,
} from "../../src/records/public/dates.ts";
import type { Sql } from "../../src/services.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { enableProjections, followConfiguration } from "../../workers/projections.ts";
import { purgeTrash } from "../../workers/purge-trash.ts";
import { inLong } from "../support/lane/lane.ts";
import { create, createObject, english, linking, read } from "../support/museum/catalogue.ts";
import { databases, museumHere, openMuseum } from "../support/museum/museum.ts";
import { doJobs } from "../support/museum/sent-imports.ts";
import { withResolvers } from "../support/with-resolvers.ts";

const LONG_AGO = "2001-01-01T00:00:00Z";
const FOR_EVER = "2999-01-01T00:00:00Z";

const all = (sql: Sql): Promise<PublicDate[]> => publicDatesById(sql, { until: FOR_EVER }, null, 1_000);

describe.each(databases)("public dates, with the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  const admin = await museum.as("admin");
  const sql = museum.services.sql;

  /** The records whose public date has changed after this work. */
  async function moved(work: () => Promise<unknown>): Promise<string[]> {
    await drainOutbox(museum.services);
    await sql`update public_dates set datestamp = ${LONG_AGO}`;
    await work();
    await drainOutbox(museum.services);
    return (await all(sql)).filter(({ datestamp }) => datestamp !== LONG_AGO).map(({ id }) => id);
  }
  /** A change of the configuration, and the rebuild that follows. */
  async function configured(work: () => Promise<unknown>): Promise<void> {
    await work();
    await followConfiguration(museum.services);
    await doJobs(museum);
  }
  const patch = (path: string, json: object) => read(editor(path, { method: "PATCH", json }));
  const become = (path: string, status: string) => read(editor(`${path}/status`, { json: { status } }));
  const dateOf = async (id: string) => (await all(sql)).find((date) => date.id === id);
  const published = (title: string) => createObject(editor, title, { status: "public" });
  const maker = (name: string) =>
    create(editor, "entity", { status: "public", metadata_: { name: english(name) } });
  const link = linking(editor);

  it("begin when a record is published; drafts have none", async () => {
    const draft = await createObject(editor, "Barograph");
    expect(await dateOf(draft.id)).toBeUndefined();
    expect(await moved(() => become(`/v1/objects/${draft.id}`, "public"))).toEqual([draft.id]);
    const date = (await dateOf(draft.id))!;
    expect(date).toMatchObject({ record_type: "object", withdrawn: false });
    expect(Math.abs(Date.parse(date.datestamp) - Date.now())).toBeLessThan(60_000);
  });

  it("change with public values, not with private ones", async () => {
    const { id } = await published("Thermograph");
    const values = (metadata_: object) => () => patch(`/v1/objects/${id}`, { metadata_ });
    expect(await moved(values({ description: english("With a drum") }))).toEqual([id]);
    expect(await moved(values({ internal_note: [{ value: "The drum is loose" }] }))).toEqual([]);
    expect(await moved(() => patch(`/v1/objects/${id}`, { collection_status: "on_loan_out" }))).toEqual([id]);
  });

  it("change for the records that have a field when it is hidden or shown", async () => {
    const { id } = await published("Hygrograph");
    await published("Anemograph");
    await patch(`/v1/objects/${id}`, { metadata_: { edition: [{ value: "Second" }] } });
    const show = (is_public: boolean) => () =>
      read(admin("/v1/schemas/object/edition", { method: "PATCH", json: { is_public } }));
    expect(await moved(show(false))).toEqual([id]);
    expect(await moved(show(true))).toEqual([id]);
  });

  it("change with relations to public records, with their names in any language, and when these are withdrawn", async () => {
    const { id } = await published("Tide gauge");
    const { id: makerId } = await maker("Ida Kelvin");
    const { id: draftId } = await create(editor, "entity", { metadata_: { name: english("A draft") } });
    expect(await moved(() => link(id, "created_by", "entity", makerId))).toEqual([id]);
    expect(await moved(() => link(id, "owned_by", "entity", draftId))).toEqual([]);
    const name = [...english("Ida Kelvin"), { value: "Ida Kelwin", lang: "de" }];
    const both = (await moved(() => patch(`/v1/entities/${makerId}`, { metadata_: { name } }))).sort();
    expect(both).toEqual([id, makerId].sort());
    // a biography is shown only on the maker's own page
    const biography = { metadata_: { biography: english("She measured tides") } };
    expect(await moved(() => patch(`/v1/entities/${makerId}`, biography))).toEqual([makerId]);
    const back = await moved(() => become(`/v1/entities/${makerId}`, "internal"));
    expect(back.sort()).toEqual([id, makerId].sort());
    expect([await dateOf(makerId), await dateOf(id)]).toMatchObject([
      { withdrawn: true },
      { withdrawn: false },
    ]);
    const { items } = await read<{ items: { id: string; relation_type: string }[] }>(
      editor(`/v1/objects/${id}/relations`),
    );
    const remove = (type: string) => () =>
      read(
        editor(`/v1/objects/${id}/relations/${items.find((item) => item.relation_type === type)!.id}`, {
          method: "DELETE",
        }),
        204,
      );
    expect(await moved(remove("owned_by"))).toEqual([]);
    await become(`/v1/entities/${makerId}`, "public");
    expect(await moved(remove("created_by"))).toEqual([id]);
  });

  it("change with details of linked records that formats contain: identifiers, life dates, places", async () => {
    const { id } = await published("Marine chronometer");
    const { id: makerId } = await maker("Ann Harrison");
    const place = await create(editor, "place", { status: "public", metadata_: { name: english("Barrow") } });
    await link(id, "created_by", "entity", makerId);
    await link(id, "made_at", "place", place.id);
    const movedBy = (path: string, json: object) => moved(() => patch(path, json));
    for (const metadata_ of [{ gnd: [{ value: "118540238" }] }, { birth_date: [{ value: "1753" }] }]) {
      const both = await movedBy(`/v1/entities/${makerId}`, { metadata_ });
      expect(both.sort()).toEqual([id, makerId].sort());
    }
    for (const json of [
      { lat: 54.1, lon: -3.2 },
      { metadata_: { coordinates: [{ value: "54.11,-3.22" }] } },
    ]) {
      expect((await movedBy(`/v1/places/${place.id}`, json)).sort()).toEqual([id, place.id].sort());
    }
  });

  it("change with the names of records in relation fields, even if their ids are in capitals", async () => {
    const field = { name: "donor", label: { en: "Donor" }, field_type: "relation", is_public: true };
    await read(admin("/v1/schemas/object", { json: field }), 201);
    const { id } = await published("Sextant");
    const { id: donorId } = await maker("Ole Berg");
    const donor = [{ value: donorId.toUpperCase() }];
    expect(await moved(() => patch(`/v1/objects/${id}`, { metadata_: { donor } }))).toEqual([id]);
    const rename = () => patch(`/v1/entities/${donorId}`, { metadata_: { name: english("Ole Bergh") } });
    expect((await moved(rename)).sort()).toEqual([id, donorId].sort());
    expect((await moved(() => become(`/v1/entities/${donorId}`, "draft"))).sort()).toEqual(
      [id, donorId].sort(),
    );
  });

  inLong(it)("change with labels in the configuration, for the records that show them", async () => {
    const { id } = await published("Astrolabe");
    const { id: makerId } = await maker("Jean Fusoris");
    await published("Nocturnal");
    await patch(`/v1/objects/${id}`, {
      object_type: "sculpture",
      metadata_: { material: [{ value: "porcelain" }], culture: [{ value: "Burgundian" }] },
    });
    await link(id, "created_by", "entity", makerId);
    const shown = async (work: () => Promise<unknown>) => (await moved(() => configured(work))).sort();
    const admins = (path: string, json: object, method = "PATCH") => read(admin(path, { method, json }));
    const { items } = await read<{ items: { id: string; value: string }[] }>(
      admin("/v1/vocabularies/material/terms?q=porcelain"),
    );
    const term = items.find(({ value }) => value === "porcelain")!;
    expect(
      await shown(() =>
        admins(`/v1/vocabularies/material/terms/${term.id}`, { label: { en: "fine china" } }),
      ),
    ).toEqual([id]);
    const burgundian = { value: "Burgundian", label: { fr: "bourguignon" } };
    expect(
      await shown(() => read(admin("/v1/vocabularies/culture/terms", { json: burgundian }), 201)),
    ).toEqual([id]);
    expect(await shown(() => admins("/v1/schemas/object/material", { label: { en: "Made of" } }))).toEqual([
      id,
    ]);
    expect(
      await shown(() => admins("/v1/schemas/object/material", { mapping: { pattern: "note" } })),
    ).toEqual([id]);
    // the order of fields on a form is not public
    expect(await shown(() => admins("/v1/schemas/object/material", { sort_order: 5 }))).toEqual([]);
    const sculpture = { label: { en: "A sculpted thing" }, is_default: false };
    expect(await shown(() => admins("/v1/subtypes/object/sculpture", sculpture, "PUT"))).toEqual([id]);
    const linked = await sql<{ id: string }[]>`
      select distinct l.from_id as id from relations l join records r on r.id = l.from_id
      where l.relation_type = 'created_by' and r.status = 'public' and exists (
        select 1 from records m where m.id = l.to_id and m.status = 'public' and m.deleted_at is null)`;
    expect(
      await shown(() => admins("/v1/relation-types/created_by", { mapping: { path: "P16i_was_used_for" } })),
    ).toEqual(linked.map((row) => row.id).sort());
    // a hidden name is hidden wherever it is shown
    const hidden = await shown(() => admins("/v1/schemas/entity/gnd", { is_public: false }));
    expect(hidden.length).toBeGreaterThan(1);
    const [behind] = await sql`select count(*)::int as n from projections where target = 'public-dates'
      and configuration_version < (select version from configuration)`;
    expect(behind).toEqual({ n: 0 });
  });

  it("change for the content of a collection that is moved", async () => {
    const named = (title: string) => ({ status: "public", metadata_: { title: english(title) } });
    const above = await create(editor, "collection", named("Instruments"));
    const below = await create(editor, "collection", { ...named("Gauges"), parent_id: above.id });
    const { id } = await published("Pluviometer");
    await link(id, "in_collection", "collection", below.id);
    const away = await moved(() => patch(`/v1/collections/${below.id}`, { parent_id: null }));
    expect(away.sort()).toEqual([below.id, id].sort());
  });

  it("do not tell visitors that a collection is moved between collections that they do not see", async () => {
    const draft = (name: string) => create(editor, "collection", { metadata_: { title: english(name) } });
    const [one, other] = [await draft("Stores"), await draft("Loans")];
    const below = await create(editor, "collection", {
      ...{ status: "public", metadata_: { title: english("Buoys") } },
      parent_id: one.id,
    });
    expect(await moved(() => patch(`/v1/collections/${below.id}`, { parent_id: other.id }))).toEqual([]);
  });

  it("change when a record is withdrawn, published again, deleted by force or restored; a tombstone keeps its date", async () => {
    const { id } = await published("Seismograph");
    const { id: makerId } = await maker("Jo Milne");
    await link(id, "created_by", "entity", makerId);
    const path = `/v1/objects/${id}`;
    for (const [status, withdrawn] of [
      ["internal", true],
      ["public", false],
    ] as const) {
      expect(await moved(() => become(path, status))).toEqual([id]);
      expect(await dateOf(id)).toMatchObject({ withdrawn });
    }
    const remove = () => read(editor(`${path}?force=true`, { method: "DELETE" }), 204);
    expect(await moved(remove)).toEqual([id]);
    expect(await dateOf(id)).toMatchObject({ withdrawn: true });
    expect(await moved(() => read(editor(`${path}/restore`, { method: "POST" })))).toEqual([id]);
    await remove();
    await sql`update records set deleted_at = now() - interval '40 days' where id = ${id}`;
    expect(await moved(() => purgeTrash(museum.services))).toEqual([]);
    expect(await dateOf(id)).toMatchObject({ withdrawn: true, record_type: "object" });
  });

  it("are read page by page, by type and period", async () => {
    const first = await settledUntil(sql);
    for (let n = 0; n < 5; n++) await published(`Sheet ${n}`);
    await expect.poll(() => settledUntil(sql), { timeout: 10_000 }).not.toBe(first);
    const until = FOR_EVER;
    const whole = await all(sql);
    expect(await countPublicDates(sql, { until })).toBe(whole.length);
    expect(await countPublicDates(sql, { until, kinds: ["object"] })).toBe(
      whole.filter(({ record_type }) => record_type === "object").length,
    );
    const pages: PublicDate[] = [];
    for (let after: string | null = null; ; ) {
      const page: PublicDate[] = await publicDatesById(sql, { until, kinds: ["object"] }, after, 3);
      if (page.length === 0) break;
      pages.push(...page);
      after = page.at(-1)!.id;
    }
    expect(pages).toEqual(whole.filter(({ record_type }) => record_type === "object"));
    const dates = whole.map(({ datestamp }) => datestamp).sort();
    expect(await earliestPublicDate(sql)).toBe(dates[0]);
    const from = dates.at(-1)!;
    const latest = await publicDatesById(sql, { from, until }, null, 9);
    expect(latest.length).toBeGreaterThan(0);
    expect(latest.every(({ datestamp }) => datestamp === from)).toBe(true);
  });

  it("never go back, even if the clock does", async () => {
    const { id } = await published("Chronograph");
    await sql`update public_dates set datestamp = '2900-01-01T00:00:00Z' where record_id = ${id}`;
    const { id: later } = await published("Chronoscope");
    expect((await dateOf(later))!.datestamp).toBe("2900-01-01T00:00:01Z");
    // no record gets this date any more, so that harvesters do not have to wait that long
    expect(await settledUntil(sql)).toBe("2900-01-01T00:00:01Z");
    await sql`update public_dates set datestamp = ${LONG_AGO}`;
  });

  it("are added to records that were public before dates existed, including those withdrawn since", async () => {
    const { services } = museum;
    await drainOutbox(services);
    const whole = (await all(sql)).map(({ id, withdrawn }) => [id, withdrawn]).sort();
    await sql`delete from public_dates`;
    await sql`delete from projections where target = 'public-dates'`;
    await sql`delete from jobs`;
    await enableProjections(services);
    await doJobs(museum);
    expect(await sql`select state, result ->> 'failed' as failed from jobs`).toMatchObject([
      { state: "done", failed: "0" },
    ]);
    expect((await all(sql)).map(({ id, withdrawn }) => [id, withdrawn]).sort()).toEqual(whole);
    const [known] = await sql`select is_filled from projections where target = 'public-dates'`;
    expect(known).toEqual({ is_filled: true });
  });
});

// the embedded database has one session, so nobody can assign dates while somebody reads them
inLong(describe.each(databases.filter((database) => database === "external")))(
  "public dates while others are assigned, %s",
  (database) => {
    it("count as settled only when the transaction that assigns them has ended", async () => {
      const museum = await openMuseum({ database });
      const { sql } = museum.services;
      onTestFinished(() => museum.close());
      const { promise: released, resolve: release } = withResolvers();
      const giving = sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(hashtext('public dates'))`;
        await released;
      });
      let settled: string | null = null;
      const asking = settledUntil(sql).then((until) => {
        settled = until;
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(settled).toBeNull();
      release();
      await Promise.all([giving, asking]);
      expect(settled).not.toBeNull();
    });
  },
);
