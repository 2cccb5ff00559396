/** Values that the vocabulary of their field does not have: the field says so, and those who may can add them to the list there. */
import { mayUse, refuse } from "../../caller.ts";
import type { View } from "../../pages/view.ts";
import type { Field } from "../../records/schema.ts";
import type { Services, Sql } from "../../services.ts";
import { termsAmong } from "../../vocabularies/terms/store.ts";
import { TermDraftShape } from "../../vocabularies/terms/vocabulary-shape.ts";
import { createTerm } from "../../vocabularies/terms/write.ts";
import { isOfRights } from "./rights-control.ts";
import { ENTRY, entryName, type Values } from "./values.ts";

/** Whether values are typed into the field, and its vocabulary has words for them. */
const isOfTerms = (field: Field): boolean => field.vocabulary !== null && !isOfRights(field);

/** The names of the controls with such values. */
export async function unlistedTerms(
  sql: Sql,
  fields: readonly Field[],
  { metadata }: Values,
): Promise<Set<string>> {
  const found = await Promise.all(
    fields.filter(isOfTerms).map(async ({ name, vocabulary }) => {
      const values = (metadata[name] ?? []).map(({ value }) => value.trim());
      const listed = await termsAmong(sql, vocabulary!, "value", values);
      const known = new Set(["", ...listed.map(({ value }) => value)]);
      return values.flatMap((value, index) => (known.has(value) ? [] : [entryName(name, index, "value")]));
    }),
  );
  return new Set(found.flat());
}

/** Adds the value of this control to the list of its field. @param control as `unlistedTerms` names it */
export async function addTerm(
  services: Services,
  { t, caller }: View,
  fields: readonly Field[],
  { metadata }: Values,
  control: string,
): Promise<void> {
  if (!mayUse(caller, "schemas:manage")) throw refuse(caller, "schemas:manage");
  const [, name, row] = ENTRY.exec(control) ?? [];
  const field = fields.find((each) => each.name === name && isOfTerms(each));
  const value = metadata[name ?? ""]?.[Number(row)]?.value.trim();
  if (!field || !value || (await termsAmong(services.sql, field.vocabulary!, "value", [value])).length > 0)
    return;
  const draft = TermDraftShape.parse({ value, label: { [t.language]: value } });
  await createTerm(services, field.vocabulary!, draft);
}
