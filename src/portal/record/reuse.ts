/** How to cite a record, its rights, and its downloads. */

import { html } from "hono/html";
import { qrCode } from "../../pages/qr.ts";
import { text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { imageService, isPicture, type Picture, sizedImage } from "../../records/media/pictures.ts";
import { MANIFEST } from "../../settings/shape.ts";
import { recordAddress } from "../addresses.ts";
import { inOneLine } from "../card-facts.ts";
import { licenceOf, type RightsSummary, rightsSection, rightsSummary } from "./rights-summary.ts";
import { linkedMakers, makersOf, type RecordView, valuesOf } from "./view.ts";

/** Data formats, by their usual names. */
const FORMATS = [
  { name: "JSON-LD", format: "jsonld", type: "application/ld+json" },
  { name: "Turtle", format: "turtle", type: "text/turtle" },
  { name: "Dublin Core", format: "dc", type: "application/xml" },
];
const OBJECT_FORMATS = [
  { name: "LIDO", format: "lido", type: "application/xml" },
  { name: "EDM", format: "edm", type: "application/xml" },
];
/** Pixels of the longer side of the smaller downloads. */
const SIZES = [800, 1_600];

/** The ARK, or without one the address of the page. */
export const citedAddress = ({ ark, row }: RecordView, baseUrl: string): string =>
  ark ?? `${baseUrl}${recordAddress(row)}`;

export function reuseSection(view: View, record: RecordView, baseUrl: string): Html {
  const { t, formats, asset, nonce } = view;
  const { row } = record;
  const rights = rightsSummary(record);
  return html`<aside class="reuse" aria-labelledby="reuse">
    <h2 id="reuse">${t("record.reuse")}</h2>
    <div>${rightsSection(view, record, rights)}</div>
    <div><h3>${t("record.cite")}</h3>
      <p id="citation" class="cited">${citation(view, record, baseUrl)}</p>
      <div class="on-paper">${qrCode(citedAddress(record, baseUrl))}</div>
      <p class="row"><button type="button" class="quiet" data-copy="citation" data-done="${t("record.copied")}" hidden>${t("record.copy")}</button>
        <button type="button" class="quiet" data-share="${citedAddress(record, baseUrl)}" hidden>${t("record.share")}</button></p></div>
    <div>${pictures(view, record, rights)}
      ${viewers(view, record, baseUrl)}
      <h3>${t("record.data")}</h3>
      <p class="row">${dataLinks(record).map(({ name, path, type }) => html`<a href="${view.link(path)}" type="${type}">${name}</a> `)}</p>
      <p class="help">${t("record.changed", { day: formats.day(row.updated_at) })}</p></div>
    <script type="module" nonce="${nonce}" src="${asset("record.js")}"></script>
  </aside>`;
}

/** The data formats of the record: path and media type. */
export function dataLinks({ row }: RecordView): { name: string; path: string; type: string }[] {
  const path = `/v1${recordAddress(row)}`;
  return [
    { name: "JSON", path, type: "application/json" },
    ...[...FORMATS, ...(row.record_type === "object" ? OBJECT_FORMATS : [])].map(
      ({ name, format, type }) => ({ name, path: `${path}/export?format=${format}`, type }),
    ),
  ];
}

/** Makers. Title, date. Museum, number. Address. */
function citation(view: View, record: RecordView, baseUrl: string): Html {
  const { row, title } = record;
  const { language } = view.t;
  // a name alone is written as its owner writes it, but "workshop of" opens the sentence
  const isName = linkedMakers(record)[0]?.isQualified === false;
  const makers = makersOf(record).map((maker, index) =>
    isName || index > 0 ? maker : maker.replace(/^./u, (letter) => letter.toLocaleUpperCase(language)),
  );
  const names = makers.map((name) => html`<bdi>${name}</bdi>`);
  const [date] = valuesOf(record, "date");
  const address = citedAddress(record, baseUrl);
  const number = valuesOf(record, "accession_number")[0] ?? row.idno;
  const by = makers.length > 0 ? html`${inOneLine(view, names, makers)}${stopAfter(makers.at(-1)!)} ` : "";
  const when = date === undefined ? "" : dateInWords(date, language);
  return html`${by}<cite>${text("bdi", view, title)}</cite>${when && `, ${when}`}${stopAfter(when || title.value)} <bdi>${view.name}</bdi>, <bdi>${number}</bdi>${stopAfter(number)} <a href="${address}">${address}</a>`;
}

/** A sentence has one end: "150–50 av. J.-C.", "Qui vive ?" and "Meissen & Co." have theirs. */
const stopAfter = (part: string): string => (/[.!?…]$/.test(part) ? "" : ".");

/** Downloads of the pictures whose rights permit it. */
function pictures(view: View, record: RecordView, rights: RightsSummary): Html {
  const { t } = view;
  const all = record.media.filter(isPicture);
  const free = all.filter((picture) => rights.mayDownload(licenceOf(picture)));
  if (all.length === 0) return html``;
  if (free.length === 0)
    return html`<h3>${t("record.pictures")}</h3><p class="help">${t(rights.statements.some(({ isLimited }) => isLimited) ? "record.ask.limited" : "record.ask")}</p>`;
  const rows = free.map((picture, index) => sizes(view, record, picture, index));
  return html`<h3>${t("record.pictures")}</h3>${
    rows.length === 1
      ? rows
      : html`<details><summary>${t("record.offered", { count: rows.length })}</summary><ol>${rows.map((row) => html`<li>${row}</li>`)}</ol></details>`
  }`;
}

function sizes(view: View, { row }: RecordView, picture: Picture, index: number): Html {
  const { t } = view;
  const base = view.link("");
  const whole = {
    address: `${imageService(base, picture.id)}/full/max/0/default.jpg`,
    width: picture.width,
    height: picture.height,
  };
  // only the first picture is offered in all sizes: there may be hundreds
  const smaller = (index === 0 ? SIZES : []).filter(
    (longest) => longest < Math.max(picture.width, picture.height),
  );
  const name = `${row.idno.replace(/[^\w.-]+/g, "_")}-${index + 1}`;
  return html`<p class="row">${[...smaller.map((longest) => sizedImage(base, picture, longest)), whole].map(
    ({ address, width, height }) =>
      html`<a href="${address}" download="${name}-${width}.jpg">${t("record.size", { width: String(width), height: String(height) })}</a> `,
  )}</p>`;
}

/** A link to an external viewer, and the manifest for any other viewer. */
function viewers({ t, settings }: View, { row, media }: RecordView, baseUrl: string): Html {
  if (media.length === 0) return html``;
  const manifest = `${baseUrl}/iiif/presentation/3/objects/${row.id}/manifest`;
  const viewer = settings.viewer_url.replace(MANIFEST, encodeURIComponent(manifest));
  return html`<h3>IIIF</h3><p class="row">${
    viewer === "" ? "" : html`<a href="${viewer}" rel="noopener">${t("record.viewer")}</a> `
  }<a href="${manifest}" type="application/ld+json">${t("record.manifest")}</a></p>`;
}
