/** Declaring pages and forms, and the addresses of styles, fonts and scripts. */
import { z } from "zod";
import { isUnchanged } from "../http/caching.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { Problem } from "../problem.ts";
import type { Pages } from "./page.ts";

/** Whether the client takes gzip (RFC 9110 §12.5.3), as every browser does. */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

export function pageAssetRoutes(api: Api, pages: Pages): void {
  endpoint(api, {
    method: "get",
    path: "/assets/{file}",
    tag: "pages",
    summary: "A style sheet, font, script or picture of the pages",
    access: "public",
    // style sheets of other pages may not, but fonts are asked for with their origin
    crossOrigin: "anybody",
    params: z.object({ file: z.string() }),
    produces: [],
    answers: { 200: { description: "The file" } },
    problems: [404],
    page: true,
    async handle({ c, params }) {
      const asset = (await pages.assets()).find(params.file);
      if (!asset) throw new Problem("not_found", "The pages have no such file");
      const gzip =
        asset.gzip !== null && TAKES_GZIP.test(c.req.header("Accept-Encoding") ?? "") ? asset.gzip : null;
      const headers = {
        // its name has the hash of its content
        ETag: `"${params.file}${gzip ? "-gzip" : ""}"`,
        "Cache-Control": "public, max-age=31536000, immutable",
        Vary: "Accept-Encoding",
      };
      if (isUnchanged(c, headers.ETag)) return c.body(null, 304, headers);
      return c.body(gzip ?? asset.bytes, 200, {
        ...headers,
        "Content-Type": asset.type,
        ...(gzip ? { "Content-Encoding": "gzip" } : {}),
      });
    },
  });
}
