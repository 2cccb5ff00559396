/** A process that opens a data directory for a while. Arguments: the directory, and what to do with it. */
import { createInterface } from "node:readline";
import { takeOwnerLock } from "../../../src/adapters/database/pglite/owner-lock.ts";
import { openEmbedded } from "../../../src/adapters/database/pglite/pglite.ts";

const [dataDir = "", task = "hold"] = process.argv.slice(2);

const tasks: Record<string, () => Promise<void>> = {
  /** Opens it until a line on standard input says to stop. */
  async hold() {
    const { close } = await openEmbedded({ dataDir });
    console.log("open");
    for await (const line of createInterface({ input: process.stdin })) if (line === "stop") break;
    await close();
    console.log("closed");
  },
  /** Takes the lock when told to, so that several can do it at the same moment. */
  async "race-for-lock"() {
    console.log("ready");
    for await (const line of createInterface({ input: process.stdin })) {
      if (line !== "go") break;
      await takeOwnerLock(dataDir).then(
        () => console.log("won"),
        (error: Error) => console.log(`lost: ${error.message}`),
      );
    }
  },
  /** Writes row after row, and prints those that the database has acknowledged. */
  async write() {
    const { sql } = await openEmbedded({ dataDir });
    await sql`create table if not exists acknowledged (n int primary key)`;
    const [row] = await sql<{ last: number }[]>`select coalesce(max(n), 0) as last from acknowledged`;
    for (let n = (row?.last ?? 0) + 1; ; n++) {
      await sql`insert into acknowledged values (${n})`;
      process.stdout.write(`ack ${n}\n`);
    }
  },
};

await tasks[task]?.();
