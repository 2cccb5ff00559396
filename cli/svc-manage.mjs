#!/usr/bin/env node
/** Starts `program.ts` on every runtime: Deno, Bun and newer Node run TypeScript as it is, Node 20 through tsx. */
if (!("Deno" in globalThis || "Bun" in globalThis || process.features.typescript)) {
  const { register } = await import("tsx/esm/api");
  register();
}
await import("./program.ts");
