/** Pictures, films, sounds and documents on the page of an object. Without scripts, a picture is a link to its full size. */
import { html } from "hono/html";
import { type IconName, icon } from "../../pages/icons.ts";
import { langOf, type Text, text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { type Track, tracksOf } from "../../records/media/captions.ts";
import type { Medium } from "../../records/media/medium.ts";
import { imageService, isPicture, type Picture, sizedImage } from "../../records/media/pictures.ts";
import { recordAddress } from "../addresses.ts";
import { exceptionTo, rightsSummary } from "./rights-summary.ts";
import { entriesFor, type RecordView } from "./view.ts";

/** Small pictures below the first one that are shown at once; the others unfold. */
const FEW = 8;
/** Pixels of the longer side: from phones to large screens of double density. */
const SIZES = [400, 800, 1_200, 1_600, 2_400];
const SMALL_SIZES = [400, 800];

export function media(view: View, record: RecordView): Html {
  const { media, title, allMedia } = record;
  const pictures = media.filter(isPicture);
  const [first, ...others] = pictures;
  const files = media.filter((medium) => !isPicture(medium));
  if (media.length === 0) return html``;
  const few = others.slice(0, FEW);
  const further = others.slice(few.length);
  const captionOf = captions(view, record);
  const all = allOf(view, record);
  const small = (shown: readonly Picture[]) =>
    html`<div class="others">${shown.map((picture) => figure(view, picture, title, captionOf, "small"))}</div>`;
  return html`<section class="media" aria-label="${view.t("record.media")}">
    <link rel="stylesheet" href="${view.asset("media.css")}">
    ${first ? figure(view, first, title, captionOf, "large") : ""}
    ${few.length > 0 ? small(few) : ""}
    ${further.length > 0 ? html`<details${allMedia ? html` open` : ""}><summary>${view.t("record.media.more", { count: further.length })}</summary>${small(further)}${all}</details>` : ""}
    ${files.map((medium) => file(view, record, medium, captionOf))}
    ${further.length > 0 ? "" : all}
    ${first ? viewer(view, record) : ""}
    ${hasModels(record) ? modelScript(view) : ""}
    ${record.captions.length > 0 ? html`<script type="module" nonce="${view.nonce}" src="${view.asset("captions.js")}"></script>` : ""}
  </section>`;
}

/** If so, the page needs a wider policy (`pages/policy.ts`). */
export const hasModels = ({ media }: RecordView): boolean => media.some(({ category }) => category === "3d");

function modelScript({ t, asset, nonce }: View): Html {
  return html`<script type="module" nonce="${nonce}" src="${asset("model.js")}" data-model-viewer="${asset("model-viewer.js")}"
    data-draco="${asset("draco.js")}" data-draco-wasm="${asset("draco.wasm")}" data-loading="${t("model.loading")}" data-help="${t("model.help")}" data-failed="${t("model.failed")}"></script>`;
}

/** If the page shows only the first files: how many there are, and a link to all. */
function allOf(view: View, { row, mediaLong: { total, size } }: RecordView): Html {
  if (total <= size) return html``;
  const address = `${view.link(recordAddress(row))}?media=all`;
  return html`<p class="row">${view.t("paging.part", { from: 1, to: size, total })} <a class="button quiet" href="${address}" rel="nofollow">${view.t("record.media.all")}</a></p>`;
}

function figure(
  view: View,
  picture: Picture,
  title: Text,
  captionOf: Captions,
  size: "large" | "small",
): Html {
  const base = view.link("");
  const [alt = title] = entriesFor<Text>(picture.alt_text, view.t.language);
  const shown = sizedImage(base, picture, size === "large" ? 1_200 : 400);
  const widths = size === "large" ? "(min-width: 64rem) 46rem, 100vw" : "(min-width: 40rem) 12rem, 45vw";
  return html`<figure class="${size}">
    <a href="${imageService(base, picture.id)}/full/max/0/default.jpg" data-zoom="${imageService(base, picture.id)}/info.json">
      <img src="${shown.address}" srcset="${srcset(base, picture, size === "large" ? SIZES : SMALL_SIZES)}" sizes="${widths}" width="${shown.width}" height="${shown.height}"
        alt="${alt.value}"${langOf(view, alt)} ${size === "small" ? html`loading="lazy"` : html`fetchpriority="high"`}>
      ${size === "large" ? html`<span class="sign">${icon("enlarge")}${view.t("zoom.open")}</span>` : ""}
    </a>
    ${captionOf(picture)}
  </figure>`;
}

/** Closed until a picture is opened (`zoom.js`). */
function viewer({ t, asset, link, nonce }: View, { row, title }: RecordView): Html {
  const button = (does: string, name: IconName, label: string) =>
    html`<button type="button" class="quiet" data-do="${does}" aria-label="${label}" title="${label}">${icon(name)}</button>`;
  return html`<dialog class="zoom" aria-label="${title.value}"><div class="frame">
      <div class="bar"><p class="counter" role="status"></p>
        ${button("in", "plus", t("zoom.in"))}${button("out", "minus", t("zoom.out"))}${button("whole", "whole", t("zoom.whole"))}
        ${button("full", "enlarge", t("zoom.full"))}${button("close", "cross", t("zoom.close"))}</div>
      <div class="stage"></div>
      <p class="caption" dir="auto" role="status"></p>
      <div class="film">${button("previous", "previous", t("zoom.previous"))}<ol class="strip"></ol>${button("next", "next", t("zoom.next"))}</div>
    </div></dialog>
    <script type="module" nonce="${nonce}" src="${asset("zoom.js")}" data-viewer="${asset("openseadragon.js")}"
      data-manifest="${link(`/iiif/presentation/3/objects/${row.id}/manifest`)}" data-counter="${t("zoom.counter", { at: "{at}", total: "{total}" })}"></script>`;
}

function srcset(base: string, picture: Pick<Picture, "id" | "width" | "height">, longest = SIZES): string {
  const sizes = new Map(
    longest.map((longest) => sizedImage(base, picture, longest)).map((size) => [size.width, size]),
  );
  return [...sizes.values()].map(({ address, width }) => `${address} ${width}w`).join(", ");
}

type Captions = (medium: Medium) => Html;

/** Captions, with rights and rights holders only where they differ from those of the other files. */
function captions(view: View, record: RecordView): Captions {
  const rights = rightsSummary(record);
  const first = record.media.find(({ rights_holder }) => rights_holder !== null);
  return (medium) => {
    const [said] = entriesFor(medium.caption, view.t.language);
    const { rights_holder: holder } = medium;
    const isNamed = holder !== null && (medium === first || holder !== first?.rights_holder);
    const exception = exceptionTo(view, record, rights, medium);
    if (!said && !isNamed && exception === null) return html``;
    return html`<figcaption>${said ? text("span", view, said) : ""}${isNamed ? html` <small>© <bdi>${holder}</bdi></small>` : ""}${exception === null ? "" : html` <small>${exception}</small>`}</figcaption>`;
  };
}

function file(view: View, { title, captions }: RecordView, medium: Medium, captionOf: Captions): Html {
  const { category, filename, mime_type, bytes } = medium;
  const address = fileAddress(view, medium);
  const below = html`${captionOf(medium)}<p>${icon("file")} <a href="${address}" type="${mime_type}"><bdi>${filename}</bdi></a> <small>${view.formats.bytes(bytes)}</small></p>`;
  if (category === "video" || category === "audio") {
    const tracks = tracksOf(medium, captions).map((each) => track(view, each));
    const player =
      category === "audio"
        ? html`<audio controls preload="metadata" src="${address}">${tracks}</audio>${tracks.length > 0 ? html`<p class="cues" dir="auto"></p>` : ""}`
        : html`<video controls preload="metadata" src="${address}">${tracks}</video>`;
    return html`<figure class="large">${player}${below}</figure>`;
  }
  if (category === "3d") {
    const [alt = title] = entriesFor<Text>(medium.alt_text, view.t.language);
    return html`<figure class="large model">
      <button type="button" class="quiet" data-model="${address}" data-alt="${alt.value}" data-bytes="${bytes}" hidden>${icon("object")}<span role="status">${view.t("model.show")}</span></button>
      ${below}</figure>`;
  }
  return html`<figure class="large file">${below}</figure>`;
}

const fileAddress = ({ link }: View, { id, object_id }: Medium): string =>
  link(`/objects/${object_id}/media/${id}/file`);

function track(view: View, { medium, lang }: Track): Html {
  const { t } = view;
  const language =
    lang === null
      ? t("media.captions")
      : new Intl.DisplayNames(t.language, { type: "language", fallback: "code" }).of(lang);
  const label = entriesFor(medium.caption, t.language)[0]?.value ?? language;
  return html`<track kind="captions" src="${fileAddress(view, medium)}"${lang === null ? "" : html` srclang="${lang}"`} label="${label}"${lang === t.language ? html` default` : ""}>`;
}
