#!/usr/bin/env node
/** Starts `program.ts` on every runtime: Deno, Bun and newer Node run TypeScript as it is, Node 20 through tsx. */
if (!("Deno" in globalThis || "Bun" in globalThis)) {
  const { enableCompileCache } = await import("node:module");
  // half the time to load everything; where nothing can be written, and before Node 22.8, nothing is kept
  enableCompileCache?.(new URL("../node_modules/.cache/svc-manage", import.meta.url).pathname);
  if (!process.features.typescript) {
    const { register } = await import("tsx/esm/api");
    register();
  }
}
await import("./program.ts");
