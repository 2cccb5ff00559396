/** Which fields of a list visitors will see, and which stay internal. */
import { html } from "hono/html";
import { VISITOR } from "../../caller.ts";
import { note } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import { type Kind, PUBLIC_KINDS } from "../../records/kinds.ts";
import { fieldsOf, relationTypeNamed, type Schema } from "../../records/schema.ts";
import { maySeeField, maySeeLinksOf } from "../../records/visibility.ts";
import { namePlainly } from "../field-names.ts";

/** @param links `created_by → entity` */
export function visitorsNote(
  view: View,
  schema: Schema,
  kind: Kind,
  names: readonly string[],
  links: readonly string[],
): Html {
  if (!PUBLIC_KINDS.includes(kind)) return html``;
  const seen = new Map<string, boolean>();
  for (const name of names) {
    const field = fieldsOf(schema, kind).get(name);
    if (field) seen.set(namePlainly(view, schema, kind, name), maySeeField(VISITOR, field));
  }
  for (const link of links) {
    const [name = "", to] = link.split(" → ");
    const type = relationTypeNamed(schema, name)?.type;
    if (type)
      seen.set(
        namePlainly(view, schema, kind, name),
        PUBLIC_KINDS.includes(to as Kind) && maySeeLinksOf(VISITOR, type, kind),
      );
  }
  const listed = (isPublic: boolean) => [...seen].flatMap(([label, is]) => (is === isPublic ? [label] : []));
  const sentences = (["visitorsSee", "staffSee"] as const).flatMap((key) => {
    const fields = listed(key === "visitorsSee").join(", ");
    return fields === "" ? [] : view.t(`admin.import.${key}`, { fields });
  });
  return sentences.length === 0 ? html`` : note("information", sentences.join(" "));
}
