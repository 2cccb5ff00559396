/**
 * `npm run build:binary` makes svc-manage one file, dist/svc-manage, for machines like this one. The file is Bun plus
 * an archive of the bundle and its packages. It unpacks the archive at its first start (`unpack.ts`), because Bun
 * cannot embed shared libraries, and sharp has one.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The parts of Bun used here; its types are not installed. */
declare const Bun: {
  Archive: new (
    files: Record<string, Uint8Array>,
    options: { compress: "gzip"; level: number },
  ) => { bytes(): Promise<Uint8Array> };
  build(options: object): Promise<unknown>;
};

if (!("Bun" in globalThis)) throw new Error("This needs Bun 1.4 or later (npm run runtimes installs it)");

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TO = join(ROOT, "dist");
const FOLDERS = ["cli", "dist/node", "sql", "src", ...(await packages())];
/** Sources, which the bundle replaces, and the source maps of packages. */
const LEFT_OUT = /^(cli|src)\/.*\.ts$|^node_modules\/.*\.map$/;

execFileSync(process.execPath, [join(ROOT, "cli/build/make-bundle.mjs")], { stdio: "inherit" });
const files: Record<string, Uint8Array> = {};
for (const path of ["LICENSE", "package.json", ...(await Promise.all(FOLDERS.map(filesIn))).flat()]) {
  files[path] = await readFile(join(ROOT, path));
}
const archive = await new Bun.Archive(files, { compress: "gzip", level: 9 }).bytes();
const hash = createHash("sha256").update(archive).digest("hex").slice(0, 16);
const packed = join(TO, `svc-manage-${hash}.tar.gz`);
await mkdir(TO, { recursive: true });
await writeFile(packed, archive);
await Bun.build({
  entrypoints: [join(ROOT, "cli/build/unpack.ts")],
  define: { ARCHIVE: JSON.stringify(hash) },
  compile: {
    outfile: join(TO, "svc-manage"),
    assets: [packed],
    // finds packages by their package.json, and reads no other configuration from the current directory
    autoloadPackageJson: true,
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
});
await rm(packed);
const { size } = await stat(join(TO, "svc-manage"));
console.log(`dist/svc-manage: ${Math.round(size / 2 ** 20)} MB`);

/** The installed packages without developer tools and without esbuild. */
async function packages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(ROOT, "node_modules/.package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => !dev && !/^node_modules\/(esbuild|@esbuild\/.*)$/.test(path))
    .map(([path]) => path);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((path) => !LEFT_OUT.test(path))
    .filter((path) => !path.slice(folder.length).includes("/node_modules/"));
}
