/** A rebuild writes the same into the new index as an edit writes into the active one, and reports what is refused. */
import { describe, expect, it } from "vitest";
import { inDatabaseSearch } from "../../../src/adapters/search/in-database.ts";
import { readState } from "../../../src/adapters/search/tables/table-sets.ts";
import type { SearchDocument } from "../../../src/ports/search-index.ts";
import { databases, museumHere } from "../../support/museum/museum.ts";
import { idOf, record } from "../../support/search/search-documents.ts";

/** Edge cases of an index: no words, words in all scripts, more positions than are stored, open ends, many values. */
const DOCUMENTS: SearchDocument[] = [
  record(1, { title: "Red boats, 1998/4-2 and Øresund 北斎の富士 🐟 Дом ‘quoted’ \\ back" }),
  record(2, { publicText: [], title: "" }),
  record(3, {
    publicText: [
      { weight: "D", text: "boat ".repeat(400) },
      { weight: "A", text: `${"word ".repeat(17_000)} boat last`, stems: ["en:boat", "en:boat", "de:boot"] },
      { weight: "C", text: "last", stems: ["en:boat"] },
    ],
    staffText: [{ weight: "B", text: "only for staff: ünlü Å" }],
    linkedText: [{ weight: "B", text: "of somebody who is hidden" }],
  }),
  record(4, {
    facets: {
      material: Array.from({ length: 60 }, (_, n) => `material ${n}`),
      maker: ["", "ab\nc,{}\"'"],
    },
    ranges: {
      date: [{ from: Number.NEGATIVE_INFINITY, to: -719_528.5 }],
      height: [
        { from: 0.1, to: 1e300 },
        { from: 3, to: Number.POSITIVE_INFINITY },
      ],
    },
    collectionStatus: "on_loan_out",
    status: "internal",
  }),
  record(6, {
    publicText: [
      { weight: "D", text: Array.from({ length: 12_000 }, (_, n) => `${n}`.padStart(90, "é")).join(" ") },
    ],
  }),
];

const IDS = DOCUMENTS.map(({ id }) => id);

describe.each(databases)("a rebuilt index in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const sql = museum.services.sql;
  const index = inDatabaseSearch(sql, { isServer: database === "external" });

  /** Everything in the active index but the row numbers, which have no meaning. */
  async function contents(): Promise<unknown> {
    const { current } = await readState(sql);
    const rows = await sql`
      select s.id, s.record_type, s.status, s.collection_status, s.terms, s.words, t.words::text as text,
        array(select (r.field_no, r.low, r.high)::text from ${sql(`search_ranges_${current}`)} r where r.id = s.id order by 1)
          as ranges
      from ${sql(`search_rows_${current}`)} s left join ${sql(`search_texts_${current}`)} t on t.id = s.id order by s.id`;
    return [...rows];
  }

  async function rebuild(documents: readonly SearchDocument[]): Promise<void> {
    await index.generations.begin();
    await index.generations.put(documents);
    await index.generations.settle();
    await index.generations.swap();
  }

  it("has the same content as one that was written record by record", async () => {
    await index.put(DOCUMENTS);
    const written = await contents();
    expect(written).toMatchObject(IDS.map((id) => ({ id })));
    await rebuild(DOCUMENTS);
    expect(await contents()).toEqual(written);
    expect(await index.differing!(DOCUMENTS)).toEqual([]);
    const [, , third] = DOCUMENTS;
    const other = { ...third!, publicText: [{ weight: "D" as const, text: "boat ".repeat(399) }] };
    expect(await index.differing!([other])).toEqual([idOf(3)]);
  });

  it("has each record once, in its last version, however many writers there were at the same time", async () => {
    await index.generations.begin();
    const again = (n: number) =>
      DOCUMENTS.map((document) => ({ ...document, ranges: new Map([["date", [{ from: n, to: n }]]]) }));
    await Promise.all([1, 2, 3, 4].map((n) => index.generations.put(again(n))));
    await index.generations.put(DOCUMENTS);
    await index.generations.settle();
    await index.generations.swap();
    expect(await index.differing!(DOCUMENTS)).toEqual([]);
    const found = await index.walk(null, 100);
    expect(found.map(({ id }) => id)).toEqual(IDS);
  });

  it("reports what was refused, and the active index is unchanged", async () => {
    const before = await contents();
    const { current } = await readState(sql);
    const other = sql(`search_ranges_${current === "a" ? "b" : "a"}`);
    await sql`alter table ${other} add constraint refused check (low < 5)`;
    try {
      await index.generations.begin();
      const refused = record(7, { ranges: { height: [{ from: 6, to: 6 }] } });
      await index.generations.put(DOCUMENTS);
      await expect(index.generations.put([refused])).rejects.toThrow('violates check constraint "refused"');
      expect(await contents()).toEqual(before);
    } finally {
      await sql`alter table ${other} drop constraint refused`;
      await index.generations.drop();
    }
    await rebuild(DOCUMENTS);
    expect(await contents()).toEqual(before);
  });
});
