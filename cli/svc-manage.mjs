#!/usr/bin/env node
/** Starts the program. Deno and Bun run its sources if they are there; otherwise, and on Node, the bundle runs. */
import { existsSync } from "node:fs";
import * as module from "node:module";
import { setFlagsFromString } from "node:v8";

if (("Deno" in globalThis || "Bun" in globalThis) && existsSync(new URL("program.ts", import.meta.url)))
  await import("./program.ts");
else {
  // halves the loading time; needs Node 22.8 and a writable directory
  module.enableCompileCache?.(new URL("../node_modules/.cache/svc-manage", import.meta.url).pathname);
  // otherwise garbage triples the heap, and V8 keeps that memory while there is work
  setFlagsFromString("--heap-growing-percent=50");
  // stack traces then name the sources
  process.setSourceMapsEnabled?.(true);
  const { bundledProgram } = await import("./build/bundle.mjs");
  await import(await bundledProgram());
}
