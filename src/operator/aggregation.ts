/** Operations for aggregators. */
import { z } from "zod";
import { type AggregatorReport, aggregatorReport } from "../aggregation/check-store.ts";
import { FINDINGS } from "../aggregation/checks.ts";
import { operation, type Talk } from "./operation.ts";

const PAGE = 1_000;

const Check = z.strictObject({ finding: z.enum(FINDINGS).optional(), summary: z.boolean() });

export const aggregationOperations = {
  /** Emits the objects in pages, unless only the counts are wanted. */
  "aggregator-check": operation(
    Check,
    async ({ sql }, { finding, summary }, { emit }: Talk<AggregatorReport["items"]>) => {
      const limit = summary ? 0 : PAGE;
      const { items, ...counts } = await aggregatorReport(sql, { finding, limit, offset: 0 });
      let page = items;
      for (let sent = page.length; page.length > 0; sent += page.length) {
        await emit(page);
        if (sent >= counts.total) break;
        page = (await aggregatorReport(sql, { finding, limit, offset: sent })).items;
      }
      return counts;
    },
  ),
};
