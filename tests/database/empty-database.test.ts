/** The database that a first start unpacks is the one that the installed PGlite would make. */
import { expect, test } from "vitest";
import { emptyDatabase } from "../../src/adapters/database/pglite/empty-database.ts";
import { installedPglite, madeByInitdb } from "../support/empty-database.ts";
import { inLong } from "../support/lane/lane.ts";

/** Times, and the number by which PostgreSQL tells databases apart. */
const NEVER_THE_SAME = /^global\/pg_control$|^pg_wal\/\d/;

test("the packed database was made by the installed PGlite; write-empty-database.ts makes a new one", async () => {
  expect((await emptyDatabase()).pglite).toBe(await installedPglite());
});

inLong(test)("every file of the packed database is the one that initdb makes", async () => {
  const [packed, made] = [await emptyDatabase(), await madeByInitdb()];
  expect(packed.directories).toEqual(made.directories);
  const sizes = ({ files }: typeof made) => files.map(({ path, content }) => `${path} ${content.length}`);
  expect(sizes(packed)).toEqual(sizes(made));
  const differing = packed.files.filter(
    ({ content }, i) => Buffer.compare(content, made.files[i]!.content) !== 0,
  );
  expect(differing.map(({ path }) => path).filter((path) => !NEVER_THE_SAME.test(path))).toEqual([]);
});
