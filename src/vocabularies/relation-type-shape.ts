/** Relation types as callers write and read them. */
import { z } from "zod";
import { listOf } from "../http/list-envelope.ts";
import { KINDS } from "../records/kinds.ts";
import type { RelationType } from "../records/schema.ts";
import { LabelsShape, MappingShape, NameShape, patchShape, SortOrderShape } from "./shape.ts";

const EndsShape = z
  .array(z.enum(KINDS))
  .min(1, "names no record type")
  .refine((kinds) => new Set(kinds).size === kinds.length, "names a record type twice");
const from_types = EndsShape.openapi({ description: "Record types that it may lead from" });
const to_types = EndsShape.openapi({ description: "Record types that it may lead to" });
const inverse = NameShape.openapi({
  description: "Its name from the other end; its own name when it reads alike from both ends",
  example: "created",
});
const is_public = z.boolean().openapi({ description: "Visitors see such links between public records" });
const is_hierarchical = z.boolean().openapi({
  description: "Leads up or down, as part_of does: a relation that would make a circle is refused",
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
    description: "Its label from the other end; may be left out when it reads alike from both ends",
  }),
  from_types,
  to_types,
  is_public: is_public.default(true),
  is_hierarchical: is_hierarchical.default(false),
  sort_order: SortOrderShape.optional().openapi({
    description: "When left out: behind all others, or as it was",
  }),
  mapping: MappingShape.default({}),
};

export const RelationTypeDraftShape = z
  .strictObject({ name: NameShape, ...writable })
  .openapi("RelationTypeDraft");
export const RelationTypeReplacementShape = z
  .strictObject({ name: NameShape.optional().openapi({ description: "As in the address" }), ...writable })
  .openapi("RelationTypeReplacement");
export const RelationTypePatchShape = patchShape("RelationTypePatch", "a relation type");

export type RelationTypeDraft = z.output<typeof RelationTypeDraftShape>;
export type RelationTypeReplacement = z.output<typeof RelationTypeReplacementShape>;

export function relationTypeJson(type: RelationType): RelationType {
  return {
    name: type.name,
    inverse: type.inverse,
    label: type.label,
    inverse_label: type.inverse_label,
    from_types: type.from_types,
    to_types: type.to_types,
    is_public: type.is_public,
    is_hierarchical: type.is_hierarchical,
    sort_order: type.sort_order,
    mapping: type.mapping,
  };
}
