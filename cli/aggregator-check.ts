/** svc-manage aggregator-check: lists the public objects that aggregators would refuse. */
import { defineCommand } from "citty";
import { aggregatorReport } from "../src/aggregation/check-store.ts";
import {
  AGGREGATORS,
  type Aggregator,
  CHECKS,
  FINDINGS,
  type Finding,
  findingSays,
} from "../src/aggregation/checks.ts";
import { Refusal } from "../src/refusal.ts";
import { interruptible } from "./interruptible.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { inWords } from "./words.ts";

const PAGE = 1_000;

export const aggregatorCheck = defineCommand({
  meta: {
    name: "aggregator-check",
    description: `List public objects that aggregators would refuse

Checks every public object, and lists those that the Deutsche Digitale Bibliothek or Europeana would refuse or that
would be hard to find there, with the reasons. Changes nothing; works while the service runs. GET
/v1/reports/aggregator answers the same.

Findings: ${FINDINGS.slice(0, 5).join(", ")},
${FINDINGS.slice(5).join(", ")}.

Exit codes: 0 nothing would be refused, 1 something would, 2 the command was not understood.`,
  },
  args: {
    finding: { type: "string", valueHint: "FINDING", description: "Only objects with this finding" },
    summary: {
      type: "boolean",
      default: false,
      description: "Only the number of objects for each finding",
    },
    json: { type: "boolean", default: false, description: "Print the result as JSON, and nothing else" },
  },
  async run({ args }) {
    const finding = demandFinding(args.finding);
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const report = await interruptible("Interrupted", async (signal) => {
        const first = await aggregatorReport(services.sql, {
          finding,
          limit: args.summary ? 0 : PAGE,
          offset: 0,
        });
        const items = first.items;
        while (!args.summary && items.length < first.total) {
          signal.throwIfAborted();
          const next = await aggregatorReport(services.sql, { finding, limit: PAGE, offset: items.length });
          if (next.items.length === 0) break;
          items.push(...next.items);
        }
        return { ...first, items };
      });
      if (args.json) console.log(JSON.stringify(report));
      else {
        for (const { idno, title, findings } of report.items)
          console.log(`${idno}  ${title}: ${findings.map((each) => inWords(findingSays(each))).join("; ")}`);
        for (const each of FINDINGS) {
          const count = report.counts[each];
          if (count) console.log(`${count} × ${each}${refusal(CHECKS[each])}`);
        }
        console.log(`${report.checked} public objects checked, ${report.total || "none"} with findings`);
      }
      const refused = FINDINGS.some((each) => report.counts[each] && CHECKS[each].length > 0);
      return refused ? 1 : 0;
    } finally {
      await close();
    }
  },
});

function refusal(by: readonly Aggregator[]): string {
  return by.length === 0 ? "" : `, refused by ${by.map((each) => AGGREGATORS[each]).join(" and ")}`;
}

function demandFinding(name: string | undefined): Finding | undefined {
  if (name === undefined || Object.hasOwn(CHECKS, name)) return name as Finding | undefined;
  throw new Refusal(`--finding must be one of ${FINDINGS.join(", ")}, not ${JSON.stringify(name)}`, 2);
}
