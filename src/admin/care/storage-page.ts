/** The tree of storage locations. */

import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import type { Pages } from "../../pages/page.ts";
import { emptyState } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { type StorageNode, storageTree } from "../../procedures/storage.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import { valuePlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { nameOf } from "../record-names.ts";
import { listPath, recordPath } from "../sections.ts";

export const MOST_PLACES = 5_000;

export function storagePageRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;

  page(api, pages, {
    path: "/admin/storage",
    summary: "The tree of storage locations",
    access: { action: "read", kind: "storage_location" },
    async show(view) {
      const { nodes, total } = await storageTree(sql, view.caller, MOST_PLACES);
      const schema = await currentSchema(sql);
      return adminAnswer(view, {
        at: "/admin/storage",
        title: view.t("admin.storage"),
        content: html`<div class="heading"><h1>${view.t("admin.storage")}</h1>${newPlace(view)}</div>
          ${nodes.length === 0 ? emptyState(view.t("admin.none"), view.t("admin.storage.noneText")) : tree(view, schema, nodes)}${total > nodes.length ? html`<p class="help">${view.t("bulk.shown", { shown: nodes.length, all: total })} <a href="${view.link(listPath("storage_location"))}">${view.t("kind.storage_location")}</a></p>` : ""}`,
      });
    },
  });
}

const newPlace = (view: View): Html =>
  mayDo(view.caller, "create", "storage_location")
    ? html`<a class="button" href="${view.link(`${listPath("storage_location")}/new`)}">${view.t("admin.new.storage_location")}</a>`
    : html``;

export function tree(view: View, schema: Schema, nodes: readonly StorageNode[]): Html {
  const known = new Set(nodes.map(({ id }) => id));
  const below = new Map<string | null, StorageNode[]>();
  for (const node of nodes) {
    // a location whose parent is not shown appears at the top
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
      const line = html`<a href="${view.link(recordPath("storage_location", node.id))}" dir="auto">${nameOf(view, schema, node)}</a> <small>${node.idno} · ${valuePlainly(view, schema, "storage_location", "storage_location_type", node.subtype)} · ${view.t("browse.objects", { count: sums.get(node.id) ?? 0 })}</small>`;
      return html`<li>${line}${children.length === 0 ? "" : branch(node.id)}</li>`;
    })}</ul>`;
  return html`<div class="tree">${branch(null)}</div>`;
}
