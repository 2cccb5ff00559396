/** Declares the routes of pages and forms, and the route of styles, fonts and scripts. */
import { z } from "zod";
import type { Account, Caller } from "../caller.ts";
import { isUnchanged } from "../http/answer/caching.ts";
import { takesGzip } from "../http/answer/compression.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { FORM, readFields } from "../http/request/form.ts";
import { demandOwnOrigin } from "../http/request/origin.ts";
import type { Access, Ctx } from "../http/route.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { CSRF_FIELD } from "./forms.ts";
import type { Pages } from "./page.ts";
import type { PageView } from "./view.ts";

/** Bytes of a form without files. */
const LARGEST_FORM = 1024 * 1024;

type PageRoute<A extends Access> = { path: string; summary: string; access: A };

/** The view of a page with this access. `endpoint` has checked the caller. */
type ViewOf<A extends Access> = PageView<"public" extends A ? Caller : Account>;

const declared = ({ path, summary, access }: PageRoute<Access>) =>
  ({ path, summary, access, tag: "pages", produces: ["text/html"], page: true }) as const;

export function page<A extends Access>(
  api: Api,
  pages: Pages,
  route: PageRoute<A> & {
    show(view: ViewOf<A>): Response | Promise<Response>;
    /** The page depends only on its address, the database and the reader's language, so it is cached until something changes. */
    isCached?: true;
    /** The answer for programs at the same address. */
    otherwise?: { types: readonly string[]; answer(c: Ctx, type: string): Promise<Response> };
  },
): void {
  endpoint(api, {
    ...declared(route),
    method: "get",
    produces: ["text/html", ...(route.otherwise?.types ?? [])],
    answers: { 200: { description: "A page" } },
    handle: async ({ c, type }) => {
      if (type !== "text/html" && route.otherwise) return route.otherwise.answer(c, type);
      const view = (await pages.view(c)) as ViewOf<A>;
      if (!route.isCached) return route.show(view);
      const cached = pages.cache.answer(view);
      if (cached) return cached;
      return route.show({ ...view, cache: (...page) => pages.cache.save(view, ...page) });
    },
  });
}

/**
 * The target of a form. Refuses forms from other origins and, if the caller is signed in, forms without the token of our pages.
 * `fields`: the non-empty fields by name.
 */
export function pageForm<A extends Access>(
  api: Api,
  pages: Pages,
  route: PageRoute<A> & {
    /** Bytes of the form; 1 MiB by default. */
    limit?: number;
    take(view: ViewOf<A>, fields: ReadonlyMap<string, string>): Response | Promise<Response>;
  },
): void {
  endpoint(api, {
    ...declared(route),
    method: "post",
    body: { schema: z.unknown(), types: [FORM], streamed: true },
    answers: {
      200: { description: "The form again, with what is to be mended" },
      303: { description: "Done" },
    },
    async handle({ c }) {
      demandOwnOrigin(c, api.services.config);
      const fields = await readFields(c, route.limit ?? LARGEST_FORM);
      demandCsrf(c, fields.get(CSRF_FIELD));
      return route.take((await pages.view(c)) as ViewOf<A>, fields);
    },
  });
}

/** The same for a form with a file, which `take` reads from the request. The token is in the query. */
export function pageUpload<A extends Access>(
  api: Api,
  pages: Pages,
  route: PageRoute<A> & { take(view: ViewOf<A>): Response | Promise<Response> },
): void {
  endpoint(api, {
    ...declared(route),
    method: "post",
    body: { schema: z.unknown(), types: ["multipart/form-data"], streamed: true },
    answers: {
      200: { description: "The form again, with what is to be mended, or what the file would change" },
      303: { description: "Done" },
    },
    async handle({ c }) {
      demandOwnOrigin(c, api.services.config);
      demandCsrf(c, c.req.query(CSRF_FIELD));
      return route.take((await pages.view(c)) as ViewOf<A>);
    },
  });
}

/** 403 if the caller is signed in and the token of our pages is missing. */
function demandCsrf(c: Ctx, token: string | undefined): void {
  const session = c.get("pageSession");
  if (!session || token === session.csrf) return;
  throw new Problem("forbidden", said("problem.form.foreign"));
}

export function pageAssetRoutes(api: Api, pages: Pages): void {
  endpoint(api, {
    method: "get",
    path: "/assets/{file}",
    tag: "pages",
    summary: "A style sheet, font, script or picture of the pages",
    access: "public",
    // browsers request fonts with CORS, unlike style sheets and pictures
    crossOrigin: "anybody",
    params: z.object({ file: z.string() }),
    produces: [],
    answers: { 200: { description: "The file" } },
    problems: [404],
    page: true,
    handle: ({ c, params }) => assetAnswer(c, pages, params.file),
  });
}

export async function assetAnswer(c: Ctx, pages: Pages, file: string): Promise<Response> {
  const asset = (await pages.assets()).find(file);
  if (!asset) throw new Problem("not_found", said("problem.asset.not_found"));
  const gzip = takesGzip(c) ? asset.gzip : null;
  const headers = {
    // the name contains the hash of the content
    ETag: `"${file}${gzip ? "-gzip" : ""}"`,
    "Cache-Control": "public, max-age=31536000, immutable",
    Vary: "Accept-Encoding",
  };
  if (isUnchanged(c, headers.ETag)) return c.body(null, 304, headers);
  return c.body(gzip ?? asset.bytes, 200, {
    ...headers,
    "Content-Type": asset.type,
    ...(gzip ? { "Content-Encoding": "gzip" } : {}),
  });
}
