/** The bodies that writes accept, as schemas: the same ones validate and describe the API (OpenAPI). */
import { z } from "zod";
import { readAs } from "../http/faults.ts";
import { demandText } from "../http/text-shape.ts";
import { said, toldText } from "../messages/said.ts";
import { type Fault, invalid } from "../problem.ts";
import { composed } from "../text.ts";
import { COLLECTION_STATUSES, type Kind, kinds, STATUSES } from "./kinds.ts";
import type { RecordState } from "./record.ts";

const shortText = (max: number) => z.string().trim().min(1).max(max).superRefine(demandText);

export const EntryShape = z
  .strictObject({
    value: z.string().openapi({
      description:
        "The value; its meaning depends on the field. Blanks around it are removed, except in rich text. Characters that XML " +
        "cannot contain are refused: control characters except tab and line ends, U+FFFE, U+FFFF, unpaired surrogates",
      example: "Oil on canvas",
    }),
    lang: z.string().optional().openapi({ description: "Language tag (BCP 47)", example: "en" }),
  })
  .openapi("Entry");

export const MetadataShape = z.record(z.string().max(200), z.array(EntryShape)).openapi("Metadata", {
  description: "Keys are fields of the installation's schema for this record type (GET /v1/schemas)",
  example: { title: [{ value: "Harbour at dusk", lang: "en" }], date: [{ value: "1887~" }] },
});

export const IdShape = z.uuid().toLowerCase().openapi({ example: "0198c0de-0000-7000-8000-000000000001" });

/** The record in an address. */
export const IdParams = z.object({ id: IdShape });

export const StatusShape = z
  .enum(STATUSES)
  .openapi({ description: "Who may see it: visitors only if it is `public`" });

/** A day such as `2026-01-31`; not in the year 0000, which PostgreSQL refuses. */
export const DayShape = z
  .string()
  .trim()
  .check(z.iso.date())
  .refine((text) => !text.startsWith("0000"), toldText(said("fault.dates.year_zero")));

const columnShapes = {
  collection_status: z.enum(COLLECTION_STATUSES),
  lat: z.number().min(-90).max(90).nullable(),
  lon: z.number().min(-180).max(180).nullable(),
  parent_id: IdShape.nullable(),
  start_date: DayShape.nullable(),
  end_date: DayShape.nullable(),
  due_date: DayShape.nullable(),
  reference_number: shortText(200).nullable(),
};

/** Composed (NFC), as a Mac writes letters and accents apart. */
const IdnoShape = z.string().trim().overwrite(composed).min(1).max(200).superRefine(demandText);

const ignored = z.string().optional().openapi({ description: "Ignored: the service sets it" });

/** What a caller may send to create or replace a record of this kind. */
function draftShape(kind: Kind) {
  const facts = kinds[kind];
  const columns = Object.fromEntries(
    facts.columns.map((column) => [column, columnShapes[column].optional()]),
  );
  return z.strictObject({
    id: IdShape.optional().openapi({
      description: "The id of this record, so that you can send an answer back; it cannot be changed",
    }),
    idno: IdnoShape.optional().openapi({
      description:
        "Unique within its type and case-sensitive: 1998.4a and 1998.4A are two numbers. Blanks around it are removed, and letters are composed (NFC); invisible " +
        "characters (controls, line breaks, zero-width and direction marks) are refused. If left out, the next number is used",
    }),
    [facts.subtypeKey]: shortText(63).optional(),
    status: StatusShape.optional(),
    ...columns,
    metadata_: MetadataShape.optional(),
    created_at: ignored,
    updated_at: ignored,
  });
}

/** A new record is given its id: an answer that is sent as a new record was probably meant for the record that it is of. */
function newShape(kind: Kind) {
  return draftShape(kind).extend({
    id: z
      .never({ error: toldText(said("fault.id.given")) })
      .optional()
      .openapi({ type: "string", readOnly: true, description: "Left out: a new record is given an id" }),
  });
}

/** The answer for a record of this kind. */
function recordShape(kind: Kind) {
  const facts = kinds[kind];
  const ordered: Record<string, z.ZodType> = {
    id: IdShape,
    idno: z.string().openapi({ example: "OBJ-000001" }),
    [facts.subtypeKey]: z.string(),
  };
  if (facts.columns.includes("collection_status")) ordered.collection_status = columnShapes.collection_status;
  ordered.status = StatusShape;
  for (const column of facts.columns)
    if (column !== "collection_status") ordered[column] = columnShapes[column];
  ordered.metadata_ = MetadataShape;
  ordered.created_at = z.string().openapi({ example: "2026-01-31T12:00:00.123456" });
  ordered.updated_at = z.string().openapi({ example: "2026-01-31T12:00:00.123456" });
  return z.object(ordered);
}

function className(kind: Kind): string {
  return kind
    .split("_")
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join("");
}

function everyKind<T>(make: (kind: Kind) => T): Record<Kind, T> {
  return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, make(kind as Kind)])) as Record<Kind, T>;
}

export const draftShapes = everyKind((kind) => draftShape(kind).openapi(`${className(kind)}Draft`));
export const newShapes = everyKind((kind) => newShape(kind).openapi(`New${className(kind)}`));
export const patchShapes = everyKind((kind) =>
  z.record(z.string(), z.unknown()).openapi(`${className(kind)}Patch`, {
    description: `JSON Merge Patch (RFC 7396) of ${kinds[kind].one}: null removes, objects are merged, the rest replaces`,
  }),
);
export const recordShapes = everyKind((kind) => recordShape(kind).openapi(className(kind)));

/** A validated body, with only the members that were sent. */
export type Draft = Partial<RecordState> & { id?: string };

/** Reads a body: returns the draft, or every fault. */
export function parseDraft(kind: Kind, body: unknown): { draft: Draft } | { faults: Fault[] } {
  const read = readAs(draftShapes[kind], body);
  if ("faults" in read) return read;
  const data: Record<string, unknown> = read.data;
  const { metadata_, [kinds[kind].subtypeKey]: subtype, created_at: _c, updated_at: _u, ...rest } = data;
  const draft: Record<string, unknown> = { ...rest };
  if (metadata_ !== undefined) draft.metadata = metadata_;
  if (subtype !== undefined) draft.subtype = subtype;
  return { draft: draft as Draft };
}

/** The same, but 422 for a body with faults. */
export function demandDraft(kind: Kind, body: unknown): Draft {
  const read = parseDraft(kind, body);
  if ("faults" in read) throw invalid(read.faults);
  return read.draft;
}

/** JSON Merge Patch, RFC 7396 §2. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlain(patch)) return patch;
  const merged = new Map<string, unknown>(Object.entries(isPlain(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
