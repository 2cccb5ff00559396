/** The fields and subtypes of each kind of record. The functions behind the API decide what may change. */

import { html } from "hono/html";
import type { Api } from "../../http/endpoint.ts";
import type { Option } from "../../pages/forms.ts";
import type { Pages } from "../../pages/page.ts";
import { page } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, PageView, View } from "../../pages/view.ts";
import type { Kind } from "../../records/kinds.ts";
import { currentSchema, FIELD_TYPES, type Field, type Schema } from "../../records/schema.ts";
import { readableKinds, visibleFields } from "../../records/visibility.ts";
import { FieldDraftShape, FieldReplacementShape, fieldJson } from "../../vocabularies/fields/shape.ts";
import { changeField, createField, noField, removeField } from "../../vocabularies/fields/write.ts";
import { demandReadable } from "../../vocabularies/record-type.ts";
import { DUBLIN_CORE, merged } from "../../vocabularies/shape.ts";
import { adminAnswer } from "../layout.ts";
import { type Control, labelControl, nameControl, orderControl } from "./controls.ts";
import { resourcePages } from "./resource-pages.ts";
import { seenVocabularies } from "./vocabularies.ts";

const LIST = "/admin/fields";
const access = { feature: "schemas:manage" };

export function fieldPages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  page(api, pages, {
    path: LIST,
    summary: "The kinds of record and how many fields each has",
    access,
    async show(view) {
      const { caller, t, link } = view;
      const schema = await currentSchema(sql);
      return adminAnswer(view, {
        at: LIST,
        title: t("fields.title"),
        content: html`<h1>${t("fields.title")}</h1><p class="help">${t("fields.lead")}</p>
          <div class="scroll" tabindex="0" role="region" aria-label="${t("fields.title")}"><table>
            <thead><tr><th>${t("roles.kind")}</th><th class="number">${t("fields.title")}</th><th class="number">${t("fields.public")}</th><th class="number">${t("subtypes.title")}</th></tr></thead>
            <tbody>${readableKinds(caller).map((kind) => {
              const fields = visibleFields(schema, caller, kind);
              return html`<tr><th scope="row"><a href="${link(`${LIST}/${kind}`)}">${t(`kind.${kind}`)}</a></th><td class="number">${fields.length}</td>
                <td class="number">${fields.filter(({ is_public }) => is_public).length}</td><td class="number">${schema.subtypes.get(kind)?.size ?? 0}</td></tr>`;
            })}</tbody></table></div>`,
      });
    },
  });

  page(api, pages, {
    path: `${LIST}/{type}`,
    summary: "The fields and subtypes of a kind of record",
    access,
    async show(view) {
      const kind = kindIn(view);
      const schema = await currentSchema(sql);
      const vocabularies = await seenVocabularies(sql, view);
      return adminAnswer(view, {
        at: LIST,
        title: `${view.t("fields.title")}${view.t("form.colon")} ${view.t(`kind.${kind}`)}`,
        content: html`<div><p class="crumbs"><a href="${view.link(LIST)}">${view.t("fields.title")}</a></p><h1>${view.t(`kind.${kind}`)}</h1></div>
          ${fieldTable(view, kind, visibleFields(schema, view.caller, kind), vocabularies)}${subtypeTable(view, kind, schema)}`,
      });
    },
  });

  resourcePages<Field>(api, pages, {
    at: LIST,
    list: `${LIST}/{type}`,
    fresh: `${LIST}/{type}/new-field`,
    item: `${LIST}/{type}/{field}`,
    one: "a field",
    access,
    words: { list: "fields.title", fresh: "fields.new", remove: "fields.remove" },
    begin: { is_public: false, field_type: "text" },
    title: ({ t }, field) => labelIn(field.label, t.language, field.name),
    async controls(view, field) {
      kindIn(view);
      return fieldControls(view, await seenVocabularies(sql, view), field === null);
    },
    async find(view) {
      const kind = kindIn(view);
      const name = view.c.req.param("field") ?? "";
      const fields = visibleFields(await currentSchema(sql), view.caller, kind);
      const found = fields.find((each) => each.name === name);
      if (!found) throw noField(kind, name);
      return fieldJson(found);
    },
    async create(view, draft) {
      const kind = kindIn(view);
      await createField(services, view.caller, kind, merged(FieldDraftShape, {}, draft));
      return `${LIST}/${kind}`;
    },
    change: (view, patch, expected) =>
      changeField(services, view.caller, kindIn(view), view.c.req.param("field") ?? "", expected, (current) =>
        merged(FieldReplacementShape, fieldJson(current), patch),
      ),
    remove: (view, expected) =>
      removeField(services, view.caller, kindIn(view), view.c.req.param("field") ?? "", expected),
  });
}

export const kindIn = ({ c, caller }: PageView): Kind => demandReadable(caller, c.req.param("type") ?? "");

function fieldControls(view: View, vocabularies: readonly Option[], isNew: boolean): Control[] {
  const { t } = view;
  const nothing = { value: "", label: t("admin.notSet") };
  const types = FIELD_TYPES.map((value) => ({ value, label: t(`fieldType.${value}`) }));
  const weights = (["A", "B", "C", "D"] as const).map((value) => ({ value, label: t(`weight.${value}`) }));
  const tick = (key: "required" | "repeatable" | "translatable" | "facet" | "public"): Control => {
    return { as: "tick", name: `is_${key}`, label: t(`fields.is.${key}`), help: t(`fields.is.${key}Help`) };
  };
  return [
    ...(isNew ? [nameControl(view)] : []),
    labelControl(view),
    { as: "texts", name: "help", label: t("fields.help"), help: t("fields.helpHelp"), rows: 2 },
    { as: "choice", name: "field_type", label: t("fields.type"), options: types, required: true },
    {
      as: "choice",
      name: "vocabulary",
      label: t("fields.vocabulary"),
      help: t("fields.vocabularyHelp"),
      options: [nothing, ...vocabularies],
    },
    tick("required"),
    tick("repeatable"),
    tick("translatable"),
    tick("public"),
    tick("facet"),
    {
      as: "choice",
      name: "is_searchable",
      label: t("fields.weight"),
      help: t("fields.weightHelp"),
      options: [{ value: "", label: t("weight.none") }, ...weights],
    },
    orderControl(view),
    { as: "text", name: "mapping/pattern", label: t("fields.pattern"), help: t("fields.patternHelp") },
    {
      as: "choice",
      name: "mapping/dc",
      label: t("fields.dc"),
      options: [nothing, ...DUBLIN_CORE.map((value) => ({ value, label: value }))],
    },
  ];
}

function fieldTable(view: View, kind: Kind, fields: readonly Field[], vocabularies: readonly Option[]): Html {
  const { t, link } = view;
  const nameOf = (vocabulary: string) =>
    vocabularies.find(({ value }) => value === vocabulary)?.label ?? vocabulary;
  const marks = (field: Field) =>
    [
      field.is_required && t("fields.is.required"),
      field.is_repeatable && t("fields.is.repeatable"),
      field.is_translatable && t("fields.is.translatable"),
      field.is_facet && t("fields.is.facet"),
      field.is_searchable && `${t("menu.search")} ${field.is_searchable}`,
    ].filter((mark) => mark !== false && mark !== null);
  return html`<section class="group">
    <div class="heading"><h2 id="fields">${t("fields.title")}</h2><a class="button" href="${link(`${LIST}/${kind}/new-field`)}">${t("fields.new")}</a></div>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="fields"><table>
      <thead><tr><th class="number">${t("config.order")}</th><th>${t("config.label")}</th><th>${t("config.name")}</th><th>${t("fields.type")}</th><th>${t("fields.seenBy")}</th><th>${t("fields.properties")}</th></tr></thead>
      <tbody>${fields.map(
        (field) => html`<tr>
          <td class="number">${field.sort_order}</td>
          <td><a href="${link(`${LIST}/${kind}/${field.name}`)}" dir="auto">${labelIn(field.label, t.language, field.name)}</a></td>
          <td><code>${field.name}</code></td>
          <td>${t(`fieldType.${field.field_type}`)}${field.vocabulary ? html` <small>(${nameOf(field.vocabulary)})</small>` : ""}</td>
          <td>${field.is_public ? t("fields.everybody") : t("admin.staffOnly")}</td>
          <td>${marks(field).join(" · ")}</td>
        </tr>`,
      )}</tbody></table></div></section>`;
}

function subtypeTable(view: View, kind: Kind, schema: Schema): Html {
  const { t, link } = view;
  const subtypes = [...(schema.subtypes.get(kind)?.values() ?? [])];
  const list = `/admin/subtypes/${kind}`;
  return html`<section class="group">
    <div class="heading"><h2 id="subtypes">${t("subtypes.title")}</h2><a class="button quiet" href="${link(`${list}/new-subtype`)}">${t("subtypes.new")}</a></div>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="subtypes"><table>
      <thead><tr><th class="number">${t("config.order")}</th><th>${t("config.label")}</th><th>${t("config.name")}</th><th>${t("subtypes.class")}</th></tr></thead>
      <tbody>${subtypes.map(
        (subtype) => html`<tr><td class="number">${subtype.sort_order}</td>
          <td><a href="${link(`${list}/${subtype.name}`)}" dir="auto">${labelIn(subtype.label, t.language, subtype.name)}</a>${subtype.is_default ? html` <small>(${t("subtypes.default")})</small>` : ""}</td>
          <td><code>${subtype.name}</code></td><td>${subtype.crm_class ? html`<code>${subtype.crm_class}</code>` : "–"}</td></tr>`,
      )}</tbody></table></div></section>`;
}
