/** Subtypes as callers write and read them. */
import { z } from "zod";
import { listOf } from "../http/list-envelope.ts";
import type { Subtype } from "../records/schema.ts";
import { LabelsShape, NameShape, SortOrderShape, textShape } from "./shape.ts";

const is_default = z.boolean().openapi({ description: "Taken when a new record does not say its subtype" });
const crm_class = textShape(100).nullable().openapi({
  description:
    "What it is in linked data, a class of CIDOC CRM or LRMoo; null: what every record of its type is",
  example: "lrmoo:F5_Item",
});

export const SubtypeShape = z
  .object({ name: NameShape, label: LabelsShape, is_default, sort_order: SortOrderShape, crm_class })
  .openapi("Subtype");

export const SubtypeListShape = listOf(SubtypeShape).openapi("SubtypeList");

export const SubtypeReplacementShape = z
  .strictObject({
    name: NameShape.optional().openapi({ description: "As in the address" }),
    label: LabelsShape,
    is_default: is_default.default(false),
    sort_order: SortOrderShape.optional().openapi({
      description: "When left out: behind all others, or as it was",
    }),
    crm_class: crm_class.default(null),
  })
  .openapi("SubtypeReplacement");

export type SubtypeReplacement = z.output<typeof SubtypeReplacementShape>;

export function subtypeJson(subtype: Subtype): Omit<Subtype, "record_type"> {
  return {
    name: subtype.name,
    label: subtype.label,
    is_default: subtype.is_default,
    sort_order: subtype.sort_order,
    crm_class: subtype.crm_class,
  };
}
