/** Parses one clause of the advanced search: `<field>:<op>:<value>` (interface §3). */
import { type Said, said } from "../messages/said.ts";
import type { FieldCondition } from "../ports/search-index.ts";
import { searchWordsOf } from "../text.ts";
import { type FieldReader, shown } from "./field-reader.ts";

export const OPS = ["is", "contains", "starts", "before", "after", "between", "exists", "missing"] as const;
type Op = (typeof OPS)[number];

const POINTER = "query:clause";

/** Null if the clause is wrong; its faults are then in `fields`. */
export function readClause(text: string, fields: FieldReader): FieldCondition | null {
  const [, field = "", op = "", value = ""] = /^([^:]*):([^:]*)(?::([\s\S]*))?$/.exec(text) ?? [];
  const wrong = (fault: Said) => {
    fields.fault(POINTER, said("fault.clause.of", { clause: shown(text), fault }));
    return null;
  };
  if (field === "" || !OPS.includes(op as Op))
    return wrong(said("fault.clause.form", { choices: OPS.join(", ") }));
  if (!fields.knows(POINTER, field)) return null;
  const isFacet = fields.isFacet(field);
  if (op === "exists" || op === "missing")
    return value === "" ? { op, field, isFacet } : wrong(said("fault.clause.value", { op }));
  if (value.trim() === "") return wrong(said("fault.clause.no_value", { op }));
  if (op === "is") return fields.hasValue(field, [value]);
  if (op === "contains" || op === "starts") {
    const words = searchWordsOf(value.slice(0, 500));
    if (words.length === 0) return wrong(said("fault.clause.no_words"));
    return { op, field, isFacet, words: words.slice(0, 32), searched: fields.isSearched(field) };
  }
  if (op !== "between") return beforeOrAfter(op as "before" | "after", fields, field, value);
  const [from, to, ...more] = value.split("..");
  if (!from || !to || more.length > 0) return wrong(said("fault.clause.between", { op }));
  return fields.between(field, from.trim(), to.trim(), () => POINTER);
}

/** `before` and `after` exclude the date itself: before 1920 ends with 1919. */
function beforeOrAfter(
  op: "before" | "after",
  fields: FieldReader,
  field: string,
  value: string,
): FieldCondition | null {
  const named = fields.between(field, value.trim(), value.trim(), () => POINTER);
  if (named?.op !== "between") return null;
  const { from, to } = named;
  // a day, or less than any difference between two numbers that somebody would type
  const step = fields.rangeType(field) === "date" ? 1 : Math.abs(from) * 1e-12 || Number.MIN_VALUE;
  return op === "before"
    ? { ...named, from: Number.NEGATIVE_INFINITY, to: from - step }
    : { ...named, from: to + step, to: Number.POSITIVE_INFINITY };
}
