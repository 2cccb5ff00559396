/** Records as cards with their picture: what a search finds, what is new. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { type Picture, sizedImage } from "../media/pictures.ts";
import { findCovers } from "../media/store.ts";
import type { Html, View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Services } from "../services.ts";

export type Card = { id: string; record_type: Kind; title: string };

/** In their order. */
export async function cards(
  { sql }: Pick<Services, "sql">,
  view: View,
  records: readonly Card[],
): Promise<Html> {
  const objects = records.filter(({ record_type }) => record_type === "object").map(({ id }) => id);
  const covers = await findCovers(sql, VISITOR, objects);
  return html`<ol class="cards">${records.map((record) => card(view, record, covers.get(record.id)))}</ol>`;
}

function card(view: View, { id, record_type, title }: Card, cover: Picture | undefined): Html {
  return html`<li><a href="${view.link(`/${kinds[record_type].plural}/${id}`)}">${cover ? picture(view, cover) : ""}
    <b dir="auto">${title}</b></a><small>${view.t(`kind.${record_type}`)}</small></li>`;
}

/** The title beside it says what it shows. */
function picture(view: View, cover: Picture): Html {
  const base = view.link("");
  const [small, large] = [400, 800].map((longest) => sizedImage(base, cover, longest));
  return html`<img src="${small!.address}" srcset="${small!.address} 1x, ${large!.address} 2x" width="${small!.width}"
    height="${small!.height}" alt="" loading="lazy">`;
}
