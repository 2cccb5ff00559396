/** What fields and columns of records are called. */
import { labelIn } from "../pages/labels.ts";
import type { View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { fieldsOf, type Schema } from "../records/schema.ts";

/** @param name of a field of the metadata, of a column, `idno`, `status`, a date of the record or the key of the subtype */
export function namePlainly({ t }: View, schema: Schema, kind: Kind, name: string): string {
  const field = fieldsOf(schema, kind).get(name);
  if (field) return labelIn(field.label, t.language, name);
  if (name === "idno") return t("admin.number");
  if (name === "status") return t("admin.status");
  if (name === "created_at") return t("admin.created");
  if (name === "updated_at") return t("admin.changed");
  if (name === kinds[kind].subtypeKey) return t("admin.subtype");
  const column = kinds[kind].columns.find((each) => each === name);
  return column ? t(`column.${column}`) : name;
}
