/** The query parameters of lists: filters, order and pages. */
import { z } from "zod";
import type { Caller } from "../../caller.ts";
import { MOST_VALUES, several, TimeShape, wholeNumber } from "../../http/text-shape.ts";
import { said, toldText } from "../../messages/said.ts";
import { type Fault, invalid } from "../../problem.ts";
import type { Sql } from "../../services.ts";
import { nearest, withNear } from "../../text/nearest.ts";
import { beginning, composed } from "../../text.ts";
import { COLLECTION_STATUSES, type Kind, type KindFacts, STATUSES } from "../kinds.ts";
import { currentSchema, type Field, fieldsOf, type Schema } from "../schema.ts";
import { IdShape } from "../shape.ts";
import { maySeeField } from "../visibility.ts";
import { MADE } from "../write/sort-keys.ts";
import { EXTRAS_OF_LISTS, includeShape } from "./extras.ts";
import { type ListQuery, SORTS } from "./list-order.ts";

/** The prefix of a field's name. */
const META = "meta_";

const ParentShape = z
  .union([IdShape, z.literal("none")], { error: toldText(said("fault.id_or_none")) })
  .openapi({
    description: "Only records directly below this one; `none`: only records without a parent",
  });

const PageNumber = wholeNumber(1, 1_000_000_000);

/** The filters and the order of a list, plus the address's own parameters. */
export function findingShape<S extends z.ZodRawShape>(facts: KindFacts, own: S) {
  const shape = {
    ...own,
    ids: several(IdShape, 200).optional().openapi({ description: "Only these records" }),
    linked_with: IdShape.optional().openapi({
      description:
        "Only records that visitors would find linked with this public record, or with the public records that this import or batch edit wrote. With status=draft: what is still to be published",
    }),
    status: several(z.enum(STATUSES))
      .optional()
      .openapi({ description: "One of these; visitors always get public records only" }),
    ...(facts.kind === "object"
      ? {
          collection_status: several(z.enum(COLLECTION_STATUSES))
            .optional()
            .openapi({ description: "One of these" }),
          has_picture: z
            .enum(["true"])
            .optional()
            .openapi({ description: "Only objects with a picture that the caller may see" }),
        }
      : {}),
    ...(facts.columns.includes("parent_id") ? { parent_id: ParentShape.optional() } : {}),
    [facts.subtypeKey]: several(z.string().max(63))
      .optional()
      .openapi({ description: `One of these subtypes of the installation (GET /v1/subtypes/${facts.kind})` }),
    idno: z.string().trim().min(1).overwrite(composed).max(200).optional(),
    q: z
      .string()
      .max(500)
      .optional()
      .openapi({ description: "Part of the identification number or of the title" }),
    updated_since: TimeShape.optional().openapi({
      description: "Changed at this time or later; UTC if it has no offset",
    }),
    sort_by: z
      .enum([...SORTS, "date"])
      .default("updated_at")
      .openapi({
        description:
          "`date` is the earliest date of making; records without one come last. " +
          "If records are edited while you follow the next links, the records that moved within the list come last, " +
          "so that none is missed, but some may come twice; with created_at, none comes twice",
      }),
    sort_dir: z.enum(["asc", "desc"]).default("desc"),
  };
  return (
    z
      .object(shape)
      .catchall(z.union([z.string(), z.array(z.string())]))
      // reported together with other faults
      .superRefine(
        (query, context) => {
          const unknown = Object.keys(query).filter(
            (name) => !Object.hasOwn(shape, name) && !name.startsWith(META),
          );
          for (const name of unknown) {
            const fault = withNear(said("fault.parameter"), nearest(name, Object.keys(shape)));
            context.addIssue({ code: "custom", path: [name], message: toldText(fault) });
          }
        },
        { when: () => true },
      )
      .openapi({
        description: "meta_<field>: has this value; given several times, any of the values matches",
      })
  );
}

export function listShape(facts: KindFacts) {
  return findingShape(facts, {
    page: PageNumber.optional().openapi({ default: 1, description: "Not together with cursor" }),
    page_size: wholeNumber(1, 200).default(50),
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .openapi({ description: "Opaque; use the next link with all its parameters" }),
    include: includeShape(EXTRAS_OF_LISTS),
  });
}

/** The filters on metadata fields; 422 for a field, also that of the order, that does not exist or that the caller may not see. */
export async function fieldFilters(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  query: Readonly<Record<string, unknown>>,
): Promise<{ fields: NonNullable<ListQuery["fields"]>; rest: Record<string, unknown> }> {
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith(META)));
  const asked = Object.entries(query).filter(([name]) => name.startsWith(META));
  const isByDate = query.sort_by === "date";
  if (asked.length === 0 && !isByDate) return { fields: [], rest };
  const schema = await currentSchema(sql);
  const known = [...fieldsOf(schema, kind).values()].filter((field) => maySeeField(caller, field));
  const faults: Fault[] = [];
  const names = known.map((one) => one.name);
  const unknown = (name: string) =>
    withNear(said("fault.field.unknown", { name: beginning(name, 80) }), nearest(name, names));
  if (isByDate && !names.includes(MADE)) faults.push({ pointer: "query:sort_by", detail: unknown(MADE) });
  const fields = asked.flatMap(([parameter, value]) => {
    const name = parameter.slice(META.length);
    const values = [value].flat() as string[];
    const pointer = `query:${parameter.slice(0, 80)}`;
    const field = known.find((one) => one.name === name);
    if (field && values.length <= MOST_VALUES) return { name, values: withNarrower(schema, field, values) };
    const detail = field ? said("fault.values.too_many", { most: MOST_VALUES }) : unknown(name);
    faults.push({ pointer, detail });
    return [];
  });
  if (faults.length > 0) throw invalid(faults);
  return { fields, rest };
}

/** A term also matches the terms below it, as in searches. */
function withNarrower({ broader }: Schema, { vocabulary }: Field, values: readonly string[]): string[] {
  const terms = vocabulary === null ? undefined : broader.get(vocabulary);
  const below = [...(terms ?? [])].flatMap(([term, above]) =>
    above.some((one) => values.includes(one)) ? term : [],
  );
  return [...values, ...below];
}
