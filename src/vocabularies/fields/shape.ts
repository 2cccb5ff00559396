/** Fields as callers write and read them. */
import { z } from "zod";
import { KINDS } from "../../records/kinds.ts";
import { FIELD_TYPES } from "../../records/schema.ts";
import {
  HelpShape,
  LabelsShape,
  MappingShape,
  NameShape,
  patchShape,
  SortOrderShape,
  shownBy,
  WrittenSortOrderShape,
  writtenShapes,
} from "../shape.ts";

const flag = (description: string) => z.boolean().openapi({ description });

const flags = {
  is_required: flag("A record without it cannot be published"),
  is_repeatable: flag("Allows several entries; a translatable field always allows one per language"),
  is_translatable: flag("Entries have a language"),
  is_searchable: z
    .enum(["A", "B", "C", "D"])
    .nullable()
    .openapi({ description: "Weight in the search; null: not searched" }),
  is_facet: flag("Its values are counted with search results and can be used as filters"),
  is_public: flag("Visitors see it; otherwise only staff do"),
};

export const FieldShape = z
  .object({
    record_type: z.enum(KINDS),
    name: NameShape,
    label: LabelsShape,
    help: HelpShape,
    field_type: z.enum(FIELD_TYPES),
    vocabulary: NameShape.nullable().openapi({ description: "For vocab and vocab_free fields" }),
    ...flags,
    sort_order: SortOrderShape,
    mapping: MappingShape,
  })
  .openapi("Field");

const writable = {
  record_type: z.enum(KINDS).optional().openapi({ description: "The same as in the address" }),
  label: LabelsShape,
  help: HelpShape.default({}),
  field_type: z.enum(FIELD_TYPES),
  vocabulary: NameShape.nullable().default(null).openapi({
    description:
      "Required for vocab, whose values must be its terms; optional for vocab_free, which suggests its terms",
  }),
  is_required: flags.is_required.default(false),
  is_repeatable: flags.is_repeatable.default(false),
  is_translatable: flags.is_translatable.default(false),
  is_searchable: flags.is_searchable.default(null),
  is_facet: flags.is_facet.default(false),
  is_public: flags.is_public.default(false),
  sort_order: WrittenSortOrderShape,
  mapping: MappingShape.default({}),
};

export const { draft: FieldDraftShape, replacement: FieldReplacementShape } = writtenShapes(
  "Field",
  writable,
);
export const FieldPatchShape = patchShape("FieldPatch", "a field");

export type FieldDraft = z.output<typeof FieldDraftShape>;
export type FieldReplacement = z.output<typeof FieldReplacementShape>;

export const fieldJson = shownBy(FieldShape);
