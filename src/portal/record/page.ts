/** The page of one record for visitors: the target of ARKs, manifests and search engines (interface §7). */
import { html } from "hono/html";
import { VISITOR } from "../../caller.ts";
import type { Api, Ctx } from "../../http/endpoint.ts";
import { openToAnybody } from "../../http/request/browser.ts";
import { icon } from "../../pages/icons.ts";
import { type Pages, pageAnswer } from "../../pages/page.ts";
import { numberAsked } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import { text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { type Kind, kinds, PUBLIC_KINDS } from "../../records/kinds.ts";
import { mergedTarget } from "../../records/merge/store.ts";
import { demandId, missing } from "../../records/read/read.ts";
import { inOneLine, lifeOf } from "../card-facts.ts";
import { searchAddress } from "../search/address.ts";
import { factList } from "./facts.ts";
import { aboutForMachines, signposts } from "./head.ts";
import { linkedCards, linkTo } from "./links.ts";
import { hasModels, media } from "./media.ts";
import { reuseSection } from "./reuse.ts";
import { paragraphsIn } from "./values.ts";
import {
  isLent,
  type Link,
  linkedBy,
  linkedMakers,
  makersOf,
  type RecordView,
  valuesOf,
  viewRecord,
} from "./view.ts";
import { worldMap } from "./world.ts";

/** The answer at the address of a record (interface §4): a page for people, a redirect to linked data for programs. */
type RecordData = {
  types: readonly string[];
  addressOf(c: Ctx, kind: Kind, id: string, type: string): string;
};

export function recordPageRoutes(api: Api, pages: Pages, data: RecordData): void {
  const { services } = api;
  for (const kind of PUBLIC_KINDS) {
    page(api, pages, {
      path: `/${kinds[kind].plural}/{id}`,
      summary: `The page of ${kinds[kind].one}`,
      access: "public",
      isCached: true,
      otherwise: {
        types: data.types,
        async answer(c, type) {
          const id = idOf(c, kind);
          // a merged record leads to its target with one redirect
          if (await mergedTarget(services.sql, VISITOR, id))
            throw await missing(services.sql, VISITOR, kind, id);
          // a browser follows a redirect only if the redirect, too, is open to the page's origin
          openToAnybody(c);
          return c.body(null, 303, {
            Location: data.addressOf(c, kind, id, type),
            Vary: "Accept",
          });
        },
      },
      async show(view) {
        const id = idOf(view.c, kind);
        const allMedia = view.c.req.query("media") === "all";
        const record = await viewRecord(services, view, {
          ...{ kind, id, allMedia },
          part: numberAsked(view, "part"),
        });
        if (!record) throw await missing(services.sql, VISITOR, kind, id);
        return pageAnswer(view, {
          title: record.title.value,
          head: html`<link rel="stylesheet" href="${view.asset("record.css")}">${aboutForMachines(services.config.baseUrl, view, record)}`,
          headers: { Link: signposts(services.config.baseUrl, record) },
          content: content(view, record, services.config.baseUrl),
          hasModels: hasModels(record),
        });
      },
    });
  }
}

const idOf = (c: Ctx, kind: Kind): string => demandId(kind, c.req.param("id") ?? "");

/** The same order on every screen: title, maker and date, picture, text, facts, links, reuse. */
function content(view: View, record: RecordView, baseUrl: string): Html {
  const { row, title, fields } = record;
  const { lat, lon } = row;
  const isOnMap = lat !== null && lon !== null;
  const lead = fields.find(({ field }) => field.field_type === "richtext");
  const elsewhere = fields.filter(
    (shown) =>
      shown === lead || shown.field.name === "rights" || (isOnMap && shown.field.field_type === "geo"),
  );
  const walls = linkedCards(view, record);
  return html`<article class="record">
    <div class="way">${crumbs(view, record)}${neighbours(view)}</div>
    <header class="stack">
      ${text("h1", view, title)}
      ${leadLine(view, record)}
      ${loanLine(view, record)}
    </header>
    ${isOnMap ? worldMap(view, lat, lon, title.value) : media(view, record)}
    ${lead ? html`<div class="told">${paragraphsIn(view, lead.entries)}</div>` : ""}
    ${factList(view, record, elsewhere)}
    ${walls.length === 0 ? "" : html`<div class="walls">${walls}</div>`}
    ${reuseSection(view, record, baseUrl)}
  </article>`;
}

/** Says that the object is on loan, and to whom. */
function loanLine(view: View, { row, borrowers }: RecordView): Html {
  if (!isLent(row)) return html``;
  const { t } = view;
  if (borrowers.length === 0) return html`<p class="on-loan">${t("record.onLoan")}</p>`;
  const names = inOneLine(
    view,
    borrowers.map((item) => linkTo(view, item)),
    borrowers.map(({ title }) => title),
  );
  return html`<p class="on-loan">${t("record.onLoanTo")} ${names}</p>`;
}

function crumbs(view: View, { row, parent }: RecordView): Html {
  const above = parent ? html` <span aria-hidden="true">›</span> ${linkTo(view, parent)}` : "";
  return html`<p class="crumbs"><a href="${view.link(searchAddress({ type: row.record_type }))}">${view.t(`kind.${row.record_type}`)}</a>${above}</p>`;
}

/** Links back to the search and to the neighbouring results. A script fills them in, so that a record has one page. */
function neighbours({ t, link }: View): Html {
  return html`<nav data-search="${link("/search")}" aria-label="${t("record.results")}" hidden>
    <a>${t("record.back")}</a>
    <a rel="prev">${icon("previous")}<span class="hidden">${t("list.before")}</span></a>
    <a rel="next">${icon("next")}<span class="hidden">${t("list.after")}</span></a></nav>`;
}

/** The second line of a museum's label: maker and date of an object, place and date of an event, the dates of a life. */
function leadLine(view: View, record: RecordView): Html {
  const linked = (items: readonly Link[]) => items.map((item) => linkTo(view, item));
  const makers = linked(linkedMakers(record));
  const shown =
    makers.length > 0 ? makers : valuesOf(record, "creator_text").map((value) => html`<bdi>${value}</bdi>`);
  const life = lifeOf(view.t, (name) => valuesOf(record, name)[0]);
  const parts = [
    ...(shown.length > 0 ? [inOneLine(view, shown, makersOf(record))] : []),
    ...linked(linkedBy(record, "took_place_at")),
    ...valuesOf(record, "date").map((value) => html`${dateInWords(value, view.t.language)}`),
    ...(life === "" ? [] : [html`${life}`]),
  ];
  if (parts.length === 0) return html``;
  return html`<p class="lead">${parts.map((part, index) => (index === 0 ? part : html`, ${part}`))}</p>`;
}
