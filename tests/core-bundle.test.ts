/** A bundler for browsers proves that src/app.ts and everything it reaches, packages included, needs nothing of Node. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { ROOT } from "./support/sources.ts";

const bundle = (contents: string) =>
  build({
    stdin: { contents, resolveDir: ROOT, sourcefile: "entry.ts", loader: "ts" },
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    logLevel: "silent",
  });

const { outputFiles, metafile } = await bundle('export { createApp } from "./src/app.ts";');
const code = outputFiles[0]!.contents;
const kb = (bytes: number) => `${Math.round(bytes / 1024)} KB`;

describe(`the core in one file for browsers: ${kb(code.byteLength)}, compressed ${kb(gzipSync(code).byteLength)}`, () => {
  it("contains the whole application", () => {
    expect(Object.keys(metafile.inputs)).toEqual(
      expect.arrayContaining(["src/app.ts", "src/records/write/write.ts"]),
    );
  });

  it("contains no adapter, and loads nothing at run time", () => {
    expect(Object.keys(metafile.inputs).filter((path) => path.startsWith("src/adapters/"))).toEqual([]);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))).toEqual(
      [],
    );
  });

  it("could not be made if a package needed Node", async () => {
    await expect(bundle('import postgres from "postgres"; export default postgres;')).rejects.toThrow(
      /Could not resolve "(node:)?(net|tls|fs|os|stream|crypto|perf_hooks)"/,
    );
  });
});
