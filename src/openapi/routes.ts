/** The description of the API: /openapi.json, and the pages /api/docs and /api/redoc that show it. */

import { OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { hex, sha256 } from "../bytes.ts";
import { VERSION } from "../config/version.ts";
import { isUnchanged } from "../http/answer/caching.ts";
import { type Api, type Ctx, endpoint, ProblemShape } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { complete, componentsFor, type Document } from "./components.ts";
import { ASSET_VERSIONS, docsPage, pageHeaders, redocPage } from "./pages.ts";
import { INTRODUCTION, TAGS } from "./words.ts";

const TAG = "service";

export function descriptionRoutes(api: Api): void {
  const { config, assets } = api.services;
  // made once, at the first request, when all routes have been declared
  const description = once(() => tagged(new TextEncoder().encode(JSON.stringify(describe(api)))));

  endpoint(api, {
    method: "get",
    path: "/openapi.json",
    tag: TAG,
    summary: "Read this description (OpenAPI 3.1)",
    access: "public",
    crossOrigin: "anybody",
    produces: [],
    answers: {
      200: { description: "An OpenAPI document", schema: z.looseObject({ openapi: z.string() }) },
      304: { description: "Unchanged" },
    },
    handle: async ({ c }) => answer(c, await description(), "application/json", "no-cache"),
  });

  for (const { path, summary, page } of [
    { path: "/api/docs", summary: "Show this description with Swagger UI, to try requests", page: docsPage },
    { path: "/api/redoc", summary: "Show this description with Redoc, to read", page: redocPage },
  ]) {
    endpoint(api, {
      method: "get",
      path,
      tag: TAG,
      summary,
      access: "public",
      produces: [],
      answers: { 200: { description: "A page", type: "text/html", schema: z.string() } },
      handle({ c }) {
        const nonce = crypto.randomUUID();
        return c.body(page(nonce), 200, pageHeaders(nonce, config));
      },
    });
  }

  const kept = new Map<string, Tagged>();
  endpoint(api, {
    method: "get",
    path: "/api/docs/assets/{package}/{file}",
    tag: TAG,
    summary: "Read a script, style sheet or picture of these pages",
    access: "public",
    params: z.object({
      package: z.string().openapi({ example: "swagger-ui-dist" }),
      file: z.string().openapi({ example: "swagger-ui.css" }),
    }),
    produces: [],
    answers: {
      200: { description: "The file", type: "*/*", schema: z.string().openapi({ format: "binary" }) },
      304: { description: "Unchanged" },
    },
    problems: [404],
    async handle({ c, params }) {
      // the pages add the package version to the address
      const [directory = "", version] = params.package.split("@");
      const name = `${directory}/${params.file}`;
      let asset = kept.get(name);
      if (!asset) {
        const bytes = await assets.read(name);
        if (!bytes) throw new Problem("not_found", said("problem.file.unknown"));
        asset = await tagged(bytes);
        kept.set(name, asset);
      }
      return answer(
        c,
        asset,
        typeOf(name),
        version !== undefined && version === ASSET_VERSIONS[directory]
          ? "public, max-age=31536000, immutable"
          : "no-cache",
      );
    },
  });
}

/** The document that describes every route declared so far. */
export function describe(api: Api): Document {
  const document = new OpenApiGeneratorV31([
    { type: "schema", schema: ProblemShape },
    ...api.registry.definitions,
  ]).generateDocument({
    openapi: "3.1.0",
    info: {
      title: "Collections catalogue",
      version: VERSION,
      description: INTRODUCTION,
      contact: { name: "The museum", url: api.services.config.baseUrl },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: api.services.config.baseUrl }],
    tags: TAGS,
  });
  const components = componentsFor(api.services.config);
  const paths = JSON.stringify(document.paths);
  const responses = Object.fromEntries(
    Object.entries(components.responses).filter(([name]) => paths.includes(`/responses/${name}"`)),
  );
  document.components = { ...document.components, ...components, responses };
  return complete(document);
}

type Tagged = { bytes: Uint8Array<ArrayBuffer>; etag: string };

async function tagged(bytes: Uint8Array<ArrayBuffer>): Promise<Tagged> {
  // weak, because a proxy may compress it
  return { bytes, etag: `W/"${hex((await sha256(bytes)).subarray(0, 16))}"` };
}

function answer(c: Ctx, { bytes, etag }: Tagged, type: string, caching: string): Response {
  const headers = { ETag: etag, "Cache-Control": caching };
  if (isUnchanged(c, etag)) return c.body(null, 304, headers);
  return c.body(bytes, 200, { ...headers, "Content-Type": type });
}

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  txt: "text/plain; charset=utf-8",
};

const typeOf = (name: string): string =>
  TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";

/** A failure is not cached. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}
