/** Collections care: where objects are, moving them, and what is due. */

import { html } from "hono/html";
import { type Caller, mayDo } from "../caller.ts";
import { type Api, accountOf } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { csrfField } from "../pages/forms.ts";
import { icon } from "../pages/icons.ts";
import { type Pages, redirectTo } from "../pages/page.ts";
import { emptyState, numberAsked, partLinks } from "../pages/parts.ts";
import { page, pageForm } from "../pages/routes.ts";
import { labelIn } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { invalid } from "../problem.ts";
import { type DueProcedure, dueProcedures } from "../procedures/due.ts";
import { locationsOf, mayMove, moveObject } from "../procedures/move.ts";
import { type StorageNode, storageTree } from "../procedures/storage.ts";
import { bestTitle, type RecordRow } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { demandRow, type RefusedOnRecord, recordNumbered } from "./asked.ts";
import { adminAnswer } from "./layout.ts";
import { namedForReader } from "./links-section.ts";
import { listPath, recordPath } from "./sections.ts";

const MOST_DUE = 500;
export const MOST_PLACES = 5_000;

/** On the page of an object: where it is, and a form to move it. */
export async function locationSection(
  { sql }: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
): Promise<Html> {
  if (!mayMove(schema, view.caller)) return html``;
  const { t, link } = view;
  const found = await locationsOf(sql, view.caller, schema, row.id);
  const places = await namedForReader(sql, view, schema, found);
  const today = new Date().toISOString().slice(0, 10);
  return html`<section class="group" id="location" aria-labelledby="location-title">
    <h2 id="location-title">${t("admin.location")}</h2>
    ${
      places.length === 0
        ? html`<p class="help">${t("admin.location.none")}</p>`
        : html`<p>${places.map((place) => html`<a href="${link(recordPath("storage_location", place.to_id))}" dir="auto">${place.to_title || place.to_idno}</a> <small>${place.to_idno}</small> `)}</p>`
    }
    <form class="filters" method="post" action="${link(`${recordPath("object", row.id)}/move`)}">
      ${csrfField(view)}
      <label class="wide"><span>${t("admin.location.to")}</span><input name="to" required maxlength="200" autocomplete="off" data-pick="storage-locations"></label>
      <label><span>${t("admin.location.day")}</span><input type="date" name="day" value="${today}" required></label>
      <label class="wide"><span>${t("admin.location.note")}</span><input name="note" maxlength="2000"></label>
      <button class="quiet">${t("admin.location.move")}</button>
    </form>
  </section>`;
}

export function carePageRoutes(api: Api, pages: Pages, refusedOnRecord: RefusedOnRecord): void {
  const { services } = api;
  const { sql } = services;

  pageForm(api, pages, {
    path: "/admin/objects/{id}/move",
    summary: "Move an object to another storage location",
    access: { action: "update", kind: "object" },
    async take({ c, view, caller, fields }) {
      const row = await demandRow(services, caller, "object", c);
      try {
        const number = (fields.get("to") ?? "").trim();
        const place = mayDo(caller, "read", "storage_location")
          ? await recordNumbered(sql, caller, "storage_location", number)
          : undefined;
        if (!place) throw invalid([{ pointer: "/to", detail: said("admin.location.unknown", { number }) }]);
        const day = fields.get("day") ?? "";
        if (!isDay(day)) throw invalid([{ pointer: "/day", detail: said("admin.location.noDay", { day }) }]);
        if (day > tomorrow())
          throw invalid([{ pointer: "/day", detail: said("admin.location.future", { day }) }]);
        const note = (fields.get("note") ?? "").trim();
        await moveObject(services, accountOf(caller), row.id, { to: place.id, day, note });
      } catch (error) {
        return refusedOnRecord(services, c, view, row, error);
      }
      return redirectTo(
        c,
        view,
        view.link(`${recordPath("object", row.id)}#location`),
        "admin.location.moved",
      );
    },
  });

  page(api, pages, {
    path: "/admin/due",
    summary: "What is due",
    access: { action: "read", kind: "procedure" },
    async show({ c, view, caller }) {
      const schema = await currentSchema(sql);
      const today = new Date().toISOString().slice(0, 10);
      const part = numberAsked(c, "part");
      const { due, long } = await dueProcedures(sql, caller, today, { part, size: MOST_DUE });
      const others = partLinks(view, part, long, (next) => `${view.link("/admin/due")}?part=${next}`);
      return adminAnswer(c, view, {
        at: "/admin/due",
        title: view.t("admin.due"),
        content: html`<div class="heading"><h1>${view.t("admin.due")}</h1></div>${due.length === 0 ? emptyState(view.t("admin.due.none"), view.t("admin.due.noneText")) : html`${dueTable(view, schema, due)}${others}`}`,
      });
    },
  });

  page(api, pages, {
    path: "/admin/storage",
    summary: "The tree of storage locations",
    access: { action: "read", kind: "storage_location" },
    async show({ c, view, caller }) {
      const { nodes, total } = await storageTree(sql, caller, MOST_PLACES);
      const schema = await currentSchema(sql);
      return adminAnswer(c, view, {
        at: "/admin/storage",
        title: view.t("admin.storage"),
        content: html`<div class="heading"><h1>${view.t("admin.storage")}</h1>${newPlace(view, caller)}</div>
          ${nodes.length === 0 ? emptyState(view.t("admin.none"), view.t("admin.storage.noneText")) : tree(view, schema, nodes)}${total > nodes.length ? html`<p class="help">${view.t("bulk.shown", { shown: nodes.length, all: total })} <a href="${view.link(listPath("storage_location"))}">${view.t("kind.storage_location")}</a></p>` : ""}`,
      });
    },
  });
}

const newPlace = (view: View, caller: Caller): Html =>
  mayDo(caller, "create", "storage_location")
    ? html`<a class="button" href="${view.link(`${listPath("storage_location")}/new`)}">${view.t("admin.new.storage_location")}</a>`
    : html``;

/** A day of the calendar that a database can keep. */
function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** In UTC: no later day has begun anywhere. */
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

export const nameOf = ({ t }: View, { names, idno }: { names: StorageNode["names"]; idno: string }): string =>
  bestTitle(names ?? undefined, [t.language]) ?? idno;

function subtypeName(
  { t }: View,
  schema: Schema,
  kind: "procedure" | "storage_location",
  name: string,
): string {
  const subtype = schema.subtypes.get(kind)?.get(name);
  return subtype ? labelIn(subtype.label, t.language, name) : name;
}

function dueTable(view: View, schema: Schema, due: readonly DueProcedure[]): Html {
  const { t, link, formats } = view;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("admin.due")}"><table>
    <thead><tr><th>${t("column.due_date")}</th><th>${t("admin.number")}</th><th>${t("admin.name")}</th><th>${t("search.subtype")}</th></tr></thead>
    <tbody>${due.map(
      (
        one,
      ) => html`<tr><td class="nowrap">${one.is_overdue ? html`<b class="fault">${icon("warning")} ${t("admin.overdue")}</b> ` : ""}<time datetime="${one.due_date}">${formats.day(`${one.due_date}T12:00:00`)}</time></td>
      <td class="nowrap"><a href="${link(recordPath("procedure", one.id))}">${one.idno}</a></td><td dir="auto">${nameOf(view, one)}</td><td>${subtypeName(view, schema, "procedure", one.subtype)}</td></tr>`,
    )}</tbody></table></div>`;
}

function tree(view: View, schema: Schema, nodes: readonly StorageNode[]): Html {
  const known = new Set(nodes.map(({ id }) => id));
  const below = new Map<string | null, StorageNode[]>();
  for (const node of nodes) {
    // what lies below something that is not shown stands on top
    const above = node.parent_id !== null && known.has(node.parent_id) ? node.parent_id : null;
    below.set(above, [...(below.get(above) ?? []), node]);
  }
  const sums = new Map<string, number>();
  const sum = (node: StorageNode): number => {
    const all = (below.get(node.id) ?? []).reduce((total, child) => total + sum(child), node.stored);
    sums.set(node.id, all);
    return all;
  };
  for (const node of below.get(null) ?? []) sum(node);
  const branch = (above: string | null): Html =>
    html`<ul>${(below.get(above) ?? []).map((node) => {
      const children = below.get(node.id) ?? [];
      const line = html`<a href="${view.link(recordPath("storage_location", node.id))}" dir="auto">${nameOf(view, node)}</a> <small>${node.idno} · ${subtypeName(view, schema, "storage_location", node.subtype)} · ${view.t("browse.objects", { count: sums.get(node.id) ?? 0 })}</small>`;
      return html`<li>${line}${children.length === 0 ? "" : branch(node.id)}</li>`;
    })}</ul>`;
  return html`<div class="tree">${branch(null)}</div>`;
}
