import { readFile } from "node:fs/promises";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate, schemaState } from "../../src/adapters/database/migrate/migrate.ts";
import { migrationFile } from "../../src/adapters/database/migrate/migration-files.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { inLong } from "../support/lane/lane.ts";
import { openScratch, type Scratch, scratchKinds } from "../support/servers/databases.ts";

const FILES = {
  "0001_records.sql": "-- Records, because a museum has them.\ncreate table records (id int primary key);\n",
  "0002_terms.sql":
    "create table terms (id int);\ncreate index on terms (id);\ninsert into terms values (1);\n",
};

let texts: Map<string, string>;
const put = (name: string, text: string) => texts.set(name, text);
/** The files as they are now. */
const filesNow = () => ({ files: [...texts].map(([name, text]) => migrationFile(name, text)) });

beforeEach(() => {
  texts = new Map(Object.entries(FILES));
});

describe.each(scratchKinds)("the schema of the %s database", (kind) => {
  let scratch: Scratch;
  let sql: Sql;
  beforeAll(async () => {
    scratch = await openScratch(kind);
    sql = scratch.sql;
  });
  beforeEach(async () => {
    await sql`drop schema public cascade`;
    await sql`create schema public`;
  });
  afterAll(() => scratch.close());

  const stateNow = async () => {
    const { state, detail } = await schemaState(sql, filesNow());
    return { state, detail: say(ENGLISH, detail) };
  };
  const applied = async () =>
    (await sql`select name from schema_migrations order by version`).map((row) => row.name);

  test("is made once, file by file, and is then current", async () => {
    const steps: string[] = [];
    const options = { ...filesNow(), onStep: (file: string) => steps.push(file) };
    expect(await stateNow()).toEqual({
      state: "missing",
      detail: "The database has no schema yet; run svc-manage migrate",
    });
    await migrate(sql, options);
    await migrate(sql, options);
    expect(steps).toEqual(["0001_records.sql", "0002_terms.sql"]);
    expect((await schemaState(sql, filesNow())).state).toBe("current");
    const [row] = await sql`select version, name, checksum, applied_at from schema_migrations limit 1`;
    expect(row).toEqual({
      version: 1,
      name: "0001_records.sql",
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      applied_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
    });
    expect(await sql`select id from terms`).toHaveLength(1);
  });

  test("is older when there is a new file, and the message says which command to run", async () => {
    await migrate(sql, filesNow());
    put("0003_more.sql", "alter table records add column more text");
    expect(await stateNow()).toEqual({
      state: "older",
      detail: "The database lacks 1 of 3 schema files; run svc-manage migrate",
    });
    await migrate(sql, filesNow());
    expect(await applied()).toEqual(["0001_records.sql", "0002_terms.sql", "0003_more.sql"]);
  });

  test("is migrated by one of several processes that start at once; the others find it done", async () => {
    const steps: string[] = [];
    put("0003_slow.sql", "select pg_sleep(0.1); create table slow (id int);");
    const options = { ...filesNow(), onStep: (file: string) => steps.push(file) };
    await Promise.all([migrate(sql, options), migrate(sql, options), migrate(sql, options)]);
    expect(steps).toEqual(["0001_records.sql", "0002_terms.sql", "0003_slow.sql"]);
  });

  test("refuses a file that was changed after it was applied, but ignores its line endings", async () => {
    await migrate(sql, filesNow());
    put("0001_records.sql", FILES["0001_records.sql"].replaceAll("\n", "\r\n"));
    expect((await schemaState(sql, filesNow())).state).toBe("current");
    put("0001_records.sql", `${FILES["0001_records.sql"]}-- an afterthought\n`);
    const detail =
      "sql/0001_records.sql was changed after it was applied; restore it, and put the change in a new file";
    expect(await stateNow()).toEqual({ state: "altered", detail });
    await expect(migrate(sql, filesNow())).rejects.toThrow(detail);
  });

  test("refuses to work with a database of a newer version of the program", async () => {
    put("0003_future.sql", "create table future (id int)");
    await migrate(sql, filesNow());
    texts.delete("0003_future.sql");
    const state = await schemaState(sql, filesNow());
    expect(state.state).toBe("newer");
    expect(say(ENGLISH, state.detail)).toContain("0003_future.sql");
    await expect(migrate(sql, filesNow())).rejects.toThrow(say(ENGLISH, state.detail));
  });

  test("keeps the earlier files when one fails, and names the file, the reason and the line", async () => {
    put("0003_bad.sql", "create table half (id int);\n\ninsert into nowhere values (1);\n");
    put("0004_never.sql", "create table never (id int);");
    await expect(migrate(sql, filesNow())).rejects.toThrow(
      'sql/0003_bad.sql could not be applied: relation "nowhere" does not exist (line 3)',
    );
    expect(await applied()).toEqual(["0001_records.sql", "0002_terms.sql"]);
    expect((await sql`select to_regclass('half') as half, to_regclass('never') as never`)[0]).toEqual({
      half: null,
      never: null,
    });
    put("0003_bad.sql", "create table half (id int);");
    await migrate(sql, filesNow());
    expect(await applied()).toHaveLength(4);
  });

  inLong(test)("is made from the project's own files, and is then current", async () => {
    await migrate(sql);
    expect((await schemaState(sql)).state).toBe("current");
    const names = await applied();
    expect(names[0]).toMatch(/^0001_/);
    const first = await readFile(new URL(`../../sql/${names[0]}`, import.meta.url), "utf8");
    expect(first).toMatch(/^--/); // each begins with a sentence that gives its reason
  });
});
