/** /iiif/3: the IIIF Image API 3, level 2 and beyond (https://iiif.io/api/image/3.0/; contract §4.4). */
import { z } from "zod";
import { bucketOf } from "../config/networks.ts";
import { plainAnswer } from "../http/answer/answer.ts";
import { cacheHeaders, contentTag, isUnchanged } from "../http/answer/caching.ts";
import { negotiate } from "../http/answer/negotiate.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import type { Picture } from "../records/media/pictures.ts";
import { IiifShape } from "./answer.ts";
import { canonicalOf } from "./canonical.ts";
import { imageElsewhere, infoElsewhere } from "./elsewhere.ts";
import { plan } from "./geometry.ts";
import { CONTEXT, infoOf, PROFILE } from "./info.ts";
import { createMaker } from "./make.ts";
import { demandPicture, identifierOf } from "./picture.ts";
import { FORMATS, readRequest } from "./request.ts";

const IdentifierParams = z.object({
  identifier: z.string().openapi({ description: "`<media-id>.<extension>`, or the id alone" }),
});
const ImageParams = IdentifierParams.extend({
  region: z.string().openapi({ example: "full" }),
  size: z.string().openapi({ example: "!200,200" }),
  rotation: z.string().openapi({ example: "0" }),
  quality: z
    .string()
    .openapi({ description: "The quality and the format, such as `default.jpg`", example: "default.jpg" }),
});
/** Viewers add parameters of their own. */
const AnyQuery = z.object({});

const PROFILE_LINK = `<${PROFILE}>;rel="profile"`;
const LINKED_DATA = `application/ld+json;profile="${CONTEXT}"`;
const CONTEXT_LINK = `<${CONTEXT}>;rel="http://www.w3.org/ns/json-ld#context";type="application/ld+json"`;

const shared = {
  tag: "iiif",
  access: "public",
  crossOrigin: "anybody",
  produces: [],
  query: AnyQuery,
} as const;

export function iiifRoutes(api: Api): void {
  redirectRoute(api);
  infoRoute(api);
  imageRoute(api);
}

function redirectRoute(api: Api): void {
  const { sql, config } = api.services;
  endpoint(api, {
    ...shared,
    method: "get",
    path: "/iiif/3/{identifier}",
    summary: "Redirect the address of an image to its information",
    params: IdentifierParams,
    answers: {
      200: { description: "After the redirect: info.json" },
      303: { description: "Location of info.json" },
    },
    problems: [404],
    async handle({ c, caller, params: { identifier } }) {
      await demandPicture(sql, caller, identifier);
      const Location = `${config.baseUrl}/iiif/3/${encodeURIComponent(identifier)}/info.json`;
      return c.body(null, 303, { Location, "Cache-Control": "no-store" });
    },
  });
}

function infoRoute(api: Api): void {
  const { sql, config, imageServer } = api.services;
  endpoint(api, {
    ...shared,
    method: "get",
    path: "/iiif/3/{identifier}/info.json",
    summary: "Read the information of an image: its size, and the possible requests",
    params: IdentifierParams,
    answers: {
      200: { description: "Image information", schema: IiifShape.pick({ id: true }) },
      304: { description: "Unchanged" },
    },
    problems: [404, 503],
    async handle({ c, caller, params: { identifier } }) {
      const picture = await demandPicture(sql, caller, identifier);
      // viewers expect the address that they requested
      const id = `${config.baseUrl}/iiif/3/${encodeURIComponent(identifier)}`;
      const info = imageServer
        ? await infoElsewhere(imageServer, picture, id, c.req.raw.signal)
        : infoOf(id, picture, picture.license_uri);
      const type = negotiate(c.req.header("Accept"), ["application/ld+json", "application/json"]);
      const isLinkedData = type === "application/ld+json";
      const etag = await contentTag(info, isLinkedData ? "ld-" : "");
      const headers = {
        ...cacheHeaders(caller, etag, picture.updated_at),
        Link: isLinkedData ? PROFILE_LINK : `${PROFILE_LINK}, ${CONTEXT_LINK}`,
      };
      if (isUnchanged(c, etag)) return plainAnswer(c, null, 304, headers);
      const contentType = isLinkedData ? LINKED_DATA : "application/json";
      return plainAnswer(c, JSON.stringify(info), 200, { ...headers, "Content-Type": contentType });
    },
  });
}

function imageRoute(api: Api): void {
  const { sql, config, imageServer } = api.services;
  const make = createMaker(api.services);
  endpoint(api, {
    ...shared,
    method: "get",
    path: "/iiif/3/{identifier}/{region}/{size}/{rotation}/{quality}",
    summary: "Read an image, or a part of it",
    description:
      "For pictures in all supported formats, as sRGB without metadata. Sizes up to `maxWidth`, `maxHeight` and " +
      "`maxArea` of info.json. 503 with `Retry-After` if too many images are being made.",
    params: ImageParams,
    answers: {
      200: { description: "The image", schema: z.string(), type: Object.values(FORMATS) },
      304: { description: "Unchanged" },
    },
    problems: [400, 404, 501, 503],
    async handle({ c, caller, params: { identifier, ...address } }) {
      const request = readRequest(address);
      const picture = await demandPicture(sql, caller, identifier);
      const planned = plan(request, picture);
      const canonical = `${config.baseUrl}/iiif/3/${identifierOf(picture)}/${canonicalOf(planned, picture)}`;
      const etag = etagOf(picture);
      const headers: Record<string, string> = {
        ...cacheHeaders(caller, etag, picture.created_at),
        Link: `${PROFILE_LINK}, <${canonical}>;rel="canonical"`,
        "Content-Type": FORMATS[request.format],
      };
      if (isUnchanged(c, etag)) return plainAnswer(c, null, 304, headers);
      if (c.req.method === "HEAD") return plainAnswer(c, null, 200, headers);
      if (imageServer)
        return passedOn(
          c,
          await imageElsewhere(imageServer, picture, address, FORMATS[request.format], c.req.raw.signal),
          headers,
        );
      const asking = { who: bucketOf(c.get("client")), signal: c.req.raw.signal };
      const { bytes, content } = await make(picture, planned, asking);
      return plainAnswer(c, content as BodyInit, 200, { ...headers, "Content-Length": String(bytes) });
    },
  });
}

/** The file of a medium never changes, but its images change slightly when its pyramid is ready. */
function etagOf({ sha256, pyramid_key }: Picture): string {
  return `W/"${sha256.slice(0, 24)}-${pyramid_key === null ? "original" : "pyramid"}"`;
}

function passedOn(c: Ctx, answer: Response, headers: Record<string, string>): Response {
  const length = answer.headers.get("Content-Length");
  return plainAnswer(c, answer.body, 200, {
    ...headers,
    ...(length === null ? {} : { "Content-Length": length }),
  });
}
