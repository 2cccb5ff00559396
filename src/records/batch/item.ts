/** The items of a batch and their results. */
import type { Fault } from "../../problem.ts";
import type { LostLink } from "../links/writes.ts";
import type { Metadata, RecordRow, RecordState } from "../record.ts";
import type { Draft } from "../shape.ts";
import type { ItemLinks } from "./link-requests.ts";
import type { OtherTitle, SimilarName } from "./links.ts";
import type { CreatedEnd } from "./requested-ends.ts";

/**
 * What to do if the record exists. `refuse`: reject the item. `link`: write only its links to existing records; the item is
 * rejected if its own record is missing. `deferred_links`: write only its links and its parent; an import does this after its
 * last row, for links to records of later rows.
 */
export type Upsert = "refuse" | "skip" | "merge" | "replace" | "deferred_links" | "link";

export type BatchItem = {
  draft: Draft;
  /** The existing record of this item, if known, for example because an earlier run of the same file created it. */
  knownId?: string;
  links?: ItemLinks;
  /** Values for fields that are empty in the record. */
  fills?: Metadata;
  /** Fields for the wording of dates, each with the field of its date: a new date does not keep the wording of the old one. */
  wordings?: Readonly<Record<string, string>>;
  /** The order of its languages says nothing, because it is that of the columns of a list: the record keeps its own. */
  isUnordered?: true;
  /**
   * The identification number of its parent, instead of the draft's `parent_id`. `hasRow`: the parent is elsewhere in
   * the source, so it may still be missing.
   */
  parent?: { idno: string; hasRow: boolean };
};

export type BatchResult =
  | {
      outcome: "created" | "updated" | "unchanged" | "skipped";
      id: string;
      idno: string;
      before?: RecordState;
      after?: RecordState;
      /** Far ends of its links that were created; each is listed with the first item that names it. */
      createdEnds?: readonly CreatedEnd[];
      /** Far ends of its links with a title other than their name in the source. */
      otherTitles?: readonly OtherTitle[];
      /** Far ends, or the parent, that do not exist and must not be created: these links are not written. */
      missing?: readonly Fault[];
      /** Those of the missing ends whose names are similar to that of a record. */
      similar?: readonly SimilarName[];
      /** Names that several records have, and whose links were left out. */
      ambiguous?: readonly Fault[];
      /** Indexes of its links that were there, as they are. */
      keptLinks?: readonly number[];
      /** Links of the record that its item replaced. */
      lostLinks?: readonly LostLink[];
    }
  | { outcome: "rejected"; faults: readonly Fault[] };

/** An item that will be written. `row`: its record before; `place`: its index among the items. */
export type Planned = { item: BatchItem; id: string; state: RecordState; place: number; row?: RecordRow };
