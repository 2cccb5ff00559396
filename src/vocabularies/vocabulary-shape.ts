/** Vocabularies and their terms as callers write and read them. */

import { z } from "zod";
import { listOf } from "../http/list-envelope.ts";
import { wholeNumber } from "../http/text-shape.ts";
import { IdShape } from "../records/shape.ts";
import {
  AddressShape,
  HelpShape,
  LabelsShape,
  NameShape,
  OptionalLabelsShape,
  patchShape,
  SortOrderShape,
  textShape,
} from "./shape.ts";
import type { TermRow } from "./term-store.ts";
import type { VocabularyRow } from "./vocabulary-store.ts";

const count = z.int().openapi({ description: "Ignored when written, so that an answer can be sent back" });

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

export const VocabularyDraftShape = z
  .strictObject({ name: NameShape, ...writableVocabulary })
  .openapi("VocabularyDraft");
export const VocabularyReplacementShape = z
  .strictObject({
    name: NameShape.optional().openapi({ description: "As in the address" }),
    ...writableVocabulary,
  })
  .openapi("VocabularyReplacement");
export const VocabularyPatchShape = patchShape("VocabularyPatch", "a vocabulary");

export type VocabularyDraft = z.output<typeof VocabularyDraftShape>;
export type VocabularyReplacement = z.output<typeof VocabularyReplacementShape>;

export function vocabularyJson(row: VocabularyRow): VocabularyRow {
  return {
    name: row.name,
    label: row.label,
    description: row.description,
    uri: row.uri,
    term_count: row.term_count,
  };
}

const value = textShape(500).openapi({
  description: "What records hold; unique in its vocabulary",
  example: "oak",
});

export const TermShape = z
  .object({
    id: IdShape,
    vocabulary: NameShape,
    value,
    label: OptionalLabelsShape,
    uri: AddressShape.nullable(),
    broader_id: IdShape.nullable(),
    sort_order: SortOrderShape,
  })
  .openapi("Term");

export const TermListShape = listOf(TermShape).openapi("TermList");

export const TermDraftShape = z
  .strictObject({
    id: IdShape.optional().openapi({ description: "Ignored when new, never changed" }),
    vocabulary: NameShape.optional().openapi({ description: "As in the address" }),
    value,
    label: OptionalLabelsShape.default({}),
    uri: AddressShape.nullable().default(null),
    broader_id: IdShape.nullable()
      .default(null)
      .openapi({ description: "The term above it, of the same vocabulary" }),
    sort_order: SortOrderShape.optional().openapi({
      description: "When left out: behind all others, or as it was",
    }),
  })
  .openapi("TermDraft");
export const TermPatchShape = patchShape("TermPatch", "a term");

export type TermDraft = z.output<typeof TermDraftShape>;

export const TermQuery = z.strictObject({
  page: wholeNumber(1, 1_000_000_000).default(1),
  page_size: wholeNumber(1, 200).default(50),
  q: z
    .string()
    .trim()
    .max(500)
    .optional()
    .openapi({ description: "Part of the value or of a label, without case and accents" }),
  broader: z
    .union([IdShape, z.literal("none")], "is neither the id of a term nor none")
    .optional()
    .openapi({ description: "Only the terms right below this one; none: only those at the top" }),
});

export type TermQuery = z.output<typeof TermQuery>;

export function termJson(row: TermRow): TermRow {
  return {
    id: row.id,
    vocabulary: row.vocabulary,
    value: row.value,
    label: row.label,
    uri: row.uri,
    broader_id: row.broader_id,
    sort_order: row.sort_order,
  };
}
