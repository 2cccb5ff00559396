/** Messages for those of Zod's issues that our schemas raise, written for cataloguers. */

import type { z } from "zod";
import { say, toldFrom } from "../messages/said.ts";
import { ENGLISH } from "../messages/translate.ts";
import { didYouMean } from "../nearest.ts";

type Finding = z.core.$ZodRawIssue;
type Of<Code extends Finding["code"]> = Extract<Finding, { code: Code }>;
/** In a query, everything is text, and a parameter given twice is a list. */
export type Place = "body" | "query";

/** How many unknown names of one object get a "did you mean": a caller may send a hundred thousand. */
const MOST_COMPARED = 20;

/** A sentence without a subject, which is the value itself. Unknown keys: one line each, in order. */
export function sentenceOf(issue: Finding, place: Place = "body"): string {
  if (issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value"))
    return "is missing";
  if (place === "query" && Array.isArray(issue.input) && issue.code !== "too_big")
    return "is given more than once";
  switch (issue.code) {
    case "invalid_type":
      return typeSentence(issue);
    case "invalid_value":
      return valueSentence(issue);
    case "invalid_format":
      return formatSentence(issue);
    case "too_small":
    case "too_big":
      return sizeSentence(issue);
    case "unrecognized_keys":
      return issue.keys.map((key, index) => keySentence(issue, key, index, place)).join("\n");
    case "invalid_union":
      return unionSentence(issue);
    case "invalid_key":
      return `its name ${say(ENGLISH, toldFrom(issue.issues[0]?.message ?? "is not allowed"))}`;
    default:
      return "is not valid";
  }
}

const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

function typeSentence({ expected, input }: Of<"invalid_type">): string {
  const wanted = TYPES[expected];
  if (wanted === undefined) return expected === "never" ? "must be left out" : "is not allowed";
  if (typeof input === "number") {
    if (Number.isNaN(input)) return `must be ${wanted}`;
    if (!Number.isFinite(input)) return "is not a number that can be stored";
    if (wanted === "a whole number") return `${input} is not a whole number`;
  }
  return `must be ${wanted}, not ${typeName(input)}`;
}

function typeName(input: unknown): string {
  if (input === null || typeof input === "boolean") return String(input);
  return TYPES[Array.isArray(input) ? "array" : typeof input] ?? "this";
}

function valueSentence({ values, input }: Of<"invalid_value">): string {
  // the empty text means that nothing is chosen
  const all = values.map(String).filter((value) => value !== "");
  if (typeof input !== "string")
    return all.length === 1 ? `must be ${all[0]}` : `must be one of ${all.join(", ")}`;
  if (all.length === 1) return `${shown(input)} must be ${all[0]}`;
  return `${shown(input)} is not one of ${all.join(", ")}${didYouMean(input, all)}`;
}

const FORMATS: Record<string, string> = {
  date: "date such as 2026-01-31",
  datetime: "date and time such as 2026-01-31T12:00:00",
  uuid: "UUID such as 0198c0de-0000-7000-8000-000000000001",
  email: "e-mail address",
  url: "address such as https://example.org/",
};

function formatSentence(issue: Of<"invalid_format">): string {
  const text = typeof issue.input === "string" ? issue.input : "";
  if (issue.format === "date" && /^\d{4}-\d{2}-\d{2}$/.test(text)) return `there is no day ${text}`;
  const name = FORMATS[issue.format];
  return name ? `${shown(text)} is not a valid ${name}` : `${shown(text)} does not have the required form`;
}

function sizeSentence(issue: Of<"too_small"> | Of<"too_big">): string {
  const tooBig = issue.code === "too_big";
  const limit = Number(tooBig ? issue.maximum : issue.minimum);
  const units = unitsOf(issue.input, issue.origin);
  if (!units) {
    const bound = issue.inclusive ? (tooBig ? "at most" : "at least") : "more than";
    return `${String(issue.input)} is too ${tooBig ? "large" : "small"}: ${bound} ${limit}`;
  }
  const { size, unit } = units;
  if (size === 0) return "is empty";
  return tooBig
    ? `has ${size} ${unit}, the limit is ${limit}`
    : `has ${size} ${unit}, but must have at least ${limit}`;
}

function unitsOf(input: unknown, origin: string): { size: number; unit: string } | null {
  if (typeof input === "string") return { size: input.length, unit: "characters" };
  if (Array.isArray(input)) return { size: input.length, unit: "entries" };
  if (origin === "object" && typeof input === "object" && input !== null)
    return { size: Object.keys(input).length, unit: "entries" };
  return null;
}

function keySentence(issue: Of<"unrecognized_keys">, key: string, index: number, place: Place): string {
  const unknown = place === "query" ? "is not a parameter of this address" : "is unknown";
  const shape = (issue.inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape;
  return index < MOST_COMPARED ? unknown + didYouMean(key, Object.keys(shape ?? {})) : unknown;
}

function unionSentence(issue: Of<"invalid_union">): string {
  const ways = issue.errors.flatMap((branch) =>
    branch.filter(({ path }) => path.length === 0).map(({ message }) => say(ENGLISH, toldFrom(message))),
  );
  return ways.length === 0 ? "matches none of the allowed forms" : [...new Set(ways)].join(", or ");
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);
}
