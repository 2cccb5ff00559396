/** Links of a record: those that there are, and a form for one more. */

import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { offsetOf } from "../../http/answer/list-envelope.ts";
import { type Api, accountOf, type Ctx } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { icon } from "../../pages/icons.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { partLinks } from "../../pages/parts.ts";
import { pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { entriesFor } from "../../portal/record/view.ts";
import { invalid, Problem } from "../../problem.ts";
import { mayMove } from "../../procedures/move.ts";
import { KINDS, kinds } from "../../records/kinds.ts";
import { mayBeQualified, partedNotes } from "../../records/links/attributions.ts";
import { CONCERNS } from "../../records/links/loans.ts";
import { STORED_AT } from "../../records/links/places.ts";
import { changeRelation, removeRelation } from "../../records/links/relation-changes.ts";
import { addRelation, listRelations, type RelationJson } from "../../records/links/relations.ts";
import { findRecords } from "../../records/read/store.ts";
import type { RecordRow } from "../../records/record.ts";
import { currentSchema, relationTypeNamed, type Schema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services, Sql } from "../../services.ts";
import { demandRow, idOf, type RefusedOnRecord, recordNumbered } from "../asked.ts";
import { titleOf } from "../lists/record-list.ts";
import { recordPath } from "../sections.ts";
import { linkChoices } from "./link-choices.ts";
import { qualifierInputs, qualifierOfForm, qualifyForm, wordsOfLink } from "./qualifier-form.ts";

const MOST = 200;

export async function linksSection(
  { sql }: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
  part: number,
): Promise<Html> {
  const { t, link } = view;
  const kind = row.record_type;
  const mayEdit = mayDo(view.caller, "update", kind);
  const list = (asked: number, total: number) =>
    listRelations(sql, view.caller, schema, row, {
      ...{ limit: MOST, offset: offsetOf(asked, { total, size: MOST }) },
    });
  const first = await list(1, 0);
  const { total } = first;
  const { items: found } = part === 1 ? first : await list(part, total);
  const items = await namedForReader(sql, view, schema, found);
  return html`<section class="group" id="links" aria-labelledby="links-title">
    <h2 id="links-title">${t("admin.links")}</h2>
    ${items.length === 0 ? html`<p class="help">${t("admin.noLinks")}</p>` : html`<ul class="linked">${items.map((item) => linkLine(view, schema, row, item, mayEdit))}</ul>`}
    ${partLinks(view, part, { total, size: MOST }, (next) => `${link(recordPath(kind, row.id))}?part=${next}#links`)}
    ${mayEdit ? addForm(view, schema, row) : ""}
  </section>`;
}

/** The same links, with the names of the other records in the reader's language. */
export async function namedForReader(
  sql: Sql,
  view: View,
  schema: Schema,
  items: readonly RelationJson[],
): Promise<RelationJson[]> {
  const ends = await Promise.all(
    [...new Set(items.map(({ to_type }) => to_type))].map((kind) =>
      findRecords(
        sql,
        view.caller,
        kind,
        items.filter(({ to_type }) => to_type === kind).map(({ to_id }) => to_id),
      ),
    ),
  );
  const names = new Map(ends.flat().map((row) => [row.id, titleOf(view, schema, row)]));
  return items.map((item) => ({ ...item, to_title: names.get(item.to_id) ?? item.to_title }));
}

/** What the link says of itself: a role, a date. */
export const roleIn = ({ t }: View, { metadata_ }: RelationJson): string =>
  Object.values(partedNotes(metadata_).notes)
    .flatMap((entries) => entriesFor(entries, t.language).map(({ value }) => value))
    .join(", ");

function linkLine(view: View, schema: Schema, row: RecordRow, item: RelationJson, mayEdit: boolean): Html {
  const { t, link } = view;
  const { label, end } = wordsOfLink(view, schema, titleOf(view, schema, row) || row.idno, item);
  const role = roleIn(view, item);
  const path = link(`${recordPath(row.record_type, row.id)}/links/${item.id}`);
  const named = relationTypeNamed(schema, item.relation_type);
  return html`<li>
    <span class="help">${label}</span>
    <a href="${link(recordPath(item.to_type, item.to_id))}" dir="auto">${end}</a>
    <small>${item.to_idno}${role ? ` · ${role}` : ""}</small>
    ${
      mayEdit
        ? html`${named && mayBeQualified(named.type) ? qualifyForm(view, schema, path, item) : ""}
          <form class="end" method="post" action="${path}/remove">${csrfField(view)}
            <button class="quiet icon-only" aria-label="${t("admin.remove", { what: `${label}${t("form.colon")} ${end}` })}">${icon("cross")}</button></form>`
        : ""
    }
  </li>`;
}

function addForm(view: View, schema: Schema, row: RecordRow): Html {
  const { t, link } = view;
  // objects are moved, with a date and a reason
  const moves = mayMove(schema, view.caller) ? schema.relationTypes.get(STORED_AT) : undefined;
  const choices = linkChoices(view, schema, row.record_type).filter(
    ({ name }) => name !== moves?.name && name !== moves?.inverse,
  );
  if (choices.length === 0) return html``;
  // what is linked to a procedure is mostly what it is about
  const usual = row.record_type === "procedure" ? schema.relationTypes.get(CONCERNS)?.inverse : undefined;
  return html`<form class="filters" method="post" action="${link(`${recordPath(row.record_type, row.id)}/links`)}">
    ${csrfField(view)}
    <label><span>${t("admin.link.type")}</span><select name="relation_type">${choices.map(
      ({ name, label, to, takesQualifier }) =>
        html`<option value="${name}" data-to="${to.map((kind) => kinds[kind].plural).join(",")}" ${takesQualifier ? html`data-qualifies` : ""} ${name === usual ? html`selected` : ""}>${label}</option>`,
    )}</select></label>
    <label class="wide"><span>${t("admin.link.to")}</span><input name="to" required maxlength="200" autocomplete="off" data-pick="by:relation_type"></label>
    <label><span>${t("admin.link.role")}</span><input name="role" maxlength="200"></label>
    ${
      choices.some(({ takesQualifier }) => takesQualifier)
        ? html`<fieldset class="filters" data-qualifying>${qualifierInputs(view, schema)}<noscript><p class="help">${t("admin.link.makersOnly")}</p></noscript></fieldset>`
        : ""
    }
    <button class="quiet">${icon("plus")}${t("admin.link.add")}</button>
  </form>`;
}

function relationOf(c: Ctx): string {
  const id = c.req.param("link") ?? "";
  if (IdShape.safeParse(id).success) return id;
  throw new Problem("not_found", said("problem.relation.not_found", { id: id.slice(0, 100) }));
}

export function linkRoutes(api: Api, pages: Pages, refusedOnRecord: RefusedOnRecord): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { one } = kinds[kind];
    const path = recordPath(kind, "{id}");

    pageForm(api, pages, {
      path: `${path}/links`,
      summary: `Link ${one} with another record`,
      access: { action: "update", kind },
      async take({ c, view, caller, fields }) {
        const row = await demandRow(services, caller, kind, c);
        try {
          const schema = await currentSchema(services.sql, row.configuration_version);
          const relation_type = fields.get("relation_type") ?? "";
          const choice = linkChoices(view, schema, kind).find(({ name }) => name === relation_type);
          const number = (fields.get("to") ?? "").trim();
          const ends = await Promise.all(
            (choice?.to ?? []).map((to) => recordNumbered(services.sql, caller, to, number)),
          );
          const found = ends.filter((end) => end !== undefined);
          if (found.length !== 1) {
            const key = found.length === 0 ? "admin.link.none" : "admin.link.several";
            throw invalid([{ pointer: "/to", detail: said(key, { number }) }]);
          }
          const role = (fields.get("role") ?? "").trim();
          const [end] = found;
          await addRelation(
            services,
            accountOf(caller),
            kind,
            row.id,
            {
              relation_type,
              to_type: end!.record_type,
              to_id: end!.id,
              metadata_: { role: role === "" ? [] : [{ value: role }], ...qualifierOfForm(view.t, fields) },
            },
            null,
          );
        } catch (error) {
          return refusedOnRecord(services, c, view, row, error);
        }
        return redirectTo(c, view, view.link(`${recordPath(kind, row.id)}#links`), "admin.link.added");
      },
    });

    pageForm(api, pages, {
      path: `${path}/links/{link}/qualify`,
      summary: `Say how a link of ${one} qualifies a maker`,
      access: { action: "update", kind },
      async take({ c, view, caller, fields }) {
        const row = await demandRow(services, caller, kind, c);
        try {
          const place = { kind, id: row.id, relationId: relationOf(c), expected: null };
          await changeRelation(services, accountOf(caller), place, (old) => ({
            ...old,
            ...qualifierOfForm(view.t, fields, old),
          }));
        } catch (error) {
          return refusedOnRecord(services, c, view, row, error);
        }
        return redirectTo(c, view, view.link(`${recordPath(kind, row.id)}#links`), "admin.link.qualified");
      },
    });

    pageForm(api, pages, {
      path: `${path}/links/{link}/remove`,
      summary: `Take a link of ${one} away`,
      access: { action: "update", kind },
      async take({ c, view, caller }) {
        const id = idOf(c, kind);
        const place = { kind, id, relationId: relationOf(c), expected: null };
        await removeRelation(services, accountOf(caller), place);
        return redirectTo(c, view, view.link(`${recordPath(kind, id)}#links`), "admin.link.removed");
      },
    });
  }
}
