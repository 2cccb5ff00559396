/** A route as OpenAPI 3.1 describes it, made from the same declaration that answers. */
import type { RouteConfig } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { operationId } from "./operation-id.ts";
import type { Access, Endpoint, Shape } from "./route.ts";

/** What OpenAPI says of a route. */
export function routeDescription(
  route: Endpoint<Shape | undefined, Shape | undefined, Shape | undefined>,
  produces: readonly string[],
): RouteConfig {
  const problems = new Set([400, 401, 422, 429, 500, ...(route.problems ?? [])]);
  if (produces.length > 0) problems.add(406);
  if (route.access !== "public") problems.add(403);
  if (route.body) for (const status of [413, 415]) problems.add(status);
  const responses: RouteConfig["responses"] = {};
  for (const [status, answer] of Object.entries(route.answers)) {
    const [first = "application/json", ...others] = answer.type ? [answer.type] : produces;
    responses[status] = {
      description: answer.description,
      ...(answer.schema ? { content: contentOf(first, others, answer.schema) } : {}),
    };
  }
  for (const status of [...problems].sort()) {
    responses[status] = { $ref: `#/components/responses/Problem${status}` };
  }
  const types = route.body?.types ?? ["application/json"];
  return {
    method: route.method,
    path: route.path,
    tags: [route.tag],
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: [...(route.access === "public" ? [{}] : []), { password: [] }, { bearer: [] }, { apiKey: [] }],
    "x-access": typeof route.access === "string" ? route.access : accessName(route.access),
    ...(takesMore(route.query) ? { parameters: [MORE] } : {}),
    request: {
      ...(route.params ? { params: route.params as never } : {}),
      ...(route.query ? { query: route.query as never } : {}),
      ...(route.body?.schema
        ? {
            body: {
              required: !route.body.optional,
              content: Object.fromEntries(types.map((type) => [type, { schema: route.body!.schema! }])),
            },
          }
        : {}),
    },
    responses,
  };
}

/** The schema describes the first type; in the others the answer is a text. */
function contentOf(first: string, others: readonly string[], schema: z.ZodType) {
  return {
    [first]: { schema },
    ...Object.fromEntries(others.map((type) => [type, { schema: z.string() }])),
  };
}

/** In `x-access`, behind a permission. */
export const OR_MAKER = ", or to be who asked for it";

function accessName(access: Exclude<Access, string>): string {
  if (!("feature" in access)) return `records:${access.action} ${access.kind}`;
  return access.orMaker ? `${access.feature}${OR_MAKER}` : access.feature;
}

/** Whether the query has parameters whose names the installation decides. */
function takesMore(query: Shape | undefined): boolean {
  const rest = query instanceof z.ZodObject ? query.def.catchall : undefined;
  return rest !== undefined && !(rest instanceof z.ZodNever);
}

const MORE = {
  name: "filters",
  in: "query",
  style: "form",
  explode: true,
  description:
    "Parameters named by the installation's fields, each by its own name: see above. Generated clients take them together, " +
    'for example `filters: { meta_material: "canvas" }`',
  schema: { type: "object", additionalProperties: { type: "string" } },
  // so that trying the route out sends none
  example: {},
} as const;

/** What each problem means; `openapi/components.ts` describes each once. */
export const PROBLEM_WORDS: Record<number, string> = {
  400: "The request is malformed",
  401: "Credentials are missing or not valid",
  403: "The caller lacks the permission",
  404: "There is no such thing, or the caller may not see it",
  406: "None of the media types asked for can be given",
  409: "In conflict with what is there",
  410: "A public record that was deleted",
  412: "The record was changed by somebody else",
  413: "The body is too large",
  415: "The body has a media type that is not taken here",
  416: "The range lies beyond the end; Content-Range says how long the file is",
  422: "Not valid; every fault is listed",
  429: "Too many requests; Retry-After says when to ask again",
  500: "Internal error",
  502: "A source of others, which was asked for this, is down",
  501: "A correct request for something that is not made here",
  504: "It took too long, and was stopped",
  503: "A dependency is down, or too much is asked at the moment; Retry-After says when to ask again",
};
