/** The form of every list. */
import { z } from "zod";
// gives schemas their descriptions
import "../faults.ts";
import { wholeNumber } from "../text-shape.ts";

export function listOf<S extends z.ZodType>(item: S) {
  return z.object({ total: z.int(), page: z.int(), page_size: z.int(), items: z.array(item) });
}

/** The query parameters of a list with pages. */
export const pageQuery = {
  page: wholeNumber(1, 1_000_000_000).default(1),
  page_size: wholeNumber(1, 200).default(50),
};

/** Where this page is in the list, for SQL. */
export const rangeOf = ({ page, page_size }: { page: number; page_size: number }) => {
  return { limit: page_size, offset: (page - 1) * page_size };
};

/** A list that always fits on one page. */
export function wholeList<T>(items: readonly T[]) {
  return { total: items.length, page: 1, page_size: items.length, items };
}

/** A list that a page may show in parts of `size`. */
export type Long = { total: number; size: number };

/** Where the requested part begins; if there are fewer parts, the last one. */
export const offsetOf = (part: number, { total, size }: Long): number =>
  (Math.min(part, Math.max(1, Math.ceil(total / size))) - 1) * size;

/** Who did something; null: no account did it. The e-mail address is null if the account was deleted. */
export const ActorShape = z
  .object({ id: z.string(), email: z.string().nullable() })
  .nullable()
  .openapi({ description: "The account; null: the service itself or the command line" });

export function actorJson(id: string | null, email: string | null) {
  return id === null ? null : { id, email };
}
