/** The trash of a kind of record: what it contains, since when, who deleted it, and a button to restore it. */
import { html } from "hono/html";
import type { Api } from "../../http/endpoint.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { emptyState, paging, statusMark } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { PageView, View } from "../../pages/view.ts";
import type { Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { listRecords } from "../../records/read/list.ts";
import { findDeleters } from "../../records/read/store.ts";
import { idsOf, type RecordRow } from "../../records/record.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import { restoreRecord } from "../../records/write/trash.ts";
import type { Sql } from "../../services.ts";
import { idOf, pageAsked, refusal, refusalNote } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import { titleOf } from "../record-names.ts";
import { listPath, recordPath, trashPath } from "../sections.ts";
import { LAST_PAGE } from "./params.ts";

const PAGE_SIZE = 50;

export function trashPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { one, many } = kinds[kind];
    const access = { action: "delete", kind } as const;

    page(api, pages, {
      path: trashPath(kind),
      summary: `The trash of ${many}`,
      access,
      show: (view) => trashPage(services.sql, view, kind),
    });

    pageForm(api, pages, {
      path: `${recordPath(kind, "{id}")}/restore`,
      summary: `Restore ${one} from the trash`,
      access,
      async take(view) {
        const id = idOf(view, kind);
        try {
          await restoreRecord(services, view.caller, kind, id, null);
        } catch (error) {
          return trashPage(services.sql, view, kind, refusal(error));
        }
        return redirectTo(view, recordPath(kind, id), "trash.restored");
      },
    });
  }
}

/** `refused`: why a record cannot be restored, for example because another one has its number. */
async function trashPage(sql: Sql, view: PageView, kind: Kind, refused?: Problem): Promise<Response> {
  const { t, link, caller } = view;
  const schema = await currentSchema(sql);
  const number = Math.min(pageAsked(view), LAST_PAGE);
  const { rows, total } = await listRecords(sql, caller, kind, {
    ...{ trash: true, page: number, page_size: PAGE_SIZE },
    ...{ sort_by: "updated_at", sort_dir: "desc" },
  });
  const deleters = await findDeleters(sql, idsOf(rows));
  return adminAnswer(view, {
    at: listPath(kind),
    title: t("trash.title"),
    status: refused?.status,
    content: html`<div><p class="crumbs"><a href="${link(listPath(kind))}">${t(`kind.${kind}`)}</a></p>
        <h1>${t("trash.title")}</h1><p class="help">${t("trash.text")}</p></div>
      ${refused ? refusalNote(view, refused) : ""}
      ${
        rows.length === 0
          ? emptyState(t("trash.none"), t("trash.noneText"))
          : html`<div class="scroll" tabindex="0" role="region" aria-label="${t("trash.title")}"><table class="records trash">
        <thead><tr><th>${t("admin.number")}</th><th>${t("admin.name")}</th><th>${t("admin.status")}</th><th>${t("trash.since")}</th><th>${t("trash.by")}</th><th><span class="hidden">${t("trash.restore")}</span></th></tr></thead>
        <tbody>${rows.map((row) => line(view, schema, row, deleters.get(row.id)?.email ?? null))}</tbody></table></div>`
      }
      ${paging(view, number, Math.min(LAST_PAGE, Math.ceil(total / PAGE_SIZE)), (next) => `${link(trashPath(kind))}?page=${next}`)}`,
  });
}

function line(view: View, schema: Schema, row: RecordRow, by: string | null) {
  const { t, link, formats } = view;
  const kind: Kind = row.record_type;
  return html`<tr><td class="nowrap">${row.idno}</td>
    <td><span dir="auto">${titleOf(view, schema, row) ?? t("style.untitled")}</span></td>
    <td>${statusMark(view, row.status)}</td>
    <td class="nowrap"><time datetime="${row.deleted_at}Z">${formats.time(row.deleted_at!)}</time></td>
    <td>${by ?? t("admin.theProgram")}</td>
    <td><form method="post" action="${link(`${recordPath(kind, row.id)}/restore`)}">${csrfField(view)}<button class="quiet small" aria-label="${t("trash.restoreThis", { what: row.idno })}">${t("trash.restore")}</button></form></td></tr>`;
}
