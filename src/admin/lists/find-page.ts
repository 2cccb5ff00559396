/** Search results of all kinds of records on one page. Ctrl-K takes its records from here. */
import { html } from "hono/html";
import { withinLimit } from "../../http/concurrency-limit.ts";
import type { Api } from "../../http/endpoint.ts";
import type { Pages } from "../../pages/page.ts";
import { emptyState } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { KINDS, type Kind } from "../../records/kinds.ts";
import { sizedImage } from "../../records/media/pictures.ts";
import { findCovers } from "../../records/media/store.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import { readHits, type ShownRecord } from "../../records/public/neighbours.ts";
import { currentSchema } from "../../records/schema.ts";
import { wholeKinds } from "../../records/visibility.ts";
import { type FoundIds, findListed } from "../../search/find-listed.ts";
import type { Services } from "../../services.ts";
import { refusal, refusalNote } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import { findPath, listPath, recordPath } from "../sections.ts";
import { searchNotes } from "./search-notes.ts";

/** The most records on the page; the lists show the others. */
const MOST_SHOWN = 20;

export function findPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  page(api, pages, {
    path: findPath,
    summary: "What the search finds in all kinds of record that somebody may read",
    access: "account",
    async show(view) {
      const { c, caller, t, link } = view;
      const q = (c.req.query("q") ?? "").trim().slice(0, 500);
      const found = () =>
        withinLimit(api, view, () =>
          findListed(services, caller, wholeKinds(caller), { q }, c.get("requestId")),
        );
      const shown = async () => (q === "" ? "" : await results(services, view, q, await found()));
      return adminAnswer(view, {
        at: findPath,
        title: t("find.title"),
        content: html`<h1>${t("find.title")}</h1>
          <form class="filters" role="search" aria-label="${t("find.title")}" action="${link(findPath)}">
            <label class="wide"><span>${t("admin.words")}</span><input type="search" name="q" value="${q}" maxlength="500"></label>
            <button class="quiet">${t("search.button")}</button>
          </form>
          ${await shown().catch((error: unknown) => refusalNote(view, refusal(error)))}`,
      });
    },
  });
}

async function results(services: Services, view: View, q: string, found: FoundIds): Promise<Html> {
  const { t, link, caller } = view;
  const { sql } = services;
  const address = (path: string, words: string) => link(`${path}?${new URLSearchParams({ q: words })}`);
  const notes = searchNotes(view, q, found, (words) => address(findPath, words));
  if (found.ids.length === 0)
    return html`${notes}<div id="found">${emptyState(t("search.nothing"), t("find.nothing"))}</div>`;
  const ids = found.ids.slice(0, MOST_SHOWN);
  const schema = await currentSchema(sql);
  const shown = await readHits(sql, schema, caller, ids, [t.language]);
  const paths = await locationPaths(sql, schema, caller, [t.language], [...shown.values()]);
  const covers = await findCovers(sql, caller, ids);
  const records = ids.flatMap((id) => shown.get(id) ?? []);
  const line = ({ id, record_type, idno, title }: ShownRecord) => {
    const cover = covers.get(id);
    const small = cover && sizedImage(link(""), cover, 96);
    const picture = small
      ? html`<img src="${small.address}" width="${small.width}" height="${small.height}" alt="" loading="lazy">`
      : html`<i></i>`;
    return html`<li class="hit"><a href="${link(recordPath(record_type, id))}">${picture}<span><span dir="auto">${paths.get(id) ?? title}</span>${title === idno ? "" : html` <small dir="auto">${idno}</small>`}</span></a> <small>${t(`kind.${record_type}`)}</small></li>`;
  };
  const list = (kind: Kind) =>
    html`<li><a href="${address(listPath(kind), q)}">${t("find.inList", { list: t(`kind.${kind}`) })}</a></li>`;
  const kinds = KINDS.filter((kind) => records.some(({ record_type }) => record_type === kind));
  return html`${notes}<ul class="plain found" id="found">${records.map(line)}${kinds.map(list)}</ul>`;
}
