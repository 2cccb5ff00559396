/** Schemas that validate and describe the parameters of a search. */
import { z } from "zod";
// gives schemas their descriptions
import "../http/faults.ts";
import { wholeNumber, wordsPattern } from "../http/text-shape.ts";
import { PUBLIC_KINDS, STATUSES } from "../records/kinds.ts";
import { LONGEST_QUERY } from "./query.ts";

/** Storage locations have lists, but are no value of `type` (contract §2.1). */
export const SEARCH_TYPES = PUBLIC_KINDS;

/** `request.ts` checks that it is a UUID. */
const idOf = (description: string) => z.string().optional().openapi({ description, format: "uuid" });

export const SearchParams = z
  .object({
    q: z
      .string()
      .max(LONGEST_QUERY)
      .optional()
      .openapi({
        description:
          'Words, "phrases", -not, prefix*. Accents and case do not matter. If nothing is found, words that begin so are ' +
          "tried, and then similar words; X-Search-Suggestion contains the query that was searched instead (percent-encoded UTF-8).",
        example: 'harbour -"oil on canvas"',
      }),
    type: z
      .string()
      .max(200)
      .optional()
      .openapi({
        description: `One or several of ${SEARCH_TYPES.join(", ")}, with commas between`,
        pattern: wordsPattern(SEARCH_TYPES),
        example: "object,entity",
      }),
    status: z.enum(STATUSES).optional().openapi({
      description:
        "Ignored for visitors and for staff who may read none of these types: they get public records",
    }),
    page: wholeNumber(1, 1_000_000_000).default(1),
    page_size: wholeNumber(1, 100).default(20),
    facets: z
      .string()
      .max(2_000)
      .optional()
      .openapi({
        description:
          "Comma-separated metadata field names to aggregate. Dates are counted by decade (`193X`); `<field>.century` " +
          "and `<field>.decade` choose one. A term also counts for its broader terms. `object_type` and the like count " +
          "subtypes, `collection_status` the collection statuses of objects, `maker` their makers: `<id>` of what somebody made, " +
          "`<id>.workshop_of` and the like of what is only attributed.",
        example: "material,date.century",
      }),
    sort_by: z
      .enum(["relevance", "idno", "title", "date", "created_at", "updated_at"])
      .default("relevance")
      .openapi({
        description:
          "Without words, relevance is records with a picture first, and then newest first. `date` is the earliest date of making; " +
          "records without one come last",
      }),
    sort_dir: z.enum(["asc", "desc"]).optional().openapi({
      description: "Default: asc for idno, title and date, desc for times. Ignored for relevance",
    }),
    has_picture: z
      .enum(["true"])
      .optional()
      .openapi({ description: "Only records with a picture that the caller may see" }),
    rel_entity: idOf("Linked to this entity (UUID)"),
    rel_place: idOf("Linked to this place (UUID)"),
    rel_occurrence: idOf("Linked to this occurrence (UUID)"),
    rel_object: idOf("Linked to this object (UUID)"),
    rel_collection: idOf("In this collection (UUID) or one below it"),
    rel_storage_location: idOf(
      "Kept at this storage location (UUID) or one below it; only for staff who may read storage locations",
    ),
    rel_procedure: idOf("Linked to this procedure (UUID)"),
    include: z
      .enum(["idno"])
      .optional()
      .openapi({ description: "Adds the identification number to each hit" }),
  })
  .catchall(z.union([z.string(), z.array(z.string())]))
  .openapi({
    description:
      "<type>_type, collection_status, maker, meta_<field>: has this value, as its facet counts it; if given twice, one of the values. range_<field>_from, range_<field>_to: a date (EDTF) " +
      "or a number between these, both included. A vague date is found if it may lie between them.",
  });

export const AdvancedParams = SearchParams.extend({
  clause: z
    .union([z.string().max(1_000), z.array(z.string().max(1_000))])
    .optional()
    .openapi({
      description:
        "`<field>:<op>:<value>`, repeated. Ops: is, contains (these words in this order), starts, before, after, " +
        "between (`1900..1920`), exists, missing.",
      example: "title:contains:harbour",
    }),
  match: z
    .enum(["all", "any"])
    .default("all")
    .openapi({ description: "Whether all clauses must hold, or at least one" }),
});

export type Params = z.output<typeof SearchParams>;
