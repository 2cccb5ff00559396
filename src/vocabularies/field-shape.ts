/** Fields as callers write and read them. */
import { z } from "zod";
import { KINDS } from "../records/kinds.ts";
import { FIELD_TYPES, type Field } from "../records/schema.ts";
import { HelpShape, LabelsShape, MappingShape, NameShape, patchShape, SortOrderShape } from "./shape.ts";

const flag = (description: string) => z.boolean().openapi({ description });

const flags = {
  is_required: flag("Without it a record cannot be published"),
  is_repeatable: flag("Takes several entries; a translatable field takes one for each language anyway"),
  is_translatable: flag("Entries say their language"),
  is_searchable: z
    .enum(["A", "B", "C", "D"])
    .nullable()
    .openapi({ description: "Weight in the search; null: not searched" }),
  is_facet: flag("Its values are counted beside search results and can be filtered by"),
  is_public: flag("Visitors see it; otherwise it never leaves the house"),
};

export const FieldShape = z
  .object({
    record_type: z.enum(KINDS),
    name: NameShape,
    label: LabelsShape,
    help: HelpShape,
    field_type: z.enum(FIELD_TYPES),
    vocabulary: NameShape.nullable().openapi({ description: "Of vocab and vocab_free fields" }),
    ...flags,
    sort_order: SortOrderShape,
    mapping: MappingShape,
  })
  .openapi("Field");

const writable = {
  record_type: z.enum(KINDS).optional().openapi({ description: "As in the address" }),
  label: LabelsShape,
  help: HelpShape.default({}),
  field_type: z.enum(FIELD_TYPES),
  vocabulary: NameShape.nullable().default(null).openapi({
    description: "vocab holds values to its terms and needs one; vocab_free may offer its terms",
  }),
  is_required: flags.is_required.default(false),
  is_repeatable: flags.is_repeatable.default(false),
  is_translatable: flags.is_translatable.default(false),
  is_searchable: flags.is_searchable.default(null),
  is_facet: flags.is_facet.default(false),
  is_public: flags.is_public.default(false),
  sort_order: SortOrderShape.optional().openapi({
    description: "When left out: behind all others, or as it was",
  }),
  mapping: MappingShape.default({}),
};

export const FieldDraftShape = z.strictObject({ name: NameShape, ...writable }).openapi("FieldDraft");
export const FieldReplacementShape = z
  .strictObject({ name: NameShape.optional().openapi({ description: "As in the address" }), ...writable })
  .openapi("FieldReplacement");
export const FieldPatchShape = patchShape("FieldPatch", "a field");

export type FieldDraft = z.output<typeof FieldDraftShape>;
export type FieldReplacement = z.output<typeof FieldReplacementShape>;

export function fieldJson(field: Field): Field {
  return {
    record_type: field.record_type,
    name: field.name,
    label: field.label,
    help: field.help,
    field_type: field.field_type,
    vocabulary: field.vocabulary,
    is_required: field.is_required,
    is_repeatable: field.is_repeatable,
    is_translatable: field.is_translatable,
    is_searchable: field.is_searchable,
    is_facet: field.is_facet,
    is_public: field.is_public,
    sort_order: field.sort_order,
    mapping: field.mapping,
  };
}
