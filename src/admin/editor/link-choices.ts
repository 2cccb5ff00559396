/** The possible links of a kind of record, with names in the reader's language. */
import { labelIn } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import { KINDS, type Kind } from "../../records/kinds.ts";
import { mayBeQualified } from "../../records/links/attributions.ts";
import type { Schema } from "../../records/schema.ts";
import { maySeeLinksOf } from "../../records/visibility.ts";

/** A possible link from a record of one kind: its name in that direction, and the kinds it may lead to. */
export type LinkChoice = { name: string; label: string; to: readonly Kind[]; takesQualifier: boolean };

/** The possible links from a record of this kind, in both directions. Types for every kind come last. */
export function linkChoices(view: View, schema: Schema, kind: Kind): LinkChoice[] {
  const { t, caller } = view;
  const isCommon = (kinds: readonly Kind[]) => kinds.length === KINDS.length;
  return [...schema.relationTypes.values()]
    .filter((type) => maySeeLinksOf(caller, type, kind))
    .flatMap((type) => [
      ...(type.from_types.includes(kind)
        ? [
            {
              name: type.name,
              label: labelIn(type.label, t.language, type.name),
              to: type.to_types,
              takesQualifier: mayBeQualified(type),
              isCommon: isCommon(type.from_types),
            },
          ]
        : []),
      ...(type.to_types.includes(kind) && type.inverse !== type.name
        ? [
            {
              name: type.inverse,
              label: labelIn(type.inverse_label, t.language, type.inverse),
              to: type.from_types,
              takesQualifier: mayBeQualified(type),
              isCommon: isCommon(type.to_types),
            },
          ]
        : []),
    ])
    .sort((one, other) => Number(one.isCommon) - Number(other.isCommon));
}
