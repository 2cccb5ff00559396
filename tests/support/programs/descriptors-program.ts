/** A process that runs out of file descriptors while a table of the embedded database grows, then gets some back. */
import { closeSync, openSync } from "node:fs";
import { openEmbedded } from "../../../src/adapters/database/pglite/pglite.ts";

const { sql, close } = await openEmbedded({ dataDir: process.argv[2]!, warn: () => undefined });
await sql`create table shelves (name text)`;
const taken: number[] = [];
try {
  for (;;) taken.push(openSync("/dev/null", "r"));
} catch {
  // none is left
}
/** Enough pages for PostgreSQL to create a free space map, which is a separate file. */
const fill = () =>
  sql`insert into shelves select repeat('x', 1000) from generate_series(1, 100)`.then(
    () => "kept",
    (error: Error) => error.message,
  );
console.log(`without: ${await fill()}`);
for (const descriptor of taken) closeSync(descriptor);
console.log(`with: ${await fill()}`);
await close();
