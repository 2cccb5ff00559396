/** Two records side by side, to help decide whether they are the same. */
import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import { datesOf, subtypeName } from "../../portal/card-facts.ts";
import type { Kind } from "../../records/kinds.ts";
import { listRelations } from "../../records/links/relations.ts";
import { type Picture, sizedImage } from "../../records/media/pictures.ts";
import { findCovers } from "../../records/media/store.ts";
import { idsOf, type RecordRow } from "../../records/record.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import { visibleMetadata } from "../../records/visibility.ts";
import type { Sql } from "../../services.ts";
import { namePlainly } from "../field-names.ts";
import { titleOf } from "../record-names.ts";
import { recordPath } from "../sections.ts";

export type Compared = {
  row: RecordRow;
  title: string;
  picture: Picture | undefined;
  /** Values by their label. */
  facts: ReadonlyMap<string, string>;
  /** More values by label, shown only if the two records differ. */
  differences: ReadonlyMap<string, string>;
};

/** The most linked records that are named. */
const NAMED = 3;

export async function comparedOf(
  sql: Sql,
  view: View,
  schema: Schema,
  kind: Kind,
  rows: readonly RecordRow[],
): Promise<Map<string, Compared>> {
  const { t, caller, formats } = view;
  const ids = [...new Set(idsOf(rows))];
  const covers = kind === "object" ? await findCovers(sql, caller, ids) : new Map<string, Picture>();
  const numbers = [...fieldsOf(schema, kind).values()].filter(({ field_type }) => field_type === "authority");
  const all = new Map<string, Compared>();
  for (const row of rows) {
    if (all.has(row.id)) continue;
    const metadata = visibleMetadata(schema, caller, kind, row.metadata);
    const links = await listRelations(sql, caller, schema, row, { limit: NAMED, offset: 0 });
    const linked = links.items.map(({ to_title, to_idno }) => to_title || to_idno).join(" · ");
    const more = links.total > NAMED ? ` · … (${formats.number(links.total)})` : "";
    const facts = new Map([
      [t("duplicates.dates"), datesOf(view, metadata)],
      ...numbers.map(({ name }): [string, string] => [
        namePlainly(view, schema, kind, name),
        (metadata[name] ?? []).map(({ value }) => value).join(", "),
      ]),
      [t("duplicates.links"), linked + more],
    ]);
    const differences = new Map([
      [t("search.subtype"), subtypeName(schema, row, t.language).value],
      [t("admin.status"), t(`status.${row.status}`)],
      [t("admin.created"), formats.time(row.created_at)],
    ]);
    const title = titleOf(view, schema, row) ?? t("style.untitled");
    all.set(row.id, { row, title, picture: covers.get(row.id), facts, differences });
  }
  return all;
}

/** A table with one column for each record. */
export function besideEachOther(view: View, both: readonly [Compared, Compared]): Html {
  const { t, link } = view;
  const [one, other] = both;
  const rows = [
    ...[...one.facts].map(([name, fact]) => [name, fact, other.facts.get(name)]),
    ...[...one.differences].flatMap(([name, fact]) =>
      fact === other.differences.get(name) ? [] : [[name, fact, other.differences.get(name)]],
    ),
  ].filter(([, ...values]) => values.some(Boolean));
  const isPictured = both.some(({ picture }) => picture);
  const shown = (picture: Picture | undefined) => {
    const small = picture && sizedImage(link(""), picture, 240);
    return small
      ? html`<img src="${small.address}" width="${small.width}" height="${small.height}" alt="" loading="lazy">`
      : "";
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${both.map(({ row }) => row.idno).join(", ")}"><table class="compared">
    <thead><tr><td></td>${both.map(({ row, title }) => html`<th scope="col"><a href="${link(recordPath(row.record_type, row.id))}"><span dir="auto">${title}</span><small>${row.idno}</small></a></th>`)}</tr></thead>
    <tbody>${isPictured ? html`<tr><th scope="row">${t("admin.picture")}</th>${both.map(({ picture }) => html`<td>${shown(picture)}</td>`)}</tr>` : ""}
    ${rows.map(([name, ...values]) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td dir="auto">${value || "–"}</td>`)}</tr>`)}</tbody></table></div>`;
}
