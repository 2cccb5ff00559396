/** Runs programs of the tests in processes that can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { STILL_SECONDS, stuck, workOf } from "./progress.ts";

export type Program = {
  child: ChildProcess;
  /** The lines that it has printed so far, including errors. */
  lines: string[];
  /** The same, with standard output and standard error separated. */
  out: string[];
  err: string[];
  /**
   * The next line that matches; rejects when the program ends without it, or neither prints nor does anything any
   * more.
   */
  said(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
};

/** A run that is stopped takes its programs with it. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

/** Runs a TypeScript file of this directory. */
export function run(file: string, ...args: string[]): Program {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return begin([process.execPath, "--import", "tsx", path, ...args], { ...process.env, NODE_OPTIONS: "" });
}

/** Runs any program, by default in the project's directory, with only these environment variables. */
export function begin(
  [program, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = fileURLToPath(new URL("../../../", import.meta.url)),
  user: { uid?: number; gid?: number } = {},
): Program {
  const child = spawn(program!, args, { stdio: ["pipe", "pipe", "pipe"], cwd, env, ...user });
  const lines: string[] = [];
  const out: string[] = [];
  const err: string[] = [];
  const waiting = new Set<() => void>();
  for (const [stream, own] of [
    [child.stdout, out],
    [child.stderr, err],
  ] as const) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      own.push(line);
      for (const look of waiting) look();
    });
  }
  running.add(child);
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    child,
    lines,
    out,
    err,
    ended,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const isStuck = stuck(() => `${lines.length} ${workOf(child)}`);
        const without = (how: string) =>
          new Error(`${how} without saying ${pattern}:\n${lines.join("\n").slice(-4_000)}`);
        const look = () => {
          const line = lines.find((text) => pattern.test(text));
          if (line === undefined && !isStuck()) return;
          waiting.delete(look);
          clearInterval(watch);
          if (line !== undefined) resolve(line);
          else reject(without(`nothing has moved for ${STILL_SECONDS} s,`));
        };
        const watch = setInterval(look, 1_000);
        waiting.add(look);
        look();
        void ended.then(() => {
          clearInterval(watch);
          reject(without("ended"));
        });
      }),
    async kill(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
