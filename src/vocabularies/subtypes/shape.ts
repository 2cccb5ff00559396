/** Subtypes as callers write and read them. */
import { z } from "zod";
import { listOf } from "../../http/answer/list-envelope.ts";
import {
  LabelsShape,
  NameShape,
  SortOrderShape,
  shownBy,
  textShape,
  WrittenSortOrderShape,
} from "../shape.ts";

const is_default = z.boolean().openapi({ description: "Used for new records without a subtype" });
const crm_class = textShape(100).nullable().openapi({
  description: "Its class in linked data (CIDOC CRM or LRMoo); null: the class of its record type",
  example: "lrmoo:F5_Item",
});
const form = z
  .array(NameShape)
  .max(200)
  .openapi({
    description:
      "Names of the fields that the editor shows first, in this order; the others appear when they have a value or are asked for. A name that no field has is passed over. Empty: all fields",
    example: ["title", "date", "material"],
  });

export const SubtypeShape = z
  .object({ name: NameShape, label: LabelsShape, is_default, sort_order: SortOrderShape, crm_class, form })
  .openapi("Subtype");

export const SubtypeListShape = listOf(SubtypeShape).openapi("SubtypeList");

export const SubtypeReplacementShape = z
  .strictObject({
    name: NameShape.optional().openapi({ description: "The same as in the address" }),
    label: LabelsShape,
    is_default: is_default.default(false),
    sort_order: WrittenSortOrderShape,
    crm_class: crm_class.default(null),
    form: form.default([]),
  })
  .openapi("SubtypeReplacement");

export type SubtypeReplacement = z.output<typeof SubtypeReplacementShape>;

export const subtypeJson = shownBy(SubtypeShape);
