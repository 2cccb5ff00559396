/** The sheets that are printed. */

import { html } from "hono/html";
import { withSemicolons } from "../../messages/semicolons.ts";
import { documentHead, type Layout } from "../../pages/layout.ts";
import { qrCode } from "../../pages/qr.ts";
import { labelIn, labelText } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { fieldRows, wordsOf } from "../../portal/record/values.ts";
import { entriesFor } from "../../portal/record/view.ts";
import { today } from "../../procedures/move.ts";
import { lastMovement, mayReadMovements } from "../../procedures/movements.ts";
import { kinds } from "../../records/kinds.ts";
import { listRelations } from "../../records/links/relations.ts";
import { type Picture, sizedImage } from "../../records/media/pictures.ts";
import { findCovers } from "../../records/media/store.ts";
import { shownFields } from "../../records/public/terms.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import { visibleMetadata } from "../../records/visibility.ts";
import type { Services, Sql } from "../../services.ts";
import { namedForReader, notesOf } from "../editor/links-section.ts";
import { wordsOfLink } from "../editor/qualifier-form.ts";
import { valuePlainly } from "../field-names.ts";
import { relationTypesOf } from "../lists/filter-kinds.ts";
import { nameOf, titleOf } from "../record-names.ts";
import { recordPath } from "../sections.ts";
import { namedMovements, placeOf } from "./movement-tables.ts";

/** White paper and black ink, without the frame of the staff interface. */
export const sheet: Layout = (view, title, content, head) => html`<!doctype html>
<html lang="${view.t.language}">
  ${documentHead(view, title, html`<link rel="stylesheet" href="${view.asset("print.css")}"><script type="module" src="${view.asset("print.js")}" nonce="${view.nonce}"></script>${head}`)}
  <body class="sheet"><main id="content">${content}</main></body>
</html>
`;

/** Shown on screen only. `further`: links to other sheets. */
export const tools = (
  { t, link }: View,
  back: string,
  further: Html | "" = "",
  toList = false,
): Html => html`<p class="row tools">
  <a href="${link(back)}">${t(toList ? "list.back" : "care.back")}</a>${further} <button type="button" data-print hidden>${t("care.print")}</button></p>`;

const picture = ({ link }: View, cover: Picture | undefined, width: number): Html => {
  if (!cover) return html``;
  const small = sizedImage(link(""), cover, width);
  return html`<img src="${small.address}" width="${small.width}" height="${small.height}" alt="">`;
};

/** Linked people and organisations, as entries of a list of facts. @param isMeant whether to include a type of link */
async function people(
  sql: Sql,
  view: View,
  schema: Schema,
  row: RecordRow,
  isMeant: (type: string) => boolean,
): Promise<Html[]> {
  const { items } = await listRelations(sql, view.caller, schema, row, { limit: 200, offset: 0 });
  const those = items.filter(({ to_type, relation_type }) => to_type === "entity" && isMeant(relation_type));
  const notes = await notesOf(
    sql,
    view,
    those.map(({ metadata_ }) => metadata_),
  );
  return (await namedForReader(sql, view, schema, those)).map((one) => {
    const { label, end } = wordsOfLink(view, schema, row, one);
    return html`<div><dt>${label}</dt><dd dir="auto">${[end, notes(one.metadata_)].filter(Boolean).join(", ")}</dd></div>`;
  });
}

export async function loanList(
  { sql }: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
  objects: readonly RecordRow[],
  covers: ReadonlyMap<string, Picture>,
  otherParts: Html,
): Promise<Html> {
  const { t, formats, name } = view;
  const partners = await people(sql, view, schema, row, () => true);
  const day = (text: string | null) => (text === null ? "–" : formats.day(`${text}T12:00:00`));
  const column = (field: string) =>
    labelIn(schema.fields.get("object")?.get(field)?.label ?? {}, t.language, field);
  const columns = ["dimensions", "condition_note", "insurance_value"].filter((field) =>
    objects.some((object) => values(view, schema, object, field) !== ""),
  );
  return html`${tools(view, recordPath("procedure", row.id))}
    <header><p>${name}</p><h1 dir="auto">${nameOf(view, schema, row)}</h1>
      <dl class="head">
        <div><dt>${t("admin.number")}</dt><dd>${row.idno}${row.reference_number ? ` · ${row.reference_number}` : ""}</dd></div>
        <div><dt>${t("search.subtype")}</dt><dd>${subtypeOf(view, schema, row)}</dd></div>
        ${partners}
        <div><dt>${t("column.start_date")}</dt><dd>${day(row.start_date)}</dd></div>
        <div><dt>${t("column.due_date")}</dt><dd>${day(row.due_date)}</dd></div>
        <div><dt>${t("column.end_date")}</dt><dd>${day(row.end_date)}</dd></div>
      </dl></header>
    <div class="scroll" tabindex="0" role="region" aria-label="${t("kind.object")}"><table><thead><tr><th>${t("admin.picture")}</th><th>${t("admin.number")}</th><th>${t("admin.name")}</th>${columns.map((each) => html`<th>${column(each)}</th>`)}</tr></thead>
      <tbody>${objects.map(
        (
          object,
        ) => html`<tr><td>${picture(view, covers.get(object.id), 160)}</td><td class="nowrap">${object.idno}</td>
          <td dir="auto">${titleOf(view, schema, object) ?? t("style.untitled")}</td>${columns.map((each) => html`<td dir="auto">${values(view, schema, object, each)}</td>`)}</tr>`,
      )}</tbody></table></div>
    ${otherParts}<p>${t("browse.objects", { count: objects.length })} · ${day(today())}</p>
    <div class="signatures"><p>${t("care.handedOver")}</p><p>${t("care.received")}</p></div>`;
}

const subtypeOf = (view: View, schema: Schema, { record_type, subtype }: RecordRow): string =>
  valuePlainly(view, schema, record_type, kinds[record_type].subtypeKey, subtype);

/** The values of one field of an object that the reader may see. */
function values(view: View, schema: Schema, row: RecordRow, name: string): string {
  const field = schema.fields.get(row.record_type)?.get(name);
  const seen = visibleMetadata(schema, view.caller, row.record_type, row.metadata);
  const words = entriesFor(seen[name] ?? [], view.t.language).map((entry) =>
    field ? wordsOf(view, field, entry) : entry.value,
  );
  return withSemicolons(view.t, words);
}

export async function card(
  { sql }: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
  address: string,
): Promise<Html> {
  const { t, caller, name } = view;
  const kind = row.record_type;
  const cover = (await findCovers(sql, caller, [row.id])).get(row.id);
  const metadata = visibleMetadata(schema, caller, kind, row.metadata);
  const shown = await shownFields(sql, schema, kind, metadata);
  const fields = shown
    .filter(({ field }) => field.name !== kinds[kind].titleField)
    .map(({ field, entries }) => ({
      field,
      label: labelText(field.label, t.language, field.name),
      entries: field.is_translatable ? entriesFor(entries, t.language) : entries,
    }));
  const types = new Set(relationTypesOf(schema, kind, "maker"));
  const makers = await people(sql, view, schema, row, (type) => types.has(type));
  const last = mayReadMovements(caller) ? await lastMovement(sql, caller, row.id) : undefined;
  const [place] = await namedMovements(sql, view, last?.to ? [last] : []);
  return html`${tools(view, recordPath(kind, row.id))}
    <header class="with-code"><div><p>${name}</p><h1 dir="auto">${titleOf(view, schema, row) ?? t("style.untitled")}</h1>
      <p class="number">${row.idno} · ${subtypeOf(view, schema, row)}</p></div>
      <figure>${qrCode(address)}<figcaption>${address}</figcaption></figure></header>
    <div class="card">${picture(view, cover, 640)}
      <dl>${makers}${place ? html`<div><dt>${t("admin.location")}</dt><dd>${placeOf(view, place)}</dd></div>` : ""}
        ${fieldRows(view, fields)}</dl></div>`;
}
