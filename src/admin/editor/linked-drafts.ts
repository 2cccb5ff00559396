/** After a publication: what visitors still cannot see, why, and a button to publish linked drafts, too. */
import { html } from "hono/html";
import { type Account, type Caller, mayDo, permissionTo, refuse } from "../../caller.ts";
import { withinLimit } from "../../http/concurrency-limit.ts";
import type { Api } from "../../http/endpoint.ts";
import { say } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { findImport, isUndoable } from "../../records/batch/imports-list.ts";
import { type Kind, PUBLIC_KINDS } from "../../records/kinds.ts";
import { findHidden, type Hidden } from "../../records/links/hidden.ts";
import {
  countLinkedDrafts,
  draftsQuery,
  findLinkedDrafts,
  type LinkedDrafts,
  listLinkedDrafts,
  MOST_LISTED,
} from "../../records/links/linked-drafts.ts";
import { findRecords } from "../../records/read/store.ts";
import { stateOf } from "../../records/record.ts";
import { currentSchema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import { mayPublish } from "../../records/visibility.ts";
import { stateFaults } from "../../records/write/rules.ts";
import { changeStatus } from "../../records/write/write.ts";
import type { Services, Sql } from "../../services.ts";
import { refusal } from "../asked.ts";
import { namePlainly } from "../field-names.ts";
import { bulkPath, recordPath } from "../sections.ts";

const PATH = "/admin/publish-drafts";

const mayPublishDraft = (caller: Caller, kind: Kind): boolean =>
  mayPublish(caller, kind) && mayDo(caller, "update", kind);

const named = ({ names, count }: Pick<Hidden, "names" | "count">): Html =>
  html`<span dir="auto">${names.join(", ")}${count > names.length ? " …" : ""}</span>`;

/** `id`: of the public record, import or batch edit. `here`: the path of its page. Empty if visitors can see everything. */
export async function unseenNote(
  services: Pick<Services, "sql" | "config">,
  view: View,
  id: string,
  here: string,
): Promise<Html> {
  const { t, caller } = view;
  const drafts = await findLinkedDrafts(services.sql, caller, id);
  const hidden = await findHidden(services.sql, caller, id, services.config.publicCollectionStatuses);
  if (drafts.length + hidden.length === 0) return html``;
  const total = drafts.reduce((sum, { count }) => sum + count, 0);
  const isMany = total > MOST_LISTED;
  const unready = drafts.length > 0 && !isMany ? await unreadyDrafts(services, view, id) : [];
  const own = drafts.filter((each) => mayPublishDraft(caller, each.record_type));
  const ready = own.reduce((sum, { count }) => sum + count, 0) - unready.length;
  return note(
    "warning",
    html`${
      drafts.length === 0
        ? ""
        : html`<p>${t("drafts.linked", { count: total })}</p><ul class="plain">${drafts.map((one) => line(view, id, one, isMany))}</ul>
    ${unready.length === 0 ? "" : html`<p>${t("drafts.unready", { count: unready.length })}</p><ul>${unready}</ul>`}
    ${
      isMany || ready <= 0
        ? ""
        : html`<form method="post" action="${view.link(PATH)}">${csrfField(view)}
          <input type="hidden" name="id" value="${id}"><input type="hidden" name="here" value="${here}">
          <button>${t("drafts.publishAll", { count: ready })}</button></form>`
    }`
    }${hidden.map((one) => hiddenLine(view, one))}`,
  );
}

/** Before a publication of these records: linked drafts that visitors would not see. */
export async function linkedDraftsNote(sql: Sql, view: View, ids: readonly string[]): Promise<Html> {
  const { t, formats } = view;
  const drafts = await countLinkedDrafts(sql, view.caller, ids);
  if (drafts.length === 0) return html``;
  const total = drafts.reduce((sum, { count }) => sum + count, 0);
  return note(
    "information",
    html`<p>${t("drafts.linked", { count: total })}</p>
      <ul class="plain">${drafts.map((one) => html`<li>${t(`kind.${one.record_type}`)}${t("form.colon")} ${formats.number(one.count)} ${named(one)}</li>`)}</ul><p>${t("drafts.after", { count: total })}</p>`,
  );
}

function line(
  view: View,
  id: string,
  { record_type: kind, list, ...one }: LinkedDrafts,
  isMany: boolean,
): Html {
  const { t, link } = view;
  const counted = `${t(`kind.${kind}`)}${t("form.colon")} ${view.formats.number(one.count)}`;
  return html`<li class="row"><a href="${link(list)}">${counted}</a>
    ${named(one)}
    ${
      isMany && mayPublishDraft(view.caller, kind)
        ? html`<form method="post" action="${link(bulkPath(kind))}">${csrfField(view)}
          <input type="hidden" name="scope" value="found"><input type="hidden" name="back" value="${draftsQuery(id)}">
          <button class="quiet small" name="edit" value="publish" aria-label="${t("drafts.publishThese", { what: counted })}">${t("drafts.publish")}</button></form>`
        : ""
    }</li>`;
}

const hiddenLine = ({ t }: View, one: Hidden): Html =>
  html`<p>${t(`drafts.hidden.${one.why}`, { count: one.count })} ${named(one)}</p>`;

/** Drafts that are not ready for publication, each with the reason. */
async function unreadyDrafts({ sql }: Pick<Services, "sql">, view: View, id: string): Promise<Html[]> {
  const { t, link, caller } = view;
  const schema = await currentSchema(sql);
  const drafts = await listLinkedDrafts(sql, caller, id, [t.language]);
  const items: Html[] = [];
  for (const kind of new Set(
    drafts.map(({ record_type }) => record_type).filter((one) => mayPublishDraft(caller, one)),
  )) {
    const own = new Map(drafts.filter(({ record_type }) => record_type === kind).map((one) => [one.id, one]));
    for (const row of await findRecords(sql, caller, kind, [...own.keys()])) {
      const [fault] = stateFaults(
        schema,
        kind,
        { ...stateOf(row), status: "public" },
        { before: row.metadata },
      );
      if (!fault) continue;
      const why = say(t, fault.detail, (name) => namePlainly(view, schema, kind, name));
      const { idno, title } = own.get(row.id)!;
      items.push(
        html`<li><a href="${link(recordPath(kind, row.id))}" dir="auto">${title === idno ? idno : `${idno} ${title}`}</a>${t("form.colon")} ${why}</li>`,
      );
    }
  }
  return items;
}

export function publishDraftsRoute(api: Api, pages: Pages): void {
  pageForm(api, pages, {
    path: PATH,
    summary: "Publish the drafts that are linked with what was published",
    access: "account",
    async take(view, fields) {
      const { caller } = view;
      if (!PUBLIC_KINDS.some((kind) => mayPublishDraft(caller, kind)))
        throw refuse(caller, permissionTo("publish", "entity"));
      const id = IdShape.safeParse(fields.get("id") ?? "").data;
      const here = /^\/admin(\/[\w-]+)+$/.exec(fields.get("here") ?? "")?.[0] ?? "/admin";
      const isDone =
        id === undefined || (await withinLimit(api, view, () => publishDrafts(api.services, caller, id)));
      return redirectTo(view, here, isDone ? "drafts.published" : "drafts.someLeft");
    },
  });
}

/**
 * Publishes them one by one, so that a refused one does not stop the others. False if any remains. The undo of the import or
 * batch edit takes them back, too.
 */
async function publishDrafts(services: Services, caller: Account, id: string): Promise<boolean> {
  let isDone = true;
  const found = await findImport(services.sql, id);
  const importId = found && isUndoable(found) ? id : null;
  for (const draft of await listLinkedDrafts(services.sql, caller, id, [])) {
    if (!mayPublishDraft(caller, draft.record_type)) continue;
    try {
      await changeStatus(services, caller, draft.record_type, draft.id, "public", null, { importId });
    } catch (error) {
      refusal(error);
      isDone = false;
    }
  }
  return isDone;
}
