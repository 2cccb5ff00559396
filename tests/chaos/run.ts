/**
 * npm run chaos -- [--where embedded|external] [--minutes 1] [--rate 15] [--faults all|none|"the service killed,…"]
 * [--every 5] [--records 0]: people use the real program while its parts fail. At the end, everything acknowledged is
 * compared with everything that the catalogue contains and shows. Ends with 1 when anything is wrong.
 */
import { parseArgs } from "node:util";
import { machine } from "../bench/ground.ts";
import { startServersOfThisRun } from "../servers/of-this-run.ts";
import { isServerThere, SERVER_MISSING } from "../support/servers/server.ts";
import { runChaos } from "./chaos.ts";
import { FAULTS } from "./faults.ts";
import type { Where } from "./site.ts";

const { values } = parseArgs({
  options: {
    where: { type: "string" },
    minutes: { type: "string", default: "1" },
    rate: { type: "string", default: "15" },
    faults: { type: "string", default: "all" },
    every: { type: "string", default: "5" },
    records: { type: "string", default: "0" },
  },
});

const minutes = Number(values.minutes);
const known = Object.keys(FAULTS).filter((name) => minutes >= 5 || !name.includes("longer"));
const faults = values.faults === "all" ? known : values.faults === "none" ? [] : values.faults.split(",");
const strange = faults.find((name) => FAULTS[name] === undefined);
if (strange !== undefined) throw new Error(`There is no fault "${strange}": ${known.join(", ")}`);
const places: Where[] = values.where ? [values.where as Where] : ["embedded", "external"];

console.log(machine());
const stopServers = await startServersOfThisRun();
for (const where of places) {
  if (where === "external" && !(await isServerThere())) {
    console.log(`Not tried here: ${SERVER_MISSING}`);
    continue;
  }
  const result = await runChaos({
    where,
    minutes,
    faults,
    rate: Number(values.rate),
    everySeconds: Number(values.every),
    records: Number(values.records),
    say: console.log,
  });
  if (result.wrong.length > 0) process.exitCode = 1;
}
await stopServers();
