/** svc-manage search-verify: compares the search index with the records. */
import { defineCommand } from "citty";
import { compareIndex, type Difference } from "../src/search/compare.ts";
import { countRecords } from "../src/search/rebuild-store.ts";
import { interruptible } from "./interruptible.ts";
import { demandKind } from "./kind-option.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";

const MOST_SHOWN = 50;

const FAULTS: Record<Difference["fault"], string> = {
  missing: "is not in the index",
  superfluous: "is in the index but is not a record",
  kind: "has a different type in the index",
  status: "has a different status in the index",
  content: "has different words or values in the index",
};

export const searchVerify = defineCommand({
  meta: {
    name: "search-verify",
    description: `Compare the search index with the records

Lists records that are missing in the index, should not be in it, or differ. Changes nothing; works while the service
runs. svc-manage reindex repairs what is found.

Records that are still waiting to be indexed are counted, not compared.

Exit codes: 0 the index is correct, 1 there are differences, 2 the command was not understood, 3 no difference, but
records are still waiting.`,
  },
  args: {
    type: { type: "string", valueHint: "TYPE", description: "Only records of this type" },
    json: {
      type: "boolean",
      default: false,
      description:
        "Print the result as JSON, and nothing else; with the first 1000 differences and their number",
    },
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    const { services, close } = await openCatalogue(openCommandConfig());
    const progress = openProgress();
    try {
      const whole = await countRecords(services.sql, kind);
      const found = await interruptible("Interrupted", (signal) =>
        compareIndex(services, kind, (done) => {
          signal.throwIfAborted();
          progress.show(Math.min(1, done / Math.max(1, whole)), `${done} records`);
        }),
      );
      progress.clear();
      const { records, differences, differing, waiting } = found;
      if (args.json) console.log(JSON.stringify(found));
      else {
        for (const { id, record_type, fault } of differences.slice(0, MOST_SHOWN))
          console.log(`${record_type} ${id} ${FAULTS[fault]}`);
        if (differing > MOST_SHOWN) console.log(`… and ${differing - MOST_SHOWN} more`);
        const among = waiting > 0 ? " among the others" : "";
        console.log(
          `${records} ${records === 1 ? "record" : "records"} compared, ${differing || "no"} ${differing === 1 ? "difference" : "differences"}${among}`,
        );
        if (waiting > 0) {
          const wait = waiting === 1 ? "record waits" : "records wait";
          console.log(
            `${waiting} ${wait} to be indexed: a running service does this; svc-manage doctor says why if it does not`,
          );
        }
      }
      if (differing > 0) return 1;
      return waiting > 0 ? 3 : 0;
    } finally {
      progress.clear();
      await close();
    }
  },
});
