/** The schemas of media, which validate requests and describe the API. */

import { z } from "zod";
import { listOf } from "../http/answer/list-envelope.ts";
import { readAs } from "../http/faults.ts";
import { demandText, wholeNumber } from "../http/text-shape.ts";
import { isLanguageTag, noLanguageTag } from "../language-tag.ts";
import { said, toldText } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { CATEGORIES, MEDIUM_STATES, VISIBILITIES } from "../records/media/medium.ts";
import { type Entry, trimmedEntry } from "../records/record.ts";
import { EntryShape, IdShape } from "../records/shape.ts";

const shortText = (most: number) => z.string().trim().min(1).max(most).superRefine(demandText);

const LanguageTag = z
  .string()
  .refine(isLanguageTag, { error: ({ input }) => toldText(noLanguageTag(String(input))) });

/** A text in any number of languages, or a plain string, which is one entry without a language. */
const WrittenText = z
  .preprocess(
    (sent) => (typeof sent === "string" ? (sent.trim() === "" ? [] : [{ value: sent }]) : sent),
    z
      .array(
        EntryShape.extend({
          lang: LanguageTag.optional(),
          value: z.string().max(5_000).superRefine(demandText),
        }),
      )
      .max(50),
  )
  .transform((entries): Entry[] => entries.map(trimmedEntry).filter(({ value }) => value !== ""))
  .superRefine((entries, context) => {
    const langs = entries.map(({ lang }) => lang?.toLowerCase() ?? "");
    const twice = langs.find((lang, index) => langs.indexOf(lang) < index);
    if (twice !== undefined)
      context.addIssue({
        code: "custom",
        message: toldText(
          twice ? said("fault.file.two_texts", { lang: twice }) : said("fault.file.two_unnamed_texts"),
        ),
      });
  })
  .openapi("MediumText", {
    type: "array",
    items: { $ref: "#/components/schemas/Entry" },
    description: "One text per language; a plain string is one text without a language",
    example: [{ value: "The harbour at dusk", lang: "en" }],
  });

const LAST_POSITION = 1_000_000;
/** Most characters of a file name with its directories. */
const LONGEST_PATH = 500;

const LicenseUri = z.url({ protocol: /^https?$/ }).max(2_000);

const VISIBLE = "Visitors see a public medium if its object is public, too; default public";

const FIELDS = {
  visibility: z.enum(VISIBILITIES).openapi({ description: VISIBLE }),
  is_primary: z.boolean().openapi({
    description:
      "The medium that represents the object; by default the first. Setting it here unsets it for the other",
  }),
  caption: WrittenText,
  alt_text: WrittenText,
  license_uri: LicenseUri.nullable(),
  rights_holder: shortText(500).nullable(),
  position: z
    .int()
    .min(1)
    .max(LAST_POSITION)
    .openapi({ description: "Position among the object's media, from 1; the others move up or down" }),
};

/** The description of a medium, given at upload and changed later. */
export const MediumChangeShape = z
  .strictObject({ filename: shortText(200), ...FIELDS })
  .partial()
  .openapi("MediumChange");
export type MediumChange = z.output<typeof MediumChangeShape>;

/** The same fields in a form, as strings. */
const FormShape = z
  .strictObject({
    ...FIELDS,
    is_primary: z.enum(["true", "false"]).transform((text) => text === "true"),
    caption: z.string().transform(entriesOfText).pipe(WrittenText),
    alt_text: z.string().transform(entriesOfText).pipe(WrittenText),
    position: wholeNumber(1, LAST_POSITION),
  })
  .partial();

/** These fields as both forms send them. An empty field counts as missing, because HTML forms send all their fields. */
const SENT = {
  visibility: z.enum([...VISIBILITIES, ""]).openapi({ description: VISIBLE }),
  license_uri: z.string().max(2_000),
  rights_holder: z.string().max(500),
};

export const UploadForm = z
  .strictObject({
    file: z.string().openapi({ format: "binary" }),
    ...SENT,
    is_primary: z
      .enum(["true", "false", ""])
      .openapi({ description: "`true`: this medium stands for the object in lists" }),
    caption: z.string().openapi({ description: 'Text, or JSON as `[{"value": "…", "lang": "en"}]`' }),
    alt_text: z.string().openapi({ description: "As `caption`" }),
    position: z.string().openapi({ description: "A whole number from 1" }),
  })
  .partial()
  .required({ file: true })
  .openapi("MediumUpload");

const BatchFields = z
  .strictObject({
    object_id: IdShape.openapi({
      description: "The object of all these files, instead of those of their names",
    }),
    visibility: FIELDS.visibility,
    license_uri: LicenseUri,
    rights_holder: shortText(500),
  })
  .partial();

export const BatchForm = z
  .strictObject({ ...BatchFields.shape, ...SENT })
  .partial()
  .extend({
    file: z.array(z.string().openapi({ format: "binary" })).openapi({ description: "The files" }),
  })
  .openapi("MediaBatchUpload");

export const BatchPlan = z
  .strictObject({
    dry_run: z.literal(true).openapi({ description: "Nothing is stored; a form stores" }),
    files: z
      .array(
        z.strictObject({
          filename: z
            .string()
            .min(1)
            .max(LONGEST_PATH)
            .openapi({ description: "Also with directories before it", example: "scans/1912.4_verso.jpg" }),
          bytes: z.int().min(0).openapi({ description: "The size of the file" }),
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .optional()
            .openapi({ description: "Its checksum, which tells whether the object has it already" }),
        }),
      )
      .max(5_000),
  })
  .openapi("MediaBatchPlan");

export const BatchShape = listOf(
  z.object({
    filename: z.string(),
    object_id: IdShape.optional(),
    idno: z.string().optional(),
    state: z.enum(["matched", "ambiguous", "unmatched", "stored", "duplicate", "refused"]).openapi({
      description:
        "matched: a dry run found its object; ambiguous: several objects fit; duplicate: the object has this file already",
    }),
    position: z
      .int()
      .optional()
      .openapi({ description: "Its place in the list of the import that named the file" }),
    code: z.string().optional().openapi({ description: "Why it would not be stored, or was not" }),
    detail: z.string().optional().openapi({ description: "The same in words" }),
  }),
).openapi("MediaBatch");

/** A list in a form field is JSON. Text that is not valid JSON stays as it is. */
function entriesOfText(text: string): unknown {
  if (!text.trimStart().startsWith("[{")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads the form fields besides the file. An empty `object_id` is a fault: without it, names would choose the objects. */
function fieldsOf<S extends z.ZodType>(shape: S, fields: ReadonlyMap<string, string>): z.output<S> {
  const filled = Object.fromEntries(
    [...fields].filter(([name, value]) => value.trim() !== "" || name === "object_id"),
  );
  const read = readAs(shape, filled);
  if ("faults" in read) throw invalid(read.faults);
  return read.data;
}

export const readUploadFields = (fields: ReadonlyMap<string, string>): MediumChange =>
  fieldsOf(FormShape, fields);

export const readBatchFields = (fields: ReadonlyMap<string, string>) => fieldsOf(BatchFields, fields);

export const MediumShape = z
  .object({
    media_id: IdShape,
    object_id: IdShape,
    filename: z.string(),
    mime_type: z.string(),
    category: z.enum(CATEGORIES),
    status: z.enum(MEDIUM_STATES).openapi({
      description:
        "pending: tiles are being made, and images are slower meanwhile. error: the picture cannot be decoded, and is shown nowhere",
    }),
    error_detail: z.string().nullable(),
    bytes: z.int(),
    sha256: z.string().openapi({ description: "The checksum of the uploaded file (SHA-256)" }),
    width: z.int().nullable(),
    height: z.int().nullable(),
    duration: z.number().nullable().openapi({ description: "The length of a film or a sound, in seconds" }),
    visibility: z.enum(VISIBILITIES),
    is_primary: z.boolean(),
    caption: z.array(EntryShape),
    alt_text: z.array(EntryShape),
    license_uri: z.string().nullable(),
    rights_holder: z.string().nullable(),
    position: z.int(),
    storage_key: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    links: z.record(z.string(), z.string()).openapi({
      description: "file; and thumbnail, iiif and manifest if available",
    }),
  })
  .openapi("Medium");

export const MediumListShape = listOf(MediumShape).openapi("MediumList");

export const UploadedShape = MediumShape.extend({
  notes: z.array(z.string()).openapi({ description: "Remarks, such as that the file was renamed" }),
  duplicates: z.array(z.object({ media_id: IdShape, object_id: IdShape })).openapi({
    description: "Other objects with the same file, at most ten",
  }),
}).openapi("UploadedMedium");
