import { describe, expect, it } from "vitest";
import { KINDS } from "../../src/records/kinds.ts";
import { retryWhenNumberTaken } from "../../src/records/write/write.ts";
import {
  bulk,
  create,
  createObject,
  faults,
  type Page,
  type ProblemJson,
  type RecordJson,
  read,
  samples,
} from "../support/museum/catalogue.ts";
import { databases, type Museum, museumHere } from "../support/museum/museum.ts";

describe.each(databases)("identification numbers in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const number = (record: RecordJson) => Number(record.idno.replace(/^\D+/, ""));
  const nextOf = async (kind: string) => {
    const [row] = await museum.services.sql<{ n: number }[]>`
      select next_number::int as n from idno_patterns where record_type = ${kind}`;
    return row!.n;
  };

  it.each(KINDS)("each kind has its own numbers, beginning with 1: %s", async (kind) => {
    const { prefix } = samples[kind];
    expect((await create(editor, kind)).idno).toBe(`${prefix}000001`);
    expect((await create(editor, kind)).idno).toBe(`${prefix}000002`);
  });

  it("twenty simultaneous records get twenty consecutive numbers", async () => {
    const first = await nextOf("entity");
    const all = await Promise.all(Array.from({ length: 20 }, () => create(editor, "entity")));
    const numbers = all.map(number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => first + index));
    expect(await nextOf("entity")).toBe(first + 20);
  });

  it("a record that could not be created leaves no gap", async () => {
    const first = await nextOf("place");
    const broken = { ...samples.place.draft, metadata_: { nickname: [{ value: "x" }] } };
    await faults(editor("/v1/places", { json: broken }));
    await faults(editor("/v1/places", { json: { ...samples.place.draft, idno: "PLC-000001" } }), 409);
    expect(number(await create(editor, "place"))).toBe(first);
  });

  it("numbers that somebody chose are skipped, and no other is left out", async () => {
    const first = await nextOf("occurrence");
    const written = [first, first + 1, first + 3].map((n) => `OCC-${String(n).padStart(6, "0")}`);
    for (const idno of written) await create(editor, "occurrence", { idno });
    const assigned = [];
    for (let n = 0; n < 3; n++) assigned.push(number(await create(editor, "occurrence")));
    expect(assigned).toEqual([first + 2, first + 4, first + 5]);
  });

  it("numbers that differ only in case are different, and are found side by side", async () => {
    const small = await createObject(editor, "Fragment with rim", { idno: "1998.4a" });
    const large = await createObject(editor, "Box of fragments", { idno: "1998.4A" });
    const lines = [{ idno: "1998.4A", collection_status: "on_loan_out" }];
    const [changed] = await bulk(editor, "objects?upsert=merge", lines);
    expect(changed).toMatchObject({ outcome: "updated", id: large.id });
    const again = { ...samples.object.draft, idno: "1998.4a" };
    await faults(editor("/v1/objects", { json: again }), 409);
    const found = async (query: string) => {
      const { items } = await read<Page>(editor(`/v1/objects?sort_by=idno&sort_dir=asc&${query}`));
      return items.map((item) => item.id);
    };
    expect(await found("idno=1998.4a")).toEqual([small.id]);
    expect(await found("q=1998.4a")).toEqual([large.id, small.id]);
  });

  it("ten thousand imported numbers are skipped at once", async () => {
    const { sql } = museum.services;
    const first = await nextOf("procedure");
    await sql`
      insert into records (id, record_type, idno, subtype, status, title, sort_title)
      select gen_random_uuid(), 'procedure', 'PRC-' || lpad((${first}::int + n)::text, 6, '0'), 'inventory', 'draft', 't', 't'
      from generate_series(0, 9999) n`;
    const started = performance.now();
    expect(number(await create(editor, "procedure"))).toBe(first + 10_000);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await nextOf("procedure")).toBe(first + 10_001);
  });

  it("after 999999 comes 1000000", async () => {
    const { sql } = museum.services;
    await sql`update idno_patterns set next_number = 999998 where record_type = 'entity'`;
    await create(editor, "entity", { idno: "ENT-999999" });
    await create(editor, "entity", { idno: "ENT-1000001" });
    const assigned = [];
    for (let n = 0; n < 3; n++) assigned.push((await create(editor, "entity")).idno);
    expect(assigned).toEqual(["ENT-999998", "ENT-1000000", "ENT-1000002"]);
  });

  it("the number of a record in the trash is not assigned again", async () => {
    const last = await create(editor, "collection");
    await editor(`/v1/collections/${last.id}`, { method: "DELETE" });
    const { sql } = museum.services;
    await sql`update idno_patterns set next_number = ${number(last)} where record_type = 'collection'`;
    expect(number(await create(editor, "collection"))).toBe(number(last) + 1);
  });

  it("a record without a chosen number never conflicts with numbers that others choose at the same time", async () => {
    const first = await nextOf("storage_location");
    const written = Array.from({ length: 10 }, (_, n) => `LOC-${String(first + n).padStart(6, "0")}`);
    const answers = await Promise.all(
      written.flatMap((idno) => [
        editor("/v1/storage-locations", { json: { ...samples.storage_location.draft, idno } }),
        editor("/v1/storage-locations", { json: samples.storage_location.draft }),
      ]),
    );
    const unnumbered = answers.filter((_, index) => index % 2 === 1);
    expect(unnumbered.map((answer) => answer.status)).toEqual(Array(10).fill(201));
    const made = await Promise.all(
      answers.filter((answer) => answer.status === 201).map((answer) => read(answer, 201)),
    );
    expect(new Set(made.map((record) => record.idno)).size).toBe(made.length);
  });

  it("a number is unique for its type: otherwise 409", async () => {
    const { idno } = await createObject(editor, "Chart");
    const other = await createObject(editor, "Another chart");
    await faults(editor("/v1/objects", { json: { ...samples.object.draft, idno } }), 409);
    await faults(editor("/v1/objects", { json: { ...samples.object.draft, idno: `  ${idno} ` } }), 409);
    for (const method of ["PUT", "PATCH"]) {
      await faults(
        editor(`/v1/objects/${other.id}`, { method, json: { ...samples.object.draft, idno } }),
        409,
      );
    }
    expect((await read(editor(`/v1/objects/${other.id}`))).idno).toBe(other.idno);
    expect((await create(editor, "entity", { idno })).idno).toBe(idno);
  });

  it("the refusal names the record with that number to those who may read it", async () => {
    const { id, idno } = await createObject(editor, "Log book");
    const detail = (answer: Promise<Response>) =>
      read<ProblemJson>(answer, 409).then((problem) => problem.detail);
    const json = { ...samples.object.draft, idno };
    const named = `"${idno}" is already the number of another object: /v1/objects/${id}`;
    expect(await detail(editor("/v1/objects", { json }))).toBe(named);
    const other = await createObject(editor, "Another log book");
    const path = `/v1/objects/${other.id}`;
    expect(await detail(editor(path, { method: "PATCH", json: { idno } }))).toBe(named);
    await editor(path, { method: "DELETE" });
    await create(editor, "object", { idno: other.idno });
    expect(await detail(editor(`${path}/restore`, { method: "POST" }))).toMatch(
      new RegExp(`^"${other.idno}" is already the number of another object: /v1/objects/`),
    );

    // like an API key that may write but not read
    const permissions = { records: { object: ["create"] }, features: [] };
    await museum.services.sql`
      insert into roles (name, label, sort_order, permissions)
      values ('registrar', '{"en": "Registrar"}', 1, ${museum.services.sql.json(permissions)})`;
    const registrar = await museum.as("registrar" as Parameters<Museum["as"]>[0]);
    expect(await detail(registrar("/v1/objects", { json }))).toBe(
      "This number is already taken by another object",
    );
  });

  it("only one of several simultaneous requests for a number gets it", async () => {
    const draft = { ...samples.object.draft, idno: "1923.14 a/b" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => editor("/v1/objects", { json: draft })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409]);
  });

  it("the number of a record in the trash can be chosen again, and then that record cannot be restored with it", async () => {
    const old = await create(editor, "object", { idno: "Reused 1" });
    await editor(`/v1/objects/${old.id}`, { method: "DELETE" });
    const next = await create(editor, "object", { idno: "Reused 1" });
    await faults(editor(`/v1/objects/${old.id}/restore`, { method: "POST" }), 409);
    await read(editor(`/v1/objects/${next.id}`, { method: "PATCH", json: { idno: "Reused 2" } }));
    expect((await read(editor(`/v1/objects/${old.id}/restore`, { method: "POST" }))).idno).toBe("Reused 1");
  });

  it.each([
    ["empty", ""],
    ["blank", "   "],
    ["longer than 200 characters", "x".repeat(201)],
    ["with a line break", "OBJ\n1"],
    ["with a tab", "OBJ\t1"],
    ["with a zero width space", "OBJ\u200b1"],
    ["with a soft hyphen", "OBJ\u00ad1"],
    ["with a mark that turns the direction", "OBJ\u202e1"],
    ["with an isolate", "OBJ\u20661\u2069"],
    ["with a byte order mark in it", "OBJ\ufeff1"],
    ["with a line separator", "OBJ\u20281"],
    ["with DEL", "OBJ\u007f1"],
    ["with a C1 control", "OBJ\u00921"],
    ["with U+FFFF", "OBJ\uffff1"],
    ["with half of a surrogate pair", "OBJ\ud8001"],
    ["a number instead of text", 7],
  ])("a number that is %s is refused", async (_, idno) => {
    expect(await faults(editor("/v1/objects", { json: { ...samples.object.draft, idno } }))).toEqual([
      "/idno",
    ]);
  });
});

it.each([
  ["records_idno", 10],
  ["relations_once", 1],
])("a write that fails by %s is tried %i times", async (constraint_name, times) => {
  let tried = 0;
  const write = () => {
    tried++;
    return Promise.reject({ code: "23505", constraint_name });
  };
  await expect(retryWhenNumberTaken(write)).rejects.toMatchObject({ constraint_name });
  expect(tried).toBe(times);
});
