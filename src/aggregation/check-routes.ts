/** GET /v1/reports/aggregator: the public objects that aggregators would refuse. */
import { z } from "zod";
import { pageQuery } from "../http/answer/list-envelope.ts";
import { pageLinks } from "../http/answer/resource-answers.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { wordsFor } from "../http/words.ts";
import { say } from "../messages/said.ts";
import { IdShape } from "../records/shape.ts";
import { aggregatorReport } from "./check-store.ts";
import { AGGREGATORS, CHECKS, FINDINGS, findingSays } from "./checks.ts";

const FindingShape = z.enum(FINDINGS);
const AggregatorShape = z.enum(Object.keys(AGGREGATORS));

const ReportShape = z
  .object({
    checked: z.int().openapi({ description: "Public objects" }),
    total: z
      .int()
      .openapi({ description: "Of these, the objects with findings, or with the requested finding" }),
    page: z.int(),
    page_size: z.int(),
    findings: z
      .array(
        z.object({
          finding: FindingShape,
          says: z.string(),
          refused_by: z.array(AggregatorShape),
          count: z.int(),
        }),
      )
      .openapi({ description: "All kinds of findings; an empty `refused_by` means that nobody refuses it" }),
    items: z.array(
      z.object({
        id: IdShape,
        idno: z.string(),
        title: z.string().openapi({ description: "The title of the object" }),
        findings: z.array(FindingShape).openapi({ description: "The findings of this object" }),
      }),
    ),
  })
  .openapi("AggregatorReport");

const ReportQuery = z.strictObject({
  ...pageQuery,
  finding: FindingShape.optional(),
});

export function aggregatorReportRoutes(api: Api): void {
  endpoint(api, {
    method: "get",
    path: "/v1/reports/aggregator",
    tag: "service",
    summary: "List objects that aggregators would refuse",
    description:
      "The public objects that the Deutsche Digitale Bibliothek or Europeana would refuse, or show badly, sorted by " +
      "number. Link headers (RFC 8288) give first, prev, next and last.",
    access: { action: "read", kind: "object" },
    query: ReportQuery,
    answers: { 200: { description: "A page", schema: ReportShape } },
    async handle({ c, query: { page, page_size, finding } }) {
      const { checked, total, counts, items } = await aggregatorReport(api.services.sql, {
        finding,
        limit: page_size,
        offset: (page - 1) * page_size,
      });
      const t = wordsFor(c);
      const findings = FINDINGS.map((each) => {
        const says = say(t, findingSays(each));
        return { finding: each, says, refused_by: CHECKS[each], count: counts[each] ?? 0 };
      });
      const body = { checked, total, page, page_size, findings, items };
      return c.json(body, 200, { Link: pageLinks(c, body), "Cache-Control": "private, no-store" });
    },
  });
}
