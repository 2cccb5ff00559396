/** Converts Zod's issues into the faults of a problem (RFC 9457 with RFC 6901 pointers). */
import { extendZodWithOpenApi } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { said, saidFrom } from "../messages/said.ts";
import { type Fault, jsonPointer } from "../problem.ts";
import { messageOf } from "./zod-messages.ts";

// This must run before any schema is built: it adds `.openapi()`, and gives issues our messages, unless a schema has its own.
// `saidFrom` reads these messages back.
extendZodWithOpenApi(z);
z.config({ customError: (issue) => messageOf(issue) });

type Read<S extends z.ZodType> = { data: z.output<S> } | { faults: Fault[] };

/** Validates a value. The pointers of faults in `query` are `query:NAME`; likewise for `path`. */
export function readAs<S extends z.ZodType>(
  shape: S,
  value: unknown,
  place: "body" | "query" | "path" = "body",
): Read<S> {
  const read = shape.safeParse(
    value,
    place === "query" ? { error: (issue) => messageOf(issue, "query") } : undefined,
  );
  if (read.success) return { data: read.data };
  const faults = faultsOf(read.error, place);
  return { faults: place === "query" ? faults.map((fault) => namingRepeats(fault, value)) : faults };
}

/** A number given twice is a list, of which Zod says "must be a number"; the fault is that it is given twice. */
function namingRepeats(fault: Fault, query: unknown): Fault {
  const name = fault.pointer.slice("query:".length);
  const twice = Array.isArray((query as Record<string, unknown>)[name]);
  const isNumber = fault.detail.key === "fault.type.needed";
  return twice && isNumber ? { ...fault, detail: said("fault.twice") } : fault;
}

function faultsOf(error: z.ZodError, place: "body" | "query" | "path"): Fault[] {
  const mistyped = new Set(
    error.issues.flatMap((issue) => (issue.code === "invalid_type" ? jsonPointer(...issue.path) : [])),
  );
  return error.issues.filter(narrowest(error.issues)).flatMap((issue) => {
    // if the type is wrong, the length does not matter
    if (issue.code === "too_small" && mistyped.has(jsonPointer(...issue.path))) return [];
    if (issue.code !== "unrecognized_keys")
      return [{ pointer: at(issue.path, place), detail: saidFrom(issue.message) }];
    const lines = issue.message.split("\n");
    return issue.keys.map((key, index) => ({
      pointer: at([...issue.path, key], place),
      detail: saidFrom(lines[index] ?? issue.message),
    }));
  });
}

/** Whole numbers have a built-in limit. If a number exceeds two limits, only the narrower one is reported. */
function narrowest(issues: readonly z.core.$ZodIssue[]): (issue: z.core.$ZodIssue) => boolean {
  const first = new Map<string, z.core.$ZodIssue>();
  for (const issue of issues) {
    if (issue.code !== "too_big" && issue.code !== "too_small") continue;
    const key = `${issue.code} ${jsonPointer(...issue.path)}`;
    const other = first.get(key);
    if (!other || limitOf(issue) < limitOf(other)) first.set(key, issue);
  }
  const kept = new Set(first.values());
  return (issue) => (issue.code !== "too_big" && issue.code !== "too_small") || kept.has(issue);
}

function limitOf(issue: z.core.$ZodIssue): number {
  if (issue.code === "too_big") return Number(issue.maximum);
  return issue.code === "too_small" ? -Number(issue.minimum) : 0;
}

function at(path: readonly PropertyKey[], place: "body" | "query" | "path"): string {
  return place === "body" ? jsonPointer(...path) : `${place}:${String(path[0] ?? "")}`;
}
