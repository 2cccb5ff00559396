/** What names, labels and addresses of configuration look like, wherever they stand. */
import { z } from "zod";
import { readAs } from "../http/faults.ts";
import type { Read } from "../http/route.ts";
import { demandText } from "../http/text-shape.ts";
import { isLanguageTag } from "../language-tag.ts";
import { said, toldText } from "../messages/said.ts";
import { invalid, invalidAt } from "../problem.ts";
import { mergePatch } from "../records/shape.ts";
import { isStorable } from "../text.ts";

/** Linked data percent-encodes what an IRI cannot contain (`asIri`). */
const ADDRESS = /^(https?:\/\/|urn:[a-z0-9])[^\s<>"{}|\\^`\p{Cc}]*$/iu;

const NAME = /^[a-z][a-z0-9_]{0,62}$/;
const NO_NAME = toldText(said("fault.name.form"));

/**
 * `constructor` is what every JavaScript object seems to have: records are plain objects keyed by field names, and a
 * field of this name would be found in all of them.
 */
export const NameShape = z
  .string()
  .regex(NAME, NO_NAME)
  .refine((name) => name !== "constructor", toldText(said("fault.name.reserved")))
  .openapi({ example: "watermark" });

/** The message of a text that is too long. */
export const tooLong = (most: number): string => toldText(said("fault.too_long", { most }));

export function textShape(max: number) {
  return z
    .string()
    .trim()
    .min(1, toldText(said("fault.empty")))
    .max(max, tooLong(max))
    .superRefine(demandText);
}

/** The check of the tags comes last, so that it points at the tag that is wrong. */
function demandTags(byLanguage: object, context: z.RefinementCtx): void {
  for (const tag of Object.keys(byLanguage).filter((candidate) => !isLanguageTag(candidate))) {
    context.addIssue({
      code: "custom",
      path: [tag],
      message: toldText(said("fault.language_tag_of", { value: tag.slice(0, 40) })),
    });
  }
}

/** Text per language. */
export function textPerLanguage(max: number, atLeast: 0 | 1) {
  return z.record(z.string(), textShape(max)).superRefine((texts, context) => {
    if (Object.keys(texts).length < atLeast) {
      context.addIssue({ code: "custom", message: toldText(said("fault.text_per_language.none")) });
    }
    demandTags(texts, context);
  });
}

export const LabelsShape = textPerLanguage(200, 1).openapi("Labels", {
  description: "Text per language (BCP 47), at least one",
  example: { en: "Watermark", de: "Wasserzeichen" },
});
/** For terms, whose value is a name already. */
export const OptionalLabelsShape = textPerLanguage(200, 0).openapi("OptionalLabels", {
  description: "Text per language (BCP 47)",
});
/** Several texts per language, each once and on one line. */
export function textsPerLanguage(most: number, max: number) {
  const line = textShape(max).overwrite((text) => text.replace(/\s*[\r\n]\s*/g, " "));
  const lines = z
    .array(line)
    .max(most, toldText(said("fault.values.too_many", { most })))
    .overwrite((texts) => [...new Set(texts)]);
  return z.record(z.string(), lines).superRefine(demandTags);
}

export const HelpShape = textPerLanguage(1_000, 0).openapi("Help", {
  description: "Longer text per language (BCP 47)",
});

/** The fifteen elements of Dublin Core, which is all that `dc` can name. */
export const DUBLIN_CORE = (
  "contributor coverage creator date description format identifier language publisher relation " +
  "rights source subject title type"
).split(" ");

export const MappingShape = z
  .record(z.string().regex(NAME, NO_NAME), textShape(1_000))
  .superRefine((mapping, context) => {
    if (mapping.dc !== undefined && !DUBLIN_CORE.includes(mapping.dc)) {
      context.addIssue({
        code: "custom",
        path: ["dc"],
        message: toldText(
          said("fault.mapping.element", { value: mapping.dc.slice(0, 40), known: DUBLIN_CORE.join(", ") }),
        ),
      });
    }
  })
  .openapi("Mapping", {
    description:
      "How it is mapped to linked data: `pattern` and `dc` (a Dublin Core element) for a field, `path` for a relation",
    example: { pattern: "description", dc: "description" },
  });

export const AddressShape = z
  .string()
  .max(2_000, tooLong(2_000))
  .refine(
    (text) => ADDRESS.test(text) && URL.canParse(text) && isStorable(text),
    toldText(said("fault.address.authority")),
  )
  .openapi({
    pattern: "^([hH][tT][tT][pP][sS]?://|[uU][rR][nN]:)",
    example: "http://vocab.getty.edu/aat/300033618",
  });

/** The largest number that a place in an order can have. */
export const LAST_PLACE = 2_147_483_647;

export const SortOrderShape = z
  .int()
  .min(-LAST_PLACE)
  .max(LAST_PLACE)
  .openapi({ description: "Smaller comes first", example: 10 });

export const WrittenSortOrderShape = SortOrderShape.optional().openapi({
  description: "If left out: last for a new one, otherwise unchanged",
});

/** What POST takes, and what PUT takes: the same, but the name is in the address. */
export function writtenShapes<W extends z.ZodRawShape>(name: string, writable: W) {
  return {
    draft: z.strictObject({ name: NameShape, ...writable }).openapi(`${name}Draft`),
    replacement: z
      .strictObject({ name: NameShape.optional().openapi({ description: "As in the address" }), ...writable })
      .openapi(`${name}Replacement`),
  };
}

/** What an answer shows of a row: the members of its shape, in that order. */
export function shownBy<S extends z.ZodRawShape>(shape: z.ZodObject<S>) {
  const keys = Object.keys(shape.shape);
  return <R extends Record<keyof S, unknown>>(row: R): Pick<R, keyof S> =>
    Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<R, keyof S>;
}

/** The document of a JSON Merge Patch; what it makes is checked as a whole, see `merged`. */
export function patchShape(name: string, of: string) {
  return z.record(z.string(), z.unknown()).openapi(name, {
    description: `JSON Merge Patch (RFC 7396) of ${of}: null removes, objects are merged, the rest replaces`,
  });
}

/** What a patch makes of the current state, held to the shape of a replacement. */
export function merged<S extends z.ZodType>(
  shape: S,
  current: unknown,
  patch: Record<string, unknown>,
): Read<S> {
  // the one member that would come back by itself
  if (patch.name === null) throw invalidAt("/name", said("fault.not_removable"));
  const read = readAs(shape, mergePatch(current, patch));
  if ("faults" in read) throw invalid(read.faults);
  return read.data as Read<S>;
}

/** Names are addresses and are written into records and import mappings: they never change. */
export function demandSame(key: string, sent: string | undefined, current: string): void {
  if (sent !== undefined && sent !== current) {
    throw invalidAt(`/${key}`, said("fault.fixed", { value: current }));
  }
}
