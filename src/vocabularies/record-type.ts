/** The record type in an address. */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { isKind, type Kind } from "../records/kinds.ts";
import { readableKinds } from "../records/visibility.ts";

export const TypeParams = z.object({ type: z.string().openapi({ example: "object" }) });

/** 404 for what is not a record type. */
export function demandKind(name: string): Kind {
  if (!isKind(name)) throw noKind(name);
  return name;
}

/** 404 also for the record types that the caller may not read. */
export function demandReadable(caller: Caller, name: string): Kind {
  const kind = demandKind(name);
  if (!readableKinds(caller).includes(kind)) throw noKind(name);
  return kind;
}

function noKind(name: string): Problem {
  return new Problem("not_found", said("problem.record_type.not_found", { name: name.slice(0, 80) }));
}
