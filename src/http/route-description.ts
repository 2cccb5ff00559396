/** The OpenAPI 3.1 description of a route, made from the declaration that also answers. */
import type { RouteConfig } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { operationId } from "./operation-id.ts";
import { type Access, actionsOf, type Endpoint, type Shape } from "./route.ts";

export function routeDescription(
  route: Endpoint<Shape | undefined, Shape | undefined, Shape | undefined>,
  produces: readonly string[],
): RouteConfig {
  const problems = new Set([400, 401, 422, 429, 431, 500, ...(route.problems ?? [])]);
  if (produces.length > 0) problems.add(406);
  if (route.access !== "public") problems.add(403);
  if (route.body) for (const status of [408, 413, 415]) problems.add(status);
  const responses: RouteConfig["responses"] = {};
  for (const [status, answer] of Object.entries(route.answers)) {
    const [first = "application/json", ...others] = [answer.type ?? produces].flat();
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
              content: {
                ...Object.fromEntries(types.map((type) => [type, { schema: route.body!.schema! }])),
                ...(route.body.form ? { "multipart/form-data": { schema: route.body.form } } : {}),
              },
            },
          }
        : {}),
    },
    responses,
  };
}

/** The schema describes the first type. In the other types, the answer is text or a JSON object. */
function contentOf(first: string, others: readonly string[], schema: z.ZodType) {
  return {
    [bare(first)]: { schema },
    ...Object.fromEntries(
      others.map((type) => [
        bare(type),
        { schema: /[/+]json$/.test(bare(type)) ? z.looseObject({}) : z.string() },
      ]),
    ),
  };
}

/** The media type without its parameters. */
const bare = (type: string): string => type.split(";")[0]!;

/** Follows a permission in `x-access`. */
export const OR_MAKER = ", or to be the account that started it";

function accessName(access: Exclude<Access, string>): string {
  if (!("feature" in access))
    return `${actionsOf(access)
      .map((action) => `records:${action}`)
      .join(" and ")} ${access.kind}`;
  return access.orMaker ? `${access.feature}${OR_MAKER}` : access.feature;
}

/** Whether the query has parameters named after the installation's fields. */
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
    "One parameter per field of the installation, as described above. Generated clients take them as one object, " +
    'for example `filters: { meta_material: "canvas" }`',
  schema: { type: "object", additionalProperties: { type: "string" } },
  // so that "Try it out" sends no filters
  example: {},
} as const;

/** The meaning of each status; `openapi/components.ts` describes each once. */
export const PROBLEM_WORDS: Record<number, string> = {
  400: "The request is malformed",
  401: "Credentials are missing or not valid",
  403: "The caller lacks the permission",
  404: "It does not exist, or the caller may not see it",
  406: "None of the accepted media types is available",
  408: "The body arrived too slowly",
  409: "Conflicts with the current state",
  410: "The record was public and has been deleted",
  412: "The record was changed by somebody else",
  413: "The body is too large",
  415: "The body has an unsupported media type",
  416: "The range is beyond the end; Content-Range gives the length of the file",
  422: "Not valid; `errors` lists every fault",
  429: "Too many requests; Retry-After tells when to try again",
  431: "The address and the headers are too long",
  500: "Internal error",
  502: "An external source is down",
  501: "A correct request for something that is not available here",
  504: "It took too long and was stopped",
  503: "A dependency is down, or the service is too busy; Retry-After tells when to try again",
};
