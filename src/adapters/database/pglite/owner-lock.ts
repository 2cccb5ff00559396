/**
 * The lock of the data directory. Two processes that write to one directory would lose committed rows, so only one may own it.
 *
 * The lock is a listening unix socket, which always ends with its process. Each owner takes the next number: `.owner.1`,
 * `.owner.2`, …. The highest number is the owner, as long as it listens. A process first listens on a socket, then links it
 * to the number: link() succeeds for only one process, and an owner never seems dead. The highest number is never deleted, so
 * that no slow process takes it again. After a clean end it is a plain file, so that the directory can be copied.
 */

import { randomBytes } from "node:crypto";
import { link, lstat, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type Said, said } from "../../../messages/said.ts";
import { Refusal } from "../../../refusal.ts";
import { connectTo, type Listener, listenAt } from "./unix-socket.ts";

const PID = ".owner.pid";
const OWNER = /^\.owner\.(\d+)$/;
const STARTER = /^\.start\.[0-9a-f]{8}$/;

/** The data directory belongs to another living process. */
export class DataDirectoryInUse extends Refusal {
  override readonly name = "DataDirectoryInUse";

  /** `process 4711` */
  readonly who: Said;

  constructor(dataDir: string, who: Said) {
    super(said("cli.data_directory.in_use", { directory: dataDir, who }));
    this.who = who;
  }
}

export type OwnerLock = {
  release(): Promise<void>;
};

/** Makes this process the owner of the directory, or throws `DataDirectoryInUse`. */
export async function takeOwnerLock(dataDir: string): Promise<OwnerLock> {
  const starter = join(dataDir, `.start.${randomBytes(4).toString("hex")}`);
  const listener = await listen(starter, dataDir);
  let number: number;
  try {
    number = await takeNumber(dataDir, starter);
    await writeFile(join(dataDir, PID), `${number} ${process.pid}`, { mode: 0o600 });
    await rm(starter);
    await sweep(dataDir, number);
  } catch (error) {
    await listener.close();
    await rm(starter, { force: true });
    throw error;
  }
  return {
    async release() {
      try {
        await sweep(dataDir, number + 1);
        await rename(join(dataDir, PID), ownerPath(dataDir, number));
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error; // ENOENT: somebody has deleted the data directory
      } finally {
        await listener.close();
      }
    },
  };
}

async function listen(path: string, dataDir: string): Promise<Listener> {
  try {
    return await listenAt(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(said("cli.data_directory.no_sockets", { directory: dataDir, reason }), 1, {
      cause: error,
    });
  }
}

async function takeNumber(dataDir: string, starter: string): Promise<number> {
  for (;;) {
    const newest = await highestNumber(dataDir);
    if (newest > 0 && (await isAlive(ownerPath(dataDir, newest)))) throw await inUseError(dataDir, newest);
    const mine = newest + 1;
    try {
      await link(starter, ownerPath(dataDir, mine));
    } catch (error) {
      if (codeOf(error) === "EEXIST") continue;
      throw error;
    }
    if ((await highestNumber(dataDir)) === mine) return mine;
    // other owners came and went meanwhile, and deleted the number that this process then took
    await rm(ownerPath(dataDir, mine), { force: true });
  }
}

async function highestNumber(dataDir: string): Promise<number> {
  const numbers = (await readdir(dataDir)).map((name) => Number(OWNER.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

function ownerPath(dataDir: string, number: number): string {
  return join(dataDir, `.owner.${number}`);
}

async function isAlive(path: string): Promise<boolean> {
  try {
    (await connectTo(path)).destroy();
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ECONNREFUSED" || code === "ENOENT" || code === "ENOTSOCK") return false;
    if (code === "ECONNRESET") return isAlive(path); // the process is just ending; ask again
    if (code === "EAGAIN") return true; // it listens, but its queue of connections is full
    const isOthers = code === "EACCES" || code === "EPERM";
    const told = said(isOthers ? "cli.data_directory.other_user" : "cli.data_directory.unclear", {
      path,
      code: String(code),
    });
    throw new Refusal(told, 1, { cause: error });
  }
}

async function inUseError(dataDir: string, number: number): Promise<DataDirectoryInUse> {
  const [ownNumber, pid] = (await readFile(join(dataDir, PID), "utf8").catch(() => "")).split(" ");
  const isNamed = ownNumber === String(number) && pid;
  const who = isNamed ? said("cli.data_directory.process", { pid }) : said("cli.data_directory.another");
  return new DataDirectoryInUse(dataDir, who);
}

/**
 * Deletes the sockets of former owners. The number before `number` stays, because a process that reads the directory at this
 * moment must find at least one of the two.
 */
async function sweep(dataDir: string, number: number): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    const owner = Number(OWNER.exec(name)?.[1] ?? number);
    if (owner < number - 1 || (STARTER.test(name) && (await isOld(path)))) await rm(path, { force: true });
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.ctimeMs > 60_000;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
