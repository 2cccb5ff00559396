/**
 * Makes and finds the bundle of the program, which Node starts faster than the sources. `npm ci` makes it
 * (`make-bundle.mjs`), and so does a start that finds no bundle of the current sources. Its name is a digest of
 * everything that it is made of, because file times mean nothing after a checkout or in an image. A package, an image
 * and the single file contain the bundle without the sources.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import * as module from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { hooksOf } from "./bundle-hooks.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** A bundle in it is three folders below the root, as `ownAddress` assumes. */
const INSTALLED = join(ROOT, "dist/node");
const ENTRY = "program.js";
/** How many older bundles are kept: each edit makes a new one, and a checkout may bring one back. */
const KEPT = 4;
const HOUR_MS = 3_600_000;

/** The URL of the bundle's entry point. Makes the bundle if there is none. */
export async function bundledProgram() {
  if (!hasSources()) return addressOf(onlyBundle());
  const name = digest();
  if (isIn(INSTALLED, name)) return addressOf(name);
  const cache = ownCache();
  const kept = cache && filesOf(cache, name);
  if (kept) return served(name, kept);
  const files = await make(name);
  // the sources may have changed meanwhile
  const isOfThese = digest() === name;
  if (isOfThese && keep(INSTALLED, name, files)) {
    clear(INSTALLED, name, KEPT, HOUR_MS);
    return addressOf(name);
  }
  if (isOfThese && cache && keep(cache, name, files)) clear(cache, name);
  return served(name, files);
}

const hasSources = () => existsSync(join(ROOT, "cli/program.ts"));

/** False if this user may not read it. */
const isIn = (directory, name) => existsSync(join(directory, name, ENTRY));

const addressOf = (name) => pathToFileURL(join(INSTALLED, name, ENTRY)).href;

/** The name of the bundle in a package. */
function onlyBundle() {
  const [name, ...more] = readdirSync(INSTALLED);
  if (name && more.length === 0) return name;
  throw new Error(`${INSTALLED} must contain one bundle: put the package into an empty directory`);
}

/** Makes the bundle in the installation and removes all others. */
export async function installBundle() {
  if (!hasSources()) return;
  const name = digest();
  if (!isIn(INSTALLED, name) && !keep(INSTALLED, name, await make(name)))
    throw new Error(`${INSTALLED} cannot be written to`);
  clear(INSTALLED, name);
}

function digest() {
  const hash = createHash("sha256");
  const add = (path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update("\0");
  const parts = ["package.json", "package-lock.json", "node_modules/esbuild/package.json"];
  for (const path of parts) if (existsSync(join(ROOT, path))) add(path);
  for (const folder of ["cli", "src", "workers"]) {
    // twice as fast as asking for the type of each file
    const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length));
    for (const path of paths.filter((path) => /\.(ts|mjs|json)$/.test(path)).sort()) add(path);
  }
  return hash.digest("hex").slice(0, 32);
}

/** Returns the files of the bundle by name. */
async function make(name) {
  const { build, stop } = await import("esbuild");
  try {
    const { outputFiles } = await build({
      absWorkingDir: ROOT,
      entryPoints: ["cli/program.ts"],
      outdir: join(INSTALLED, name),
      write: false,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      packages: "external",
      sourcemap: "linked",
      sourcesContent: false,
      logLevel: "silent",
      plugins: [{ name: "own-addresses", setup: (plugin) => plugin.onLoad({ filter: /\.ts$/ }, ownAddress) }],
    });
    const start = join(INSTALLED, name).length + 1;
    return new Map(outputFiles.map(({ path, text }) => [path.slice(start), text]));
  } finally {
    await stop();
  }
}

/** Makes `import.meta.url` in the bundle point to the source file, so that files beside it are found. */
function ownAddress({ path }) {
  const address = `new URL(${JSON.stringify(`../../../${path.slice(ROOT.length)}`)}, import.meta.url).href`;
  return { loader: "ts", contents: readFileSync(path, "utf8").replaceAll("import.meta.url", address) };
}

/** Writes the bundle. Returns whether it is there afterwards, from this process or another one that was faster. */
function keep(directory, name, files) {
  const half = join(directory, `.${name}.${randomUUID()}`);
  try {
    mkdirSync(half, { recursive: true });
    for (const [file, text] of files) {
      const descriptor = openSync(join(half, file), "wx");
      try {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
        // a directory with the final name must be complete even after a power failure
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    }
    renameSync(half, join(directory, name));
  } catch {
    rmSync(half, { recursive: true, force: true });
    return isIn(directory, name);
  }
  return true;
}

/** Null if the files cannot be read, or if another process is removing them. */
function filesOf(directory, name) {
  try {
    const place = join(directory, name);
    const files = new Map(readdirSync(place).map((file) => [file, readFileSync(join(place, file), "utf8")]));
    return files.has(ENTRY) ? files : null;
  } catch {
    return null;
  }
}

/** The cache in the data directory; null if there is none or somebody else could write to it. */
function ownCache() {
  const { SVC_DATA_DIR } = process.env;
  if (!SVC_DATA_DIR?.trim() || !process.getuid) return null;
  const place = join(resolve(SVC_DATA_DIR.trim()), "cache");
  try {
    if (!existsSync(place)) mkdirSync(place, { mode: 0o700 });
    const about = lstatSync(place);
    const isOwn = about.isDirectory() && about.uid === process.getuid() && (about.mode & 0o077) === 0;
    return isOwn ? place : null;
  } catch {
    return null;
  }
}

/** Lets Node import these files as if they were in the installation, beside their packages. */
function served(name, bundle) {
  const entry = addressOf(name);
  const base = entry.slice(0, -ENTRY.length);
  // Node reads external source maps only from disk
  const inside = (_, map) => `sourceMappingURL=data:application/json;base64,${btoa(bundle.get(map))}`;
  const files = new Map();
  for (const [file, text] of bundle)
    if (file.endsWith(".js")) files.set(file, text.replace(/sourceMappingURL=(\S+\.map)$/m, inside));
  // newer versions of Node run hooks without an extra thread
  if (module.registerHooks) module.registerHooks(hooksOf({ base, files }));
  else module.register("./bundle-hooks.mjs", { parentURL: import.meta.url, data: { base, files } });
  return entry;
}

/**
 * Removes other bundles except the newest few, and incomplete ones of at least this age, which killed processes left.
 * What cannot be removed stays.
 */
function clear(directory, name, few = 0, halfAge = 0) {
  const others = readdirSync(directory)
    .filter((other) => other !== name)
    .map((other) => [other, lstatSync(join(directory, other), { throwIfNoEntry: false })?.mtimeMs ?? 0])
    .sort(([, a], [, b]) => b - a);
  const isHalf = ([other]) => other.startsWith(".");
  const halves = others.filter((one) => isHalf(one) && one[1] <= Date.now() - halfAge);
  const whole = others.filter((one) => !isHalf(one)).slice(few);
  for (const [other] of [...halves, ...whole])
    try {
      rmSync(join(directory, other), { recursive: true, force: true });
    } catch {}
}
