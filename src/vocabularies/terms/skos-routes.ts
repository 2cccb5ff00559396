/** /v1/vocabularies/{name}/skos. */
import { z } from "zod";
import { type Api, endpoint } from "../../http/endpoint.ts";
import { bodyText, demandContentType, readBytes } from "../../http/request/body.ts";
import { flag } from "../../http/text-shape.ts";
import { CONFIGURATION } from "../configuration-resource.ts";
import { importSkos, LARGEST_SKOS } from "./skos.ts";
import { TermShape, VocabularyParams } from "./vocabulary-shape.ts";
import { demandVisibleVocabulary } from "./vocabulary-write.ts";

const TYPES = ["text/turtle", "application/n-triples"];

const PlannedTerm = TermShape.pick({ value: true, label: true, alt_label: true }).extend({
  broader: z.array(z.string()).openapi({ description: "The values of the terms directly above it" }),
});

const SkosImportShape = z
  .object({
    dry_run: z.boolean().openapi({ description: "Whether nothing was changed" }),
    added: z.array(PlannedTerm).openapi({ description: "New terms, as they will be" }),
    changed: z
      .array(
        PlannedTerm.extend({ what: z.array(z.string()).openapi({ description: "The members that change" }) }),
      )
      .openapi({ description: "Changed terms, as they will be" }),
    unchanged: z.int().openapi({ description: "How many terms the file has as they are" }),
    unread: z
      .array(
        z.object({
          path: z.string().openapi({ description: "The predicate", example: "skos:exactMatch" }),
          count: z.int().openapi({ description: "How many statements have it" }),
          example: z.string().openapi({ description: "What one of these statements says" }),
        }),
      )
      .openapi({ description: "Statements that were not imported, by their predicate" }),
  })
  .openapi("SkosImport");

export function skosRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    ...{ tag: CONFIGURATION.tag, access: CONFIGURATION.access.write },
    method: "post",
    path: "/v1/vocabularies/{name}/skos",
    summary: "Import terms from SKOS",
    description:
      "Turtle or N-Triples, at most 1 MiB and 2,000 concepts; all of it or, if anything is wrong, nothing. Terms are known by their " +
      "address, else by their value; a term without an address also by its label in a language, and is given the address. None is " +
      "deleted, and what the file does not say stays.",
    params: VocabularyParams,
    query: z.strictObject({ dry_run: flag("Show what would be done; change nothing") }),
    body: { schema: z.string(), types: TYPES, streamed: true },
    problems: [404],
    answers: { 200: { description: "What the import did, or would do", schema: SkosImportShape } },
    async handle({ c, caller, params, query }) {
      demandContentType(c.req.header("Content-Type"), TYPES);
      const text = bodyText(await readBytes(c.req.raw, LARGEST_SKOS));
      const { name } = await demandVisibleVocabulary(services.sql, caller, params.name);
      const isTrial = query.dry_run === "true";
      const done = await importSkos(services, name, text, isTrial);
      return c.json({ dry_run: isTrial, ...done }, 200, { "Cache-Control": "private, no-store" });
    },
  });
}
