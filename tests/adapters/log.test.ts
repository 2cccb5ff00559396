/** The log of a service: what is written at once, what waits, and what happens when nobody reads. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "../../src/log.ts";
import { differingRuntimes, type Runtime, runtimeOfTests } from "../runtimes/runtimes.ts";
import { inLong, isShort } from "../support/lane/lane.ts";
import { scratchDirectory } from "../support/servers/databases.ts";
import { ROOT } from "../support/sources.ts";

const PROGRAM = fileURLToPath(new URL("../support/programs/log-program.ts", import.meta.url));

type Line = { message: string; n?: number; lines?: number };
const parsed = (text: string) =>
  text.split("\n").flatMap((line): Line[] => (line.startsWith("{") ? [JSON.parse(line)] : []));

describe("the lines", () => {
  it("may wait only if they are of requests", () => {
    const written: [string, boolean | undefined][] = [];
    const write = (line: string, mayWait?: boolean) => written.push([JSON.parse(line).message, mayWait]);
    const log = createLog({ level: "debug", format: "json", write });
    log.request({ path: "/" });
    for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
    expect(written).toEqual([
      ["request", true],
      ...["debug", "info", "warn", "error"].map((level) => [level, false]),
    ]);
  });

  it("that were dropped are counted, and the count is logged before the next one", () => {
    let written: Line[] = [];
    let isFull = false;
    const write = (line: string) => !isFull && written.push(JSON.parse(line)) > 0;
    const log = createLog({ level: "error", format: "json", write });
    log.error("one");
    isFull = true;
    for (let n = 0; n < 7; n++) log.error("lost");
    // neither an error nor of this level, so nothing is missing
    log.request({});
    isFull = false;
    log.error("two");
    log.error("three");
    expect(written.map(({ message, lines }) => lines ?? message)).toEqual(["one", 7, "two", "three"]);
    written = [];
    log.error("four");
    expect(written.map(({ message }) => message)).toEqual(["four"]);
  });
});

type Seen = Record<string, number>;

/** Bytes; the program logs 40 MB. */
const MOST_GROWTH = 40 * 2 ** 20;

function begin(runtime: Runtime, stderr: number | "pipe", ...args: string[]): ChildProcess {
  const [program, ...flags] = runtime.svcManage().slice(0, -1);
  const typescript = runtime.name.startsWith("Node") ? ["--import", "tsx"] : [];
  return spawn(program!, [...flags, ...typescript, PROGRAM, ...args], {
    stdio: ["ignore", "pipe", stderr],
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
}

/** What it prints on standard output. */
async function seenBy({ stdout }: ChildProcess): Promise<Seen> {
  for await (const line of createInterface({ input: stdout! })) return JSON.parse(line);
  return {};
}

const TRIED = isShort ? [runtimeOfTests()] : differingRuntimes();
describe.each(TRIED)("standard error (%s)", (name, runtime) => {
  let directory: string;
  beforeAll(async () => {
    directory = await scratchDirectory();
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  /** Runs the program with this standard error; answers what it has seen. */
  async function run(stderr: number, ...args: string[]): Promise<{ code: number; seen: Seen }> {
    const program = begin(runtime, stderr, ...args);
    const [seen, code] = await Promise.all([seenBy(program), once(program, "close")]);
    return { code: code[0], seen };
  }

  it("gets requests together, in order, and everything else at once", async () => {
    const file = join(directory, "order.log");
    const log = openSync(file, "a");
    const { code, seen } = await run(log, "file", file);
    closeSync(log);
    expect(seen).toEqual({ waiting: 0, first: 3, fault: 5, later: 6, large: 7 });
    // the last one waited when the program ended
    expect(readFileSync(file, "utf8").match(/(?<="n":)\d|FIRST/g)).toEqual("1 2 FIRST 3 4 5 6 7".split(" "));
    expect(code).toBe(0);
  });

  it("gets what waited before the fault that ends the process", async () => {
    const file = join(directory, "broken.log");
    const log = openSync(file, "a");
    const { code } = await run(log, "broken");
    closeSync(log);
    const lines = parsed(readFileSync(file, "utf8"));
    expect(lines.map(({ message }) => message)).toEqual(["request", "unexpected fault, stopping"]);
    expect(code).toBe(1);
  });

  it("that nobody reads for a while neither stops the service nor fills its memory", async () => {
    const program = begin(runtime, "pipe", "stopped");
    const seen = seenBy(program);
    // Deno waits until we read
    const waits = name.startsWith("Deno");
    if (!waits) await seen;
    const text = await textOf(program.stderr!);
    const { lines: sent = 0, grown } = await seen;
    const lines = parsed(text);
    const numbers = lines.flatMap(({ n }) => n ?? []);
    const dropped = lines.reduce((sum, line) => sum + (line.lines ?? 0), 0);
    expect(dropped > sent / 2).toBe(!waits);
    expect(numbers.length + dropped).toBe(sent);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(lines.at(-1)!.message).toBe("the end");
    expect(grown).toBeLessThan(MOST_GROWTH);
  });

  inLong(it)("that is closed or a full disk does not stop the service either", async () => {
    const full = openSync("/dev/full", "a");
    expect(await run(full, "closed")).toMatchObject({ code: 0, seen: { lines: 150_000 } });
    closeSync(full);
    const program = begin(runtime, "pipe", "closed");
    program.stderr!.destroy();
    const [{ grown }, [code]] = await Promise.all([seenBy(program), once(program, "close")]);
    expect(grown).toBeLessThan(MOST_GROWTH);
    expect(code).toBe(0);
  });
});
