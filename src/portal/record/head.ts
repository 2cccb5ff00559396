/** The head of a record's page for programs: canonical address, languages, Open Graph, links to data formats. */

import { html } from "hono/html";
import { alternates } from "../../pages/alternates.ts";
import { jsonLd } from "../../pages/schema-org.ts";
import type { Html, View } from "../../pages/view.ts";
import { imageService, isPicture } from "../../records/media/pictures.ts";
import { recordAddress } from "../addresses.ts";
import { openGraph } from "./open-graph.ts";
import { citedAddress, dataLinks } from "./reuse.ts";
import { rightsOf } from "./rights-summary.ts";
import { schemaOrg } from "./schema-org.ts";
import { entriesFor, linkedBy, linkedMakers, type RecordView } from "./view.ts";

const LONGEST_SUMMARY = 300;
/** The second prefix of the API: /robots.txt leaves it open (contract §4.3). */
const OPEN = "/api";
/** The most links of one type in a header. */
const MOST_NAMED = 20;

export function aboutForMachines(baseUrl: string, view: View, record: RecordView): Html {
  const address = `${baseUrl}${recordAddress(record.row)}`;
  const summary = summaryOf(view, record);
  const picture = record.media.find(isPicture);
  return html`${alternates(view, address)}
    ${dataLinks(record).map(({ path, type }) => html`<link rel="alternate" type="${type}" href="${baseUrl}${OPEN}${path}">`)}
    ${openGraph(baseUrl, view, { title: record.title.value, address, summary, picture })}
    ${jsonLd(schemaOrg(baseUrl, view, record, summary))}`;
}

/** The same for programs that read headers only (https://signposting.org/FAIR/). */
export function signposts(baseUrl: string, record: RecordView): string {
  const makers = linkedMakers(record).filter(({ isQualified }) => !isQualified);
  const all = [
    { rel: "cite-as", address: citedAddress(record, baseUrl) },
    { rel: "type", address: "https://schema.org/AboutPage" },
    ...makers.map((item) => ({ rel: "author", address: baseUrl + recordAddress(item) })),
    ...rightsOf(record).map((address) => ({ rel: "license", address })),
    ...linkedBy(record, "in_collection").map((item) => ({
      rel: "collection",
      address: baseUrl + recordAddress(item),
    })),
    ...dataLinks(record).map(({ path, type }) => ({
      rel: "describedby",
      address: baseUrl + OPEN + path,
      type,
    })),
    ...record.media.filter(isPicture).map(({ id }) => ({
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

/** The first long text of the record, cut at the end of a word. */
function summaryOf({ t }: View, { fields }: RecordView): string | null {
  const lead = fields.find(({ field }) => field.field_type === "richtext");
  const [entry] = lead ? entriesFor(lead.entries, t.language) : [];
  if (!entry) return null;
  const plain = entry.value.replace(/\s+/g, " ").trim();
  if (plain.length <= LONGEST_SUMMARY) return plain;
  return `${plain.slice(0, LONGEST_SUMMARY).replace(/\s+\S*$/, "")} …`;
}
