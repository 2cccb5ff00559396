/** The one form of every list. */
import { z } from "zod";
// gives schemas their descriptions
import "./faults.ts";

export function listOf<S extends z.ZodType>(item: S) {
  return z.object({ total: z.int(), page: z.int(), page_size: z.int(), items: z.array(item) });
}

/** A list that is short enough to come as one page. */
export function wholeList<T>(items: readonly T[]) {
  return { total: items.length, page: 1, page_size: items.length, items };
}

/** Who did something: the e-mail address is null when the account is gone. Null: nobody's account did. */
export const ActorShape = z
  .object({ id: z.string(), email: z.string().nullable() })
  .nullable()
  .openapi({ description: "The account; null: the program itself, or somebody at the command line" });

export function actorJson(id: string | null, email: string | null) {
  return id === null ? null : { id, email };
}
