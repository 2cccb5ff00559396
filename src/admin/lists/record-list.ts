/** Lists of records for staff. Filters, order and page are in the address. */

import { html } from "hono/html";
import { mayDo, mayUse } from "../../caller.ts";
import { withinLimit } from "../../http/concurrency-limit.ts";
import type { Api } from "../../http/endpoint.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { emptyState, paging } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, StaffView, View } from "../../pages/view.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { type Picture, sizedImage } from "../../records/media/pictures.ts";
import { findCovers } from "../../records/media/store.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import { listRecords, type Page } from "../../records/read/list.ts";
import type { Sort } from "../../records/read/list-order.ts";
import { idsOf, type RecordRow } from "../../records/record.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import { mayPublish } from "../../records/visibility.ts";
import type { Services } from "../../services.ts";
import { refusal, refusalNote } from "../asked.ts";
import { pathInList } from "../editor/neighbours.ts";
import { adminAnswer } from "../layout.ts";
import { titleOf } from "../record-names.ts";
import { bulkPath, duplicatesPath, LABELLED, listPath, photosPath, trashPath } from "../sections.ts";
import { columnChoice, columnsOf, columnsPath, type ListColumn } from "./columns.ts";
import { keepColumns, withColumns } from "./columns-store.ts";
import { exportLinks } from "./export.ts";
import { filterForm } from "./filters.ts";
import { listQueryOf, withTerms } from "./list-query.ts";
import { isFiltered, LAST_PAGE, type ListParams, pathOfList, queryOf, readListParams } from "./params.ts";
import { searchNotes } from "./search-notes.ts";
import { viewsMenu } from "./views.ts";
import { listViews } from "./views-store.ts";

const PAGE_SIZE = 50;
export function recordListRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  columnRoutes(api, pages);
  for (const kind of KINDS) {
    page(api, pages, {
      path: listPath(kind),
      summary: `The list of ${kinds[kind].many} for staff`,
      access: { action: "read", kind },
      async show(view) {
        const { caller } = view;
        const schema = await currentSchema(sql, view.settings.version);
        const given = readListParams(new URL(view.c.req.url).searchParams, schema, kind);
        const { asked, labels } = await withTerms(sql, view, schema, kind, given);
        const [{ found, told, refused }, withKept, views] = await Promise.all([
          withinLimit(api, view, () => findPage(api.services, view, schema, kind, asked)),
          withColumns(sql, caller, kind, asked),
          listViews(sql, caller, kind),
        ]);
        const ids = idsOf(found.rows);
        const [covers, columns, paths] = await Promise.all([
          kind === "object" ? findCovers(sql, caller, ids) : new Map<string, Picture>(),
          columnsOf(sql, view, schema, kind, withKept.columns, found.rows),
          locationPaths(sql, schema, caller, [view.t.language], found.rows),
        ]);
        const shown = { kind, schema, asked, columns, rows: found.rows, covers, paths };
        return adminAnswer(view, {
          at: listPath(kind),
          title: view.t(`kind.${kind}`),
          content: html`
            <div class="heading"><h1>${view.t(`kind.${kind}`)}</h1>
              <p class="help">${view.t("job.count.records", { count: found.total })}</p>
              ${kind === "object" && mayUse(caller, "media:write") ? html`<a class="button quiet" href="${view.link(photosPath)}">${view.t("photos.title")}</a>` : ""}
              ${mayDo(caller, "create", kind) ? html`<a class="button" href="${view.link(`${listPath(kind)}/new`)}">${view.t("admin.new")}</a>` : ""}
            </div>
            ${viewsMenu(view, kind, views, queryOf({ ...asked, page: 1 }), queryOf({ ...withKept, page: 1 }))}
            ${filterForm(view, { schema, kind, asked, labels })}
            ${columnChoice(view, schema, kind, columns, queryOf({ ...asked, columns: [] }))}
            ${refused ? refusalNote(view, refused) : ""}
            ${told ? searchNotes(view, asked.q, told, (q) => view.link(pathOfList(kind, { ...asked, q, page: 1 }))) : ""}
            ${refused ? "" : found.rows.length === 0 ? empty(view, kind, asked) : chooser(view, kind, asked, found, table(view, shown))}
            ${below(view, kind, withKept, found.rows.length > 0)}
            ${paging(view, asked.page, Math.min(LAST_PAGE, Math.ceil(found.total / PAGE_SIZE)), (number) => view.link(pathOfList(kind, { ...asked, page: number })))}`,
        });
      },
    });
  }
}

function columnRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  for (const kind of KINDS)
    pageForm(api, pages, {
      path: columnsPath(kind),
      summary: `Choose the columns of the list of ${kinds[kind].many}`,
      access: { action: "read", kind },
      async take(view, fields) {
        const columns = [...fields.keys()].filter((name) => name.startsWith("column/"));
        const given = new URLSearchParams(fields.get("query") ?? "");
        for (const name of columns) given.append("column", name.slice("column/".length));
        const asked = readListParams(given, await currentSchema(sql), kind);
        await keepColumns(sql, view.caller, kind, asked.columns);
        return redirectTo(view, pathOfList(kind, { ...asked, columns: [] }), "list.columnsKept");
      },
    });
}

/** A page of the list. `refused`: the fault of a filter; then the list is empty. */
async function findPage(services: Services, view: StaffView, schema: Schema, kind: Kind, asked: ListParams) {
  const { page } = asked;
  try {
    const { query, found: told } = await listQueryOf(services, view, schema, kind, asked);
    const shown = { ...query, page, page_size: PAGE_SIZE };
    const found = await listRecords(services.sql, view.caller, kind, shown);
    return { found, told, refused: null };
  } catch (error) {
    const found: Page = { total: 0, page, rows: [], next: null };
    return { found, told: null, refused: refusal(error) };
  }
}

/** Further actions for a list: export, possible duplicates, and the trash. */
function below(view: View, kind: Kind, asked: ListParams, isAny: boolean): Html {
  const { t, link } = view;
  return html`<nav class="below-list" aria-label="${t("list.further")}">${isAny ? exportLinks(view, kind, asked) : ""}
    ${(["update", "delete"] as const).every((action) => mayDo(view.caller, action, kind)) ? html`<a href="${link(duplicatesPath(kind))}">${t("duplicates.title")}</a>` : ""}
    ${mayDo(view.caller, "delete", kind) ? html`<a href="${link(trashPath(kind))}">${t("trash.title")}</a>` : ""}</nav>`;
}

/** The form around the table that selects records for a batch edit. Only for people who may change some. */
function chooser(view: View, kind: Kind, asked: ListParams, { total, rows }: Page, content: Html): Html {
  if (!mayDo(view.caller, "update", kind)) return content;
  const { t, link } = view;
  return html`<form class="groups chooser" method="post" action="${link(bulkPath(kind))}">${csrfField(view)}
    <input type="hidden" name="back" value="${queryOf(asked)}">
    ${rows.map(({ id }) => html`<input type="hidden" name="row/${id}" value="on">`)}
    <div class="filters selection">
      <output data-picked data-some="${t("bulk.picked", { count: "{count}" })}" data-all="${t("bulk.pickedFound", { count: total })}" hidden></output>
      ${total > rows.length ? html`<button type="button" class="quiet small" data-found hidden>${t("bulk.pickFound", { count: total })}</button>` : ""}
      <label data-scope><span>${t("bulk.which")}</span><select name="scope"><option value="chosen">${t("bulk.scope.chosen")}</option><option value="page">${t("bulk.scope.page")}</option><option value="found">${t("bulk.scope.found", { count: total })}</option></select></label>
      <button class="quiet">${t("bulk.edit")}</button>
      ${mayPublish(view.caller, kind) ? html`<button class="quiet" name="edit" value="publish">${t("bulk.publish")}</button><button class="quiet" name="edit" value="unpublish">${t("bulk.unpublish")}</button>` : ""}
      ${kind === "object" && mayDo(view.caller, "read", "storage_location") ? html`<button class="quiet" name="move" value="yes">${t("bulk.move")}</button>` : ""}
      ${mayDo(view.caller, "delete", kind) ? html`<button class="quiet" name="merge" value="yes">${t("merge.button")}</button>` : ""}
      ${LABELLED.includes(kind) ? html`<button class="quiet" name="labels" value="yes">${t("care.labels")}</button>` : ""}
    </div>
    ${content}</form>`;
}

/** The query, columns and rows of a list. */
type Shown = {
  kind: Kind;
  schema: Schema;
  asked: ListParams;
  columns: readonly ListColumn[];
  rows: readonly RecordRow[];
  covers: ReadonlyMap<string, Picture>;
  paths: ReadonlyMap<string, string>;
};

function table(view: View, shown: Shown): Html {
  const { t } = view;
  const { kind, asked, columns, rows } = shown;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t(`kind.${kind}`)}"><table class="records">
    <thead><tr>
      ${mayDo(view.caller, "update", kind) ? html`<th class="pick"><input type="checkbox" data-pick-all hidden aria-label="${t("bulk.pickAll")}"></th>` : ""}
      ${kind === "object" ? html`<th><span class="hidden">${t("admin.picture")}</span></th>` : ""}
      ${heading(view, kind, asked, "idno", t("admin.number"))}
      ${heading(view, kind, asked, "title", t("admin.name"))}
      ${columns.map(({ sort, label }) => (sort ? heading(view, kind, asked, sort, label) : html`<th>${label}</th>`))}
    </tr></thead>
    <tbody>${rows.map((row) => line(view, shown, row))}</tbody>
  </table></div>`;
}

/** A heading that sorts; a second click reverses the order. */
function heading(view: View, kind: Kind, asked: ListParams, sort: Sort, label: string): Html {
  const isSorted = asked.sort === sort;
  const first = sort === "updated_at" || sort === "created_at" ? "desc" : "asc";
  const dir = isSorted ? (asked.dir === "asc" ? "desc" : "asc") : first;
  const sorted = isSorted ? html` aria-sort="${asked.dir === "asc" ? "ascending" : "descending"}"` : "";
  return html`<th${sorted}><a href="${view.link(pathOfList(kind, { ...asked, sort, dir, page: 1 }))}">${label}</a></th>`;
}

function line(view: View, { kind, schema, asked, columns, covers, paths }: Shown, row: RecordRow): Html {
  const { t, link } = view;
  const here = link(pathInList(row, queryOf(asked)));
  const cover = covers.get(row.id);
  const small = cover && sizedImage(link(""), cover, 96);
  return html`<tr>
    ${mayDo(view.caller, "update", kind) ? html`<td class="pick"><input type="checkbox" name="pick/${row.id}" aria-label="${t("bulk.pick", { what: row.idno })}"></td>` : ""}
    ${kind === "object" ? html`<td class="thumbnail">${small ? html`<img src="${small.address}" width="${small.width}" height="${small.height}" alt="" loading="lazy">` : ""}</td>` : ""}
    <td class="nowrap"><a href="${here}">${row.idno}</a></td>
    <td><a href="${here}" dir="auto">${paths.get(row.id) ?? titleOf(view, schema, row) ?? t("style.untitled")}</a></td>
    ${columns.map(({ cell }) => html`<td dir="auto">${cell(row)}</td>`)}
  </tr>`;
}

function empty(view: View, kind: Kind, asked: ListParams): Html {
  const { t, link } = view;
  if (isFiltered(asked)) {
    return emptyState(
      t("search.nothing"),
      t("admin.nothingFiltered"),
      html`<a class="button quiet" href="${link(listPath(kind))}">${t("admin.showAll")}</a>`,
    );
  }
  const next = mayDo(view.caller, "create", kind)
    ? html`<a class="button" href="${link(`${listPath(kind)}/new`)}">${t("admin.new")}</a>`
    : html``;
  return emptyState(t("admin.none"), t("admin.noneText"), next);
}
