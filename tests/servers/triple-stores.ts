/** The triple stores with which the tests try a museum. */
import { notTried } from "../support/lane/skipped.ts";
import { isFusekiHere, openFuseki } from "./fuseki.ts";
import { isOxigraphHere, openOxigraph } from "./oxigraph.ts";
import { FUSEKI, OXIGRAPH, packageMissing } from "./packages.ts";
import type { StoreLimits, TripleStore } from "./triple-store.ts";

type OneStore = { title: string; isHere: boolean; open(limits?: StoreLimits): Promise<TripleStore> };

/** Notes those that this machine lacks. */
export function tripleStores(): OneStore[] {
  const oxigraph = { title: OXIGRAPH.title, isHere: isOxigraphHere(), open: openOxigraph };
  const fuseki = { title: FUSEKI.title, isHere: isFusekiHere(), open: openFuseki };
  if (!oxigraph.isHere) notTried(packageMissing(OXIGRAPH));
  if (!fuseki.isHere) notTried(packageMissing(FUSEKI));
  return [oxigraph, fuseki];
}
