/** Pictures, films, sounds and documents on the page of an object. Without scripts, a picture is a link to its full size. */
import { html } from "hono/html";
import { icon } from "../../pages/icons.ts";
import { langOf, type Text, text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Medium } from "../../records/media/medium.ts";
import { imageService, isPicture, type Picture, sizedImage } from "../../records/media/pictures.ts";
import { recordAddress } from "../addresses.ts";
import { exceptionTo, rightsTold } from "./rights-told.ts";
import { entriesFor, type RecordView } from "./view.ts";

/** Pixels of the longer side: from phones to large screens of double density. */
const SIZES = [400, 800, 1_200, 1_600, 2_400];
const SMALL_SIZES = [400, 800];

export function media(view: View, record: RecordView): Html {
  const { media, title } = record;
  const pictures = media.filter(isPicture);
  const [first, ...others] = pictures;
  const files = media.filter((medium) => !isPicture(medium));
  if (media.length === 0) return html``;
  const noted = captions(view, record);
  return html`<section class="media" aria-label="${view.t("record.media")}">
    ${first ? figure(view, first, title, noted, "large") : ""}
    ${others.length > 0 ? html`<div class="others">${others.map((picture) => figure(view, picture, title, noted, "small"))}</div>` : ""}
    ${files.map((medium) => file(view, medium, noted))}
    ${allOf(view, record)}
    ${
      pictures.length > 0
        ? html`<script type="module" nonce="${view.nonce}" src="${view.asset("zoom.js")}" data-viewer="${view.asset("openseadragon.js")}"
            data-close="${view.t("zoom.close")}" data-in="${view.t("zoom.in")}" data-out="${view.t("zoom.out")}"
            data-previous="${view.t("paging.previous")}" data-next="${view.t("paging.next")}"></script>`
        : ""
    }
  </section>`;
}

/** Where the page shows only the first of many: how many, and a link to the page with all. */
function allOf(view: View, { row, mediaLong: { total, size } }: RecordView): Html {
  if (total <= size) return html``;
  const address = `${view.link(recordAddress(row))}?media=all`;
  return html`<p class="row">${view.t("paging.part", { from: 1, to: size, total })} <a class="button quiet" href="${address}" rel="nofollow">${view.t("record.media.all")}</a></p>`;
}

function figure(view: View, picture: Picture, title: Text, noted: Captions, size: "large" | "small"): Html {
  const base = view.link("");
  const [alt = title] = entriesFor<Text>(picture.alt_text, view.t.language);
  const shown = sizedImage(base, picture, size === "large" ? 1_200 : 400);
  const widths = size === "large" ? "(min-width: 64rem) 46rem, 100vw" : "(min-width: 40rem) 12rem, 45vw";
  return html`<figure class="${size}">
    <a href="${imageService(base, picture.id)}/full/max/0/default.jpg" data-zoom="${imageService(base, picture.id)}/info.json">
      <img src="${shown.address}" srcset="${srcset(base, picture, size === "large" ? SIZES : SMALL_SIZES)}" sizes="${widths}" width="${shown.width}" height="${shown.height}"
        alt="${alt.value}"${langOf(view, alt)} ${size === "small" ? html`loading="lazy"` : html`fetchpriority="high"`}>
    </a>
    ${noted(picture)}
  </figure>`;
}

export function srcset(
  base: string,
  picture: Pick<Picture, "id" | "width" | "height">,
  longest = SIZES,
): string {
  const sizes = new Map(
    longest.map((longest) => sizedImage(base, picture, longest)).map((size) => [size.width, size]),
  );
  return [...sizes.values()].map(({ address, width }) => `${address} ${width}w`).join(", ");
}

type Captions = (medium: Medium) => Html;

/** Texts, and the rights and rights holders that differ from those of the others. */
function captions(view: View, record: RecordView): Captions {
  const told = rightsTold(record);
  const first = record.media.find(({ rights_holder }) => rights_holder !== null);
  return (medium) => {
    const [said] = entriesFor(medium.caption, view.t.language);
    const { rights_holder: holder } = medium;
    const isNamed = holder !== null && (medium === first || holder !== first?.rights_holder);
    const exception = exceptionTo(view, record, told, medium);
    if (!said && !isNamed && exception === null) return html``;
    return html`<figcaption>${said ? text("span", view, said) : ""}${isNamed ? html` <small>© <bdi>${holder}</bdi></small>` : ""}${exception === null ? "" : html` <small>${exception}</small>`}</figcaption>`;
  };
}

function file(view: View, medium: Medium, noted: Captions): Html {
  const { id, object_id, category, filename, mime_type, bytes } = medium;
  const address = view.link(`/objects/${object_id}/media/${id}/file`);
  const download = html`<a href="${address}" type="${mime_type}">${icon("file")} <bdi>${filename}</bdi></a> <small>${view.formats.bytes(bytes)}</small>`;
  if (category === "video") {
    return html`<figure class="large"><video controls preload="metadata" src="${address}"></video>${noted(medium)}</figure>`;
  }
  if (category === "audio") {
    return html`<figure class="large"><audio controls preload="metadata" src="${address}"></audio>${noted(medium)}<p>${download}</p></figure>`;
  }
  return html`<figure class="large file"><p>${download}</p>${noted(medium)}</figure>`;
}
