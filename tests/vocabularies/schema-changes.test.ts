/** Removing a field, term, subtype or relation end while somebody uses it in a write: no invisible value is stored. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import type { Header } from "../../src/exports/format.ts";
import { load } from "../../src/exports/load.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import type { Sql } from "../../src/services.ts";
import { inLong } from "../support/lane/lane.ts";
import { notTried } from "../support/lane/skipped.ts";
import { create, createObject, english, posted, read } from "../support/museum/catalogue.ts";
import { type Ask, databases, type Museum, openMuseum } from "../support/museum/museum.ts";
import { SERVER_MISSING } from "../support/servers/server.ts";
import { withResolvers } from "../support/with-resolvers.ts";

/** The embedded database runs one transaction after the other. */
const isThere = databases.includes("external");
if (!isThere) notTried(SERVER_MISSING);

/** Locks these rows in another transaction; answers how to release them. */
async function holding(sql: Sql, rows: (sql: Sql) => Promise<unknown>): Promise<() => Promise<void>> {
  const other = await sql.reserve();
  await other`begin`;
  await rows(other);
  return async () => {
    await other`rollback`;
    other.release();
  };
}

/** Waits until so many transactions are blocked, or the work has ended. */
async function untilWaiting(sql: Sql, count: number, begun: Promise<unknown>): Promise<void> {
  let over = false;
  const end = () => {
    over = true;
  };
  begun.then(end, end);
  while (!over) {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row!.n >= count) return;
  }
}

describe.runIf(isThere)("removing something from the schema during a write", () => {
  let museum: Museum;
  let sql: Sql;
  let staff: Ask;
  beforeAll(async () => {
    museum = await openMuseum({ database: "external" });
    sql = museum.services.sql;
    staff = await museum.as("superuser");
  });
  afterAll(() => museum.close());

  const answered = async (answer: Promise<Response>) => {
    const response = await answer;
    return { status: response.status, text: await response.text() };
  };
  const moot = [{ value: "kept, and never seen again" }];
  const withMoot = { title: english("Tankard"), moot };
  const addField = () =>
    posted(staff, "/v1/schemas/object", { name: "moot", label: { en: "Moot" }, field_type: "text" });
  const removeField = () => answered(staff("/v1/schemas/object/moot", { method: "DELETE" }));
  const using = async () => {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from records where metadata ? 'moot'`;
    return row!.n;
  };

  /** Removes something and writes with it while the removal is in progress. */
  async function whileRemoving<T>(
    rows: (sql: Sql) => Promise<unknown>,
    go: () => Promise<{ status: number; text: string }>,
    write: () => Promise<T>,
  ): Promise<{ gone: number; written: T }> {
    const letGo = await holding(sql, rows);
    const going = go();
    await untilWaiting(sql, 1, going);
    const writing = write();
    await untilWaiting(sql, 2, writing);
    await letGo();
    const [gone, written] = await Promise.all([going, writing]);
    return { gone: gone.status, written };
  }
  const fieldRow = (other: Sql) =>
    other`select 1 from schema_fields where record_type = 'object' and name = 'moot' for update`;

  /** Each prepares what it needs and answers the write. */
  const ways: Record<string, () => Promise<() => Promise<{ status: number; text: string }>>> = {
    "a new record": async () => () =>
      answered(staff("/v1/objects", { json: { object_type: "painting", metadata_: withMoot } })),
    "a record that is being replaced": async () => {
      const { id } = await createObject(staff, "Tankard");
      const json = { object_type: "painting", metadata_: withMoot };
      return () => answered(staff(`/v1/objects/${id}`, { method: "PUT", json }));
    },
    "a record that is being changed": async () => {
      const { id } = await createObject(staff, "Tankard");
      return () => answered(staff(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_: { moot } } }));
    },
    "a bulk edit": async () => async () =>
      answered(
        staff("/v1/objects/bulk?upsert=merge", {
          ndjson: [{ object_type: "painting", metadata_: withMoot }],
        }),
      ),
    "the restoration of an older version": async () => {
      const { id } = await createObject(staff, "Tankard", { metadata_: withMoot });
      await read(staff(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_: { moot: null } } }));
      return () => answered(staff(`/v1/objects/${id}/history/1/restore`, { method: "POST" }));
    },
    "a bulk edit that is undone": async () => {
      const { id, idno } = await createObject(staff, "Tankard", { metadata_: withMoot });
      const line = { idno, object_type: "painting", metadata_: { title: english("Tankard") } };
      const edit = await staff("/v1/objects/bulk?upsert=replace", { ndjson: [line] });
      const importId = edit.headers.get("X-Import-Id")!;
      expect(await edit.text()).toContain(id);
      return async () => {
        const { restored } = await undoImport(museum.services, OPERATOR, importId, { dryRun: false });
        return { status: restored, text: "" };
      };
    },
  };
  it.each(Object.keys(ways))("a field that is being deleted gets no value from %s", async (way) => {
    await addField();
    const write = await ways[way]!();
    expect(await using()).toBe(0);
    const { gone, written } = await whileRemoving(fieldRow, removeField, write);
    expect([gone, await using()], JSON.stringify(written)).toEqual([204, 0]);
    expect(written.status).not.toBe(201);
  });

  it("a field is not deleted while a record with a value is being written", async () => {
    await addField();
    const letGo = await holding(
      sql,
      (other) => other`select 1 from idno_patterns where record_type = 'object' for update`,
    );
    const writing = answered(
      staff("/v1/objects", { json: { object_type: "painting", metadata_: withMoot } }),
    );
    await untilWaiting(sql, 1, writing);
    const going = removeField();
    await untilWaiting(sql, 2, going);
    await letGo();
    expect([(await writing).status, (await going).status, await using()]).toEqual([201, 409, 1]);
  });

  it("a term that is being deleted is not used by a new record", async () => {
    await read(staff("/v1/vocabularies", { json: { name: "glaze", label: { en: "Glaze" } } }), 201);
    const term = await read(staff("/v1/vocabularies/glaze/terms", { json: { value: "celadon" } }), 201);
    const field = { name: "glazed", label: { en: "Glaze" }, field_type: "vocab", vocabulary: "glaze" };
    await read(staff("/v1/schemas/object", { json: field }), 201);
    const { gone, written } = await whileRemoving(
      (other) => other`select 1 from vocabulary_terms where id = ${term.id} for update`,
      () => answered(staff(`/v1/vocabularies/glaze/terms/${term.id}`, { method: "DELETE" })),
      () => answered(createdWith({ title: english("Bowl"), glazed: [{ value: "celadon" }] })),
    );
    expect([gone, written.status]).toEqual([204, 422]);
  });
  const createdWith = (metadata_: object, object_type = "painting") =>
    staff("/v1/objects", { json: { object_type, metadata_ } });

  it("a subtype that is being deleted is not used by a new record", async () => {
    const put = { method: "PUT", json: { label: { en: "Sundial" }, is_default: false } };
    await read(staff("/v1/subtypes/object/sundial", put), 201);
    const { gone, written } = await whileRemoving(
      (other) => other`select 1 from record_subtypes where name = 'sundial' for update`,
      () => answered(staff("/v1/subtypes/object/sundial", { method: "DELETE" })),
      () => answered(createdWith({ title: english("On the south wall") }, "sundial")),
    );
    expect([gone, written.status]).toEqual([204, 422]);
  });

  it("a relation type that is losing an end makes no relation there", async () => {
    const type = {
      name: "dedicated_to",
      inverse: "has_dedication",
      label: { en: "dedicated to" },
      inverse_label: { en: "has dedication" },
      from_types: ["object", "place"],
      to_types: ["entity"],
      is_public: true,
    };
    await read(staff("/v1/relation-types", { json: type }), 201);
    const { id } = await createObject(staff, "Goblet");
    const { id: to_id } = await create(staff, "entity");
    const link = { relation_type: "dedicated_to", to_type: "entity", to_id };
    const { gone, written } = await whileRemoving(
      (other) => other`select 1 from relation_types where name = 'dedicated_to' for no key update`,
      () =>
        answered(
          staff("/v1/relation-types/dedicated_to", { method: "PATCH", json: { from_types: ["place"] } }),
        ),
      () => answered(staff(`/v1/objects/${id}/relations`, { json: link })),
    );
    expect([gone, written.status]).toEqual([200, 422]);
  });

  inLong(it)("many writers and some changes of the schema all finish", async () => {
    const { id } = await createObject(staff, "Tankard");
    const writers = Array.from({ length: 6 }, async (_, n) => {
      for (let turn = 0; turn < 3; turn++) {
        const metadata_ = { title: english(`Tankard ${n} ${turn}`) };
        await read(staff(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_ } }));
        await createObject(staff, `Tankard ${n} ${turn}`);
      }
    });
    const changers = Array.from({ length: 2 }, async (_, n) => {
      for (let turn = 0; turn < 3; turn++) {
        const json = { label: { en: `Provenance ${n} ${turn}` } };
        await read(staff("/v1/schemas/object/provenance", { method: "PATCH", json }));
      }
    });
    await Promise.all([...writers, ...changers]);
  });
});

inLong(describe.runIf(isThere))("loading an export", () => {
  it("stores no invisible value that somebody writes in the meantime", async () => {
    const museum = await openMuseum({ database: "external" });
    const { sql } = museum.services;
    onTestFinished(() => museum.close());
    const staff = await museum.as("superuser");
    let go = () => {};
    const { promise: reading, resolve: begun } = withResolvers();
    /** A file without any configuration, from which nothing comes for a while. */
    const lines: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise((ended) => {
            begun();
            go = () => ended({ done: true, value: undefined });
          }),
      }),
    };
    const loading = load(museum.services, { parts: {} } as Header, lines);
    await reading;
    const writing = staff("/v1/objects", {
      json: { idno: "1", object_type: "painting", metadata_: { title: english("Tankard") } },
    });
    await untilWaiting(sql, 1, writing);
    go();
    await loading;
    expect((await writing).status).toBe(422);
    expect(await sql`select 1 from records`).toHaveLength(0);
  });
});
