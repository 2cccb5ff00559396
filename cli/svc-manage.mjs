#!/usr/bin/env node
/** Starts the program: on Node from its bundle, on Deno and Bun from its sources, if they are there. */
import { existsSync } from "node:fs";
import * as module from "node:module";
import { setFlagsFromString } from "node:v8";

if (("Deno" in globalThis || "Bun" in globalThis) && existsSync(new URL("program.ts", import.meta.url)))
  await import("./program.ts");
else {
  // halves the loading time; not before Node 22.8, nor without a writable directory
  module.enableCompileCache?.(new URL("../node_modules/.cache/svc-manage", import.meta.url).pathname);
  // otherwise V8 lets garbage triple its heap, and keeps that memory as long as there is work
  setFlagsFromString("--heap-growing-percent=50");
  // errors name the sources
  process.setSourceMapsEnabled?.(true);
  const { bundledProgram } = await import("./build/bundle.mjs");
  await import(await bundledProgram());
}
