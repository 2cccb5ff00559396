import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { headerLine, partsOf, readHeader, readRow, rowLine } from "../../src/exports/format.ts";
import { load } from "../../src/exports/load.ts";
import { PARTS } from "../../src/exports/parts.ts";
import { withReading } from "../../src/exports/read.ts";
import { makeSortKeys } from "../../src/records/write/sort-keys.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { inLong } from "../support/lane/lane.ts";
import {
  create,
  createObject,
  english,
  type Page,
  patched,
  posted,
  read,
} from "../support/museum/catalogue.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { type DatabaseKind, databases, type Museum, openMuseum } from "../support/museum/museum.ts";

/** What no export contains, and why; columns as table.column. */
const LEFT_OUT: Record<string, string> = {
  schema_migrations: "says which schema this database has",
  configuration: "counts the changes of this installation's configuration",
  heartbeats: "of the worker of this installation",
  stray_files: "of the files of this installation",
  outbox: "what waits here; an import fills it anew",
  projections: "which are enabled here",
  graphs: "made from the records",
  withdrawals: "of the files under /dumps/ of this installation",
  list_views: "how people work here",
  list_columns: "how people work here",
  import_mappings: "how people work here",
  "records.sort_idno": "made from the number",
  "records.sort_date": "made from the date",
  "imports.runs": "which process goes on with it here",
  "object_media.prepare_after": "when tiles are tried again here",
  "object_media.prepare_attempts": "how often tiles were tried here",
  search_rows_a: "made from the records",
  search_rows_b: "made from the records",
  search_texts_a: "made from the records",
  search_texts_b: "made from the records",
  search_ranges_a: "made from the records",
  search_ranges_b: "made from the records",
  search_words: "made from the records",
  search_state: "of the search index",
  search_changes: "of the search index",
  search_log: "of the search index",
  search_rebuild: "of the search index",
  search_rebuild_changes: "of the search index",
  search_fields: "made from the records",
  search_terms: "made from the records",
  broader_terms: "a view of the terms",
  merged_terms: "a view of the terms",
  sessions: "who is signed in here",
  api_keys: "secrets of this installation",
  instance_secret: "a secret of this installation",
  password_resets: "secrets of this installation",
  mail_queue: "mails of this installation",
  security_events: "the log of this installation, which nobody writes but itself",
  jobs: "what waits here, and how it ended",
  job_files: "what waits here",
  staged_rows: "of imports that run here",
  staged_names: "of imports that run here",
  staged_ends: "of imports that run here",
  backups: "of this installation's directory",
  "accounts.password_hash": "a secret",
  "accounts.must_change_password": "true for everybody who comes without a password",
  "accounts.token_version": "counts the sessions of this installation",
  "vocabulary_terms.broader_id": "in the part broader_term",
  "records.parent_id": "in the part parent",
  "media_names.import_id": "an import may not be in the file",
  "relations.import_id": "an import may not be in the file",
  "movements.import_id": "an import may not be in the file",
};

async function linesOf({ services }: Museum, history = false): Promise<string[]> {
  return withReading(services, history, async ({ pages }) => {
    const lines: string[] = [];
    for await (const page of pages) lines.push(...page);
    return lines;
  });
}

async function* each(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}

/** An answer. Of facets, only what is counted more than once: values with a count of one have no fixed order. */
async function comparable(answer: Promise<Response>): Promise<unknown> {
  const body = await read<{ facets?: Record<string, { value: string; count: number }[]> }>(answer);
  const facets = Object.entries(body.facets ?? {}).map(([field, counts]) => [
    field,
    counts
      .filter(({ count }) => count > 1)
      .map(({ value, count }) => `${count} ${value}`)
      .sort(),
  ]);
  return { ...body, facets };
}

const header = (history = false) => readHeader(headerLine(history, new Date()));

/** A museum in which everything has happened that an export contains. */
async function usedMuseum(database: DatabaseKind): Promise<Museum> {
  const museum = await openMuseum({ database, demo: true });
  const admin = await museum.as("superuser");
  const field = { name: "shelf_mark", field_type: "text", label: { en: "Shelf mark" } };
  await posted(admin, "/v1/schemas/object", field);
  const permissions = { records: { object: ["read"] }, features: [] };
  await posted(admin, "/v1/roles", { name: "desk", label: { en: "Desk" }, permissions });
  await patched(admin, "/v1/settings", { name: { en: 'The "Nets" Museum' }, typeface: "sans" });
  const one = await createObject(admin, 'Nets, "drying" \\ ü 船\n\u2028', {
    metadata_: { title: english("Nets drying"), shelf_mark: [{ value: "A\t1" }] },
  });
  await read(admin(`/v1/objects/${one.id}/publish`, { method: "POST" }));
  await patched(admin, `/v1/objects/${one.id}`, { metadata_: { title: english("Nets") } });
  const gone = await createObject(admin, "Lost at sea");
  await read(admin(`/v1/objects/${gone.id}`, { method: "DELETE" }), 204);
  const [term, narrower] = await museum.services.sql<{ id: string; vocabulary: string }[]>`
    select id, vocabulary from vocabulary_terms where broader_id is null order by vocabulary, id limit 2`;
  await museum.services.sql`
    update vocabulary_terms set broader_id = ${narrower!.id}, also_broader = array[${narrower!.id}::uuid],
      alt_label = '{"en": ["another"]}'
    where id = ${term!.id}`;
  // a parent that is younger than its child
  const trees = await museum.services.sql<{ id: string }[]>`
    select id from records where record_type = 'collection' and parent_id is null order by id`;
  const youngest = await create(admin, "collection", { metadata_: { title: english("All") } });
  await museum.services.sql`update records set parent_id = ${youngest.id} where id = ${trees[0]!.id}`;
  await museum.services.sql`
    insert into import_rows select 'feed', n, ${one.id} from generate_series(1, 1200) n`;
  await museum.services.sql`
    insert into media_names (record_id, filename, position)
    select ${one.id}, name, 0 from unnest(array['b.jpg', 'A.jpg', 'ä.jpg', '_.jpg']) name`;
  const picture = await send(admin, one.id, await jpeg(40, 30), "front.jpg", {
    caption: '[{"value": "Vorn", "lang": "de"}]',
    rights_holder: "The museum",
  });
  expect(picture.status).toBe(201);
  return museum;
}

describe.each(databases)("an export of a museum with the %s database", (database) => {
  let source: Museum;
  beforeAll(async () => {
    source = await usedMuseum(database);
  });
  afterAll(() => source.close());

  it.each(databases.flatMap((target) => [[target, false] as const, [target, true] as const]))(
    "gives the same export again after an import into an empty %s database (history: %s)",
    async (target, history) => {
      const lines = await linesOf(source, history);
      const copy = await openMuseum({ database: target });
      onTestFinished(() => copy.close());
      const { counts } = await load(copy.services, header(history), each(lines));
      expect(await linesOf(copy, history)).toEqual(lines);
      expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(lines.length);
      const kinds = "role account settings term broader_term field record parent relation medium";
      for (const kind of kinds.split(" "))
        expect({ kind, some: counts[kind]! > 0 }).toEqual({ kind, some: true });
      expect(counts.revision ?? 0)[history ? "toBeGreaterThan" : "toBe"](0);
    },
  );

  inLong(it)(
    "shows visitors and staff the same records, versions, trees, numbers and hits as before",
    async () => {
      const copy = await openMuseum({ database });
      onTestFinished(() => copy.close());
      await load(copy.services, header(true), each(await linesOf(source, true)));
      await makeSortKeys(copy.services.sql);
      await drainOutbox(copy.services);
      await drainOutbox(source.services);
      const [there, here] = [await source.as("editor"), await copy.as("editor")];
      for (const path of [
        "/v1/objects?page_size=200&sort_by=idno",
        "/v1/objects/trash",
        "/v1/collections?sort_by=idno&page_size=200",
        "/v1/search?q=nets&facets=material",
        "/v1/search?facets=material",
        "/v1/schemas/object",
        "/v1/relation-types",
      ]) {
        expect(await comparable(here(path))).toEqual(await comparable(there(path)));
        if (path.startsWith("/v1/search")) {
          expect(await comparable(copy.ask(path))).toEqual(await comparable(source.ask(path)));
        }
      }
      const { items } = await read<Page>(there("/v1/objects?q=Nets"));
      const path = `/v1/objects/${items[0]!.id}`;
      expect((await here(path)).headers.get("ETag")).toBe((await there(path)).headers.get("ETag"));
      const versionsOf = async (museum: typeof here) => {
        type Version = { version: number; actor: { email: string } };
        const { items: all } = await read<Page<Version>>(museum(`${path}/history`));
        return all.map(({ version, actor }) => [version, actor.email]);
      };
      expect(await versionsOf(here)).toEqual(await versionsOf(there));
      const next = (await createObject(here, "The next one")).idno;
      expect(next).toBe((await createObject(there, "The next one")).idno);
    },
  );

  it("of an earlier version, without the vocabulary of attributions, leaves it as it is", async () => {
    const copy = await openMuseum({ database });
    onTestFinished(() => copy.close());
    const attributions = async () =>
      (await linesOf(copy)).filter((line) => line.includes("attribution_qualifier"));
    const before = await attributions();
    expect(before.length).toBeGreaterThan(8);
    const configuration = (await linesOf(source)).filter((line) =>
      ["role", "account", "vocabulary", "term", "field", "subtype", "relation_type"].includes(
        readRow(line)!.kind,
      ),
    );
    const earlier = configuration.filter((line) => !line.includes("attribution_qualifier"));
    await load(copy.services, header(), each(earlier));
    expect(await attributions()).toEqual(before);
    // a file that has it brings its own terms
    const own = configuration.filter((line) => !line.includes('"possibly"'));
    await load(copy.services, header(), each(own));
    expect(await attributions()).toEqual(own.filter((line) => line.includes("attribution_qualifier")));
  });

  it("is refused by a catalogue that has records, and changes nothing there", async () => {
    const before = await linesOf(source);
    await expect(load(source.services, header(), each(before))).rejects.toThrow(
      /^The catalogue already has records/,
    );
    expect(await linesOf(source)).toEqual(before);
  });

  inLong(it)("leaves nothing behind if one of its lines cannot be imported", async () => {
    const copy = await openMuseum({ database });
    onTestFinished(() => copy.close());
    const before = await linesOf(copy);
    const lines = await linesOf(source);
    const broken = rowLine("record", JSON.stringify({ id: crypto.randomUUID(), record_type: "ship" }));
    const loading = (last: string) => load(copy.services, header(), each([...lines, last]));
    await expect(loading(broken)).rejects.toThrow(/null value|violates/);
    await expect(loading("{}")).rejects.toThrow("A line of the export");
    expect(await linesOf(copy)).toEqual(before);
    await load(copy.services, header(), each(lines));
    expect(await linesOf(copy)).toEqual(lines);
  });

  inLong(it)("contains no secret, and gives nobody more rights in another installation", async () => {
    const { sql } = source.services;
    const key = { id: "00000000-0000-4000-8000-00000000000a", secret: "$argon2id$very-secret" };
    const copy = await openMuseum({ database });
    onTestFinished(async () => {
      await sql`delete from accounts where email_key in ('head@museum.example', 'new@museum.example')`;
      await copy.close();
    });
    await sql`
        insert into accounts (id, email, email_key, password_hash, role)
        values (${key.id}, 'head@museum.example', 'head@museum.example', ${key.secret}, 'superuser'),
          (gen_random_uuid(), 'new@museum.example', 'new@museum.example', ${key.secret}, 'editor')`;
    await copy.services.sql`
        insert into accounts (id, email, email_key, password_hash, role)
        values (gen_random_uuid(), 'Head@museum.example', 'head@museum.example', '$here$', 'viewer')`;
    const lines = await linesOf(source, true);
    expect(lines.join("\n")).not.toContain("argon2");
    await load(copy.services, header(true), each(lines));
    const [head, stranger] = await copy.services.sql`
        select id, role, password_hash, must_change_password from accounts
        where email_key in ('head@museum.example', 'new@museum.example') order by email_key`;
    expect(head).toMatchObject({ id: key.id, role: "viewer", password_hash: "$here$" });
    expect(stranger).toMatchObject({ role: "editor", must_change_password: true });
    expect(stranger!.password_hash).toMatch(/^\$argon2id\$/);
    expect(stranger!.password_hash).not.toBe(key.secret);
  });

  inLong(it)("does not take permissions from the superuser", async () => {
    const copy = await openMuseum({ database });
    onTestFinished(() => copy.close());
    const permissions = { records: {}, features: [] };
    const role = JSON.stringify({ name: "superuser", label: {}, sort_order: 9, permissions });
    await load(copy.services, header(), each([rowLine("role", role)]));
    const [row] = await copy.services.sql`select permissions from roles where name = 'superuser'`;
    expect(row!.permissions.features).toContain("users:manage");
  });

  it("covers every table and column: each is exported, or named above with the reason", async () => {
    const columns = await source.services.sql<{ name: string; column: string }[]>`
      select table_name as name, column_name as column from information_schema.columns
      where table_schema = current_schema() order by 1, 2`;
    const exported = new Set(
      PARTS.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
    );
    const there = columns.map(({ name, column }) => `${name}.${column}`);
    const forgotten = columns.filter(
      ({ name, column }) =>
        !exported.has(`${name}.${column}`) && !LEFT_OUT[name] && !LEFT_OUT[`${name}.${column}`],
    );
    expect(forgotten).toEqual([]);
    expect([...exported].filter((column) => !there.includes(column))).toEqual([]);
    const named = Object.keys(LEFT_OUT).filter(
      (name) => !there.includes(name) && !columns.some((column) => column.name === name),
    );
    expect(named).toEqual([]);
  });
});

describe("the header of an export", () => {
  const line = (change: object) =>
    JSON.stringify({ ...JSON.parse(headerLine(false, new Date())), ...change });

  it("lists what the export contains, and revisions only with the history", () => {
    expect(header().parts.record).toContain("metadata");
    expect(Object.keys(header().parts)).toEqual(partsOf(false).map(({ kind }) => kind));
    expect(Object.keys(header(true).parts)).toContain("revision");
    expect(Object.keys(header().parts)).not.toContain("revision");
  });

  it("of an older version may lack columns, and one of a newer version with more columns is refused", () => {
    const { parts } = header();
    expect(readHeader(line({ parts: { record: ["id", "idno"] } })).parts.record).toEqual(["id", "idno"]);
    expect(() => readHeader(line({ version: 2, program: "9.0" }))).toThrow(
      "This export was made by version 9.0 and has the format 2, which this version",
    );
    expect(() => readHeader(line({ parts: { ...parts, ship: ["id"] } }))).toThrow('has the part "ship"');
    expect(() => readHeader(line({ parts: { record: ["id", "smell"] } }))).toThrow(
      'has the column "smell" of "record"',
    );
  });

  it.each([
    "",
    "{}",
    "[]",
    "null",
    '{"format":"svc-export"}',
    '{"format":"other","parts":{}}',
    randomBytes(20).toString("latin1"),
  ])("is missing in %j", (text) => {
    expect(() => readHeader(text)).toThrow(/^This is not a file of svc-manage export/);
  });
});
