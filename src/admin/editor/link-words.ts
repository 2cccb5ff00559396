/** Names of links on the page of a record. */
import { labelIn } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import { LOAN_OUT, LOANS, TAKES_PART } from "../../records/links/loans.ts";
import type { Metadata, RecordRow } from "../../records/record.ts";
import { relationLabels, type Schema } from "../../records/schema.ts";
import { type LinkChoice, linkChoices } from "./link-choices.ts";

export type Place = Pick<RecordRow, "record_type" | "subtype">;

/** The name of this type of link in the reader's language. A participant of a loan without a role is its borrower or lender. */
export function linkLabel(
  { t }: Pick<View, "t">,
  schema: Schema,
  { record_type, subtype }: Place,
  name: string,
  { role = [] }: Metadata = {},
): string {
  const isPartner = name === schema.relationTypes.get(TAKES_PART)?.inverse && role.length === 0;
  if (isPartner && record_type === "procedure" && LOANS.includes(subtype))
    return t(subtype === LOAN_OUT ? "care.borrower" : "care.lender");
  return labelIn(relationLabels(schema, name), t.language, name);
}

/** The possible links from a record, with the names on its page. */
export const calledChoices = (view: View, schema: Schema, place: Place): LinkChoice[] =>
  linkChoices(view, schema, place.record_type).map((choice) => ({
    ...choice,
    label: linkLabel(view, schema, place, choice.name),
  }));
