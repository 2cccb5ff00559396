/** Listens on whichever runtime this is; the other two are never loaded. */
import type { Address, App, Head, Listening } from "./listening.ts";

export type { Address, App, Head, Listening } from "./listening.ts";

/** Which runtime this is, and its version: `Node 20.20.2`. */
export function runtimeName(): string {
  const { Bun, Deno } = globalThis as { Bun?: { version: string }; Deno?: { version: { deno: string } } };
  if (Bun) return `Bun ${Bun.version}`;
  if (Deno) return `Deno ${Deno.version.deno}`;
  return `Node ${process.versions.node}`;
}

/** Throws one sentence when the address cannot be had. */
export async function listen(app: App, address: Address, head: Head = {}): Promise<Listening> {
  // Bun also calls itself Node, and both Bun and Deno have `process`: they are asked first
  const runtime =
    "Bun" in globalThis
      ? await import("./bun.ts")
      : "Deno" in globalThis
        ? await import("./deno.ts")
        : await import("./node.ts");
  return runtime.listen(app, address, head);
}
