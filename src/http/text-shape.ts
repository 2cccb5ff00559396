/** Schemas for texts in bodies and numbers in queries, used by every room. */

import { z } from "zod";
import { type Said, said, toldText } from "../messages/said.ts";
// gives schemas their descriptions
import "./faults.ts";
import { isStorable, textFault } from "../text.ts";

/** For `superRefine`: the text must be fit to be stored and to be written as XML. */
export function demandText(text: string, context: z.RefinementCtx<string>): void {
  const fault = textFault(text);
  if (fault) context.addIssue({ code: "custom", message: toldText(fault) });
}

/** For words that are stored or searched for but never written as XML. */
export const storable = (shape: z.ZodString) =>
  shape.refine(isStorable, toldText(said("fault.text.unstorable")));

/** The most values of one parameter. */
export const MOST_VALUES = 50;

/** A parameter with several values: given several times, or separated by commas. */
export function several<S extends z.ZodType>(shape: S, most = MOST_VALUES) {
  const listed = (value: unknown) =>
    value === undefined
      ? undefined
      : [value].flat().flatMap((one) => (typeof one === "string" ? one.split(",") : one));
  return z.preprocess(listed, z.array(shape).max(most));
}

/** A parameter that is `true` or, by default, `false`. */
export const flag = (description: string) =>
  z.enum(["true", "false"]).default("false").openapi({ description });

/** The pattern, for the API description, of a list of these words separated by commas. */
export function wordsPattern(words: readonly string[]): string {
  const one = `\\s*(?:${words.join("|")})\\s*`;
  return `^${one}(?:,${one})*$`;
}

/**
 * A whole number in an address, in decimal digits only. `Number` would also accept blanks, `1e3`, `0x10` and `+5`, which nobody
 * means, and would turn an empty placeholder into page 0.
 */
export function wholeNumber(least: number, most: number) {
  return z.preprocess((value, context) => {
    if (typeof value !== "string") return value;
    if (/^-?0*\d{1,15}$/.test(value)) return Number(value);
    context.addIssue({ code: "custom", message: toldText(numberFault(value, least, most)) });
    return z.NEVER;
  }, z.number().int().min(least).max(most));
}

function numberFault(text: string, least: number, most: number): Said {
  if (text === "") return said("fault.empty");
  const value = text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text;
  if (!/^-?\d+$/.test(text)) return said("fault.number.digits", { value });
  return text.startsWith("-")
    ? said("fault.number.too_small", { value, limit: String(least) })
    : said("fault.number.too_large", { value, limit: String(most) });
}

const NO_TIME = toldText(said("fault.format.time"));

/** PostgreSQL refuses the year 0000 and impossible offsets. */
const isStorableTime = (text: string) => !/^0000|[+-](?:1[6-9]|2\d):\d\d$/.test(text);

/** A time or a day. */
export const TimeShape = z
  .union([z.iso.datetime({ local: true, offset: true }), z.iso.date()], { error: NO_TIME })
  .refine(isStorableTime, NO_TIME)
  // what OpenAPI calls a date-time always has an offset
  .openapi({
    type: "string",
    description: "ISO 8601; UTC if it has no offset",
    example: "2026-01-31T12:00:00",
  });
