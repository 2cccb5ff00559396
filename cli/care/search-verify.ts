/** svc-manage search-verify: compares the search index with the records. */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import type { MessageKey } from "../../src/messages/translate.ts";
import type { Compared } from "../../src/operator/search.ts";
import type { Difference } from "../../src/search/compare.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { demandKind } from "../terminal/one-of.ts";
import { flag, meta, option } from "../terminal/options.ts";
import { print } from "../terminal/words.ts";

const MOST_SHOWN = 50;

const FAULTS = {
  missing: "cli.search.missing",
  superfluous: "cli.search.superfluous",
  kind: "cli.search.kind",
  status: "cli.search.status",
  content: "cli.search.content",
} as const satisfies Record<Difference["fault"], MessageKey>;

export const searchVerify = defineCommand({
  meta: meta("search-verify", "cli.help.search_verify.about"),
  args: {
    type: option("TYPE", "cli.help.search_verify.type"),
    json: flag("cli.help.search_verify.json"),
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    return withDoor(knock(), async (door, progress) => {
      const onEvent = ({ done, total }: Compared) =>
        progress.show(Math.min(1, done / Math.max(1, total)), said("job.count.records", { count: done }));
      const found = await interruptible(said("cli.interrupted"), (signal) =>
        door.call("search-verify", { kind }, { onEvent, signal }),
      );
      progress.clear();
      const { records, differences, differing, waiting } = found;
      if (args.json) console.log(JSON.stringify(found));
      else {
        for (const { id, record_type, fault } of differences.slice(0, MOST_SHOWN))
          print({ key: FAULTS[fault], values: { type: record_type, id } });
        if (differing > MOST_SHOWN) print(said("cli.more", { count: differing - MOST_SHOWN }));
        const compared = said("cli.search.compared", { records, count: differing });
        print(waiting > 0 ? said("cli.search.compared_others", { compared }) : compared);
        if (waiting > 0) print(said("cli.search.waiting", { count: waiting }));
      }
      if (differing > 0) return 1;
      return waiting > 0 ? 3 : 0;
    });
  },
});
