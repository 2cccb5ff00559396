/** What lists can be asked for: filters, order and pages. */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { MOST_VALUES, several, TimeShape, wholeNumber } from "../http/text-shape.ts";
import { didYouMean } from "../nearest.ts";
import { type Fault, invalid } from "../problem.ts";
import type { Sql } from "../services.ts";
import { ListInclude } from "./extras.ts";
import { COLLECTION_STATUSES, type Kind, type KindFacts, STATUSES } from "./kinds.ts";
import { type ListQuery, SORTS } from "./list.ts";
import { currentSchema, type Field, fieldsOf, type Schema } from "./schema.ts";
import { IdShape } from "./shape.ts";
import { maySeeField } from "./visibility.ts";

/** In front of a field's name. */
const META = "meta_";

const ParentShape = z
  .string()
  .refine(
    (text) => text === "none" || IdShape.safeParse(text).success,
    "is neither a record id (UUID) nor none",
  )
  .openapi({
    description: "Only what lies directly below this record; `none`: only what lies below no other",
  });

const PageNumber = wholeNumber(1, 1_000_000_000);

/** Which records a list finds, and in which order; with the parameters of its own that an address has. */
export function findingShape<S extends z.ZodRawShape>(facts: KindFacts, own: S) {
  const shape = {
    ...own,
    ids: several(IdShape, 200).optional().openapi({ description: "Those of these records that there are" }),
    status: several(z.enum(STATUSES))
      .optional()
      .openapi({ description: "One of these; visitors get public records whatever they ask for" }),
    ...(facts.kind === "object"
      ? {
          collection_status: several(z.enum(COLLECTION_STATUSES))
            .optional()
            .openapi({ description: "One of these" }),
        }
      : {}),
    ...(facts.columns.includes("parent_id") ? { parent_id: ParentShape.optional() } : {}),
    [facts.subtypeKey]: several(z.string().max(63))
      .optional()
      .openapi({ description: `One of these subtypes of the installation (GET /v1/subtypes/${facts.kind})` }),
    idno: z.string().trim().min(1).normalize().max(200).optional(),
    q: z
      .string()
      .max(500)
      .optional()
      .openapi({ description: "Part of the identification number or of the title" }),
    updated_since: TimeShape.optional().openapi({
      description: "Changed at this time or later; UTC unless an offset is given",
    }),
    sort_by: z
      .enum(SORTS)
      .default("updated_at")
      .openapi({
        description:
          "When records are edited while the list is walked by its next links, the walk ends with those that were moved " +
          "within it, so that none is missed; by created_at none comes twice",
      }),
    sort_dir: z.enum(["asc", "desc"]).default("desc"),
  };
  return (
    z
      .object(shape)
      .catchall(z.union([z.string(), z.array(z.string())]))
      // also when something else is wrong
      .superRefine(
        (given, context) => {
          const unknown = Object.keys(given).filter(
            (name) => !Object.hasOwn(shape, name) && !name.startsWith(META),
          );
          for (const name of unknown) {
            const message = `is no parameter of this address${didYouMean(name, Object.keys(shape))}`;
            context.addIssue({ code: "custom", path: [name], message });
          }
        },
        { when: () => true },
      )
      .openapi({ description: "meta_<field>: has this value; given twice it means either" })
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
      .openapi({ description: "Opaque; taken from the next link, whose other parameters belong to it" }),
    include: ListInclude,
  });
}

/** The filters on fields of the metadata, apart from the rest; 422 for a field that the caller may not know of. */
export async function fieldFilters(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  given: Readonly<Record<string, unknown>>,
): Promise<{ fields: NonNullable<ListQuery["fields"]>; rest: Record<string, unknown> }> {
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith(META)));
  const asked = Object.entries(given).filter(([name]) => name.startsWith(META));
  if (asked.length === 0) return { fields: [], rest };
  const schema = await currentSchema(sql);
  const known = [...fieldsOf(schema, kind).values()].filter((field) => maySeeField(caller, field));
  const faults: Fault[] = [];
  const fields = asked.flatMap(([parameter, value]) => {
    const name = parameter.slice(META.length);
    const values = [value].flat() as string[];
    const pointer = `query:${parameter.slice(0, 80)}`;
    const field = known.find((one) => one.name === name);
    if (field && values.length <= MOST_VALUES) return { name, values: withNarrower(schema, field, values) };
    const detail = field
      ? `more than ${MOST_VALUES} values`
      : `there is no field ${JSON.stringify(name.slice(0, 80))}${didYouMean(
          name,
          known.map((one) => one.name),
        )}`;
    faults.push({ pointer, detail });
    return [];
  });
  if (faults.length > 0) throw invalid(faults);
  return { fields, rest };
}

/** A term stands for those below it, as in searches. */
function withNarrower({ broader }: Schema, { vocabulary }: Field, values: readonly string[]): string[] {
  const terms = vocabulary === null ? undefined : broader.get(vocabulary);
  const below = [...(terms ?? [])].flatMap(([term, above]) =>
    above.some((one) => values.includes(one)) ? term : [],
  );
  return [...values, ...below];
}
