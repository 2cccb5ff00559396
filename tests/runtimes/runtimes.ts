/**
 * The runtimes that the service supports, and where they are on this machine: at the path in the environment, as the
 * runtime of the tests, or in .runtimes/ (`npm run runtimes` puts them there).
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname } from "node:path";
import { runtimeName } from "../../src/runtimes/serve.ts";
import { notTried } from "../support/lane/skipped.ts";
import { ROOT } from "../support/sources.ts";

export type Runtime = {
  /** The name that the service logs when it is ready: `Node 20.19.6`. */
  name: string;
  program: string;
  /** Runs svc-manage with these arguments. */
  svcManage(...args: string[]): string[];
  /** Runs a TypeScript file of `tests/support/` with these arguments, and what svc-manage may do. */
  runs(file: string, ...args: string[]): string[];
};

type Wanted = {
  title: string;
  /** The environment variable with its path. */
  variable: string;
  /** Where `npm run runtimes` puts it: the folder of the package and its program. */
  folder: string;
  spec: string;
  command: string;
  version: RegExp;
  /** Arguments before those of the program. */
  flags?: readonly string[];
};

/** @param version `20.19` or `24` */
const node = (version: string): Wanted => ({
  title: `Node ${version}`,
  variable: `TEST_NODE${version.replace(".", "_")}`,
  folder: `node${version}`,
  spec: `node@${version}`,
  command: "node",
  version: new RegExp(`^v(${version.replace(".", "\\.")}\\.[\\d.]+)`),
});

export const WANTED: readonly Wanted[] = [
  // the oldest that package.json allows
  node("20.19"),
  node("22"),
  node("24"),
  // the current one
  node("26"),
  {
    title: "Deno",
    variable: "TEST_DENO",
    folder: "deno",
    spec: "deno@2",
    command: "deno",
    version: /^deno (\d+\.\d+\.\d+)/,
    flags: denoFlags(),
  },
  {
    title: "Bun",
    variable: "TEST_BUN",
    folder: "bun",
    spec: "bun@1",
    command: "bun",
    version: /^(\d+\.\d+\.\d+)/,
  },
];

/** The runtime of Workers, which does not start our programs itself. */
export const WORKERD_PACKAGE = "workerd@1.20261117.1";

/** The path of its program; null when it is not installed. */
export function findWorkerd(): string | null {
  const place = `${ROOT}.runtimes/workerd/package.json`;
  if (!existsSync(`${ROOT}.runtimes/workerd/node_modules/workerd`)) return null;
  return createRequire(place)("workerd").default;
}

/** A third-party IIIF viewer, which must open our manifests; one file out of a large package. */
export const MIRADOR_PACKAGE = "mirador@4.0.0";
export const MIRADOR = `${ROOT}.runtimes/mirador/package/dist/mirador.min.js`;

/** Linters for the API description: not dependencies of ours, because they bring 270 packages. */
export const LINTER_PACKAGES = ["@redocly/cli@2.77.0", "@stoplight/spectral-cli@6.16.3"];
export const LINTERS = `${ROOT}.runtimes/linters/node_modules`;

/** Generates a typed client from the API description; needs an older compiler than ours. */
export const CLIENT_PACKAGES = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"];
export const CLIENT = `${ROOT}.runtimes/client/node_modules`;

/** The Node that runs the tests, of whichever version. */
export function runtimeOfTests(): [name: string, runtime: Runtime] {
  const program = process.execPath;
  const svcManage = (...args: string[]) => [program, "cli/svc-manage.mjs", ...args];
  const runs = (file: string, ...args: string[]) => [program, ...withTypes("node"), SUPPORT + file, ...args];
  return [runtimeName(), { name: runtimeName(), program, svcManage, runs }];
}

const SUPPORT = "tests/support/programs/";

/** What lets it read TypeScript. */
const withTypes = (command: string): string[] => (command === "node" ? ["--import", "tsx"] : []);

/** The runtimes on this machine by name, all or this one; missing ones are listed at the end of the run. */
export function runtimesHere(title?: string): [name: string, runtime: Runtime][] {
  return WANTED.filter((wanted) => title === undefined || wanted.title === title).flatMap((wanted) => {
    const runtime = findRuntime(wanted);
    if (runtime) return [[runtime.name, runtime]];
    notTried(`${wanted.title} (npm run runtimes installs it, or ${wanted.variable} says where it is)`);
    return [];
  });
}

/** Those that differ: the Nodes between the oldest and the newest have the same sockets, streams and memory as one of them. */
export const differingRuntimes = (): [name: string, runtime: Runtime][] =>
  ["Node 20.19", "Node 26", "Deno", "Bun"].flatMap((title) => runtimesHere(title));

export function findRuntime(wanted: Wanted): Runtime | null {
  const { title, command, folder, variable, version: pattern, flags = [] } = wanted;
  const present = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node";
  const named = process.env[variable];
  const places = named
    ? [named]
    : [
        ...(command === present ? [process.execPath] : []),
        `${ROOT}.runtimes/${folder}/node_modules/.bin/${command}`,
      ];
  for (const program of places) {
    const version = versionOf(program, pattern);
    if (version === null) continue;
    // Deno may start itself for the triple store as `deno` in PATH, which is a link here
    if (command === "deno") process.env.PATH = `${dirname(program)}${delimiter}${process.env.PATH}`;
    return {
      name: `${title.split(" ")[0]} ${version}`,
      program,
      svcManage: (...args) => [program, ...flags, "cli/svc-manage.mjs", ...args],
      runs: (file, ...args) => [program, ...flags, ...withTypes(command), SUPPORT + file, ...args],
    };
  }
  // a runtime named in the environment must exist
  if (named) throw new Error(`${variable}=${named} is not a valid ${title}`);
  return null;
}

function versionOf(program: string, pattern: RegExp): string | null {
  if (!existsSync(program)) return null;
  const said = execFileSync(program, ["--version"], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  return pattern.exec(said)?.[1] ?? null;
}

/** The permissions of `deno task svc-manage`, so that the tests run with what deno.json grants. */
function denoFlags(): string[] {
  const { tasks } = JSON.parse(readFileSync(`${ROOT}deno.json`, "utf8")) as { tasks: Record<string, string> };
  const [deno, ...rest] = tasks["svc-manage"]!.split(" ");
  const script = rest.pop();
  if (deno !== "deno" || script !== "cli/svc-manage.mjs")
    throw new Error("deno.json: svc-manage is not as expected");
  return rest;
}
