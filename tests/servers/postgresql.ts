/** PostgreSQL servers of the tests' own: one for a whole run, or one for a single test, which may stop and start it. */
import { execFile, execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../runtimes/started.ts";
import { begin, type Program } from "../support/programs/processes.ts";

const run = promisify(execFile);

/** For the list of skipped tests. */
export const PROGRAMS_MISSING = "a PostgreSQL server of the tests' own (initdb, postgres)";

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
  const found = places.find((place) => ["initdb", "postgres"].every((name) => existsSync(join(place, name))));
  return found !== undefined && account() !== null ? found : null;
}

/** PostgreSQL refuses to run as root. Then it runs as the user that its package has made. */
function account(): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return null;
  }
}

/**
 * Its collation differs from that of the embedded database, so no order may depend on it.
 *
 * @param settings of postgresql.conf, beside those of a new server
 */
export async function openOwnServer(
  programs: string,
  settings: Record<string, string> = {},
): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), "svc-server-"));
  const as = account()!;
  if (as.uid !== undefined) chownSync(directory, as.uid, as.gid!);
  const data = join(directory, "data");
  const port = await freePort();
  const collation = ["--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"];
  const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", ...collation];
  await run(join(programs, "initdb"), initdb, { ...as, cwd: directory });
  const all = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let server: Program | undefined;
  const crash = async () => server?.kill("SIGQUIT");
  const start = async () => {
    server = begin(
      [join(programs, "postgres"), "-D", data, ...options],
      { LC_ALL: "C.UTF-8" },
      directory,
      as,
    );
    await server.said(/database system is ready to accept connections/);
  };
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    crash,
    async close() {
      await crash();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
