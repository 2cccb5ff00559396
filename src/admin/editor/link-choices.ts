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
  return [...schema.relationTypes.values()]
    .filter((type) => maySeeLinksOf(caller, type, kind))
    .flatMap((type) => {
      const { name, label, inverse, inverse_label, from_types, to_types } = type;
      const ways = [
        { name, labels: label, from: from_types, to: to_types },
        ...(inverse === name
          ? []
          : [{ name: inverse, labels: inverse_label, from: to_types, to: from_types }]),
      ];
      return ways
        .filter(({ from }) => from.includes(kind))
        .map(({ labels, from, ...way }) => ({
          ...way,
          label: labelIn(labels, t.language, way.name),
          takesQualifier: mayBeQualified(type),
          isCommon: from.length === KINDS.length,
        }));
    })
    .sort((one, other) => Number(one.isCommon) - Number(other.isCommon));
}
