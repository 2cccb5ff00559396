/** /llms.txt: tells language models where to find what (https://llmstxt.org/). */
import type { Config } from "../../config/read.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { isClosed } from "./robots.ts";

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

/** What /robots.txt closes is left out, so that the two files agree. */
function sections(config: Config): Section[] {
  const { robotsDisallowPaths: closed } = config;
  return allSections(config)
    .map(({ title, lines }) => ({ title, lines: lines.filter(({ path }) => !isClosed(path, closed)) }))
    .filter(({ lines }) => lines.length > 0);
}

function allSections({ sparql, dumps }: Config): Section[] {
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
          about: "CIDOC CRM and LRMoo, one named graph for each record; likewise for the other kinds",
        },
        ...(sparql.enabled
          ? [
              {
                name: "SPARQL",
                path: "/sparql",
                about: `queries over the same linked data${sparql.requireAuth ? ", for those who have an account" : ""}`,
              },
            ]
          : []),
      ],
    },
    {
      title: "Harvesting",
      lines: [
        {
          name: "OAI-PMH",
          path: "/oai?verb=Identify",
          about: "records as Dublin Core, LIDO and EDM, all or what has changed since a date",
        },
        {
          name: "Sitemap",
          path: "/sitemap.xml",
          about: "the pages of all public records, each with the time of its last change",
        },
        ...(dumps.enabled
          ? [
              {
                name: "Files",
                path: "/dumps/",
                about:
                  "everything at once, written again each night: NDJSON, N-Quads, LIDO; `index.json` lists the files",
              },
            ]
          : []),
        {
          name: "IIIF Change Discovery",
          path: "/iiif/discovery/changes",
          about: "the IIIF manifests that were created, changed or deleted; the newest are on the last page",
        },
      ],
    },
  ];
}

export function llms(config: Config): string {
  const { baseUrl, llmsTxt, robotsDisallowPaths: closed } = config;
  const record = `${OPEN_API}/objects/{id}`;
  const blocks = [
    `# Collections catalogue at ${new URL(baseUrl).host}`,
    "> A museum's catalogue: records of objects, people, places, events and collections, as JSON over a REST API." +
      " Without credentials it shows what the museum has published, and nothing else.",
    ...(isClosed(record, closed)
      ? []
      : [
          `A record is at \`${baseUrl}${record}\`, and likewise for the other kinds. Lists and search answer in pages;` +
            " to read a list to its end, follow the `next` address of its `Link` header. To keep a copy up to date," +
            ` add \`updated_since=\` with a time, and read \`${OPEN_API}/deletions?since=\` for what was deleted since.` +
            " Values are in `metadata_`, by field, with their language where it is known;" +
            " the field `rights` says how the record may be used." +
            " Add `/export?format=jsonld` to the address of a record to get it as JSON-LD, or `format=turtle` for Turtle.",
        ]),
    `What [robots.txt](${baseUrl}/robots.txt) closes is not listed here. Programs should not read it unless somebody asks them to.`,
    ...sections(config).map(({ title, lines }) =>
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
