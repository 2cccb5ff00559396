/** Zod's findings as the faults of a problem (RFC 9457 with RFC 6901 pointers). */
import { extendZodWithOpenApi } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import type { Fault } from "../problem.ts";

// Every schema of the API is built after this line has run: it adds `.openapi()`, which names and describes them.
extendZodWithOpenApi(z);

/** @param place `body` gives JSON Pointers; the others give `query:NAME`, `header:NAME`, `path:NAME`. */
export function faultsOf(error: z.ZodError, place: "body" | "query" | "header" | "path" = "body"): Fault[] {
  const mistyped = new Set(
    error.issues.flatMap((issue) => (issue.code === "invalid_type" ? jsonPointer(issue.path) : [])),
  );
  return error.issues.flatMap((issue) => {
    // the length of a list says nothing more where text was expected
    if (issue.code === "too_small" && mistyped.has(jsonPointer(issue.path))) return [];
    const keys =
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return keys.map((path) => ({
      pointer: place === "body" ? jsonPointer(path) : `${place}:${String(path[0] ?? "")}`,
      detail: sentence(issue, place),
    }));
  });
}

/** RFC 6901. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function sentence(issue: z.core.$ZodIssue, place: string): string {
  if (issue.code === "unrecognized_keys")
    return place === "query" ? "is no parameter of this address" : "is not known here";
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) return "is missing";
  return issue.message[0]!.toLowerCase() + issue.message.slice(1);
}
