#!/usr/bin/env node
/** Starts `program.ts` on every runtime: Deno, Bun and newer Node run TypeScript as it is, Node 20 through tsx. */
if (!("Deno" in globalThis || "Bun" in globalThis)) {
  const { enableCompileCache } = await import("node:module");
  // halves the loading time; not before Node 22.8, nor without a writable directory
  enableCompileCache?.(new URL("../node_modules/.cache/svc-manage", import.meta.url).pathname);
  if (!process.features.typescript) {
    const { register } = await import("tsx/esm/api");
    register();
  }
}
await import("./program.ts");
