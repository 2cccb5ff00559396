import { cpSync, existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/adapters/database/open.ts";
import { takeOwnerLock } from "../../src/adapters/database/pglite/owner-lock.ts";
import { openEmbedded } from "../../src/adapters/database/pglite/pglite.ts";
import { inLong } from "../support/lane/lane.ts";
import { type Program, run } from "../support/programs/processes.ts";
import { scratchDirectory } from "../support/servers/databases.ts";

const directories: string[] = [];
const programs: Program[] = [];
const owner = (...args: string[]) => {
  const program = run("owner-program.ts", ...args);
  programs.push(program);
  return program;
};
const scratch = async () => {
  const directory = await scratchDirectory();
  directories.push(directory);
  return directory;
};
const emptyDirectory = async () => {
  const directory = await mkdtemp(join(tmpdir(), "svc-owner-"));
  directories.push(directory);
  return directory;
};
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill("SIGKILL");
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

describe("the owner of the data directory", () => {
  inLong(test)(
    "keeps out a second owner with a sentence that names the first, and is not disturbed",
    async () => {
      const dataDir = await scratch();
      const first = owner(dataDir);
      await first.said(/^open$/);
      const sentence =
        `The data directory ${dataDir} is already in use by process ${first.child.pid}, the service or a command. ` +
        "Stop it, wait until it ends, or set another SVC_DATA_DIR";
      for (const role of ["owner", "client"] as const)
        await expect(openDatabase({ dataDir, role })).rejects.toThrow(sentence);
      first.child.stdin?.write("stop\n");
      await first.said(/^closed$/);
      const next = await openDatabase({ dataDir, role: "owner" });
      expect(next.kind).toBe("embedded");
      await next.close();
    },
  );

  inLong(test)("leaves nothing that stops the next owner when it is killed", async () => {
    const dataDir = await scratch();
    for (let round = 0; round < 2; round++) {
      const first = owner(dataDir);
      await first.said(/^open$/);
      await first.kill("SIGKILL");
      expect(readdirSync(dataDir)).toContain(`.owner.${round + 1}`);
    }
    const { sql, close } = await openEmbedded({ dataDir });
    expect((await sql`select 1 as fine`)[0]).toEqual({ fine: 1 });
    await close();
  });

  inLong(test)("leaves no socket after a clean end, so that the directory can be copied", async () => {
    const dataDir = await scratch();
    const first = owner(dataDir);
    await first.said(/^open$/);
    await first.kill("SIGKILL");
    await (await openEmbedded({ dataDir })).close();
    const copy = join(await emptyDirectory(), "copy");
    cpSync(dataDir, copy, { recursive: true });
    await (await openEmbedded({ dataDir: copy })).close();
    const left = readdirSync(dataDir);
    expect(left.sort()).toEqual([expect.stringMatching(/^\.owner\.\d+$/), "database"]);
  });

  inLong(test)(
    "is exactly one of those who start at the same moment on a stale socket, twenty times",
    async () => {
      const dataDir = await scratch();
      const wins: number[] = [];
      for (let round = 0; round < 20; round++) {
        const racers = await Promise.all(
          [0, 1, 2].map(() => takeOwnerLock(dataDir).catch((error: Error) => error)),
        );
        const winners = racers.filter((racer) => !(racer instanceof Error));
        wins.push(winners.length);
        for (const racer of racers) {
          if (racer instanceof Error) expect(racer.message).toContain("already in use");
          else await racer.release();
        }
      }
      expect(wins).toEqual(Array(20).fill(1));
    },
  );

  inLong(test)(
    "is exactly one of two processes that start at the same moment after a kill, five times",
    async () => {
      const dataDir = await emptyDirectory();
      for (let round = 0; round < 5; round++) {
        const racers = [owner(dataDir, "race-for-lock"), owner(dataDir, "race-for-lock")];
        await Promise.all(racers.map((racer) => racer.said(/^ready$/)));
        for (const racer of racers) racer.child.stdin?.write("go\n");
        const answers = await Promise.all(racers.map((racer) => racer.said(/^(won|lost)/)));
        expect(answers.map((answer) => answer.slice(0, 3)).sort()).toEqual(["los", "won"]);
        // after this kill, the next round finds a stale socket
        await Promise.all(racers.map((racer) => racer.kill("SIGKILL")));
      }
    },
  );

  inLong(test)("may use a path that is longer than a socket address", async () => {
    const dataDir = join(await emptyDirectory(), "long".repeat(30), "longer".repeat(20));
    await mkdir(dataDir, { recursive: true });
    cpSync(join(await scratch(), "database"), join(dataDir, "database"), { recursive: true });
    const first = owner(dataDir);
    await first.said(/^open$/);
    await expect(openEmbedded({ dataDir })).rejects.toThrow("already in use");
  });

  test("makes the directory and its socket accessible to its own user only", async () => {
    const dataDir = join(await emptyDirectory(), "data");
    const lock = await mkdir(dataDir, { mode: 0o700 }).then(() => takeOwnerLock(dataDir));
    expect((await stat(join(dataDir, ".owner.1"))).mode & 0o777).toBe(0o600);
    await lock.release();
  });

  test("is the same under two names of one directory", async () => {
    const dataDir = await emptyDirectory();
    const other = join(await emptyDirectory(), "link");
    await symlink(dataDir, other);
    const lock = await takeOwnerLock(dataDir);
    await expect(takeOwnerLock(other)).rejects.toThrow("already in use");
    await lock.release();
  });
});

describe("the embedded database after a kill", () => {
  inLong(test)("has every acknowledged row, in five rounds", async () => {
    const dataDir = await scratch();
    let acknowledged = 0;
    for (let round = 0; round < 5; round++) {
      const writer = owner(dataDir, "write");
      await writer.said(/^ack \d+$/);
      await setTimeout(100 + Math.random() * 700);
      await writer.kill("SIGKILL");
      const acks = writer.lines.flatMap((line) => /^ack (\d+)$/.exec(line)?.[1] ?? []);
      acknowledged = Math.max(acknowledged, ...acks.map(Number));
    }
    const { sql, close } = await openEmbedded({ dataDir });
    const [row] = await sql`select count(*)::int as n, max(n) as last from acknowledged`;
    const byIndex = await sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return tx`select count(*)::int as n from acknowledged where n > 0`;
    });
    await close();
    expect(acknowledged).toBeGreaterThan(50);
    expect(row?.last).toBeGreaterThanOrEqual(acknowledged);
    expect(row?.n).toBe(row?.last);
    expect(byIndex[0]?.n).toBe(row?.n);
  });

  inLong(test)("has nothing to recover after a clean end", async () => {
    const dataDir = await scratch();
    const { sql, close } = await openEmbedded({ dataDir });
    await sql`create table things (id int)`;
    await Promise.all([close(), close()]);
    const control = await readFile(join(dataDir, "database", "global", "pg_control"));
    expect(control.readInt32LE(16)).toBe(1); // DB_SHUTDOWNED in pg_control.h
  });

  inLong(test)("is begun again after a first start that was killed", async () => {
    const dataDir = await emptyDirectory();
    for (const pause of [350, 500, 700]) {
      const first = owner(dataDir);
      await Promise.race([setTimeout(pause), first.said(/^open$/).catch(() => {})]);
      await first.kill("SIGKILL");
    }
    const { sql, close } = await openEmbedded({ dataDir });
    await sql`create table fine (n int)`;
    await close();
    expect(existsSync(join(dataDir, "database.new"))).toBe(false);
  });

  inLong(test)("is begun again after a start that was killed with half of the files made", async () => {
    const dataDir = await emptyDirectory();
    await mkdir(join(dataDir, "database.new", "base"), { recursive: true });
    await writeFile(join(dataDir, "database.new", "PG_VERSION"), "18\n");
    const { sql, close } = await openEmbedded({ dataDir });
    expect((await sql`select 1 as fine`)[0]).toEqual({ fine: 1 });
    await close();
    expect((await stat(join(dataDir, "database"))).mode & 0o077).toBe(0);
  });

  test("leaves a directory alone that contains something else", async () => {
    const dataDir = await emptyDirectory();
    await mkdir(join(dataDir, "database"));
    await writeFile(join(dataDir, "database", "letter.txt"), "Dear museum");
    await expect(openEmbedded({ dataDir })).rejects.toThrow("is not empty, but contains no database");
    await expect(takeOwnerLock(dataDir).then((lock) => lock.release())).resolves.toBeUndefined();
  });
});
