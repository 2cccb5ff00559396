/** Runs svc-manage like an operator, in a directory with a museum's data and files to import. */
import { Console } from "node:console";
import { cpSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Sql } from "postgres";
import { afterAll, inject } from "vitest";
import { main } from "../../../cli/main.ts";
import { openDatabase } from "../../../src/adapters/database/open.ts";
import { compose } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config/read.ts";
import { createLog } from "../../../src/log.ts";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import type { Services } from "../../../src/services.ts";
import { environment, type Settings, type Started, started } from "../../runtimes/started.ts";
import { copyExternal, type DatabaseKind } from "../museum/museum.ts";
import { lookInto, ownerOf } from "./copied.ts";
import { FEW_BUFFERS } from "./few-buffers.ts";
import { begin, type Program } from "./processes.ts";
import { STILL_SECONDS, stuck, workOf } from "./progress.ts";

const MAIN = fileURLToPath(new URL("../../../cli/svc-manage.mjs", import.meta.url));
const PASSWORD = "a list as long as the pier";

export type Ended = { code: number | null; out: string; err: string };

export type Office = {
  /** Puts a file there; answers its name. */
  put(name: string, content: string | Uint8Array): Promise<string>;
  read(name: string): Promise<string>;
  /** Starts a command in a separate process, which can get signals; see `endOf` for its end. */
  begin(...args: string[]): Program;
  /** Runs a command in this process, which is faster. */
  run(...args: string[]): Promise<Ended>;
  /** The service, and somebody signed in with all permissions. */
  serve(): Promise<{ service: Started; token: string }>;
  /** Opens the catalogue while no service runs. */
  look<T>(at: (services: Services) => Promise<T>): Promise<T>;
  /**
   * Waits until the catalogue that this command has open is as expected; fails when the command ends earlier or stops
   * working. `asked` may only read.
   */
  until(command: Program, asked: (sql: Sql) => Promise<boolean>): Promise<void>;
  /** The external database, for tests that need its server. */
  url: string | null;
  settings: Settings;
  close(): Promise<void>;
};

export async function endOf(command: Program): Promise<Ended> {
  const code = await command.ended;
  return { code, out: command.out.join("\n"), err: command.err.join("\n") };
}

/** One for all tests of a file or of a `describe`, outside of hooks and tests: it is closed after the last of them. */
export async function officeHere(kind?: DatabaseKind): Promise<Office> {
  const office = await openOffice(kind);
  afterAll(() => office.close());
  return office;
}

export async function openOffice(kind: DatabaseKind = "embedded"): Promise<Office> {
  const directory = await mkdtemp(join(tmpdir(), "svc-office-"));
  const dataDir = join(directory, "data");
  await mkdir(dataDir);
  const external = kind === "external" ? await copyExternal() : null;
  if (!external) cpSync(inject("embeddedTemplate"), dataDir, { recursive: true });
  const settings: Settings = {
    ...FEW_BUFFERS,
    SVC_DATA_DIR: dataDir,
    DATABASE_URL: external?.url ?? "",
    DEFAULT_ADMIN_EMAIL: "admin@example.org",
    DEFAULT_ADMIN_PASSWORD: PASSWORD,
  };
  const running = new Set<Program>();
  const start = (...args: string[]) => {
    const command = begin([process.execPath, MAIN, ...args], environment(settings), directory);
    running.add(command);
    void command.ended.then(() => running.delete(command));
    return command;
  };
  return {
    settings,
    url: external?.url ?? null,
    async put(name, content) {
      await writeFile(join(directory, name), content);
      return name;
    },
    read: (name) => readFile(join(directory, name), "utf8"),
    begin: start,
    run: (...args) => lent(directory, environment(settings), () => main(args)),
    async serve() {
      const service = await started([process.execPath, MAIN, "serve"], settings, runtimeName());
      running.add(service);
      const json = { email: "admin@example.org", password: PASSWORD };
      const { json: signedIn } = await service.ask("/v1/auth/login", { json });
      return { service, token: signedIn.access_token };
    },
    async look(at) {
      const read = readConfig(settings);
      if (!read.ok) throw new Error(JSON.stringify(read.faults));
      const silent = createLog({ level: "error", format: "json", write: () => undefined });
      const { services, close } = await compose(read.config, "client", silent);
      try {
        return await at(services);
      } finally {
        await close();
      }
    },
    async until(command, asked) {
      const isStuck = stuck(() => `${command.lines.length} ${workOf(command.child)}`);
      const database =
        external && (await openDatabase({ databaseUrl: external.url, dataDir, role: "client", max: 1 }));
      try {
        const isSo = async () =>
          database ? asked(database.sql) : (await ownerOf(dataDir)) !== null && lookInto(dataDir, asked);
        while (!(await isSo())) {
          if (isStuck()) throw new Error(`nothing has moved for ${STILL_SECONDS} s`);
          await still(command, database ? 50 : 200);
        }
      } finally {
        await database?.close();
      }
    },
    async close() {
      await Promise.all([...running].map((command) => command.kill("SIGKILL")));
      await external?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** As if the time had passed for which the jobs of a killed process are its own. */
export const endLeases = (sql: Sql) => sql`
  update jobs set leased_until = clock_timestamp() where state = 'running'`;

/** Only one command at a time can use this process. */
let free: Promise<unknown> = Promise.resolve();

/** Runs a command in this process: changes the directory, sets variables, and collects output and log. */
function lent(directory: string, env: Settings, command: () => Promise<number>): Promise<Ended> {
  const ended = free.then(async () => {
    const own = { directory: process.cwd(), env: process.env, console: globalThis.console };
    const [out, err] = [kept(), kept()];
    const { stderr } = process;
    process.chdir(directory);
    process.env = { ...env };
    globalThis.console = new Console(out.stream, err.stream);
    // progress bars are written past the console
    Object.defineProperty(process, "stderr", { configurable: true, get: () => err.stream });
    try {
      return { code: await command(), out: out.text(), err: err.text() };
    } finally {
      process.chdir(own.directory);
      process.env = own.env;
      globalThis.console = own.console;
      Object.defineProperty(process, "stderr", { configurable: true, get: () => stderr });
    }
  });
  free = ended.catch(() => undefined);
  return ended;
}

/** Collects what is written to a stream; `text` leaves out the last line break. */
function kept(): { stream: Writable; text(): string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString().replace(/\n$/, "") };
}

/** Lets the command work for some milliseconds. A look into an embedded database takes longer than that. */
async function still(command: Program, milliseconds: number): Promise<void> {
  if (command.child.exitCode !== null) {
    throw new Error(`ended before what was waited for:\n${command.lines.join("\n")}`);
  }
  await setTimeout(milliseconds);
}
