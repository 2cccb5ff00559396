/** Listens on whichever runtime this is; the other two are never loaded. */
import type { Address, App, Listening } from "./listening.ts";

export type { Address, App, Listening } from "./listening.ts";

/** Throws one sentence when the address cannot be had. */
export async function listen(app: App, address: Address): Promise<Listening> {
  // Bun also calls itself Node, and both Bun and Deno have `process`: they are asked first
  const runtime =
    "Bun" in globalThis
      ? await import("./bun.ts")
      : "Deno" in globalThis
        ? await import("./deno.ts")
        : await import("./node.ts");
  return runtime.listen(app, address);
}
