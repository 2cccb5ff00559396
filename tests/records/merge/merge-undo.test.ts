/** Whatever two records have, a merge and its undo leave every table as it was. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATOR } from "../../../src/caller.ts";
import { newId } from "../../../src/ids.ts";
import { Problem } from "../../../src/problem.ts";
import { insertDismissed } from "../../../src/records/duplicates/store.ts";
import { type Kind, kinds } from "../../../src/records/kinds.ts";
import { mergeRecord } from "../../../src/records/merge/merge.ts";
import { CHOICES } from "../../../src/records/merge/state.ts";
import { unmergeRecord } from "../../../src/records/merge/undo.ts";
import { createRecord } from "../../../src/records/write/write.ts";
import { isShort } from "../../support/lane/lane.ts";
import { allTables } from "../../support/museum/all-tables.ts";
import { databases, museumHere } from "../../support/museum/museum.ts";

const KINDS_TRIED = ["object", "entity", "collection", "storage_location", "procedure"] as const;
const TYPES = [
  ["object", "created_by", "entity"],
  ["object", "stored_at", "storage_location"],
  ["object", "subject_of_procedure", "procedure"],
  ["object", "part_of", "object"],
  ["entity", "member_of", "entity"],
  ["entity", "related_to", "entity"],
  ["object", "in_collection", "collection"],
] as const;
const NAMES = ["Ada", "Bo", "Cy", "Di"];
/** The procedures that are outgoing loans, without an end date. */
const LENDING = ["Ada", "Bo"];

describe.each(databases)("any merge and its undo (%s)", async (database) => {
  const ids = new Map<Kind, string[]>();
  const museum = await museumHere({ database });
  beforeAll(async () => {
    const { services } = museum;
    // a field by which records name others
    await services.sql`
      insert into schema_fields (record_type, name, label, help, field_type, is_required, is_repeatable, is_translatable,
        is_searchable, is_facet, is_public, sort_order, mapping)
      values ('object', 'like_this', '{}', '{}', 'relation', false, true, false, null, false, true, 900, '{}')`;
    for (const kind of KINDS_TRIED) {
      const made = [];
      for (const name of NAMES)
        made.push(
          await createRecord(services, OPERATOR, kind, {
            metadata: { [kinds[kind].titleField]: [{ value: name }] },
            ...(kind === "procedure" ? { subtype: LENDING.includes(name) ? "loan_out" : "loan_in" } : {}),
            ...(kind === "storage_location" || name === "Di" ? {} : { status: "public" }),
          }),
        );
      ids.set(
        kind,
        made.map(({ id }) => id),
      );
    }
  });

  const tables = () => allTables(museum.services.sql);

  const index = fc.nat({ max: 3 });
  const link = fc.record({
    type: fc.constantFrom(...TYPES),
    from: index,
    to: index,
    role: fc.constantFrom(undefined, "painter", "printer"),
    note: fc.constantFrom(undefined, "signed"),
  });
  const plan = fc.record({
    links: fc.array(link, { maxLength: 25 }),
    media: fc.array(fc.record({ object: index, file: fc.nat({ max: 4 }) }), { maxLength: 8 }),
    parents: fc.array(
      fc.record({
        kind: fc.constantFrom("collection" as const, "storage_location" as const),
        child: index,
        parent: index,
      }),
      {
        maxLength: 4,
      },
    ),
    named: fc.array(fc.record({ by: index, other: index }), { maxLength: 4 }),
    different: fc.array(fc.tuple(fc.constantFrom(...KINDS_TRIED), index, index), { maxLength: 4 }),
    rows: fc.array(fc.tuple(fc.constantFrom(...KINDS_TRIED), index), { maxLength: 5 }),
    merges: fc.array(fc.record({ kind: fc.constantFrom(...KINDS_TRIED), from: index, into: index }), {
      minLength: 1,
      maxLength: 4,
    }),
    choices: fc.dictionary(fc.constantFrom("title", "name", "alternative_name"), fc.constantFrom(...CHOICES)),
  });

  type Drawn = typeof plan extends fc.Arbitrary<infer T> ? T : never;
  async function furnish({ links, media, parents, named, different, rows }: Drawn): Promise<void> {
    const { sql } = museum.services;
    const of = (kind: Kind, at: number) => ids.get(kind)![at]!;
    await sql`delete from relations`;
    await sql`delete from movements`;
    await sql`delete from object_media`;
    await sql`delete from import_rows`;
    await sql`delete from media_names`;
    await sql`delete from not_duplicates`;
    await sql`update records set parent_id = null, metadata = metadata - 'like_this'`;
    const loans = new Map<number, number>();
    for (const { type, from, to, role, note } of links) {
      if (type[1] === "subject_of_procedure" && LENDING.includes(NAMES[to]!)) {
        // an object can only be on one loan at a time
        if ((loans.get(from) ?? to) !== to) continue;
        loans.set(from, to);
      }
      const metadata = { ...(role && { role: [{ value: role }] }), ...(note && { note: [{ value: note }] }) };
      const ends = [of(type[0], from), of(type[2], to)];
      if (ends[0] === ends[1] || (["member_of", "part_of"].includes(type[1]) && from > to)) continue;
      await sql`
        insert into relations (id, relation_type, from_id, to_id, metadata)
        values (${newId()}, ${type[1]}, ${ends[0]!}, ${ends[1]!}, ${sql.json(metadata)}) on conflict do nothing`;
    }
    await sql`select note_movements(array(select id from records), null, null, null, null, null)`;
    await sql`
      update movements m set procedure_id = (select id from records where record_type = 'procedure' limit 1)`;
    for (const [at, { object, file }] of media.entries())
      await sql`
        insert into object_media (id, object_id, storage_key, filename, mime_type, category, status, bytes, sha256,
          visibility, is_primary, position)
        values (${newId()}, ${of("object", object)}, ${`k${at}`}, 'f.jpg', 'image/jpeg', 'image', 'ready', 1,
          ${String(file).repeat(64)}, 'public', not exists (
            select 1 from object_media where object_id = ${of("object", object)} and is_primary),
          (select count(*) + 1 from object_media where object_id = ${of("object", object)}))
        on conflict do nothing`;
    for (const { kind, child, parent } of parents)
      if (child < parent)
        await sql`update records set parent_id = ${of(kind, parent)} where id = ${of(kind, child)}`;
    for (const { by, other } of named)
      await sql`
        update records set metadata = metadata || jsonb_build_object('like_this',
          coalesce(metadata -> 'like_this', '[]') || jsonb_build_array(jsonb_build_object('value', ${of("object", other)}::text)))
        where id = ${of("object", by)}`;
    for (const [kind, one, other] of different)
      if (one !== other)
        await insertDismissed(sql, "not_duplicates", OPERATOR, [of(kind, one), of(kind, other)]);
    for (const [at, [kind, index]] of rows.entries()) {
      await sql`insert into import_rows values ('h', ${at}, ${of(kind, index)})`;
      await sql`
        insert into media_names (record_id, filename, position) values (${of(kind, index)}, ${`${at % 2}.jpg`}, 1)
        on conflict do nothing`;
    }
  }

  it("leave every table as it was", async () => {
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(plan, async (drawn) => {
        const { services } = museum;
        await furnish(drawn);
        const states = [await tables()];
        const done: { kind: Kind; id: string }[] = [];
        for (const { kind, from, into } of drawn.merges) {
          const id = ids.get(kind)![from]!;
          const wish = { into: ids.get(kind)![into]!, fields: {}, expected: null };
          const { titleField } = kinds[kind];
          const fields = Object.fromEntries(
            Object.entries(drawn.choices).filter(([name]) => name === titleField),
          );
          try {
            await mergeRecord(services, OPERATOR, kind, id, { ...wish, fields }, true);
          } catch (error) {
            if (error instanceof Problem && error.status !== 500) continue;
            throw error;
          } finally {
            expect(await tables()).toEqual(states.at(-1));
          }
          await mergeRecord(services, OPERATOR, kind, id, { ...wish, fields }, false);
          done.push({ kind, id });
          states.push(await tables());
          merged += 1;
        }
        for (const { kind, id } of done.reverse()) {
          states.pop();
          const undone = await unmergeRecord(services, OPERATOR, kind, id, null);
          expect(undone.left).toEqual([]);
          expect(await tables()).toEqual(states.at(-1));
        }
      }),
      { seed: 44, numRuns: isShort ? 10 : 25 },
    );
    expect(merged).toBeGreaterThan(isShort ? 8 : 20);
  }, 300_000);
});
