/** The subtypes of a kind of record, such as painting or photograph. */

import type { Api } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import type { Pages } from "../../pages/page.ts";
import { labelIn } from "../../pages/texts.ts";
import type { StaffView } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { currentSchema, fieldsOf, type Subtype } from "../../records/schema.ts";
import { CRM_CLASSES } from "../../vocabularies/crm-classes.ts";
import { merged } from "../../vocabularies/shape.ts";
import { SubtypeReplacementShape, subtypeJson } from "../../vocabularies/subtypes/shape.ts";
import { noSubtype, putSubtype, removeSubtype } from "../../vocabularies/subtypes/write.ts";
import { labelControl, nameControl, orderControl } from "./controls.ts";
import { kindIn } from "./fields.ts";
import { resourcePages } from "./resource-pages.ts";

const LIST = "/admin/subtypes/{type}";

export function subtypePages(api: Api, pages: Pages): void {
  const { services } = api;
  const find = async (view: StaffView) => {
    const kind = kindIn(view);
    const name = view.c.req.param("name") ?? "";
    const found = (await currentSchema(services.sql)).subtypes.get(kind)?.get(name);
    if (!found) throw noSubtype(kind, name);
    return subtypeJson(found);
  };
  resourcePages<Omit<Subtype, "record_type">>(api, pages, {
    at: "/admin/fields",
    list: "/admin/fields/{type}",
    fresh: `${LIST}/new-subtype`,
    item: `${LIST}/{name}`,
    one: "a subtype",
    access: { feature: "schemas:manage" },
    words: { list: "fields.title", fresh: "subtypes.new", remove: "subtypes.remove" },
    title: ({ t }, { label, name }) => labelIn(label, t.language, name),
    async controls(view, current) {
      const { t } = view;
      const fields = fieldsOf(await currentSchema(services.sql), kindIn(view));
      const classes = CRM_CLASSES[kindIn(view)].map((value) => ({ value, label: value }));
      return [
        ...(current === null ? [nameControl(view)] : []),
        labelControl(view),
        {
          as: "tick",
          name: "is_default",
          label: t("subtypes.isDefault"),
          help: t("subtypes.isDefaultHelp"),
        },
        {
          as: "choice",
          name: "crm_class",
          label: t("subtypes.class"),
          help: t("subtypes.classHelp"),
          options: [{ value: "", label: t("subtypes.noClass") }, ...classes],
        },
        {
          as: "order",
          name: "form",
          label: t("subtypes.form"),
          help: t("subtypes.formHelp"),
          options: [...fields.values()].map(({ name, label }) => ({
            value: name,
            label: labelIn(label, t.language, name),
          })),
        },
        orderControl(view),
      ];
    },
    find,
    async create(view, draft) {
      const kind = kindIn(view);
      const name = String(draft.name);
      // `putSubtype` would replace an existing one
      if ((await currentSchema(services.sql)).subtypes.get(kind)?.has(name)) {
        throw new Problem("conflict", said("problem.subtype.exists", { name }));
      }
      await putSubtype(services, kind, name, merged(SubtypeReplacementShape, {}, draft), null);
      return `/admin/fields/${kind}`;
    },
    async change(view, patch, expected) {
      const current = await find(view);
      const wish = merged(SubtypeReplacementShape, current, patch);
      await putSubtype(services, kindIn(view), current.name, wish, expected);
    },
    remove: (view, expected) =>
      removeSubtype(services, kindIn(view), view.c.req.param("name") ?? "", expected),
  });
}
