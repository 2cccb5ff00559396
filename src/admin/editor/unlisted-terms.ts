/** Values that are not in the vocabulary of their field. The field says so, and lets people with permission add them. */
import { mayUse, refuse } from "../../caller.ts";
import { readAs } from "../../http/faults.ts";
import type { View } from "../../pages/view.ts";
import { invalid } from "../../problem.ts";
import type { Field } from "../../records/schema.ts";
import type { Services, Sql } from "../../services.ts";
import { termsAmong } from "../../vocabularies/terms/store.ts";
import { TermDraftShape } from "../../vocabularies/terms/vocabulary-shape.ts";
import { createTerm } from "../../vocabularies/terms/write.ts";
import { isOfRights } from "./rights-control.ts";
import { ENTRY, type Values, withNewTerms } from "./values.ts";

/** Whether values are typed into the field, and its vocabulary has a term for each. */
const isOfTerms = (field: Field): boolean => field.vocabulary !== null && !isOfRights(field);

/** Names of controls with unlisted values. Forms leave out empty controls, so only the names tell the rows. */
export async function unlistedTerms(
  sql: Sql,
  fields: readonly Field[],
  controls: Iterable<readonly [name: string, value: string]>,
): Promise<Set<string>> {
  const typed = [...controls].map(([control, value]) => {
    return { control, value: value.trim(), field: ENTRY.exec(control)?.[1] };
  });
  const found = await Promise.all(
    fields.filter(isOfTerms).map(async ({ name, vocabulary }) => {
      const own = typed.filter(({ field, value }) => field === name && value !== "");
      const values = own.map(({ value }) => value);
      const listed = await termsAmong(sql, vocabulary!, "value", values);
      const known = new Set(listed.map(({ value }) => value));
      return own.filter(({ value }) => !known.has(value)).map(({ control }) => control);
    }),
  );
  return new Set(found.flat());
}

/**
 * Adds the value of this control to the vocabulary of its field.
 * @param values of the form when it is shown again
 * @param control a name from `unlistedTerms`
 */
export async function addTerm(
  services: Services,
  { t, caller }: View,
  fields: readonly Field[],
  form: ReadonlyMap<string, string>,
  values: Values,
  control: string,
): Promise<void> {
  if (!mayUse(caller, "schemas:manage")) throw refuse(caller, "schemas:manage");
  const field = fields.find((each) => each.name === ENTRY.exec(control)?.[1] && isOfTerms(each));
  const value = withNewTerms(form).get(control)?.trim();
  if (!field || !value || (await termsAmong(services.sql, field.vocabulary!, "value", [value])).length > 0)
    return;
  const draft = readAs(TermDraftShape, { value, label: { [t.language]: value } });
  if ("faults" in draft) {
    const row = values.metadata[field.name]?.findIndex((entry) => entry.value.trim() === value);
    // a fault of the value is also one of its label, so report it once
    throw invalid([{ ...draft.faults[0]!, pointer: `/metadata_/${field.name}/${row}/value` }]);
  }
  await createTerm(services, field.vocabulary!, draft.data);
}
