/** What the planner knows about the sizes of tables follows what is written. */
import { describe, expect, it } from "vitest";
import { refreshStatistics } from "../../src/records/write/table-maintenance.ts";
import { bulk, english, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

describe.each(databases)("statistics of tables in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const known = async (table: string): Promise<number> => {
    const [row] = await museum.services.sql<{ n: number }[]>`
      select reltuples::float8 as n from pg_class where oid = ${table}::text::regclass`;
    return row!.n;
  };

  it("follow bulk writes while these are under way", async () => {
    const people = await bulk(
      editor,
      "entities",
      Array.from({ length: 600 }, (_, n) => ({
        entity_type: "person",
        metadata_: { name: english(`Person ${n}`) },
      })),
    );
    expect(new Set(people.map(({ outcome }) => outcome))).toEqual(new Set(["created"]));
    expect(await known("records")).toBeGreaterThan(250);
    expect(await known("revisions")).toBeGreaterThan(250);
  });

  it("follow all other writes when asked", async () => {
    const { sql } = museum.services;
    await sql`create table statistics_tried (n integer)`;
    await sql`insert into statistics_tried select generate_series(1, 5000)`;
    await refreshStatistics(museum.services);
    expect(await known("statistics_tried")).toBe(5_000);
    await sql`insert into statistics_tried select generate_series(1, 4000)`;
    await refreshStatistics(museum.services);
    expect(await known("statistics_tried")).toBe(5_000);
    await sql`insert into statistics_tried select generate_series(1, 2000)`;
    await refreshStatistics(museum.services);
    expect(await known("statistics_tried")).toBe(11_000);
    await sql`drop table statistics_tried`;
    await read(editor("/v1/entities"));
  });
});
