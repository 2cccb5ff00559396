/** Pictures, films, sounds and documents on the page of an object. Without scripts, a picture is a link to its full size. */
import { html } from "hono/html";
import { icon } from "../../pages/icons.ts";
import { langOf, named, type Text, text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Medium } from "../../records/media/medium.ts";
import { imageService, isPicture, type Picture, sizedImage } from "../../records/media/pictures.ts";
import { furtherParts } from "./links.ts";
import { type RightsNames, rightsAddress } from "./rights.ts";
import { entriesFor, type RecordView } from "./view.ts";

/** Pixels of the longer side: from phones to large screens of double density. */
const SIZES = [400, 800, 1_200, 1_600, 2_400];

export function media(view: View, record: RecordView): Html {
  const { media, mediaLong, title, rightsNames } = record;
  const pictures = media.filter(isPicture);
  const [first, ...others] = pictures;
  const files = media.filter((medium) => !isPicture(medium));
  if (media.length === 0) return html``;
  return html`<section class="media" aria-label="${view.t("record.media")}">
    ${first ? figure(view, first, title, rightsNames, "large") : ""}
    ${others.length > 0 ? html`<div class="others">${others.map((picture) => figure(view, picture, title, rightsNames, "small"))}</div>` : ""}
    ${files.map((medium) => file(view, medium, rightsNames))}
    ${furtherParts(view, record, mediaLong)}
    ${
      pictures.length > 0
        ? html`<script type="module" nonce="${view.nonce}" src="${view.asset("zoom.js")}" data-viewer="${view.asset("openseadragon.js")}"
            data-close="${view.t("zoom.close")}" data-in="${view.t("zoom.in")}" data-out="${view.t("zoom.out")}"
            data-previous="${view.t("paging.previous")}" data-next="${view.t("paging.next")}"></script>`
        : ""
    }
  </section>`;
}

function figure(
  view: View,
  picture: Picture,
  title: Text,
  names: RightsNames,
  size: "large" | "small",
): Html {
  const base = view.link("");
  const [alt = title] = entriesFor<Text>(picture.alt_text, view.t.language);
  const shown = sizedImage(base, picture, size === "large" ? 1_200 : 400);
  const widths = size === "large" ? "(min-width: 64rem) 46rem, 100vw" : "(min-width: 40rem) 12rem, 45vw";
  return html`<figure class="${size}">
    <a href="${imageService(base, picture.id)}/full/max/0/default.jpg" data-zoom="${imageService(base, picture.id)}/info.json">
      <img src="${shown.address}" srcset="${srcset(base, picture)}" sizes="${widths}" width="${shown.width}" height="${shown.height}"
        alt="${alt.value}"${langOf(view, alt)} ${size === "small" ? html`loading="lazy"` : html`fetchpriority="high"`}>
    </a>
    ${caption(view, picture, names)}
  </figure>`;
}

export function srcset(base: string, picture: Pick<Picture, "id" | "width" | "height">): string {
  const sizes = new Map(
    SIZES.map((longest) => sizedImage(base, picture, longest)).map((size) => [size.width, size]),
  );
  return [...sizes.values()].map(({ address, width }) => `${address} ${width}w`).join(", ");
}

function caption(view: View, { caption, rights_holder, license_uri }: Medium, names: RightsNames): Html {
  const [said] = entriesFor(caption, view.t.language);
  const licence = rightsAddress(license_uri ?? "");
  const rights = [
    ...(rights_holder === null ? [] : [html`© <bdi>${rights_holder}</bdi>`]),
    ...(licence === null
      ? []
      : [
          html`<a href="${licence}" rel="license noopener nofollow">${named(view, names.get(licence) ?? { value: licence })}</a>`,
        ]),
  ];
  if (!said && rights.length === 0) return html``;
  return html`<figcaption>${said ? text("span", view, said) : ""} ${rights.map((right) => html` <small>${right}</small>`)}</figcaption>`;
}

function file(view: View, medium: Medium, names: RightsNames): Html {
  const { id, object_id, category, filename, mime_type, bytes } = medium;
  const address = view.link(`/objects/${object_id}/media/${id}/file`);
  const download = html`<a href="${address}" type="${mime_type}">${icon("file")} <bdi>${filename}</bdi></a> <small>${view.formats.bytes(bytes)}</small>`;
  if (category === "video") {
    return html`<figure class="large"><video controls preload="metadata" src="${address}"></video>${caption(view, medium, names)}</figure>`;
  }
  if (category === "audio") {
    return html`<figure class="large"><audio controls preload="metadata" src="${address}"></audio>${caption(view, medium, names)}<p>${download}</p></figure>`;
  }
  return html`<figure class="large file"><p>${download}</p>${caption(view, medium, names)}</figure>`;
}
