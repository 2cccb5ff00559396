/** The page of one record, for visitors: where ARKs, manifests and search engines lead to (interface §7). */
import { html } from "hono/html";
import type { Api, Ctx } from "../http/endpoint.ts";
import { isPicture } from "../media/pictures.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { page } from "../pages/routes.ts";
import { text } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { Problem } from "../problem.ts";
import { dateInWords } from "../records/dates-in-words.ts";
import { KINDS, type Kind, kinds } from "../records/kinds.ts";
import { IdShape } from "../records/shape.ts";
import { missing } from "../records/write.ts";
import { aboutForMachines } from "./record-head.ts";
import { media } from "./record-media.ts";
import { fieldList, paragraphsIn } from "./record-values.ts";
import { type Link, type RecordView, viewRecord } from "./record-view.ts";
import { searchAddress } from "./search-address.ts";

/** Storage locations are nobody's business but the museum's. */
const WITH_PAGES = KINDS.filter((kind) => kind !== "storage_location");

/** What is said of a record at its own address (interface §4): to people a page, to programs where its linked data is. */
export type RecordData = {
  types: readonly string[];
  addressOf(c: Ctx, kind: Kind, id: string, type: string): string;
};

export function recordPageRoutes(api: Api, pages: Pages, data: RecordData): void {
  const { services } = api;
  for (const kind of WITH_PAGES) {
    page(api, pages, {
      path: `/${kinds[kind].plural}/{id}`,
      summary: `The page of ${kinds[kind].one}`,
      access: "public",
      otherwise: {
        types: data.types,
        answer: (c, type) =>
          c.body(null, 303, { Location: data.addressOf(c, kind, idOf(c, kind), type), Vary: "Accept" }),
      },
      async show({ c, view }) {
        const id = idOf(c, kind);
        const record = await viewRecord(services, kind, id, view.t.language);
        if (!record) throw await missing(services.sql, kind, id);
        return pageAnswer(c, view, {
          title: record.title.value,
          head: aboutForMachines(services.config.baseUrl, view, record),
          content: content(view, record, services.config.baseUrl),
        });
      },
    });
  }
}

function idOf(c: Ctx, kind: Kind): string {
  const id = c.req.param("id") ?? "";
  if (IdShape.safeParse(id).success) return id;
  throw new Problem("not_found", `There is no ${kind} ${id.slice(0, 100)}`);
}

export const recordAddress = (kind: Kind, id: string): string => `/${kinds[kind].plural}/${id}`;

function content(view: View, record: RecordView, baseUrl: string): Html {
  // beside a picture stands what is told about it; without one it is a field among the others
  const lead = record.media.some(isPicture)
    ? record.fields.find(({ field }) => field.field_type === "richtext")
    : undefined;
  return html`<article class="record">
    <header class="stack">
      <p class="crumbs"><a href="${view.link(searchAddress({ type: record.row.record_type }))}">${view.t(`kind.${record.row.record_type}`)}</a>${
        record.parent
          ? html` <span aria-hidden="true">›</span> <a href="${addressOf(view, record.parent)}">${record.parent.title}</a>`
          : ""
      }</p>
      ${text("h1", view, record.title)}
      ${makers(view, record)}
      ${lead ? html`<div class="told">${paragraphsIn(view, lead.entries)}</div>` : ""}
      <p class="label">${record.subtype} <span aria-hidden="true">·</span> <span class="number">${record.row.idno}</span></p>
    </header>
    ${media(view, record)}
    ${fieldList(
      view,
      record.fields.filter((shown) => shown !== lead),
    )}
    ${links(view, record)}
    ${citation(view, record, baseUrl)}
  </article>`;
}

/** Who made it, and when: the second line of a museum's label. */
function makers(view: View, { links, fields }: RecordView): Html {
  const entries = (name: string) => fields.find(({ field }) => field.name === name)?.entries ?? [];
  const linked = links.find(({ type }) => type === "created_by")?.items ?? [];
  const who =
    linked.length > 0
      ? linked.map((item) => html`<a href="${addressOf(view, item)}">${item.title}</a>`)
      : entries("creator_text").map(({ value }) => html`${value}`);
  const when = entries("date").map(({ value }) => html`${dateInWords(value, view.t.language)}`);
  const parts = [...who, ...when];
  if (parts.length === 0) return html``;
  return html`<p class="lead">${parts.map((part, index) => (index === 0 ? part : html`, ${part}`))}</p>`;
}

const addressOf = (view: View, { kind, id }: Pick<Link, "kind" | "id">): string =>
  view.link(recordAddress(kind, id));

function links(view: View, { links, furtherLinks, children }: RecordView): Html {
  const { t } = view;
  const groups =
    children.length > 0 ? [...links, { type: "", label: t("record.below"), items: children }] : links;
  if (groups.length === 0) return html``;
  return html`<section class="stack" aria-labelledby="links">
    <h2 id="links">${t("record.links")}</h2>
    <dl class="facts">${groups.map(
      ({ label, items }) =>
        html`<div><dt>${label}</dt><dd><ul class="links">${items.map(
          (item) =>
            html`<li><a href="${addressOf(view, item)}">${item.title}</a>${item.note === null ? "" : html` <small>${item.note}</small>`}</li>`,
        )}</ul></dd></div>`,
    )}</dl>
    ${furtherLinks > 0 ? html`<p class="help">${t.counted("record.furtherLinks", furtherLinks)}</p>` : ""}
  </section>`;
}

/** What to cite, and the record for programs. */
function citation({ t, link, formats }: View, { row, ark }: RecordView, baseUrl: string): Html {
  const address = ark ?? `${baseUrl}${recordAddress(row.record_type, row.id)}`;
  const data = `/v1${recordAddress(row.record_type, row.id)}`;
  return html`<footer class="stack citation" aria-labelledby="cite">
    <h2 id="cite">${t("record.cite")}</h2>
    <p><a href="${address}">${address}</a></p>
    <p class="row"><a class="button quiet" href="${link(data)}" type="application/json">JSON</a>
      <a class="button quiet" href="${link(`${data}/export?format=jsonld`)}" type="application/ld+json">JSON-LD</a>
      <a class="button quiet" href="${link(`${data}/export?format=turtle`)}" type="text/turtle">Turtle</a></p>
    <p class="help">${t("record.changed", { day: formats.day(row.updated_at) })}</p>
  </footer>`;
}
