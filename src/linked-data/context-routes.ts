/** GET /contexts/v1.json: the JSON-LD context. */
import { z } from "zod";
import { CONTEXT_PATH, context } from "../formats/rdf/syntax/context.ts";
import { JSON_LD } from "../formats/rdf/syntax/syntaxes.ts";
import { isUnchanged } from "../http/answer/caching.ts";
import { type Api, endpoint } from "../http/endpoint.ts";

export function contextRoutes(api: Api): void {
  const text = JSON.stringify(context(), null, 2);
  endpoint(api, {
    method: "get",
    path: CONTEXT_PATH,
    tag: "service",
    summary: "Read the JSON-LD context of the exports",
    description: "It never changes; new keys would be a new version.",
    access: "public",
    crossOrigin: "anybody",
    produces: [],
    answers: {
      200: { description: "A JSON-LD context", type: JSON_LD, schema: z.looseObject({}) },
      304: { description: "Unchanged" },
    },
    handle({ c }) {
      const headers = { ETag: '"v1"', "Cache-Control": "public, max-age=31536000, immutable" };
      if (isUnchanged(c, headers.ETag)) return c.body(null, 304, headers);
      return c.body(text, 200, { ...headers, "Content-Type": JSON_LD });
    },
  });
}
