/** Apache Jena Fuseki, for a test. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FUSEKI, findPackage } from "./packages.ts";
import { openTripleStore, type StoreLimits, type TripleStore, USUAL_LIMITS } from "./triple-store.ts";

export function isFusekiHere(): boolean {
  if (findPackage(FUSEKI) === null) return false;
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** As docs/operations.md has it, with an address to upload files. */
const configuration = (data: string, timeoutSeconds: number) => `
PREFIX fuseki: <http://jena.apache.org/fuseki#>
PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
PREFIX tdb2: <http://jena.apache.org/2016/tdb#>
[] a fuseki:Service ;
  fuseki:name "catalogue" ;
  fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "query" ] ;
  fuseki:endpoint [ fuseki:operation fuseki:update ; fuseki:name "update" ] ;
  fuseki:endpoint [ fuseki:operation fuseki:gsp-rw ; fuseki:name "data" ] ;
  fuseki:dataset [
    a tdb2:DatasetTDB2 ;
    tdb2:location "${data}" ;
    tdb2:unionDefaultGraph true ;
    ja:context [ ja:cxtName "arq:queryTimeout" ; ja:cxtValue "${timeoutSeconds * 1_000}" ]
  ] .
`;

export function openFuseki({ timeoutSeconds }: StoreLimits = USUAL_LIMITS): Promise<TripleStore> {
  const jar = findPackage(FUSEKI)!;
  return openTripleStore("/catalogue", (port, data) => {
    const file = join(data, "..", "catalogue.ttl");
    writeFileSync(file, configuration(data, timeoutSeconds));
    // starts sooner, and cannot take the memory of the machine
    const java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"];
    return [...java, "-jar", jar, "--config", file, "--port", port, "--localhost"];
  });
}
