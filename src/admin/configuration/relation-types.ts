/** The types of links between records. */

import { html } from "hono/html";
import type { Api } from "../../http/endpoint.ts";
import type { Pages } from "../../pages/page.ts";
import { labelIn } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import { KINDS } from "../../records/kinds.ts";
import { currentSchema, type RelationType } from "../../records/schema.ts";
import { maySeeRelationType } from "../../records/visibility.ts";
import {
  RelationTypeDraftShape,
  RelationTypeReplacementShape,
  relationTypeJson,
} from "../../vocabularies/relation-types/shape.ts";
import {
  changeRelationType,
  createRelationType,
  noRelationType,
  removeRelationType,
} from "../../vocabularies/relation-types/write.ts";
import { merged } from "../../vocabularies/shape.ts";
import { type Control, labelControl, nameControl, orderControl } from "./controls.ts";
import { resourcePages } from "./resource-pages.ts";

const LIST = "/admin/relation-types";
const access = { feature: "schemas:manage" };

export function relationTypePages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  resourcePages<RelationType>(api, pages, {
    at: LIST,
    list: LIST,
    fresh: `${LIST}/new-type`,
    item: `${LIST}/{name}`,
    one: "a relation type",
    all: {
      many: "relation types",
      async content(view) {
        const { caller, t, link } = view;
        const kindsOf = (kinds: readonly (typeof KINDS)[number][]) =>
          kinds.length === KINDS.length
            ? t("relationTypes.all")
            : kinds.map((kind) => t(`kind.${kind}`)).join(", ");
        const types = [...(await currentSchema(sql)).relationTypes.values()].filter((type) =>
          maySeeRelationType(caller, type),
        );
        return html`<p class="help">${t("relationTypes.lead")}</p>
          <div class="scroll" tabindex="0" role="region" aria-label="${t("relationTypes.title")}"><table>
            <thead><tr><th>${t("config.label")}</th><th>${t("relationTypes.inverseLabel")}</th><th>${t("relationTypes.from")}</th><th>${t("relationTypes.to")}</th><th>${t("fields.seenBy")}</th></tr></thead>
            <tbody>${types.map(
              (
                type,
              ) => html`<tr><td><a href="${link(`${LIST}/${type.name}`)}" dir="auto">${labelIn(type.label, t.language, type.name)}</a><br><code>${type.name}</code></td>
                <td dir="auto">${labelIn(type.inverse_label, t.language, type.inverse)}<br><code>${type.inverse}</code></td>
                <td>${kindsOf(type.from_types)}</td><td>${kindsOf(type.to_types)}</td>
                <td>${type.is_public ? t("fields.everybody") : t("admin.staffOnly")}</td></tr>`,
            )}</tbody></table></div>`;
      },
    },
    access,
    words: { list: "relationTypes.title", fresh: "relationTypes.new", remove: "relationTypes.remove" },
    begin: { is_public: true },
    title: ({ t }, { label, name }) => labelIn(label, t.language, name),
    controls: (view, current) => typeControls(view, current === null),
    async find(view) {
      const name = view.c.req.param("name") ?? "";
      const type = (await currentSchema(sql)).relationTypes.get(name);
      if (!type || !maySeeRelationType(view.caller, type)) throw noRelationType(name);
      return relationTypeJson(type);
    },
    async create(_given, draft) {
      const { name } = await createRelationType(services, merged(RelationTypeDraftShape, {}, draft));
      return `${LIST}/${name}`;
    },
    change: (view, patch, expected) =>
      changeRelationType(services, view.caller, view.c.req.param("name") ?? "", expected, (current) =>
        merged(RelationTypeReplacementShape, relationTypeJson(current), patch),
      ),
    remove: (view, expected) => removeRelationType(services, view.c.req.param("name") ?? "", expected),
  });
}

function typeControls(view: View, isNew: boolean): Control[] {
  const { t } = view;
  const kinds = KINDS.map((value) => ({ value, label: t(`kind.${value}`) }));
  return [
    ...(isNew ? [nameControl(view)] : []),
    labelControl(view),
    {
      as: "text",
      name: "inverse",
      label: t("relationTypes.inverse"),
      help: t("relationTypes.inverseHelp"),
      required: true,
      empty: "",
    },
    { as: "texts", name: "inverse_label", label: t("relationTypes.inverseLabel") },
    { as: "ticks", name: "from_types", label: t("relationTypes.from"), options: kinds },
    { as: "ticks", name: "to_types", label: t("relationTypes.to"), options: kinds },
    { as: "tick", name: "is_public", label: t("fields.is.public"), help: t("relationTypes.publicHelp") },
    {
      as: "tick",
      name: "is_hierarchical",
      label: t("relationTypes.hierarchical"),
      help: t("relationTypes.hierarchicalHelp"),
    },
    orderControl(view),
    { as: "text", name: "mapping/path", label: t("relationTypes.path"), help: t("relationTypes.pathHelp") },
  ];
}
