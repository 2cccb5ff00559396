/** Links that a record of one kind can have, as its reader calls them. */
import { labelIn } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import { KINDS, type Kind } from "../../records/kinds.ts";
import { mayBeQualified } from "../../records/links/attributions.ts";
import type { Schema } from "../../records/schema.ts";
import { maySeeLinksOf } from "../../records/visibility.ts";

/** A link as it can be made from a record of one kind: its name from there, and what it may lead to. */
export type LinkChoice = { name: string; label: string; to: readonly Kind[]; takesQualifier: boolean };

/** The links that can be made from a record of this kind, in both directions; last those that every kind can have. */
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
