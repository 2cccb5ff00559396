/** What a record's page says of itself to machines: canonical address, languages, schema.org, Open Graph. */
import { html, raw } from "hono/html";
import { LANGUAGES } from "../pages/messages.ts";
import type { Html, View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Entry } from "../records/record.ts";
import { entriesFor, type RecordView } from "./record-view.ts";

/** https://schema.org/ */
const SCHEMA_TYPES: Readonly<Record<Kind, string>> = {
  object: "VisualArtwork",
  entity: "Person",
  place: "Place",
  occurrence: "Event",
  procedure: "Action",
  collection: "Collection",
  storage_location: "Place",
};

const LONGEST_SUMMARY = 300;

export function aboutForMachines(baseUrl: string, view: View, record: RecordView): Html {
  const { row, title } = record;
  const address = `${baseUrl}/${kinds[row.record_type].plural}/${row.id}`;
  const data = `${baseUrl}/v1/${kinds[row.record_type].plural}/${row.id}`;
  const summary = summaryOf(view, record);
  return html`<link rel="canonical" href="${address}">
    ${LANGUAGES.map((language) => html`<link rel="alternate" hreflang="${language}" href="${address}?lang=${language}">`)}
    <link rel="alternate" hreflang="x-default" href="${address}">
    <link rel="alternate" type="application/json" href="${data}">
    <link rel="alternate" type="application/ld+json" href="${data}/export?format=jsonld">
    <link rel="alternate" type="text/turtle" href="${data}/export?format=turtle">
    <meta property="og:title" content="${title.value}">
    <meta property="og:type" content="website">
    <meta property="og:url" content="${address}">
    ${summary === null ? "" : html`<meta name="description" content="${summary}"><meta property="og:description" content="${summary}">`}
    <script type="application/ld+json">${raw(json(describe(address, record, summary)))}</script>`;
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

function describe(address: string, { row, title, fields }: RecordView, summary: string | null): unknown {
  const entries = (name: string): Entry[] => fields.find(({ field }) => field.name === name)?.entries ?? [];
  const values = (name: string) => {
    const all = entries(name).map(({ value }) => value);
    return all.length > 1 ? all : all[0];
  };
  const licence = entries("rights").find(({ value }) => /^https?:/.test(value))?.value;
  return {
    "@context": "https://schema.org",
    "@type":
      row.record_type === "entity" && row.subtype !== "person"
        ? "Organization"
        : SCHEMA_TYPES[row.record_type],
    "@id": address,
    url: address,
    name: title.value,
    identifier: row.idno,
    ...(summary === null ? {} : { description: summary }),
    ...(row.record_type === "object"
      ? { dateCreated: values("date"), material: values("material"), license: licence }
      : {}),
    ...(row.lat !== null && row.lon !== null
      ? { geo: { "@type": "GeoCoordinates", latitude: row.lat, longitude: row.lon } }
      : {}),
  };
}

/** JSON that cannot end the element it stands in. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
