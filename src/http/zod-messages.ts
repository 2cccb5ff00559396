/** Messages, written for cataloguers, for the Zod issues that our schemas raise. */

import type { z } from "zod";
import { type Said, said, saidFrom, toldText } from "../messages/said.ts";
import { nearest, withNear } from "../text/nearest.ts";

type Finding = z.core.$ZodRawIssue;
type Of<Code extends Finding["code"]> = Extract<Finding, { code: Code }>;
/** In a query, everything is text, and a parameter given twice is a list. */
export type Place = "body" | "query";

/** How many unknown names of one object get a "did you mean": a caller may send a hundred thousand. */
const MOST_COMPARED = 20;

/** The message of a Zod issue, as `toldText`; for unknown keys, one line each, in their order. */
export function messageOf(issue: Finding, place: Place = "body"): string {
  if (issue.code !== "unrecognized_keys") return toldText(faultOf(issue, place));
  return issue.keys.map((key, index) => toldText(keyFault(issue, key, index, place))).join("\n");
}

/** A message without a subject, which is the value itself. */
function faultOf(issue: Finding, place: Place): Said {
  if (issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value"))
    return said("fault.required");
  if (place === "query" && Array.isArray(issue.input) && issue.code !== "too_big") return said("fault.twice");
  switch (issue.code) {
    case "invalid_type":
      return typeFault(issue);
    case "invalid_value":
      return valueFault(issue);
    case "invalid_format":
      return formatFault(issue);
    case "too_small":
    case "too_big":
      return sizeFault(issue);
    case "invalid_union":
      return unionFault(issue);
    case "invalid_key":
      return said("fault.of_name", {
        fault: issue.issues[0] ? saidFrom(issue.issues[0].message) : said("fault.not_allowed"),
      });
    default:
      return said("fault.invalid");
  }
}

const TYPES: Record<string, Said | string> = {
  string: said("type.text"),
  number: said("type.number"),
  int: said("type.whole_number"),
  boolean: said("type.boolean"),
  array: said("type.list"),
  object: said("type.object"),
  record: said("type.object"),
  null: "null",
};

function typeFault({ expected, input }: Of<"invalid_type">): Said {
  const wanted = TYPES[expected];
  if (wanted === undefined) return said(expected === "never" ? "fault.left_out" : "fault.not_allowed");
  if (typeof input === "number") {
    if (Number.isNaN(input)) return said("fault.type.needed", { wanted });
    if (!Number.isFinite(input)) return said("fault.number.infinite");
    if (expected === "int") return said("fault.number.not_whole", { value: String(input) });
  }
  return said("fault.type.wrong", { wanted, given: typeName(input) });
}

function typeName(input: unknown): Said | string {
  if (input === null || typeof input === "boolean") return String(input);
  return TYPES[Array.isArray(input) ? "array" : typeof input] ?? said("type.other");
}

function valueFault({ values, input }: Of<"invalid_value">): Said {
  // the empty text, which stands for no choice, is not offered
  const all = values.map(String).filter((value) => value !== "");
  const choices = all.join(", ");
  if (typeof input !== "string")
    return all.length === 1
      ? said("fault.type.needed", { wanted: choices })
      : said("fault.choice.needed", { choices });
  const value = cut(input);
  if (all.length === 1) return said("fault.choice.only", { value, choice: choices });
  return withNear(said("fault.choice.unknown", { value, choices }), nearest(input, all));
}

const FORMATS = new Set(["date", "datetime", "uuid", "email", "url"] as const);
type Format = typeof FORMATS extends Set<infer F> ? F : never;
const isKnown = (format: string): format is Format => FORMATS.has(format as Format);

function formatFault({ input, format }: Of<"invalid_format">): Said {
  const text = typeof input === "string" ? input : "";
  if (format === "date" && /^\d{4}-\d{2}-\d{2}$/.test(text))
    return said("fault.date.no_such_day", { date: text });
  return said(isKnown(format) ? `fault.format.${format}` : "fault.format.other", { value: cut(text) });
}

function sizeFault(issue: Of<"too_small"> | Of<"too_big">): Said {
  const tooBig = issue.code === "too_big";
  const limit = Number(tooBig ? issue.maximum : issue.minimum);
  const count = countOf(issue.input, issue.origin);
  if (count === 0) return said("fault.empty");
  if (count === null) {
    const bounds = { value: String(issue.input), limit: String(limit) };
    if (tooBig) return said("fault.number.too_large", bounds);
    return said(issue.inclusive ? "fault.number.too_small" : "fault.number.not_above", bounds);
  }
  if (typeof issue.input === "string")
    return said(tooBig ? "fault.length.too_long" : "fault.length.too_short", { count, limit });
  return said(tooBig ? "fault.entries.too_many" : "fault.entries.too_few", { count, limit });
}

/** Characters or entries; null for what has no length. */
function countOf(input: unknown, origin: string): number | null {
  if (typeof input === "string" || Array.isArray(input)) return input.length;
  return origin === "object" && typeof input === "object" && input !== null
    ? Object.keys(input).length
    : null;
}

function keyFault(issue: Of<"unrecognized_keys">, key: string, index: number, place: Place): Said {
  const unknown = said(place === "query" ? "fault.parameter" : "fault.unknown");
  const shape = (issue.inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape;
  return index < MOST_COMPARED ? withNear(unknown, nearest(key, Object.keys(shape ?? {}))) : unknown;
}

function unionFault(issue: Of<"invalid_union">): Said {
  const ways = issue.errors.flatMap((branch) =>
    branch.filter(({ path }) => path.length === 0).map(({ message }) => message),
  );
  if (ways.length === 0) return said("fault.forms");
  return [...new Set(ways)].map(saidFrom).reduce((one, other) => said("fault.or", { one, other }));
}

const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);
