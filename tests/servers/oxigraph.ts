/** The server of Oxigraph, for a test. */
import { findPackage, OXIGRAPH } from "./packages.ts";
import { openTripleStore, type StoreLimits, type TripleStore, USUAL_LIMITS } from "./triple-store.ts";

export const isOxigraphHere = (): boolean => findPackage(OXIGRAPH) !== null;

export function openOxigraph({ timeoutSeconds }: StoreLimits = USUAL_LIMITS): Promise<TripleStore> {
  const program = findPackage(OXIGRAPH)!;
  return openTripleStore("", (port, data) => [
    program,
    ...["serve", "--location", data, "--bind", `127.0.0.1:${port}`, "--timeout-s", String(timeoutSeconds)],
  ]);
}
