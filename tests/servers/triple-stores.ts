/** The triple stores that are on this machine. */
import { notTried } from "../support/skipped.ts";
import { isFusekiHere, openFuseki } from "./fuseki.ts";
import { isOxigraphHere, openOxigraph } from "./oxigraph.ts";
import { FUSEKI, OXIGRAPH, packageMissing } from "./packages.ts";
import type { StoreLimits, TripleStore } from "./triple-store.ts";

export type StoreToTry = { title: string; open: (limits?: StoreLimits) => Promise<TripleStore> };

/** Notes those that are missing. */
export function storesToTry(): StoreToTry[] {
  const both = [
    { made: OXIGRAPH, isHere: isOxigraphHere(), open: openOxigraph },
    { made: FUSEKI, isHere: isFusekiHere(), open: openFuseki },
  ];
  for (const { made, isHere } of both) if (!isHere) notTried(packageMissing(made));
  return both.filter(({ isHere }) => isHere).map(({ made: { title }, open }) => ({ title, open }));
}
