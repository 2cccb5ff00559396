/** A PostgreSQL server for a single test, which may stop and start it. */
import { execFile, execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../runtimes/started.ts";

const run = promisify(execFile);

/** For the list of skipped tests. */
export const PROGRAMS_MISSING = "a PostgreSQL server of the test's own (initdb, pg_ctl)";

export type OwnServer = {
  url: string;
  start(): Promise<void>;
  /** Stops it without closing connections, as in a power failure: `pg_ctl stop -m immediate`. */
  crash(): Promise<void>;
  close(): Promise<void>;
};

/** The directory of the server's programs; null when they are not on this machine or may not be run here. */
export function serverPrograms(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, "bin"))
    : [];
  const places = [...versions.sort().reverse(), ...(process.env.PATH ?? "").split(":")];
  const found = places.find((place) => ["initdb", "pg_ctl"].every((name) => existsSync(join(place, name))));
  return found !== undefined && account() !== null ? found : null;
}

/** PostgreSQL refuses to run as root: then it runs as its own user. */
function account(): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return null;
  }
}

export async function openOwnServer(programs: string): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), "svc-server-"));
  const as = account()!;
  if (as.uid !== undefined) chownSync(directory, as.uid, as.gid!);
  const data = join(directory, "data");
  const port = await freePort();
  const program = (name: string, ...args: string[]) =>
    run(join(programs, name), args, { ...as, cwd: directory });
  await program("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale");
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  const start = async () => {
    await program("pg_ctl", "-D", data, "-w", "-l", join(directory, "log"), "-o", options, "start");
  };
  const crash = async () => {
    await program("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop");
  };
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    crash,
    async close() {
      // it may have stopped already
      await crash().catch(() => undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
