/** svc-manage search-verify, and the comparison behind it: of many differences, and of records that wait. */
import { describe, expect, it, onTestFinished } from "vitest";
import { compareIndex } from "../../src/search/compare.ts";
import { inLong } from "../support/lane/lane.ts";
import { create, createObject } from "../support/museum/catalogue.ts";
import { openMuseum, quickest } from "../support/museum/museum.ts";
import { openOffice } from "../support/programs/command.ts";

describe("the comparison of index and records", () => {
  it("names the first of many differences, and says how many there are and how many wait", async () => {
    const museum = await openMuseum();
    const { sql } = museum.services;
    const editor = await museum.as("editor");
    await createObject(editor, "Tide table");
    const place = await create(editor, "place");
    onTestFinished(() => museum.close());
    const before = await compareIndex(museum.services, null);
    expect(before).toMatchObject({ differences: [], waiting: 0 });
    // as after a disk that was restored without its index; a tenth of them wait
    await sql`
      with copies as (
        insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title)
        select gen_random_uuid(), record_type, 'COPY-' || n, subtype, status, collection_status, metadata, title, sort_title
        from (select * from records where record_type = 'object' limit 1) r, generate_series(1, 1800) n
        returning id, idno)
      insert into outbox (target, record_id) select 'search', id from copies where idno like '%0'`;
    const looks: number[] = [];
    const found = await compareIndex(museum.services, null, (done) => looks.push(done));
    expect(found.differences).toHaveLength(1_000);
    expect(found).toMatchObject({ records: before.records + 1620, differing: 1620, waiting: 180 });
    expect(new Set(found.differences.map(({ fault }) => fault))).toEqual(new Set(["missing"]));
    expect(looks.length).toBeGreaterThan(3);
    expect(await compareIndex(museum.services, "place")).toMatchObject({ differing: 0, waiting: 0 });
    await sql`delete from records where idno like 'COPY-%'`;
    // of no kind that anybody knows any more
    expect((await compareIndex(museum.services, "object")).waiting).toBe(180);
    await museum.services.search.remove([place.id]);
    const missing = { id: place.id, record_type: "place", fault: "missing" };
    expect((await compareIndex(museum.services, null)).differences).toEqual([missing]);
    expect((await compareIndex(museum.services, "object")).differences).toEqual([]);
  });
});

inLong(describe)("search-verify", () => {
  it("says how many records wait, and does not call that success", async () => {
    const office = await openOffice(quickest);
    onTestFinished(() => office.close());
    await office.look(async ({ sql }) => {
      await sql`insert into outbox (target, record_id) select 'search', gen_random_uuid() from generate_series(1, 7)`;
    });
    const { code, out } = await office.run("search-verify");
    expect(code).toBe(3);
    expect(out).toContain("0 records compared, no differences among the others");
    expect(out).toContain("7 records are waiting to be indexed");
  });
});
