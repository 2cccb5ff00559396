/**
 * npm run bench [http] [sign-in] [import] [xml] [csv] [search] [reindex] [million] [start] [kill] [backup] [iiif]
 * [oai] [rdf] [portal] [admin]: prints figures, asserts nothing. A million records only on request; BENCH_RECORDS
 * reduces the usual 59,031. Ratios are measured in one run; do not compare anything else between machines.
 */

import { startServersOfThisRun } from "../servers/of-this-run.ts";
import { isServerThere, SERVER_MISSING } from "../support/servers/server.ts";
import { benchAdmin } from "./admin.ts";
import { benchBackup } from "./backup.ts";
import { benchCsv } from "./csv.ts";
import { machine, type Where } from "./ground.ts";
import { benchHttp } from "./http.ts";
import { benchIiif } from "./iiif.ts";
import { benchImport } from "./import.ts";
import { benchKill } from "./kill.ts";
import { multiply } from "./million.ts";
import { benchOai } from "./oai.ts";
import { benchPortal } from "./portal.ts";
import { benchRdf } from "./rdf.ts";
import { benchReindex } from "./reindex.ts";
import { benchSearch } from "./search.ts";
import { benchSignIn } from "./sign-in.ts";
import { benchServing, benchStart } from "./start.ts";
import { benchXml } from "./xml.ts";

const asked = process.argv.slice(2);
const wanted = (name: string) => asked.length === 0 || asked.includes(name);

console.log(machine());
const stopServers = await startServersOfThisRun();
const databases: Where[] = (await isServerThere()) ? ["embedded", "external"] : ["embedded"];
if (databases.length === 1) console.log(`Not measured here: ${SERVER_MISSING}`);
if (wanted("http")) for (const where of databases) await benchHttp(where);
if (wanted("sign-in")) for (const where of databases) await benchSignIn(where);
if (wanted("start")) await benchStart();
if (wanted("kill")) await benchKill();
if (wanted("xml")) for (const where of databases) await benchXml(where);
if (wanted("csv")) for (const where of databases) await benchCsv(where);
if (wanted("oai")) for (const where of databases) await benchOai(where);
if (wanted("iiif")) await benchIiif(databases.at(-1)!);
if (wanted("admin")) for (const where of databases) await benchAdmin(where);
if (wanted("rdf")) for (const where of databases) await benchRdf(where);
if (wanted("backup")) for (const where of databases) await benchBackup(where);
if (
  wanted("import") ||
  wanted("search") ||
  wanted("reindex") ||
  wanted("portal") ||
  asked.includes("million")
) {
  for (const where of databases) {
    const ground = await benchImport(where);
    try {
      if (wanted("search")) await benchSearch(ground);
      if (wanted("portal")) await benchPortal(ground);
      if (wanted("reindex")) await benchReindex(ground);
      if (asked.includes("million") && where === "external") {
        await multiply(ground, 1_000_000);
        await benchSearch(ground);
      }
      await ground.leave();
      await benchServing(ground);
    } finally {
      await ground.close();
    }
  }
}
await stopServers();
