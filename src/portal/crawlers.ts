/** What programs that come by themselves read first: /robots.txt (RFC 9309) and /llms.txt (https://llmstxt.org/). */
import { z } from "zod";
import type { Config } from "../config/read.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { Problem } from "../problem.ts";
import { KINDS, type Kind, kinds } from "../records/kinds.ts";

const Text = z.string();
const HEADERS = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" };

export function crawlerRoutes(api: Api): void {
  const { config } = api.services;

  endpoint(api, {
    method: "get",
    path: "/robots.txt",
    tag: "service",
    summary: "Rules for crawlers",
    description: "On a host of its own the admin interface is closed to all of them.",
    access: "public",
    // a crawler that is refused its rules may take everything
    produces: [],
    answers: { 200: { description: "Robots exclusion protocol", type: "text/plain", schema: Text } },
    handle: ({ c }) =>
      c.body(
        robots(isAdminHost(c, config) ? ["/"] : [...config.robotsDisallowPaths, ...ENDLESS]),
        200,
        HEADERS,
      ),
  });

  endpoint(api, {
    method: "get",
    path: "/llms.txt",
    tag: "service",
    summary: "Where language models find what",
    access: "public",
    produces: [],
    answers: { 200: { description: "Markdown", type: "text/plain", schema: Text } },
    problems: [404],
    handle({ c }) {
      if (!config.llmsTxt.enabled || isAdminHost(c, config)) {
        throw new Problem("not_found", "This installation has no /llms.txt here");
      }
      return c.body(llms(config), 200, HEADERS);
    },
  });
}

/** Ways to narrow and arrange a search, of which there are more than any crawler could walk. */
const ENDLESS = ["meta_", "range_", "rel_", "_type=", "clause=", "sort_by=", "view=", "more="].map(
  (name) => `/search?*${name}`,
);

function robots(closed: readonly string[]): string {
  return ["User-agent: *", ...closed.map((path) => `Disallow: ${path}`), ""].join("\n");
}

/** Whether /robots.txt closes a path: the first characters count, `*` is any, `$` is the end (RFC 9309 §2.2.3). */
function isClosed(path: string, closed: readonly string[]): boolean {
  return closed.some((rule) => {
    const pattern = rule.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${pattern.replace(/\\\$$/, "$")}`).test(path);
  });
}

/** Whether the request came to the host that only the admin interface has. */
function isAdminHost(c: Ctx, config: Config): boolean {
  const admin = new URL(config.adminUrl);
  const portal = new URL(config.baseUrl);
  if (admin.host === portal.host) return false;
  const asked = new URL(c.req.url);
  // behind a proxy the port of the request is seldom the one of the address: it counts only when nothing else differs
  return admin.hostname === portal.hostname ? asked.host === admin.host : asked.hostname === admin.hostname;
}

const PUBLIC_KINDS: Partial<Record<Kind, string>> = {
  object: "catalogued items: works, specimens, documents",
  entity: "people, families and organisations",
  place: "places",
  occurrence: "events, exhibitions, works in the abstract",
  procedure: "what was done with objects, as far as the museum publishes it",
  collection: "collections, as a tree",
};

type Section = { title: string; lines: readonly { name: string; path: string; about: string }[] };

/** The second name of the REST API: exports are shown under it (contract §4.3), and /robots.txt leaves it open. */
const OPEN_API = "/api/v1";

/**
 * Every part of the service that is of use to a reader of /llms.txt has its lines here, when it exists and is not closed
 * by /robots.txt: what one file invites to, the other must not forbid.
 */
function sections(closed: readonly string[]): Section[] {
  return allSections()
    .map(({ title, lines }) => ({ title, lines: lines.filter(({ path }) => !isClosed(path, closed)) }))
    .filter(({ lines }) => lines.length > 0);
}

function allSections(): Section[] {
  return [
    {
      title: "Description",
      lines: [
        {
          name: "API description",
          path: "/openapi.json",
          about: "every address, parameter and answer (OpenAPI 3.1)",
        },
        { name: "API description for people", path: "/api/docs", about: "the same as pages" },
      ],
    },
    {
      title: "Search",
      lines: [
        {
          name: "Search",
          path: "/portal/v1/search",
          about: "`q` for words, `type` for a kind of record, `meta_<field>` for values, `facets` for counts",
        },
      ],
    },
    {
      title: "Records",
      lines: KINDS.filter((kind) => PUBLIC_KINDS[kind]).map((kind) => {
        const { plural } = kinds[kind];
        const name = `${plural[0]?.toUpperCase()}${plural.slice(1)}`;
        return { name, path: `${OPEN_API}/${plural}`, about: PUBLIC_KINDS[kind] ?? "" };
      }),
    },
    {
      title: "Linked data",
      lines: [
        {
          name: "All public objects as N-Quads",
          path: `${OPEN_API}/objects/export?format=nquads`,
          about: "CIDOC CRM and LRMoo, one named graph a record; likewise for the other kinds",
        },
      ],
    },
  ];
}

function llms({ baseUrl, llmsTxt, robotsDisallowPaths: closed }: Config): string {
  const record = `${OPEN_API}/objects/{id}`;
  const blocks = [
    `# Collections catalogue at ${new URL(baseUrl).host}`,
    "> A museum's catalogue: records of objects, people, places, events and collections, as JSON over a REST API." +
      " Without credentials it shows what the museum has published, and nothing else.",
    ...(isClosed(record, closed)
      ? []
      : [
          `One record is at \`${baseUrl}${record}\`, and likewise for the other kinds. Lists and search answer in pages;` +
            " a list is walked to its end by the `next` address of its `Link` header." +
            " Values are in `metadata_`, by field, each with its language where it has one;" +
            " the field `rights` says how the record may be used." +
            " `/export?format=jsonld` behind the address of a record gives it as linked data, `format=turtle` as Turtle.",
        ]),
    `What [robots.txt](${baseUrl}/robots.txt) closes is not listed here, and not to be read by programs on their own.`,
    ...sections(closed).map(({ title, lines }) =>
      [
        `## ${title}`,
        "",
        ...lines.map(({ name, path, about }) => `- [${name}](${baseUrl}${path}): ${about}`),
      ].join("\n"),
    ),
    ...(llmsTxt.extraNotes.trim() === "" ? [] : [`## Notes\n\n${llmsTxt.extraNotes.trim()}`]),
  ];
  return `${blocks.join("\n\n")}\n`;
}
