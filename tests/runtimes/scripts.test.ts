/** The commands in the README: npm, deno task and bun run, each on its own runtime. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isShort } from "../support/lane/lane.ts";
import { begin } from "../support/programs/processes.ts";
import { ROOT } from "../support/sources.ts";
import { type Runtime, runtimeOfTests, runtimesHere } from "./runtimes.ts";
import { environment, started } from "./started.ts";

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));

/** How to run scripts of package.json and tasks of deno.json. */
function runner({ name, program }: Runtime): string[] {
  if (name.startsWith("Deno")) return [program, "task"];
  if (name.startsWith("Bun")) return [program, "run"];
  return ["npm", "run"];
}

/** Users have the runtime in their PATH; here it is elsewhere. */
const onPath = ({ program }: Runtime): Record<string, string> => ({
  PATH: `${dirname(program)}${delimiter}${process.env.PATH}`,
  npm_config_update_notifier: "false",
});

// one directory for all: each runtime must be able to read what another has written
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "svc-runtime-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** One of each in the short lane: the Node that runs the tests, Deno and Bun. */
const runtimes = isShort
  ? [runtimeOfTests(), ...runtimesHere("Deno"), ...runtimesHere("Bun")]
  : runtimesHere();

describe.each(runtimes)("on %s, as in the README", (_name, runtime) => {
  test(`${runner(runtime)
    .map((word) => word.replace(/.*\//, ""))
    .join(" ")} start serves until it is told to stop`, async () => {
    const settings = { ...onPath(runtime), SVC_DATA_DIR: dataDir };
    const service = await started([...runner(runtime), "start"], settings, runtime.name);
    onTestFinished(() => service.kill("SIGKILL"));
    expect(await service.ask("/health")).toMatchObject({ status: 200, json: { status: "ok" } });
    const { code } = await service.stop();
    expect(code).toBe(0);
    // both the runner and the program that it started have ended
    await expect(service.ask("/health")).rejects.toThrow("fetch failed");
  });

  test("svc-manage gets its arguments unchanged", async () => {
    const separator = runner(runtime)[0] === "npm" ? ["--"] : [];
    const program = begin(
      [...runner(runtime), "svc-manage", ...separator, "--version"],
      environment(onPath(runtime)),
    );
    expect({ code: await program.ended, last: program.lines.filter(Boolean).at(-1) }).toEqual({
      code: 0,
      last: version,
    });
  });
});

test("deno.json has a task for each script of package.json, and both run the same file", () => {
  const { tasks } = JSON.parse(readFileSync(`${ROOT}deno.json`, "utf8")) as { tasks: Record<string, string> };
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as {
    scripts: Record<string, string>;
  };
  delete scripts.prepare; // npm runs it after it installed
  expect(Object.keys(tasks).sort()).toEqual(Object.keys(scripts).sort());
  const runs = (line: string) => /(?:cli|tests)\/[\w/-]+\.(?:mjs|ts)( \w+)?$/.exec(line)?.[0];
  for (const [name, script] of Object.entries(scripts))
    expect([name, runs(tasks[name]!)]).toEqual([name, runs(script)]);
  for (const step of scripts.check!.split(" && ").slice(1, -1)) expect(tasks.check).toContain(step);
});

test("every task of deno.json has the same limited permissions", () => {
  const { tasks } = JSON.parse(readFileSync(`${ROOT}deno.json`, "utf8")) as { tasks: Record<string, string> };
  const flags = ["start", "demo", "svc-manage"].map((name) => tasks[name]!.split(" cli/")[0]);
  expect(new Set(flags).size).toBe(1);
  expect(flags[0]).not.toMatch(/ (-A|--allow-all|--allow-run|--allow-ffi|--allow-sys)( |$)/);
});
