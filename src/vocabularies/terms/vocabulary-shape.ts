/** Vocabularies and their terms as callers write and read them. */

import { z } from "zod";
import { listOf, pageQuery } from "../../http/answer/list-envelope.ts";
import { said, toldText } from "../../messages/said.ts";
import { IdShape } from "../../records/shape.ts";
import {
  AddressShape,
  HelpShape,
  LabelsShape,
  NameShape,
  OptionalLabelsShape,
  patchShape,
  SortOrderShape,
  shownBy,
  textPerLanguage,
  textShape,
  textsPerLanguage,
  WrittenSortOrderShape,
  writtenShapes,
} from "../shape.ts";

const count = z.int().openapi({ description: "Ignored, so that you can send an answer back" });

export const VocabularyParams = z.object({ name: z.string().openapi({ example: "material" }) });

export const VocabularyShape = z
  .object({
    name: NameShape,
    label: LabelsShape,
    description: HelpShape,
    uri: AddressShape.nullable(),
    term_count: count,
  })
  .openapi("Vocabulary");

export const VocabularyListShape = listOf(VocabularyShape).openapi("VocabularyList");

const writableVocabulary = {
  label: LabelsShape,
  description: HelpShape.default({}),
  uri: AddressShape.nullable().default(null),
  term_count: count.optional(),
};

export const { draft: VocabularyDraftShape, replacement: VocabularyReplacementShape } = writtenShapes(
  "Vocabulary",
  writableVocabulary,
);
export const VocabularyPatchShape = patchShape("VocabularyPatch", "a vocabulary");

export type VocabularyDraft = z.output<typeof VocabularyDraftShape>;
export type VocabularyReplacement = z.output<typeof VocabularyReplacementShape>;

export const vocabularyJson = shownBy(VocabularyShape);

const value = textShape(500).openapi({
  description: "The value in records; unique in its vocabulary",
  example: "oak",
});

/** Of one term, beside the first. */
export const MOST_BROADER = 20;
const also_broader = z
  .array(IdShape)
  .max(MOST_BROADER, toldText(said("fault.values.too_many", { most: MOST_BROADER })))
  .openapi({ description: "Further terms above it, in the same vocabulary" });

const OtherNamesShape = textsPerLanguage(100, 500).openapi("OtherNames", {
  description: "Several texts per language (BCP 47; `und` where it is not known)",
  example: { en: ["beeswax crayon"] },
});
const NoteShape = textPerLanguage(10_000, 0).openapi("Note", {
  description: "Text per language (BCP 47; `und` where it is not known)",
});

export const TermShape = z
  .object({
    id: IdShape,
    vocabulary: NameShape,
    value,
    label: OptionalLabelsShape,
    uri: AddressShape.nullable(),
    broader_id: IdShape.nullable(),
    also_broader,
    alt_label: OtherNamesShape,
    hidden_label: OtherNamesShape,
    definition: NoteShape,
    scope_note: NoteShape,
    sort_order: SortOrderShape,
  })
  .openapi("Term");

export const TermListShape = listOf(TermShape).openapi("TermList");

export const TermDraftShape = z
  .strictObject({
    id: IdShape.optional().openapi({ description: "Ignored for a new term; it cannot be changed" }),
    vocabulary: NameShape.optional().openapi({ description: "The same as in the address" }),
    value,
    label: OptionalLabelsShape.default({}),
    uri: AddressShape.nullable().default(null),
    broader_id: IdShape.nullable()
      .default(null)
      .openapi({ description: "The term above it, in the same vocabulary" }),
    also_broader: also_broader.default([]),
    alt_label: OtherNamesShape.default({}),
    hidden_label: OtherNamesShape.default({}),
    definition: NoteShape.default({}),
    scope_note: NoteShape.default({}),
    sort_order: WrittenSortOrderShape,
  })
  .openapi("TermDraft");
export const TermPatchShape = patchShape("TermPatch", "a term");

export type TermDraft = z.output<typeof TermDraftShape>;

export const TermQuery = z.strictObject({
  ...pageQuery,
  q: z
    .string()
    .trim()
    .max(500)
    .optional()
    .openapi({ description: "Part of the value or of a label of any kind, ignoring case and accents" }),
  broader: z
    .union([IdShape, z.literal("none")], toldText(said("fault.term.id_or_none")))
    .optional()
    .openapi({ description: "Only terms directly below this one; none: only those at the top" }),
});

export type TermQuery = z.output<typeof TermQuery>;

export const termJson = shownBy(TermShape);
