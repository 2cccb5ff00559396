/** What the README tells to type: npm, deno task and bun run, each of which must run on the runtime that it belongs to. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isShort } from "../support/lane.ts";
import { begin } from "../support/processes.ts";
import { ROOT } from "../support/sources.ts";
import { type Runtime, runtimeOfTests, runtimesHere } from "./runtimes.ts";
import { environment, started } from "./started.ts";

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));

/** How the scripts of package.json and the tasks of deno.json are run. */
function runner({ name, program }: Runtime): string[] {
  if (name.startsWith("Deno")) return [program, "task"];
  if (name.startsWith("Bun")) return [program, "run"];
  return ["npm", "run"];
}

/** A museum's clone has the runtime on its path; here it lies elsewhere. */
const onPath = ({ program }: Runtime): Record<string, string> => ({
  PATH: `${dirname(program)}${delimiter}${process.env.PATH}`,
  npm_config_update_notifier: "false",
});

// one for all: what one runtime has written, the next one must be able to read
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "svc-runtime-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** One of each in the short lane: the Node that runs the tests, Deno and Bun. */
const runtimes = isShort
  ? [runtimeOfTests(), ...runtimesHere("Deno"), ...runtimesHere("Bun")]
  : runtimesHere();

describe.each(runtimes)("on %s, as the README says it", (_name, runtime) => {
  test(`${runner(runtime)
    .map((word) => word.replace(/.*\//, ""))
    .join(" ")} start serves until it is told to stop`, async () => {
    const settings = { ...onPath(runtime), SVC_DATA_DIR: dataDir };
    const service = await started([...runner(runtime), "start"], settings, runtime.name);
    try {
      expect(await service.ask("/health")).toMatchObject({ status: 200, json: { status: "ok" } });
      const { code } = await service.stop();
      expect(code).toBe(0);
      // not only the runner has ended, but what it ran
      await expect(service.ask("/health")).rejects.toThrow("fetch failed");
    } finally {
      await service.kill("SIGKILL");
    }
  });

  test("svc-manage takes its arguments as they are", async () => {
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
  expect(Object.keys(tasks).sort()).toEqual(Object.keys(scripts).sort());
  const runs = (line: string) => /(?:cli|tests)\/[\w/-]+\.(?:mjs|ts)( \w+)?$/.exec(line)?.[0];
  for (const [name, script] of Object.entries(scripts))
    expect([name, runs(tasks[name]!)]).toEqual([name, runs(script)]);
  for (const step of scripts.check!.split(" && ").slice(1, -1)) expect(tasks.check).toContain(step);
});

test("each task of deno.json has the same permissions, and not all of them", () => {
  const { tasks } = JSON.parse(readFileSync(`${ROOT}deno.json`, "utf8")) as { tasks: Record<string, string> };
  const flags = ["start", "demo", "svc-manage"].map((name) => tasks[name]!.split(" cli/")[0]);
  expect(new Set(flags).size).toBe(1);
  expect(flags[0]).not.toMatch(/ (-A|--allow-all|--allow-run|--allow-ffi|--allow-sys)( |$)/);
});
