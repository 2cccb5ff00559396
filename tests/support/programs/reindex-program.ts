/**
 * A process that rebuilds the search index slowly, to be killed. Arguments: the variables of the service, as JSON, and the
 * milliseconds to wait after each batch.
 */
import { setTimeout } from "node:timers/promises";
import { compose } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config/read.ts";
import { createLog } from "../../../src/log.ts";
import { KIND_WORK } from "../../../workers/job-kinds.ts";
import { startJobLoop } from "../../../workers/job-loop.ts";
import { TIMING } from "../../../workers/timing.ts";

const read = readConfig(JSON.parse(process.argv[2]!));
if (!read.ok) throw new Error(JSON.stringify(read.faults));
const { services, close } = await compose(
  read.config,
  "client",
  createLog({ level: "info", format: "json", write: (line) => console.log(line) }),
);
const { generations } = services.search;
const slow = {
  ...generations,
  // one after the other, so that there is time to kill it
  batchSize: 200,
  async put(documents: Parameters<typeof generations.put>[0]) {
    await generations.put(documents);
    console.log(`put ${documents.length}`);
    await setTimeout(Number(process.argv[3]));
  },
};
const pace = { ...TIMING, roundMs: 50, leaseSeconds: 2, renewMs: 300 };
const loop = startJobLoop(
  { ...services, search: { ...services.search, generations: slow } },
  { reindex: KIND_WORK.reindex },
  pace,
  async () => undefined,
);
process.on("SIGTERM", async () => {
  await loop.stop();
  await close();
  process.exit();
});
