/** The links of a record, and a form to add one. */

import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { offsetOf } from "../../http/answer/list-envelope.ts";
import { csrfField } from "../../pages/forms.ts";
import { icon } from "../../pages/icons.ts";
import { note, partLinks } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import { notesInWords } from "../../portal/record/notes.ts";
import { entriesFor } from "../../portal/record/view.ts";
import { mayMove } from "../../procedures/move.ts";
import { mayReadMovements } from "../../procedures/movements.ts";
import { mayBeQualified, partedNotes } from "../../records/links/attributions.ts";
import { type Need, neededLinks } from "../../records/links/needed.ts";
import { STORED_AT } from "../../records/links/places.ts";
import { presentRelations, removedRelation } from "../../records/links/relation-changes.ts";
import { listRelations, type RelationJson } from "../../records/links/relations.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import { findNamed } from "../../records/public/neighbours.ts";
import { idsOf, type Metadata, type RecordRow } from "../../records/record.ts";
import { relationTypeNamed, type Schema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services, Sql } from "../../services.ts";
import { chooserInputs } from "../choices.ts";
import { titleOf } from "../record-names.ts";
import { recordPath } from "../sections.ts";
import { linkIn, wordsOfChanges } from "./link-history.ts";
import { linkTypes, roleInput } from "./link-wishes.ts";
import { calledChoices, linkLabel } from "./link-words.ts";
import { qualifierInputs, qualifyForm, wordsOfLink } from "./qualifier-form.ts";

const MOST = 200;

/** @param removed the id of the link that the reader has just removed */
export async function linksSection(
  { sql }: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
  part: number,
  removed: string | null,
): Promise<{ links: Html; hasMaker: boolean }> {
  const { t, link } = view;
  const kind = row.record_type;
  const mayEdit = mayDo(view.caller, "update", kind);
  const list = (asked: number, total: number) =>
    listRelations(sql, view.caller, schema, row, {
      ...{ limit: MOST, offset: offsetOf(asked, { total, size: MOST }) },
      // the page of a storage location shows its objects in a table
      ...(kind === "storage_location" && mayReadMovements(view.caller) ? { except: STORED_AT } : {}),
    });
  const first = await list(1, 0);
  const { total } = first;
  const { items: found } = part === 1 ? first : await list(part, total);
  const items = await namedForReader(sql, view, schema, found);
  const needed = mayEdit ? await neededLinks(sql, idsOf(found)) : new Map<string, Need>();
  const hasMaker = found.some(({ relation_type }) => {
    const type = schema.relationTypes.get(relation_type);
    return type !== undefined && mayBeQualified(type);
  });
  const notes = await notesOf(
    sql,
    view,
    items.map(({ metadata_ }) => metadata_),
  );
  const links = html`<section class="group" id="links" aria-labelledby="links-title">
    <h2 id="links-title">${t("admin.links")}</h2>
    ${mayEdit && removed !== null ? await removedNote(sql, view, schema, row, removed) : ""}
    ${items.length === 0 ? html`<p class="help">${t("admin.noLinks")}</p>` : html`<ul class="linked">${items.map((item) => linkLine(view, schema, row, item, notes(item.metadata_), mayEdit, needed.get(item.id)))}</ul>`}
    ${partLinks(view, part, { total, size: MOST }, (next) => `${link(recordPath(kind, row.id))}?part=${next}#links`)}
    ${mayEdit ? addForm(view, schema, row) : ""}
  </section>`;
  return { links, hasMaker };
}

/** Replaces the names of the other records with those in the reader's language. */
export async function namedForReader(
  sql: Sql,
  view: View,
  schema: Schema,
  items: readonly RelationJson[],
): Promise<RelationJson[]> {
  const ids = items.map(({ to_id }) => to_id);
  const ends = await findNamed(sql, schema, view.caller, ids);
  const paths = await locationPaths(sql, schema, view.caller, [view.t.language], [...ends.values()]);
  return items.map((item) => {
    const end = ends.get(item.to_id);
    return {
      ...item,
      to_title: paths.get(item.to_id) ?? (end && titleOf(view, schema, end)) ?? item.to_title,
    };
  });
}

/** Returns the details of a link, such as a role or a date. `links`: the metadata_ of all links of the page. */
export async function notesOf(
  sql: Sql,
  { t: { language } }: View,
  links: readonly Metadata[],
): Promise<(metadata: Metadata) => string> {
  const inWords = await notesInWords(sql, language, links);
  return (metadata) =>
    Object.entries(partedNotes(metadata).notes)
      .flatMap(([name, entries]) => entriesFor(entries, language).map((entry) => inWords(name, entry).value))
      .join(", ");
}

function linkLine(
  view: View,
  schema: Schema,
  row: RecordRow,
  item: RelationJson,
  notes: string,
  mayEdit: boolean,
  need?: Need,
): Html {
  const { t, link } = view;
  const { label, end } = wordsOfLink(view, schema, row, item);
  const path = link(`${recordPath(row.record_type, row.id)}/links/${item.id}`);
  const named = relationTypeNamed(schema, item.relation_type);
  return html`<li>
    <span class="help">${label}</span>
    <a href="${link(recordPath(item.to_type, item.to_id))}" dir="auto">${end}</a>
    <small>${item.to_idno}${notes ? ` · ${notes}` : ""}</small>
    ${
      mayEdit
        ? html`${named && mayBeQualified(named.type) ? qualifyForm(view, schema, path, item) : ""}
          ${removal(view, path, `${label}${t("form.colon")} ${end}`, need)}`
        : ""
    }
  </li>`;
}

/** Asks for confirmation before links that are rarely removed. */
function removal(view: View, path: string, what: string, need: Need | undefined): Html {
  const { t } = view;
  const cross = html`<span class="hidden">${t("admin.remove", { what })}</span>${icon("cross")}`;
  const form = (button: Html) =>
    html`<form class="end" method="post" action="${path}/remove">${csrfField(view)}${button}</form>`;
  if (need === undefined) return form(html`<button class="quiet icon-only">${cross}</button>`);
  return html`<details class="asks"><summary>${cross}</summary><div class="row">
    <p>${t(`admin.link.need.${need}`)}</p>${form(html`<button class="danger small">${t("admin.link.removeAnyway")}</button>`)}</div></details>`;
}

/** Names the removed link, with a button to restore it. */
async function removedNote(sql: Sql, view: View, schema: Schema, row: RecordRow, id: string): Promise<Html> {
  if (!IdShape.safeParse(id).success || (await presentRelations(sql, [id])).has(id)) return html``;
  const change = await removedRelation(sql, view.caller, schema, row, id);
  if (!change?.end) return html``;
  const { t } = view;
  const label = linkLabel(view, schema, row, change.relation_type, change.from ?? {});
  const inWords = await wordsOfChanges(sql, view, schema, [change]);
  const what = html`<b>${label} – ${linkIn(view, schema, change.end, change.from ?? {}, inWords)}</b>`;
  return note(
    "information",
    html`<div class="row"><p>${t("admin.link.removed")}${t("form.colon")} ${what}</p>${putBackForm(view, row, id)}</div>`,
    "status",
  );
}

export const putBackForm = (view: View, row: RecordRow, id: string): Html =>
  html`<form method="post" action="${view.link(`${recordPath(row.record_type, row.id)}/links/${id}/put-back`)}">${csrfField(view)}
    <button class="quiet small">${view.t("admin.link.putBack")}</button></form>`;

function addForm(view: View, schema: Schema, row: RecordRow): Html {
  const { t, link } = view;
  // objects are moved, with a date and a reason
  const moves = mayMove(schema, view.caller) ? schema.relationTypes.get(STORED_AT) : undefined;
  const choices = calledChoices(view, schema, row).filter(
    ({ name }) => name !== moves?.name && name !== moves?.inverse,
  );
  if (choices.length === 0) return html``;
  return html`<form class="filters" method="post" action="${link(`${recordPath(row.record_type, row.id)}/links`)}">
    ${csrfField(view)}
    <label><span>${t("admin.link.type")}</span><select id="relation_type" name="relation_type">${linkTypes(choices)}</select></label>
    ${chooserInputs(view, schema, { name: "to", create: "create", of: "by:relation_type" })}
    ${roleInput(view, "role")}
    ${
      choices.some(({ takesQualifier }) => takesQualifier)
        ? html`<fieldset class="filters" data-qualifying>${qualifierInputs(view, schema)}<noscript><p class="help">${t("admin.link.makersOnly")}</p></noscript></fieldset>`
        : ""
    }
    <button class="quiet">${icon("plus")}${t("admin.link.add")}</button>
  </form>`;
}
