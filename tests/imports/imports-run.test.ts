/** One import in two processes, and one number in two encodings. */
import { describe, expect, test } from "vitest";
import { readMigrationFiles } from "../../src/adapters/database/migrate/migration-files.ts";
import { OPERATOR } from "../../src/caller.ts";
import { runImport } from "../../src/imports/run.ts";
import { inLong } from "../support/lane/lane.ts";
import { createObject, read } from "../support/museum/catalogue.ts";
import { importRoom, MAKERS, refusal, TITLES } from "../support/museum/import-room.ts";
import type { Imported } from "../support/museum/importing.ts";
import { databases, onceFor } from "../support/museum/museum.ts";

const COMPOSED = "Ä 1".normalize("NFC");
const DECOMPOSED = "Ä 1".normalize("NFD");

describe.each(databases)("an import into the %s database", (database) => {
  const once = onceFor(database);
  const room = importRoom(database);
  const { run, titles, links } = room;

  test("continues in the later process, and only there, if it is started again while it runs", async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => `${n},T ${n}`).join("\n");
    const file = `No,Title\n${rows}\n`;
    const bytes = new TextEncoder().encode(file);
    const source = { name: "objects.csv", bytes: bytes.length, open: () => new Response(bytes).body! };
    const options = {
      kind: "object",
      mapping: TITLES,
      idnoStrategy: "column",
      upsertStrategy: "skip",
    } as const;
    let second: Imported | undefined;
    const first = await refusal(
      runImport(
        room.services,
        OPERATOR,
        source,
        { ...options, autoPublish: false, dryRun: false },
        {
          async batch() {
            second ??= await run(file, TITLES);
          },
        },
      ),
    );
    expect(first).toMatchObject({
      code: "gone",
      message: "This run has ended: the same import was started again and continues there",
    });
    expect(second).toMatchObject({ finished: true, resumed: true, created: 1_000 });
    const all = await room.services.sql`select state, rows_done, created from imports`;
    expect([...all]).toEqual([{ state: "finished", rows_done: 1_000, created: 1_000 }]);
    expect(await titles()).toHaveLength(1_000);
  });

  inLong(once)("recognises a number whose accents a Mac has decomposed", async () => {
    await run(`No,Title\n${COMPOSED},Boat\n`, TITLES);
    expect(await run(`No,Title\n${DECOMPOSED},Boat\n`, TITLES)).toMatchObject({ created: 0, skipped: 1 });
    await run(`No,Name\n${DECOMPOSED},Ada\n`, { No: "__idno__", Name: "name" }, { kind: "entity" });
    await run(`No,Title,Maker\n2,Gate,${DECOMPOSED}\n3,Mill,${COMPOSED}\n`, MAKERS);
    expect(await links()).toEqual(["2 created_by Ada", "3 created_by Ada"]);
    const tree = { No: "__idno__", Title: "title", In: "__parent__" };
    const trees = await run(`No,Title,In\n${DECOMPOSED},A,\nB,B,${COMPOSED}\n`, tree, { kind: "collection" });
    expect(trees).toMatchObject({ created: 2, unlinked: 0 });
  });

  once("recognises such a number also when it is typed", async () => {
    const ask = await room.museum.as("editor");
    const { idno, id } = await createObject(ask, "Boat", { idno: DECOMPOSED });
    expect(idno).toBe(COMPOSED);
    const again = await ask("/v1/objects", { json: { idno: COMPOSED, metadata_: {} } });
    expect(again.status).toBe(409);
    const found = await read<{ items: { id: string }[] }>(
      ask(`/v1/objects?idno=${encodeURIComponent(DECOMPOSED)}`),
    );
    expect(found.items).toMatchObject([{ id }]);
  });

  test("migrates decomposed numbers to composed ones, except where they belong to two records", async () => {
    const { sql } = room.services;
    await run("No,Title\n1,A\n2,B\n3,C\n4,D\n", TITLES);
    const other = "É 1";
    for (const [was, is] of [
      ["1", DECOMPOSED],
      ["2", other.normalize("NFD")],
      ["3", other.normalize("NFC")],
    ] as const)
      await sql`update records set idno = ${is} where idno = ${was}`;
    await sql`delete from outbox`;
    const file = (await readMigrationFiles()).find(({ name }) => /^\d{4}_imports\.sql$/.test(name))!;
    await sql`alter table imports drop column runs`;
    await sql.unsafe(file.text).simple();
    expect((await titles()).sort()).toEqual(
      ["4 D", `${COMPOSED} A`, `${other.normalize("NFD")} B`, `${other.normalize("NFC")} C`].sort(),
    );
    expect(await sql`select 1 from outbox`).toHaveLength(1);
  });
});
