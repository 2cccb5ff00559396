/**
 * /sitemap.xml (https://www.sitemaps.org/protocol.html): an index, and files of at most 50,000 addresses. The address of a
 * file names the record before its first one, so a new or withdrawn record does not move records between other files.
 */
import { z } from "zod";
import { FOR_A_MINUTE, isNotNewer, isUnchanged, textTag } from "../../http/answer/caching.ts";
import { textStream } from "../../http/answer/text-stream.ts";
import { type Api, type Ctx, endpoint } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { kinds, PUBLIC_KINDS } from "../../records/kinds.ts";
import { IdShape } from "../../records/shape.ts";
import { document, element, type Xml } from "../../xml.ts";
import { recordAddress } from "../addresses.ts";
import { searchAddress } from "../search/address.ts";
import { isClosed } from "./robots.ts";
import { type Address, addressesOf, allParts, lastChanges, partAfter } from "./sitemap-store.ts";

const NAMESPACE = { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" };
const TYPE = "application/xml; charset=utf-8";

const described = {
  method: "get",
  tag: "service",
  access: "public",
  produces: [],
  answers: {
    200: { description: "Sitemap protocol 0.9", type: "application/xml", schema: z.string() },
    304: { description: "Unchanged" },
  },
} as const;

const RecordsQuery = z.strictObject({
  after: IdShape.optional().openapi({ description: "The file begins with the record after this one" }),
});

export function sitemapRoutes(api: Api): void {
  const { sql, config } = api.services;
  const { baseUrl } = config;
  const isOpen = (path: string) => !isClosed(path, config.robotsDisallowPaths);
  // the sitemap has no addresses that /robots.txt closes
  const listed = PUBLIC_KINDS.filter((kind) => isOpen(`/${kinds[kind].plural}/`));

  endpoint(api, {
    ...described,
    path: "/sitemap.xml",
    summary: "The sitemap: an index of files with the addresses of all public pages",
    async handle({ c }) {
      const pages = await pagesOf();
      const parts = await allParts(sql, listed);
      const files = [
        ...(pages.length > 0 ? [entry("sitemap", `${baseUrl}/sitemap-pages.xml`, newestOf(pages))] : []),
        ...parts.map(({ after, moved }) =>
          entry("sitemap", `${baseUrl}/sitemap-records.xml${after === null ? "" : `?after=${after}`}`, moved),
        ),
      ];
      const text = document(element("sitemapindex", NAMESPACE, files));
      const moved = newestOf([...pages, ...parts]);
      return answer(c, await textTag(text), moved, () => text);
    },
  });

  endpoint(api, {
    ...described,
    path: "/sitemap-pages.xml",
    summary: "The first page, and the lists of what visitors find",
    problems: [404],
    async handle({ c }) {
      const pages = await pagesOf();
      if (pages.length === 0) throw nothing();
      const text = document(
        element(
          "urlset",
          NAMESPACE,
          pages.map(({ path, moved }) => entry("url", baseUrl + path, moved)),
        ),
      );
      return answer(c, await textTag(text), newestOf(pages), () => text);
    },
  });

  endpoint(api, {
    ...described,
    path: "/sitemap-records.xml",
    summary: "The addresses of public records, at most 50,000",
    query: RecordsQuery,
    problems: [404],
    async handle({ c, query }) {
      const part = await partAfter(sql, listed, query.after ?? null);
      if (part === null) throw nothing();
      const tag = await textTag(JSON.stringify([baseUrl, listed, part]));
      return answer(c, tag, part.moved, () =>
        textStream(recordsXml(baseUrl, addressesOf(sql, listed, part))),
      );
    },
  });

  async function pagesOf(): Promise<{ path: string; moved?: string }[]> {
    const changes = await lastChanges(sql, listed);
    const ways = ["/", ...(changes.length > 0 ? BROWSE_PAGES : [])];
    const lists = changes.map(({ record_type: type, moved }) => ({ path: searchAddress({ type }), moved }));
    const moved = newestOf(changes);
    return [...ways.map((path) => ({ path, moved })), ...lists].filter(({ path }) => isOpen(path));
  }
}

const BROWSE_PAGES = ["/browse", "/collections", "/timeline"];

const nothing = () => new Problem("not_found", said("problem.sitemap.unknown"));

function newestOf(all: readonly { moved?: string }[]): string | undefined {
  return all
    .flatMap(({ moved }) => moved ?? [])
    .sort()
    .at(-1);
}

const entry = (name: "sitemap" | "url", address: string, moved: string | undefined): Xml =>
  element(name, {}, element("loc", {}, address), moved && element("lastmod", {}, moved));

async function* recordsXml(baseUrl: string, slices: AsyncIterable<Address[]>): AsyncGenerator<string> {
  const [start, end] = document(element("urlset", NAMESPACE, "|")).split("|");
  yield start!;
  for await (const slice of slices)
    yield slice.map((row) => entry("url", `${baseUrl}${recordAddress(row)}`, row.datestamp).text).join("\n");
  yield end!;
}

/** @param moved UTC (ISO 8601) */
function answer(c: Ctx, tag: string, moved: string | undefined, content: () => BodyInit): Response {
  const modified = moved === undefined ? undefined : new Date(moved).toUTCString();
  const headers = {
    ETag: tag,
    "Content-Type": TYPE,
    "Cache-Control": FOR_A_MINUTE,
    ...(modified === undefined ? {} : { "Last-Modified": modified }),
  };
  if (isUnchanged(c, tag) || (modified !== undefined && isNotNewer(c, modified)))
    return c.body(null, 304, headers);
  return new Response(c.req.method === "HEAD" ? null : content(), { headers });
}
