/** The seven kinds of record and how they differ (contract §2.1, interface §2). */
import { type Said, said } from "../messages/said.ts";

export const KINDS = [
  "object",
  "entity",
  "place",
  "occurrence",
  "procedure",
  "collection",
  "storage_location",
] as const;

export type Kind = (typeof KINDS)[number];

/** Columns that some kinds have beside their metadata. */
export type KindColumn =
  | "collection_status"
  | "lat"
  | "lon"
  | "parent_id"
  | "start_date"
  | "end_date"
  | "due_date"
  | "reference_number";

export type KindFacts = {
  kind: Kind;
  /** Path segment under /v1. */
  plural: string;
  /** JSON key of the subtype, for example `object_type`. */
  subtypeKey: string;
  /** The metadata field that names the record. */
  titleField: "title" | "name";
  columns: readonly KindColumn[];
  singular: string;
  /** In sentences: `storage locations`. */
  many: string;
  /** With its article, for sentences: `an object`, `a place`. */
  one: string;
};

function facts(
  kind: Kind,
  plural: string,
  titleField: "title" | "name",
  columns: readonly KindColumn[],
): KindFacts {
  const singular = kind.replace("_", " ");
  return {
    kind,
    plural,
    titleField,
    columns,
    subtypeKey: `${kind}_type`,
    singular,
    many: plural.replace("-", " "),
    one: `${/^[aeiou]/.test(singular) ? "an" : "a"} ${singular}`,
  };
}

export const kinds: Record<Kind, KindFacts> = {
  object: facts("object", "objects", "title", ["collection_status"]),
  entity: facts("entity", "entities", "name", []),
  place: facts("place", "places", "name", ["lat", "lon"]),
  occurrence: facts("occurrence", "occurrences", "title", []),
  procedure: facts("procedure", "procedures", "title", [
    "start_date",
    "end_date",
    "due_date",
    "reference_number",
  ]),
  collection: facts("collection", "collections", "title", ["parent_id"]),
  storage_location: facts("storage_location", "storage-locations", "name", ["parent_id"]),
};

/** Its name within a sentence: `object`, `storage location`. */
export const oneOf = (kind: Kind): Said => said(`kind.one.${kind}`);
/** `objects`, `storage locations`. */
export const manyOf = (kind: Kind): Said => said(`kind.many.${kind}`);

/** Kinds whose records can be public: storage locations never are. */
export const PUBLIC_KINDS: readonly Kind[] = KINDS.filter((kind) => kind !== "storage_location");

export const STATUSES = ["draft", "internal", "public"] as const;
export type Status = (typeof STATUSES)[number];

export const COLLECTION_STATUSES = [
  "active",
  "pending",
  "on_loan_in",
  "on_loan_out",
  "deaccessioned",
  "returned",
] as const;
export type CollectionStatus = (typeof COLLECTION_STATUSES)[number];

export function isKind(value: string): value is Kind {
  return Object.hasOwn(kinds, value);
}
