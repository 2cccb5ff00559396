/**
 * Terms in the boxes of a form, which show labels in the reader's language. Of values that are not in the vocabulary the field says so,
 * and lets people with permission add them.
 */
import { mayUse, refuse } from "../../caller.ts";
import { readAs } from "../../http/faults.ts";
import type { View } from "../../pages/view.ts";
import { invalid } from "../../problem.ts";
import type { Field } from "../../records/schema.ts";
import type { Services, Sql } from "../../services.ts";
import { termsAmong, termsCalled } from "../../vocabularies/terms/store.ts";
import { TermDraftShape } from "../../vocabularies/terms/vocabulary-shape.ts";
import { createTerm } from "../../vocabularies/terms/write.ts";
import { isOfRights } from "./rights-control.ts";
import { ENTRY, type Values, withNewTerms } from "./values.ts";

/** Whether values are typed into the field, and its vocabulary has a term for each. */
const isOfTerms = (field: Field): boolean => field.vocabulary !== null && !isOfRights(field);

/** By name of control. Forms leave out empty controls, so only the names tell the rows. */
export type Typed = {
  /** Controls whose value is not in the vocabulary. */
  unlisted: ReadonlySet<string>;
  /** What readers see instead of a value. */
  labels: ReadonlyMap<string, string>;
};

type Controls = Iterable<readonly [name: string, value: string]>;

/** Each field of terms with its controls, and what its vocabulary knows of their texts. */
function termsIn(sql: Sql, { t }: Pick<View, "t">, fields: readonly Field[], controls: Controls) {
  const typed = [...controls].map(([control, value]) => {
    return { control, value: value.trim(), field: ENTRY.exec(control)?.[1] };
  });
  return Promise.all(
    fields.filter(isOfTerms).map(async ({ name, vocabulary }) => {
      const own = typed.filter(({ field, value }) => field === name && value !== "");
      const words = own.map(({ value }) => value);
      const known = await termsCalled(sql, vocabulary!, t.language, words);
      const byValue = new Map(known.map((term) => [term.value, term]));
      return { own, byValue, byLabel: new Map(known.map((term) => [term.label, term])) };
    }),
  );
}

export async function typedTerms(
  sql: Sql,
  view: Pick<View, "t">,
  fields: readonly Field[],
  controls: Controls,
): Promise<Typed> {
  const found = await termsIn(sql, view, fields, controls);
  const each = found.flatMap(({ own, byValue }) =>
    own.map(({ control, value }) => ({ control, term: byValue.get(value) })),
  );
  return {
    unlisted: new Set(each.filter(({ term }) => !term).map(({ control }) => control)),
    labels: new Map(each.flatMap(({ control, term }) => (term?.label ? [[control, term.label]] : []))),
  };
}

/** The form with the value of a term where its label stands. */
export async function withTermValues(
  sql: Sql,
  view: Pick<View, "t">,
  fields: readonly Field[],
  form: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const found = await termsIn(sql, view, fields, form);
  const meant = found.flatMap(({ own, byValue, byLabel }) =>
    own.flatMap(({ control, value }): [string, string][] => {
      const term = byValue.has(value) ? undefined : byLabel.get(value);
      return term ? [[control, term.value]] : [];
    }),
  );
  return new Map([...form, ...meant]);
}

/**
 * Adds the value of this control to the vocabulary of its field.
 * @param values of the form when it is shown again
 * @param control a name from `typedTerms`
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
