/**
 * Resumption tokens: the arguments of a list and the position in it. They contain all state, so they survive restarts
 * and never expire. They contain no secrets, and everything in them is validated like any other input.
 */

import { z } from "zod";
import { base64url, fromBase64url } from "../bytes.ts";
import { UUID } from "../ids.ts";
import { Fault } from "./fault.ts";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const Time = z.string().refine(isTime);
const Count = z.int().min(0).max(1_000_000_000);
const Id = z.string().regex(UUID);
/** Characters that OAI-PMH allows in names of sets and formats. */
export const NAME = /^[A-Za-z0-9\-_.!~*'()]{1,200}$/;

const ListToken = z.strictObject({
  verb: z.enum(["ListRecords", "ListIdentifiers"]),
  prefix: z.string().regex(NAME),
  from: Time.optional(),
  until: Time.optional(),
  set: z.string().regex(NAME).optional(),
  /** The last record of the page before. */
  after: Id,
  /** The total when the list was started, and the number before this page. */
  size: Count,
  cursor: Count,
  /** The time of the first answer. */
  begun: Time,
});
const SetsToken = z.strictObject({ verb: z.literal("ListSets"), after: Id, size: Count, cursor: Count });
const Token = z.discriminatedUnion("verb", [ListToken, SetsToken]);

export type ListToken = z.output<typeof ListToken>;
export type SetsToken = z.output<typeof SetsToken>;

/** Whether it is a second in UTC that exists, in the years of XML Schema. */
export function isTime(text: string): boolean {
  const time = new Date(text);
  return (
    TIME.test(text) &&
    !text.startsWith("0000") &&
    !Number.isNaN(time.getTime()) &&
    time.toISOString().slice(0, 19) === text.slice(0, 19)
  );
}

export function tokenText(token: ListToken | SetsToken): string {
  return base64url(new TextEncoder().encode(JSON.stringify(token)));
}

/** Throws `badResumptionToken` for a token that this program did not write for this verb. */
export function readToken<V extends (ListToken | SetsToken)["verb"]>(
  verb: V,
  text: string,
): Extract<ListToken | SetsToken, { verb: V }> {
  const read = Token.safeParse(parsed(text));
  if (!read.success || read.data.verb !== verb)
    throw new Fault("badResumptionToken", `This is not a resumptionToken of ${verb}; start the list again`);
  return read.data as Extract<ListToken | SetsToken, { verb: V }>;
}

function parsed(text: string): unknown {
  const bytes = text.length > 1500 ? null : fromBase64url(text);
  if (bytes === null) return null;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
