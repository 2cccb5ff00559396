/** JSON answers of the IIIF APIs. */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { cacheHeaders, isUnchanged, textTag } from "../http/answer/caching.ts";
import type { Ctx } from "../http/endpoint.ts";

const LD_TYPE = "application/ld+json";

/** What these routes have in common. */
export const IIIF_ROUTE = {
  method: "get",
  tag: "iiif",
  access: "public",
  crossOrigin: "anybody",
  produces: ["application/json", LD_TYPE],
} as const;

export const IiifShape = z.looseObject({
  id: z.string().openapi({ description: "Its address" }),
  type: z.string().openapi({ description: "What it is, such as `Manifest` or `OrderedCollectionPage`" }),
});

/** @param context of the API and its version, which is part of the content type for JSON-LD (Presentation API 3.0 §6.2) */
export async function iiifJson(
  c: Ctx,
  caller: Caller,
  type: string,
  context: string,
  body: unknown,
  caching?: Record<string, string>,
): Promise<Response> {
  const text = JSON.stringify(body);
  const etag = await textTag(text, type === LD_TYPE ? "ld-" : "");
  const headers = {
    ...cacheHeaders(caller, etag),
    ...caching,
    "Content-Type": type === LD_TYPE ? `${LD_TYPE};profile="${context}"` : type,
  };
  return isUnchanged(c, etag) ? c.body(null, 304, headers) : c.body(text, 200, headers);
}
