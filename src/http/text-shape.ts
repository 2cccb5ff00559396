/** Texts of bodies and numbers of queries, as shapes that every room uses. */
import { z } from "zod";
// gives schemas their descriptions
import "./faults.ts";
import { textFault } from "../text.ts";

/** For `superRefine`: the text can be kept in a record, and told to the world. */
export function demandText(text: string, context: z.RefinementCtx<string>): void {
  const fault = textFault(text);
  if (fault) context.addIssue({ code: "custom", message: fault });
}

/** So many values one parameter takes. */
export const MOST_VALUES = 50;

/** A parameter that takes several values: given more than once, or with commas between them. */
export function several<S extends z.ZodType>(shape: S, most = MOST_VALUES) {
  const listed = (given: unknown) =>
    given === undefined
      ? undefined
      : [given].flat().flatMap((one) => (typeof one === "string" ? one.split(",") : one));
  return z.preprocess(listed, z.array(shape).max(most));
}

/**
 * A whole number of an address, in decimal digits only: what `Number` takes besides (nothing, blanks, `1e3`, `0x10`, `+5`)
 * nobody means, and a gap in a template would be page 0.
 */
export function wholeNumber(least: number, most: number) {
  return z.preprocess((given, context) => {
    if (typeof given !== "string") return given;
    if (/^-?\d{1,15}$/.test(given)) return Number(given);
    const shown = JSON.stringify(given.slice(0, 40).toWellFormed());
    const message = given === "" ? "is empty" : `${shown} is no whole number in digits`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }, z.number().int().min(least).max(most));
}

const NO_TIME = "is no date or time of ISO 8601, for example 2026-01-31T12:00:00";

/** What PostgreSQL has no place for: the year 0000, and offsets that no clock shows. */
const isStorableTime = (text: string) => !/^0000|[+-](?:1[6-9]|2\d):\d\d$/.test(text);

/** A time or a day. */
export const TimeShape = z
  .union([z.iso.datetime({ local: true, offset: true }), z.iso.date()], { error: NO_TIME })
  .refine(isStorableTime, NO_TIME)
  // what OpenAPI calls a date-time always has an offset
  .openapi({
    type: "string",
    description: "ISO 8601; UTC unless an offset is given",
    example: "2026-01-31T12:00:00",
  });
