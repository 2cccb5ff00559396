/** Whatever two terms have, a merge and its undo leave every table as it was. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { newId } from "../../src/ids.ts";
import { Problem } from "../../src/problem.ts";
import { insertDismissed } from "../../src/records/duplicates/store.ts";
import { createRecord } from "../../src/records/write/write.ts";
import { mergeTerm, planTermMerge } from "../../src/vocabularies/merge/merge.ts";
import { unmergeTerm } from "../../src/vocabularies/merge/undo.ts";
import { insertTerms, placeBelow } from "../../src/vocabularies/terms/store.ts";
import { allTables } from "../support/museum/all-tables.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

const TERMS = ["oak", "oaks", "Oak", "tree", "wood"];
const VOCABULARIES = ["role", "wood", "attribution_qualifier"] as const;
/** What is to be projected anew, and the version of the configuration. */
const APART = ["outbox", "configuration", "projections", "withdrawals"];

describe.each(databases)("any merge of terms and its undo (%s)", async (database) => {
  const objects: string[] = [];
  let maker: string;
  const museum = await museumHere({ database });
  beforeAll(async () => {
    const { services } = museum;
    const { sql } = services;
    await sql`insert into vocabularies (name, label) values ('wood', '{}')`;
    for (const [kind, type] of [
      ["object", "vocab"],
      ["collection", "vocab_free"],
    ] as const)
      await sql`
        insert into schema_fields (record_type, name, label, help, field_type, vocabulary, is_required, is_repeatable,
          is_translatable, is_searchable, is_facet, is_public, sort_order, mapping)
        values (${kind}, 'wood', '{}', '{}', ${type}, 'wood', false, true, false, 'B', true, true, 900, '{}')`;
    const named = (value: string) => ({ metadata: { title: [{ value }] }, status: "public" as const });
    for (const title of ["A", "B"])
      objects.push((await createRecord(services, OPERATOR, "object", named(title))).id);
    objects.push((await createRecord(services, OPERATOR, "collection", named("C"))).id);
    maker = (await createRecord(services, OPERATOR, "entity", { metadata: { name: [{ value: "M" }] } })).id;
  });

  const tables = () => allTables(museum.services.sql, APART);
  const index = fc.nat({ max: TERMS.length - 1 });
  const names = fc.dictionary(fc.constantFrom("en", "de", "und"), fc.constantFrom("Eiche", "oak", "chêne"));
  const term = fc.record({
    label: names,
    alt: fc.dictionary(
      fc.constantFrom("en", "und"),
      fc.uniqueArray(fc.constantFrom("Eiche", "quercus", "oak tree")),
    ),
    note: names,
    uri: fc.constantFrom(null, null, "https://example.org/1", "https://example.org/2"),
    // only below earlier ones, so that there is no circle
    broader: fc.uniqueArray(index, { maxLength: 3 }),
  });
  const plan = fc.record({
    vocabulary: fc.constantFrom(...VOCABULARIES),
    terms: fc.array(term, { minLength: TERMS.length, maxLength: TERMS.length }),
    values: fc.array(fc.record({ object: fc.nat({ max: 2 }), term: index }), { maxLength: 8 }),
    links: fc.array(
      fc.record({
        object: fc.nat({ max: 1 }),
        terms: fc.uniqueArray(index, { minLength: 1, maxLength: 2 }),
        note: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
    different: fc.array(fc.tuple(index, index), { maxLength: 3 }),
    merges: fc.array(fc.record({ from: index, into: index }), { minLength: 1, maxLength: 4 }),
  });
  type Drawn = typeof plan extends fc.Arbitrary<infer T> ? T : never;

  async function furnish({ vocabulary, terms, values, links, different }: Drawn): Promise<string[]> {
    const { sql } = museum.services;
    await sql`delete from relations`;
    await sql`update records set metadata = metadata - 'wood'`;
    await sql`delete from vocabulary_terms where vocabulary in ${sql([...VOCABULARIES])}`;
    const ids = TERMS.map(() => newId());
    await insertTerms(
      sql as never,
      terms.map(({ label, alt, note, uri, broader }, at) => ({
        ...{
          id: ids[at]!,
          vocabulary,
          value: TERMS[at]!,
          label,
          uri,
          alt_label: alt,
          hidden_label: alt,
          definition: note,
        },
        ...{
          scope_note: {},
          sort_order: at,
          ...placeBelow(broader.filter((each) => each < at).map((each) => ids[each]!)),
        },
      })),
    );
    if (vocabulary === "wood")
      for (const { object, term } of values)
        await sql`
          update records set metadata = metadata || jsonb_build_object('wood',
            coalesce(metadata -> 'wood', '[]') || jsonb_build_array(jsonb_build_object('value', ${TERMS[term]!}::text)))
          where id = ${objects[object]!}`;
    else
      for (const { object, terms: said, note } of links) {
        const name = vocabulary === "role" ? "role" : "qualifier";
        const metadata = {
          [name]: said.map((each) => ({ value: TERMS[each]! })),
          ...(note && { note: [{ value: "n" }] }),
        };
        await sql`
          insert into relations (id, relation_type, from_id, to_id, metadata)
          values (${newId()}, 'created_by', ${objects[object]!}, ${maker}, ${sql.json(metadata)}) on conflict do nothing`;
      }
    for (const [one, other] of different)
      if (one !== other)
        await insertDismissed(sql, "not_duplicate_terms", OPERATOR, [ids[one]!, ids[other]!]);
    return ids;
  }

  it("leave every table as it was", async () => {
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(plan, async (drawn) => {
        const { services } = museum;
        const { vocabulary } = drawn;
        const ids = await furnish(drawn);
        const states = [await tables()];
        const done: string[] = [];
        for (const { from, into } of drawn.merges) {
          const id = ids[from]!;
          const wish = { into: ids[into]!, expected: null };
          try {
            await planTermMerge(services, OPERATOR, vocabulary, id, wish);
          } catch (error) {
            if (error instanceof Problem && error.status !== 500) continue;
            throw error;
          } finally {
            expect(await tables()).toEqual(states.at(-1));
          }
          await mergeTerm(services, OPERATOR, vocabulary, id, wish);
          done.push(id);
          states.push(await tables());
          const [held] = await services.sql`
            select 1 from records where metadata ->> 'wood' like ${`%"${TERMS[from]}"%`}
            union all
            select 1 from relations where metadata ->> 'role' like ${`%"${TERMS[from]}"%`} or metadata ->> 'qualifier' like ${`%"${TERMS[from]}"%`}`;
          expect(held).toBeUndefined();
          merged += 1;
        }
        for (const id of done.reverse()) {
          states.pop();
          const undone = await unmergeTerm(services, OPERATOR, vocabulary, id, null);
          expect(undone.left).toEqual([]);
          expect(await tables()).toEqual(states.at(-1));
        }
      }),
      { seed: 44, numRuns: 10, endOnFailure: true },
    );
    expect(merged).toBeGreaterThan(8);
  }, 300_000);
});
