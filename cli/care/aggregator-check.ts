/** svc-manage aggregator-check: lists public objects that aggregators would refuse. */
import { defineCommand } from "citty";
import type { AggregatorReport } from "../../src/aggregation/check-store.ts";
import { AGGREGATORS, CHECKS, FINDINGS, type Finding, findingSays } from "../../src/aggregation/checks.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { withSemicolons } from "../../src/messages/semicolons.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { optionOf } from "../terminal/one-of.ts";
import { flag, meta, option } from "../terminal/options.ts";
import { inWords, print, words } from "../terminal/words.ts";

export const aggregatorCheck = defineCommand({
  meta: meta("aggregator-check", "cli.help.aggregator_check.about", { known: FINDINGS.join(", ") }),
  args: {
    finding: option("FINDING", "cli.help.aggregator_check.finding"),
    summary: flag("cli.help.aggregator_check.summary"),
    json: flag("cli.help.option.json"),
  },
  async run({ args }) {
    const finding = optionOf("--finding", args.finding, FINDINGS);
    return withDoor(knock(), async (door) => {
      const items: AggregatorReport["items"] = [];
      const onEvent = (page: typeof items) => void items.push(...page);
      const counts = await interruptible(said("cli.interrupted"), (signal) =>
        door.call("aggregator-check", { finding, summary: args.summary }, { onEvent, signal }),
      );
      const report = { ...counts, items };
      if (args.json) console.log(JSON.stringify(report));
      else {
        const t = words();
        for (const { idno, title, findings } of report.items)
          console.log(
            `${idno}  ${title}${t("form.colon")} ${withSemicolons(
              t,
              findings.map((each) => inWords(findingSays(each))),
            )}`,
          );
        for (const each of FINDINGS) {
          const count = report.counts[each];
          if (count) print(counted(each, count));
        }
        print(said("cli.aggregator.checked", { checked: report.checked, total: report.total }));
      }
      const refused = FINDINGS.some((each) => report.counts[each] && CHECKS[each].length > 0);
      return refused ? 1 : 0;
    });
  },
});

function counted(finding: Finding, count: number): Said {
  const [one, other] = CHECKS[finding].map((each) => AGGREGATORS[each]);
  if (one === undefined) return said("cli.aggregator.found", { count, finding });
  const who = other === undefined ? one : said("cli.and", { one, other });
  return said("cli.aggregator.refused", { count, finding, who });
}
