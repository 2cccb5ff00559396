/** A select of licences and rights statements by name, with a note on what they allow. */
import { html } from "hono/html";
import { option } from "../../pages/forms.ts";
import { labelIn, labelText } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { nameIn, type Openness, opennessOf, rightsAddress, rightsBadge } from "../../portal/record/rights.ts";
import { type Field, fieldsOf, type Labels, type Schema } from "../../records/schema.ts";
import { COMMON_RIGHTS } from "../../vocabularies/rights.ts";

type RightsChoice = { value: string; label: Labels };

export const isOfRights = ({ mapping }: Field): boolean => mapping.pattern === "right";

/** The vocabulary of rights for objects in this installation, which also applies to their pictures. */
export const rightsVocabulary = (schema: Schema): string | null =>
  [...fieldsOf(schema, "object").values()].find(isOfRights)?.vocabulary ?? null;

const OPENNESS: readonly Openness[] = ["free", "licensed", "protected", "unclear"];

/**
 * @param attributes of the control
 * @param terms of the installation; if empty, the rights that the program knows
 */
export function rightsControl(
  view: View,
  attributes: Html,
  value: string,
  terms: readonly RightsChoice[],
): Html {
  const { t } = view;
  const offered = terms.length > 0 ? terms : COMMON_RIGHTS.map((uri) => ({ value: uri, label: {} }));
  const choices = offered.map((term) => ({
    value: term.value,
    label: labelIn(term.label, t.language, nameIn(term.value)),
    openness: opennessOf(term.value),
  }));
  const isOffered = value === "" || choices.some((choice) => choice.value === value);
  const address = rightsAddress(value);
  const known = offered.find((term) => term.value === address);
  const name = labelText(known?.label ?? {}, t.language, nameIn(value));
  return html`<select ${attributes} data-rights>${option("", t("admin.notSet"), value)}${isOffered ? "" : option(value, name.value, value)}${OPENNESS.map(
    (openness) => {
      const those = choices.filter((choice) => choice.openness === openness);
      return those.length === 0
        ? ""
        : html`<optgroup label="${t(`rights.${openness}`)}">${those.map((one) => option(one.value, one.label, value))}</optgroup>`;
    },
  )}</select>${address === null ? "" : rightsBadge(view, address, new Map([[address, name]]))}`;
}
