import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { migrate, schemaState } from "../../../src/adapters/database/migrate/migrate.ts";
import { readMigrationFiles } from "../../../src/adapters/database/migrate/migration-files.ts";
import { openDatabase } from "../../../src/adapters/database/open.ts";
import { environment } from "../../runtimes/started.ts";
import { begin } from "../../support/programs/processes.ts";
import { openScratch, scratchDirectory, scratchKinds } from "../../support/servers/databases.ts";
import { createDatabase } from "../../support/servers/server.ts";

/** Everything in a schema, with its rows, without constraints that PostgreSQL 18 adds for columns that are not null. */
async function shapeOf(sql: Sql): Promise<unknown> {
  const columns = await sql`
    select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migrations' order by 1, 2`;
  const others = await sql`
    select indexname as name from pg_indexes where schemaname = 'public' and tablename <> 'schema_migrations'
    union all select tgname || ' on ' || tgrelid::regclass from pg_trigger where not tgisinternal
    union all select conname || ' on ' || conrelid::regclass from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid <> 0 and conname not like 'schema_migrations%'
    order by 1`;
  const there = columns.some(({ table_name }) => table_name === "schema_fields");
  const [rows] = there ? await sql`select count(*)::int as fields from schema_fields` : [];
  return { columns: [...columns], others: [...others], rows };
}

/** The shape after each number of files, beginning with none. */
async function shapes(): Promise<unknown[]> {
  const scratch = await openScratch(scratchKinds.at(-1)!);
  try {
    const all = [await shapeOf(scratch.sql)];
    const files = await readMigrationFiles();
    for (const { version } of files) {
      await migrate(scratch.sql, { files: files.slice(0, version) });
      all.push(await shapeOf(scratch.sql));
    }
    return all;
  } finally {
    await scratch.close();
  }
}

/** The same for both databases. */
let expected: unknown[];
beforeAll(async () => {
  expected = await shapes();
});

describe.each(scratchKinds)("migrating the %s database", (kind) => {
  test("leaves no file half applied however often it is killed, and continues where it stopped", async () => {
    const dataDir =
      kind === "embedded" ? await scratchDirectory() : await mkdtemp(join(tmpdir(), "svc-migrate-"));
    const server = kind === "external" ? await createDatabase() : null;
    const settings = { SVC_DATA_DIR: dataDir, DATABASE_URL: server?.url ?? "" };
    const look = async <T>(at: (sql: Sql) => Promise<T>): Promise<T> => {
      const database = await openDatabase({ databaseUrl: server?.url ?? null, dataDir, role: "client" });
      try {
        return await at(database.sql);
      } finally {
        await database.close();
      }
    };
    let kills = 0;
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    onTestFinished(() => server?.drop());
    // the last one may finish
    for (let applied = 0; applied < expected.length - 1; ) {
      const command = begin([process.execPath, "cli/svc-manage.mjs", "migrate"], environment(settings));
      const twelfth = new RegExp(`^applied ${String(applied + 12).padStart(4, "0")}_`);
      await Promise.race([command.said(twelfth), command.ended]).catch(() => undefined);
      await command.kill("SIGKILL");
      kills += 1;
      const before = applied;
      await look(async (sql) => {
        const rows = await sql<{ version: number }[]>`select version from schema_migrations order by version`;
        expect(rows.map(({ version }) => version)).toEqual(rows.map((_, index) => index + 1));
        applied = rows.length;
        expect(await shapeOf(sql)).toEqual(expected[applied]);
      });
      expect(applied, command.lines.join("\n")).toBeGreaterThan(before);
    }
    expect(kills).toBeGreaterThan(1);
    await look(async (sql) => {
      await migrate(sql);
      expect((await schemaState(sql)).state).toBe("current");
    });
  });
});
