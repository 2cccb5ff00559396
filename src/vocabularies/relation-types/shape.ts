/** Relation types as callers write and read them. */
import { z } from "zod";
import { listOf } from "../../http/answer/list-envelope.ts";
import { said, toldText } from "../../messages/said.ts";
import { KINDS } from "../../records/kinds.ts";
import {
  LabelsShape,
  MappingShape,
  NameShape,
  patchShape,
  SortOrderShape,
  shownBy,
  WrittenSortOrderShape,
  writtenShapes,
} from "../shape.ts";

const EndsShape = z
  .array(z.enum(KINDS))
  .min(1, toldText(said("fault.record_types.none")))
  .refine((kinds) => new Set(kinds).size === kinds.length, toldText(said("fault.record_types.twice")));
const from_types = EndsShape.openapi({ description: "Allowed record types at its first end" });
const to_types = EndsShape.openapi({ description: "Allowed record types at its other end" });
const inverse = NameShape.openapi({
  description: "Its name from the other end; the same name for a symmetric type",
  example: "created",
});
const is_public = z.boolean().openapi({ description: "Visitors see such relations between public records" });
const is_hierarchical = z.boolean().openapi({
  description: "Forms a hierarchy, like part_of: a relation that would make a circle is refused",
});
const inverse_label = LabelsShape.openapi({ description: "Its label from the other end" });

export const RelationTypeShape = z
  .object({
    name: NameShape,
    inverse,
    label: LabelsShape,
    inverse_label,
    from_types,
    to_types,
    is_public,
    is_hierarchical,
    sort_order: SortOrderShape,
    mapping: MappingShape,
  })
  .openapi("RelationType");

export const RelationTypeListShape = listOf(RelationTypeShape).openapi("RelationTypeList");

const writable = {
  inverse,
  label: LabelsShape,
  inverse_label: inverse_label.optional().openapi({
    description: "Its label from the other end; may be left out for a symmetric type",
  }),
  from_types,
  to_types,
  is_public: is_public.default(true),
  is_hierarchical: is_hierarchical.default(false),
  sort_order: WrittenSortOrderShape,
  mapping: MappingShape.default({}),
};

export const { draft: RelationTypeDraftShape, replacement: RelationTypeReplacementShape } = writtenShapes(
  "RelationType",
  writable,
);
export const RelationTypePatchShape = patchShape("RelationTypePatch", "a relation type");

export type RelationTypeDraft = z.output<typeof RelationTypeDraftShape>;
export type RelationTypeReplacement = z.output<typeof RelationTypeReplacementShape>;

export const relationTypeJson = shownBy(RelationTypeShape);
