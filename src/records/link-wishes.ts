/** Links as a source speaks of them, before anybody knows the records at their other ends. */
import type { DescribedEnd } from "./described-ends.ts";
import type { Kind, Status } from "./kinds.ts";
import type { Metadata } from "./record.ts";

/** What becomes of a name that several records have: the link is left out, or leads to the oldest. Else it is refused. */
export type Several = "leave_out" | "oldest";

/** Links of one type to records of one type, as a source speaks of them: from its own records' side. */
export type LinkScope = { relation_type: string; to_type: Kind };

/**
 * `create: false`: no record is made of the name when there is none. `comes`: nor is one when there is none yet, as the
 * source has a record of this name elsewhere.
 */
export type LinkWish = LinkScope & {
  value: string;
  create?: false;
  comes?: boolean;
  several?: Several;
  /** What the source knows of it beside its name, by which it is found and made. */
  described?: DescribedEnd;
  /** Of the link: who it is in it. */
  metadata?: Metadata;
};

export type ItemLinks = {
  wishes: readonly LinkWish[];
  /**
   * What is replaced in a record that is there: afterwards it has the wished links of these kinds and no others. Without
   * them the kinds of the wishes, but for those of which a wish cannot be fulfilled.
   */
  scopes?: readonly LinkScope[];
  /** Status of far ends that have to be made, as far as they may have it. */
  newStatus: Status;
};

export type LinkedItem = { id: string; links: ItemLinks; fresh: boolean };
