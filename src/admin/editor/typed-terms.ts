/**
 * Terms in the boxes of a form, which show labels in the reader's language. Of values that are not in the vocabulary the field says so,
 * and lets people with permission add them.
 */
import { mayUse, refuse } from "../../caller.ts";
import { readAs } from "../../http/faults.ts";
import type { View } from "../../pages/view.ts";
import { invalid } from "../../problem.ts";
import { ROLES } from "../../records/links/attributions.ts";
import type { Field } from "../../records/schema.ts";
import type { Services, Sql } from "../../services.ts";
import { termsAmong, termsCalled } from "../../vocabularies/terms/store.ts";
import { TermDraftShape } from "../../vocabularies/terms/vocabulary-shape.ts";
import { createTerm } from "../../vocabularies/terms/write.ts";
import { withStoredMeasures } from "../measures.ts";
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

/** A control for a term of a vocabulary, and its text. */
type Box = { control: string; vocabulary: string; text: string };

const ROLE = /^(link\/\d+\/)?role$/;

/** The boxes of these fields. */
const boxesOf = (fields: readonly Field[], controls: Controls): Box[] =>
  [...controls].flatMap(([control, text]) => {
    const [, of] = ENTRY.exec(control) ?? [];
    const field = fields.find(({ name }) => name === of);
    return field && isOfTerms(field) ? [{ control, vocabulary: field.vocabulary!, text }] : [];
  });

/** The boxes for the roles of links. */
const boxesOfRoles = (controls: Controls): Box[] =>
  [...controls].flatMap(([control, text]) =>
    ROLE.test(control) ? [{ control, vocabulary: ROLES, text }] : [],
  );

/** The boxes whose text is the value or, if it is none, the label of a term. `label`: null if it is not unique. */
export async function termsIn(
  sql: Sql,
  { t }: Pick<View, "t">,
  boxes: readonly Box[],
): Promise<{ control: string; text: string; value: string; label: string | null }[]> {
  const typed = boxes.map((box) => ({ ...box, text: box.text.trim() })).filter(({ text }) => text !== "");
  const each = [...new Set(typed.map(({ vocabulary }) => vocabulary))].map(async (vocabulary) => {
    const own = typed.filter((box) => box.vocabulary === vocabulary);
    const words = own.map(({ text }) => text);
    const known = await termsCalled(sql, vocabulary, t.language, words);
    const byValue = new Map(known.map((term) => [term.value, term]));
    const byLabel = new Map(known.map((term) => [term.label, term]));
    return own.flatMap(({ control, text }) => {
      const term = byValue.get(text) ?? byLabel.get(text);
      return term ? [{ control, text, ...term }] : [];
    });
  });
  return (await Promise.all(each)).flat();
}

export async function typedTerms(
  sql: Sql,
  view: Pick<View, "t">,
  fields: readonly Field[],
  controls: Controls,
): Promise<Typed> {
  const boxes = boxesOf(fields, controls);
  const found = await termsIn(sql, view, [...boxes, ...boxesOfRoles(controls)]);
  const listed = found.filter(({ text, value }) => text === value);
  const known = new Set(listed.map(({ control }) => control));
  return {
    unlisted: new Set(
      boxes
        .filter(({ control, text }) => text.trim() !== "" && !known.has(control))
        .map(({ control }) => control),
    ),
    labels: new Map(listed.flatMap(({ control, label }) => (label ? [[control, label]] : []))),
  };
}

/** The form with what is stored where the reader's language stands: the value of a term, and measurements. */
export async function withStoredValues(
  sql: Sql,
  view: Pick<View, "t" | "formats">,
  fields: readonly Field[],
  form: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const found = await termsIn(sql, view, [...boxesOf(fields, form), ...boxesOfRoles(form)]);
  return new Map([
    ...withStoredMeasures(view, fields, form),
    ...found.map(({ control, value }) => [control, value] as const),
  ]);
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
