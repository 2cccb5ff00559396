/** The shared parts of the API description: problems, conditions, headers, credentials. */
import type { OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";
import type { Config } from "../config/read.ts";
import { OR_MAKER, PROBLEM_WORDS } from "../http/route-description.ts";
import { ENGLISH } from "../messages/translate.ts";
import { PROBLEM_KINDS, PROBLEMS } from "../problem.ts";
import { exampleFor } from "./examples.ts";
import { explainMembers, explainParameter } from "./explanations.ts";

export type Document = ReturnType<OpenApiGeneratorV31["generateDocument"]>;
type Operation = NonNullable<NonNullable<Document["paths"]>[string]["get"]>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

const text = (description: string, example?: string) => ({
  description,
  schema: { type: "string" as const },
  ...(example === undefined ? {} : { example }),
});

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

function exampleOf(status: number, description: string): Record<string, unknown> {
  const kind = PROBLEM_KINDS.find((each) => PROBLEMS[each] === status) ?? "internal";
  const errors =
    kind === "invalid"
      ? [{ pointer: "/metadata_/title/0/value", detail: ENGLISH("fault.required"), code: "required" }]
      : [];
  return {
    type: `urn:svc:problem:${kind}`,
    title: ENGLISH(`title.${kind}`),
    status,
    detail: description,
    code: kind,
    instance: "/v1/objects",
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** The components that operations refer to. */
export function componentsFor({ baseUrl }: Pick<Config, "baseUrl">) {
  return {
    ...COMPONENTS,
    securitySchemes: { ...COMPONENTS.securitySchemes, password: passwordFlow(baseUrl) },
  };
}

/** How clients and the page /api/docs sign in. */
function passwordFlow(baseUrl: string) {
  const url = `${baseUrl}/v1/auth/token`;
  return {
    type: "oauth2" as const,
    description: "Sign in with e-mail address and password; leave client_id and client_secret empty",
    flows: {
      password: {
        tokenUrl: url,
        refreshUrl: url,
        scopes: { offline_access: "Adds a refresh token to the answer, for programs" },
      },
    },
  };
}

const COMPONENTS = {
  securitySchemes: {
    bearer: {
      type: "http" as const,
      scheme: "bearer",
      bearerFormat: "JWT",
      description: "An access token from POST /v1/auth/token",
    },
    apiKey: {
      type: "apiKey" as const,
      in: "header" as const,
      name: "X-API-Key",
      description: "An API key of an account, for programs: POST /v1/users/{id}/api-keys",
    },
  },
  responses: Object.fromEntries(
    Object.entries(PROBLEM_WORDS).map(([status, description]) => [
      `Problem${status}`,
      {
        description,
        content: {
          "application/problem+json": {
            schema: { $ref: "#/components/schemas/Problem" },
            example: exampleOf(Number(status), description),
          },
        },
      },
    ]),
  ),
  parameters: {
    IfMatch: {
      name: "If-Match",
      in: "header" as const,
      ...text(
        "The version that you expect to change; 412 if the current version differs, 422 if it is not an ETag",
        '"7"',
      ),
    },
    IfNoneMatch: {
      name: "If-None-Match",
      in: "header" as const,
      ...text("The ETag of your copy; 304 if it is still current", '"7"'),
    },
  },
  headers: {
    ETag: text("For If-Match and If-None-Match; the ETag of a record is its version", '"7"'),
    Location: text("The address of the new resource"),
    "X-Import-Id": text("The id of this edit, in the history and for undoing it"),
    Link: text("first, prev, next, last (RFC 8288)", '</v1/objects?cursor=…>; rel="next"'),
  },
};

/** Adds the shared parts to every operation, in place. */
export function complete(document: Document): Document {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) if (item[method]) completeOperation(path, item[method]);
  }
  explainMembers(document);
  return document;
}

function completeOperation(path: string, operation: Operation): void {
  const { requestBody } = operation;
  if (requestBody && "content" in requestBody) {
    for (const [type, content] of Object.entries(requestBody.content)) {
      const example = exampleFor(path, type, content.schema);
      if (example !== undefined) content.example = example;
    }
  }
  for (const parameter of operation.parameters ?? []) {
    if (!("name" in parameter)) continue;
    parameter.description ??= explainParameter(path, parameter.name);
  }
  const responses = operation.responses ?? {};
  const conditions = [
    ...("412" in responses ? ["IfMatch"] : []),
    ...("304" in responses ? ["IfNoneMatch"] : []),
  ];
  if (conditions.length > 0) {
    operation.parameters = [
      ...(operation.parameters ?? []),
      ...conditions.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ];
  }
  const walked = operation.parameters?.some(
    (parameter) => "name" in parameter && parameter.name === "cursor",
  );
  for (const [status, response] of Object.entries(responses)) {
    if (!/^20[01]$|^304$/.test(status) || "$ref" in response) continue;
    const headers = {
      ...(conditions.length > 0 || status === "201" ? { ETag: header("ETag") } : {}),
      ...(status === "201" ? { Location: header("Location") } : {}),
      ...(response.content?.["application/x-ndjson"] ? { "X-Import-Id": header("X-Import-Id") } : {}),
      ...(walked ? { Link: header("Link") } : {}),
    };
    if (Object.keys(headers).length > 0) response.headers = headers;
  }
  const who = WHO[operation["x-access"]] ?? needed(operation["x-access"]);
  if (who !== "") operation.description = [operation.description, who].filter(Boolean).join("\n\n");
}

function needed(access: string): string {
  const permission = access.replace(OR_MAKER, "");
  return `Needs the permission \`${permission}\`${access === permission ? "" : OR_MAKER}.`;
}

const WHO: Record<string, string> = {
  public: "Needs no credentials; the answer contains what the caller may see.",
  account: "Needs credentials.",
  self: "Needs credentials; works even while the password must be changed.",
};
