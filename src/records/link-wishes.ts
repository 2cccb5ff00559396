/** Links as described in a source, before the records at their other ends are known. */
import type { DescribedEnd } from "./described-ends.ts";
import type { Kind, Status } from "./kinds.ts";
import type { Metadata } from "./record.ts";

/** What to do with an ambiguous name: leave the link out, or link the oldest record. By default it is refused. */
export type Several = "leave_out" | "oldest";

/** Links of one type to records of one type, seen from the records of the source. */
export type LinkScope = { relation_type: string; to_type: Kind };

/**
 * `create: false`: do not create a missing record. `comes`: the source has a row for it, before or after
 * this one: it is linked if its record exists, and never created.
 */
export type LinkWish = LinkScope & {
  value: string;
  create?: false;
  comes?: boolean;
  several?: Several;
  /** Of a record that is made of the name. */
  subtype?: string;
  /** Further data about it in the source, for finding and creating it. */
  described?: DescribedEnd;
  /** The role in this link. */
  metadata?: Metadata;
};

export type ItemLinks = {
  wishes: readonly LinkWish[];
  /**
   * What is replaced in an existing record: afterwards it has exactly the wished links of these kinds. By default the
   * kinds of the wishes, except those with a wish that cannot be fulfilled.
   */
  scopes?: readonly LinkScope[];
  /** The status of new far ends, if allowed. */
  newStatus: Status;
};

/**
 * The links that a source gives, for `merge` in two passes: `tie` then also removes the other links of a kind, as soon as all
 * new ones are there. It spares what any item of the source gave.
 */
export type GivenLinks = { add(key: string): unknown; has(key: string): boolean };

export type LinkedItem = { id: string; links: ItemLinks; fresh: boolean };
