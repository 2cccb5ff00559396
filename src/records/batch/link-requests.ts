/** The links that a source asks for: their targets are given by name or by description, not by id. */
import type { Tx } from "../../services.ts";
import type { NameMatch } from "../../text.ts";
import type { Kind, Status } from "../kinds.ts";
import type { Link } from "../links/relations.ts";
import type { Metadata } from "../record.ts";
import type { Schema } from "../schema.ts";
import type { DescribedEnd } from "./described-ends.ts";
import { endsKey, isSymmetric } from "./mirrored-links.ts";

/** If several records have the name: leave the link out, or link the oldest record. By default the item is refused. */
export type IfSeveral = "leave_out" | "oldest";

/** Links of one type to records of one type, seen from the records of the source. */
export type LinkScope = { relation_type: string; to_type: Kind };

/**
 * `create: false`: do not create a missing record. `hasRow`: the source has a row of this name, before or after this one; the
 * link is made if the record exists, and no record is created for the name.
 */
export type LinkRequest = LinkScope & {
  value: string;
  create?: false;
  hasRow?: boolean;
  /** The source gives this name with several numbers of one authority, but not here: it may be any of these. */
  isShared?: true;
  ifSeveral?: IfSeveral;
  /** Which names are the same; by default `exact`. It is the same for all links of the source to records of this type. */
  match?: NameMatch;
  /** What separates levels in the name: the record is in the one before it (`tree-ends.ts`). */
  levels?: string;
  /** The subtype of a record that is created for the name. */
  subtype?: string;
  /** Further data about it in the source, for finding and creating it. */
  described?: DescribedEnd;
  /**
   * The role in this link, and its qualifier. A source that tells qualifiers gives `qualifier: []` for a maker without one; without
   * this name, the link stays as it is qualified. `role: []` is an empty cell in a column of roles (see `asMeant`).
   */
  metadata?: Metadata;
  /** The qualifier in the words of a source (`qualifier-words.ts`), instead of that in `metadata`; may be an empty cell as well. */
  qualifierWords?: string;
};

export type ItemLinks = {
  requests: readonly LinkRequest[];
  /**
   * What is replaced in an existing record: afterwards it has exactly the requested links of these kinds. By default, these are
   * the kinds of the requests, except those with a request that cannot be fulfilled.
   */
  scopes?: readonly LinkScope[];
  /** The status of new targets, if allowed. */
  newStatus: Status;
};

/**
 * All links that a source gives, each with the record whose row gives it. What a row gives is not removed because the row of
 * the other record, with other links or none, comes later. An import that merges saves some links after its last row
 * (`deferred_links`); only then it removes the old links of their kinds, and none that any row has given.
 */
export type SourceLinks = {
  add(keys: readonly string[], tx: Tx): Promise<void>;
  /** Those of these links that it has. */
  among(keys: readonly string[], tx: Tx): Promise<ReadonlySet<string>>;
  /** A later row of a record takes the place of an earlier one, also with its links. */
  isReplaced: boolean;
};

export type LinkedItem = { id: string; links: ItemLinks; fresh: boolean };

/**
 * Removes empty roles and qualifiers that say nothing. An empty one means "none" in two cases: the item also names the same two
 * records with a role or qualifier, or empty cells remove what is there (`removing`). In symmetric types, an empty one never removes,
 * because the other end may say more.
 */
export function asMeant(
  schema: Schema,
  requests: readonly (LinkRequest & { item: LinkedItem })[],
  pairs: readonly Pick<Link, "from_id" | "relation_type" | "to_id">[],
  removing: boolean,
): LinkRequest[] {
  const keys = requests.map(({ item }, index) => `${item.id} ${endsKey(schema, pairs[index]!)}`);
  const isMore = ({ metadata = {}, qualifierWords = "" }: LinkRequest) =>
    qualifierWords.trim() !== "" || Object.values(metadata).some((entries) => entries.length > 0);
  const withMore = new Set(keys.filter((_, index) => isMore(requests[index]!)));
  const seen = new Set<string>();
  const several = new Set(keys.filter((key) => seen.size === seen.add(key).size && withMore.has(key)));
  return requests.map((request, index) => {
    if (several.has(keys[index]!) || (removing && !isSymmetric(schema, pairs[index]!))) return request;
    const { qualifierWords: words, metadata: { role, ...notes } = {}, ...rest } = request;
    return {
      ...rest,
      metadata: role?.length ? { ...notes, role } : notes,
      ...(words?.trim() ? { qualifierWords: words } : {}),
    };
  });
}
