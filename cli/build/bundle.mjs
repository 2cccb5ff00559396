/**
 * The program as a bundle, which Node starts faster than its sources. `npm ci` makes it (`make-bundle.mjs`), and
 * so does a start that finds none of these sources. Its name is a digest of all it is made of: file times say nothing after a
 * checkout or in an image. A package, an image and the single file have the bundle and no sources.
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
import { register } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Three folders below the root, which the addresses in it count on. */
const INSTALLED = join(ROOT, "dist/node");
const ENTRY = "program.js";
/** Bundles that stay, for programs that still run: each edit of a source makes another one. */
const FEW = 5;

/** The address of the bundle's entry point. Makes the bundle if there is none. */
export async function bundledProgram() {
  if (!existsSync(join(ROOT, "cli/program.ts"))) return addressOf(readdirSync(INSTALLED)[0]);
  const name = digest();
  if (existsSync(join(INSTALLED, name))) return addressOf(name);
  const cache = ownCache();
  const kept = cache && join(cache, name);
  if (kept && existsSync(kept)) {
    const files = readdirSync(kept).map((file) => [file, readFileSync(join(kept, file), "utf8")]);
    return served(name, new Map(files));
  }
  const files = await make(name);
  if (keep(INSTALLED, name, files)) {
    for (const old of byAge(INSTALLED).slice(FEW))
      rmSync(join(INSTALLED, old), { recursive: true, force: true });
    return addressOf(name);
  }
  if (cache) {
    clear(cache);
    keep(cache, name, files);
  }
  return served(name, files);
}

const addressOf = (name) => pathToFileURL(join(INSTALLED, name, ENTRY)).href;

/** Makes the bundle in the installation, and leaves no other one there. */
export async function installBundle() {
  const name = digest();
  if (!existsSync(join(INSTALLED, name)) && !keep(INSTALLED, name, await make(name)))
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
  hash.update(`${process.versions.node.split(".")[0]}\0`);
  const parts = ["package.json", "package-lock.json", "node_modules/esbuild/package.json"];
  for (const path of parts) if (existsSync(join(ROOT, path))) add(path);
  for (const folder of ["cli", "src", "workers"]) {
    // with types it is twice as fast
    const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length));
    for (const path of paths.filter((path) => /\.(ts|mjs|json)$/.test(path)).sort()) add(path);
  }
  return hash.digest("hex").slice(0, 32);
}

/** The files of the bundle, by name. */
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

/** What a source finds beside itself is found from the bundle, too. */
function ownAddress({ path }) {
  const address = `new URL(${JSON.stringify(`../../../${path.slice(ROOT.length)}`)}, import.meta.url).href`;
  return { loader: "ts", contents: readFileSync(path, "utf8").replaceAll("import.meta.url", address) };
}

/** Whether the bundle is there, written by this process or by another one that was faster. */
function keep(directory, name, files) {
  const half = join(directory, `.${name}.${randomUUID()}`);
  try {
    mkdirSync(half, { recursive: true });
    for (const [file, text] of files) {
      const descriptor = openSync(join(half, file), "wx");
      try {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
        // after a power failure, a directory with the final name must be complete
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    }
    renameSync(half, join(directory, name));
  } catch {
    rmSync(half, { recursive: true, force: true });
    return existsSync(join(directory, name));
  }
  return true;
}

/** In the data directory, if there is one; null if anybody else could write into it. */
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

/** Lets Node import these files as if they were in the installation, where their packages are. */
function served(name, bundle) {
  const entry = addressOf(name);
  const base = entry.slice(0, -ENTRY.length);
  // Node looks for maps on the disk only
  const inside = (_, map) => `sourceMappingURL=data:application/json;base64,${btoa(bundle.get(map))}`;
  const files = new Map();
  for (const [file, text] of bundle)
    if (file.endsWith(".js")) files.set(file, text.replace(/sourceMappingURL=(\S+\.map)$/m, inside));
  register("./bundle-hooks.mjs", { parentURL: import.meta.url, data: { base, files } });
  return entry;
}

/** The newest first. */
const byAge = (directory) =>
  readdirSync(directory)
    .filter((name) => !name.startsWith("."))
    .map((name) => [name, lstatSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0])
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name);

/** Removes other bundles, and what was left when somebody was killed who made one. */
function clear(directory, name) {
  for (const other of readdirSync(directory))
    if (other !== name) rmSync(join(directory, other), { recursive: true, force: true });
}
