/** The program as Node runs it, in copies of the installation. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runtimesHere } from "../runtimes/runtimes.ts";
import { oneOrAll } from "../support/lane/lane.ts";
import { ROOT } from "../support/sources.ts";

const PARTS = ["cli", "docs", "sql", "src", "workers", "package.json", "package-lock.json"];
/** Root may write anywhere. Any other user is kept out by modes. */
const somebody = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

let place: string;
let installed: string;
let bundles: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "svc-bundle-"));
  await chmod(place, 0o755);
  installed = join(place, "installed");
  bundles = join(installed, "dist/node");
  for (const part of PARTS) await cp(`${ROOT}${part}`, join(installed, part), { recursive: true });
  symlinkSync(`${ROOT}node_modules`, join(installed, "node_modules"));
});
afterEach(() => rm(place, { recursive: true, force: true }));

type Ended = { code: number; out: string; err: string };
type Settings = { env?: Record<string, string>; uid?: number; gid?: number; node?: string };

function run(words: string[], { env = {}, node = process.execPath, ...user }: Settings = {}): Promise<Ended> {
  const args = [join(installed, "cli/svc-manage.mjs"), ...words];
  const options = { cwd: place, env: { PATH: process.env.PATH, LC_ALL: "C", ...env }, ...user };
  return new Promise((done) => {
    execFile(node, args, options, (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }));
  });
}

const made = (): string[] => (existsSync(bundles) ? readdirSync(bundles) : []);
const complete = [expect.stringMatching(/^[0-9a-f]{32}$/)];

/** Nobody but its owner may write into the installation. */
async function dataDirectory(): Promise<string> {
  const directory = join(place, "data");
  await mkdir(directory);
  if (somebody.uid) await chown(directory, somebody.uid, somebody.gid);
  else {
    await mkdir(bundles, { recursive: true });
    await chmod(bundles, 0o555);
  }
  return directory;
}

describe("the bundle of the program", () => {
  it("is made once by several first starts, and again when a source has changed", async () => {
    for (const start of await Promise.all([run(["--version"]), run(["--version"])]))
      expect(start).toMatchObject({ code: 0, err: "" });
    const [first, ...more] = made();
    expect([first, more]).toEqual([complete[0], []]);
    for (const digit of "012345") {
      const old = join(bundles, digit.repeat(32));
      mkdirSync(old);
      utimesSync(old, 0, 0);
    }
    appendFileSync(join(installed, "cli/completion.ts"), '\nthrow new Error("this source has changed");\n');
    const { code, err } = await run(["completion", "bash"]);
    expect(code).toBe(1);
    expect(err).toContain("Error: this source has changed");
    // errors name the source
    expect(err).toMatch(/cli\/completion\.ts:\d+/);
    // a few of the others stay, for programs that still run
    expect(made()).toHaveLength(5);
    expect(made()).toContain(first);
    execFileSync(process.execPath, [join(installed, "cli/build/make-bundle.mjs")]);
    expect(made()).toEqual(complete);
    expect(made()).not.toContain(first);
  });

  it("is not used in part: a start that is killed while it writes leaves the next one nothing", async () => {
    for (const wait of [0, 1]) {
      const child = spawn(process.execPath, [join(installed, "cli/svc-manage.mjs"), "--version"]);
      const ended = once(child, "exit");
      const isWriting = () => made().some((name) => readdirSync(join(bundles, name)).length > wait * 50);
      await expect.poll(isWriting, { interval: 1 }).toBe(true);
      child.kill("SIGKILL");
      await ended;
      await rm(join(bundles, made().find((name) => !name.startsWith(".")) ?? "none"), {
        recursive: true,
        force: true,
      });
    }
    expect(await run(["config"])).toMatchObject({ code: 0, err: "" });
    expect(made().filter((name) => !name.startsWith("."))).toEqual(complete);
    execFileSync(process.execPath, [join(installed, "cli/build/make-bundle.mjs")]);
    expect(made()).toEqual(complete);
  });

  it("is made in memory where the disk is full", async () => {
    // a limit of the size of a file ends a write as a full disk does
    const script = `trap "" XFSZ; ulimit -f 8; exec "$@"`;
    const words = [process.execPath, join(installed, "cli/svc-manage.mjs"), "config"];
    const out = execFileSync("bash", ["-c", script, "bash", ...words], { cwd: place, encoding: "utf8" });
    expect(out).toContain("SVC_DATA_DIR");
    expect(made()).toEqual([]);
    expect((await run(["config"])).code).toBe(0);
    expect(made()).toEqual(complete);
  });

  it("is kept in the data directory where the installation is read-only, for its owner alone", async () => {
    const SVC_DATA_DIR = await dataDirectory();
    const as = { ...somebody, env: { SVC_DATA_DIR } };
    expect(await run(["config"], as)).toMatchObject({ code: 0, err: "" });
    expect(made()).toEqual([]);
    const cache = join(SVC_DATA_DIR, "cache");
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache)).toEqual(complete);
    appendFileSync(join(cache, readdirSync(cache)[0]!, "program.js"), '\nconsole.error("kept");\n');
    expect(await run(["--version"], as)).toMatchObject({ code: 0, err: "kept\n" });
    // others could have changed it
    await chmod(cache, 0o770);
    expect(await run(["--version"], as)).toMatchObject({ code: 0, err: "" });
  });

  it("is made in memory where nothing can be written, and its errors name the source, on every Node", async () => {
    await dataDirectory();
    appendFileSync(join(installed, "cli/completion.ts"), '\nthrow new Error("this source has changed");\n');
    for (const [, { program }] of oneOrAll(runtimesHere().filter(([name]) => name.startsWith("Node")))) {
      const { code, err } = await run(["completion", "bash"], { ...somebody, node: program });
      expect(code).toBe(1);
      expect(err).toMatch(/^Error: this source has changed\n.*cli\/completion\.ts:\d+/);
    }
    expect([made(), existsSync(join(place, "data/cache"))]).toEqual([[], false]);
  });

  it("is in a package, which needs neither the sources nor the bundler", async () => {
    execFileSync("npm", ["pack", "--silent"], { cwd: installed, stdio: "pipe" });
    const archive = readdirSync(installed).find((name) => name.endsWith(".tgz"))!;
    const elsewhere = join(place, "elsewhere");
    mkdirSync(elsewhere);
    execFileSync("tar", ["-xzf", join(installed, archive), "-C", elsewhere]);
    const names = readdirSync(join(elsewhere, "package"), { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => name.endsWith(".ts"))).toEqual([]);
    await rm(installed, { recursive: true });
    installed = join(elsewhere, "package");
    mkdirSync(join(installed, "node_modules"));
    for (const name of readdirSync(`${ROOT}node_modules`).filter((name) => !/^(@?esbuild|tsx|\.)/.test(name)))
      symlinkSync(`${ROOT}node_modules/${name}`, join(installed, "node_modules", name));
    const help = await run(["--help"]);
    expect(help).toMatchObject({ code: 0, err: "" });
    const SVC_DATA_DIR = join(place, "data");
    const doctor = await run(["doctor"], { env: { SVC_DATA_DIR } });
    expect(doctor.out).toContain("there is no database yet");
  });
});
