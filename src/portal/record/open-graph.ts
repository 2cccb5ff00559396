/** The preview that other sites show for a link (https://ogp.me). */
import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import { type Picture, sizedImage } from "../../records/media/pictures.ts";

/** Pixels of the longer side. */
const SHARED_PICTURE = 1_200;

type Shared = { title: string; address: string; summary: string | null; picture: Picture | undefined };

export function openGraph(baseUrl: string, view: View, { title, address, summary, picture }: Shared): Html {
  const shown = picture ? sizedImage(baseUrl, picture, SHARED_PICTURE) : null;
  return html`<meta property="og:title" content="${title}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${view.name}">
    <meta property="og:locale" content="${view.t("language.locale")}">
    <meta property="og:url" content="${address}">
    ${summary === null ? "" : html`<meta name="description" content="${summary}"><meta property="og:description" content="${summary}">`}
    ${
      shown === null
        ? ""
        : html`<meta property="og:image" content="${shown.address}"><meta property="og:image:width" content="${shown.width}">
    <meta property="og:image:height" content="${shown.height}"><meta name="twitter:card" content="summary_large_image">`
    }`;
}
