/** `npm run build:edge` builds the service as a Worker in dist/edge, with its assets and a workerd configuration (docs/edge.md). */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { readCatalogues } from "../../src/adapters/catalogues.ts";
import { PACKAGE_FILES, packageAssets } from "../../src/adapters/files/assets.ts";
import { GROUPS } from "../../src/config/variables.ts";
import { PAGE_FILES } from "../../src/pages/assets.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TO = join(ROOT, "dist/edge");
/** From this date on, workerd includes Node's built-in modules. */
const COMPATIBILITY_DATE = "2026-10-01";

await rm(TO, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [join(ROOT, "src/runtimes/workerd.ts")],
  outfile: join(TO, "worker.js"),
  bundle: true,
  minify: true,
  metafile: true,
  format: "esm",
  target: "es2023",
  platform: "node",
  conditions: ["workerd", "worker", "import"],
  external: ["cloudflare:*"],
  // a Worker has no disk
  define: { CATALOGUES: JSON.stringify(readCatalogues()) },
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire("file:///worker.js");',
  },
});

const assets = packageAssets();
for (const name of new Set([...PAGE_FILES, ...PACKAGE_FILES])) {
  const path = join(TO, "assets", name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, (await assets.read(name))!);
}

const names = Object.values(GROUPS).flatMap((variables) => Object.keys(variables));
const bindings = names.map((name) => `    (name = "${name}", fromEnvironment = "${name}"),\n`).join("");
await writeFile(
  join(TO, "workerd.capnp"),
  `# Made by npm run build:edge. docs/edge.md says how to run it.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "service", worker = .worker),
    (name = "assets", disk = (path = "assets")),
    # databases and stores are seldom on public addresses
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8000", http = (), service = "service")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [
    (name = "ASSETS", service = "assets"),
${bindings}  ],
);
`,
);
const bytes = Object.values(metafile.outputs)[0]!.bytes;
console.log(`dist/edge/worker.js: ${Math.round(bytes / 1024)} KB`);
