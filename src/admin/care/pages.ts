/** Collections care: where objects are, and what is due. */

import { html } from "hono/html";
import { type Caller, mayDo } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { icon } from "../../pages/icons.ts";
import type { Pages } from "../../pages/page.ts";
import { emptyState, numberAsked, partLinks } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { type DueProcedure, dueProcedures } from "../../procedures/due.ts";
import { type StorageNode, storageTree } from "../../procedures/storage.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import { adminAnswer } from "../layout.ts";
import { listPath, recordPath } from "../sections.ts";
import { nameOf } from "./movement-tables.ts";

const MOST_DUE = 500;
export const MOST_PLACES = 5_000;

export function carePageRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;

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
