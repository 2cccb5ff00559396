/** What a record's page says of itself to machines: canonical address, languages, Open Graph, and where it is as data. */
import { html, raw } from "hono/html";
import { imageService, isPicture, sizedImage } from "../media/pictures.ts";
import { alternates } from "../pages/alternates.ts";
import type { Html, View } from "../pages/view.ts";
import { recordAddress } from "./record-links.ts";
import { citedAddress, dataLinks, rightsOf } from "./record-reuse.ts";
import { entriesFor, type RecordView } from "./record-view.ts";
import { schemaOrg } from "./schema-org.ts";

const LONGEST_SUMMARY = 300;
/** Pixels of the picture that others show when they link here. */
const SHARED_PICTURE = 1_200;
/** Files and collections that a header names. */
const MOST_NAMED = 20;

export function aboutForMachines(baseUrl: string, view: View, record: RecordView): Html {
  const address = `${baseUrl}${recordAddress(record.row)}`;
  const summary = summaryOf(view, record);
  const picture = record.media.find(isPicture);
  const shown = picture ? sizedImage(baseUrl, picture, SHARED_PICTURE) : null;
  return html`${alternates(view, address)}
    ${dataLinks(record).map(({ path, type }) => html`<link rel="alternate" type="${type}" href="${baseUrl}${path}">`)}
    <meta property="og:title" content="${record.title.value}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${view.name}">
    <meta property="og:locale" content="${view.t.language}">
    <meta property="og:url" content="${address}">
    ${summary === null ? "" : html`<meta name="description" content="${summary}"><meta property="og:description" content="${summary}">`}
    ${
      shown === null
        ? ""
        : html`<meta property="og:image" content="${shown.address}"><meta property="og:image:width" content="${shown.width}">
    <meta property="og:image:height" content="${shown.height}"><meta name="twitter:card" content="summary_large_image">`
    }
    <script type="application/ld+json">${raw(json(schemaOrg(baseUrl, view, record, summary)))}</script>`;
}

/** The same for programs that read headers only (https://signposting.org/FAIR/). */
export function signposts(baseUrl: string, record: RecordView): string {
  const { links, media } = record;
  const collections = links.find(({ type }) => type === "in_collection")?.items ?? [];
  const makers = links.find(({ type }) => type === "created_by")?.items ?? [];
  const all = [
    { rel: "cite-as", address: citedAddress(record, baseUrl) },
    { rel: "type", address: "https://schema.org/AboutPage" },
    ...makers.map((item) => ({ rel: "author", address: baseUrl + recordAddress(item) })),
    ...rightsOf(record).map((address) => ({ rel: "license", address })),
    ...collections.map((item) => ({ rel: "collection", address: baseUrl + recordAddress(item) })),
    ...dataLinks(record).map(({ path, type }) => ({ rel: "describedby", address: baseUrl + path, type })),
    ...media.filter(isPicture).map(({ id }) => ({
      ...{ rel: "item", type: "image/jpeg" },
      address: `${imageService(baseUrl, id)}/full/max/0/default.jpg`,
    })),
  ];
  const seen = new Map<string, number>();
  return all
    .filter(({ rel }) => {
      seen.set(rel, (seen.get(rel) ?? 0) + 1);
      return seen.get(rel)! <= MOST_NAMED;
    })
    .map(({ rel, address, ...more }) => {
      const type = "type" in more ? `; type="${more.type}"` : "";
      return `<${new URL(address).href}>; rel="${rel}"${type}`;
    })
    .join(", ");
}

/** The first text of the record that tells about it, cut at a word. */
function summaryOf({ t }: View, { fields }: RecordView): string | null {
  const told = fields.find(({ field }) => field.field_type === "richtext");
  const [entry] = told ? entriesFor(told.entries, t.language) : [];
  if (!entry) return null;
  const plain = entry.value.replace(/\s+/g, " ").trim();
  if (plain.length <= LONGEST_SUMMARY) return plain;
  return `${plain.slice(0, LONGEST_SUMMARY).replace(/\s+\S*$/, "")} …`;
}

/** JSON that cannot end the element it stands in. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
