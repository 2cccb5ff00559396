/** The items of a batch and their results. */
import type { Fault } from "../problem.ts";
import type { JoinedEnd, MadeEnd } from "./batch-links.ts";
import type { ItemLinks } from "./link-wishes.ts";
import type { RecordRow, RecordState } from "./record.ts";
import type { Draft } from "./shape.ts";

/**
 * What to do if the record exists. `refuse`: reject the item. `tie`: write only its links and its parent, for a
 * record that the same source has just created or changed. `link`: write only its links to existing records; the item
 * is rejected if its own record is missing.
 */
export type Upsert = "refuse" | "skip" | "merge" | "replace" | "tie" | "link";

export type BatchItem = {
  draft: Draft;
  /** The existing record of this item, if known, for example because an earlier run of the same file created it. */
  knownId?: string;
  links?: ItemLinks;
  /**
   * The identification number of its parent, instead of the draft's `parent_id`. `comes`: the parent is elsewhere in
   * the source, so it may still be missing.
   */
  parent?: { idno: string; comes: boolean };
};

export type BatchResult =
  | {
      outcome: "created" | "updated" | "unchanged" | "skipped";
      id: string;
      idno: string;
      before?: RecordState;
      after?: RecordState;
      /** Far ends of its links that were created, each listed with the first item that named it. */
      made?: readonly MadeEnd[];
      /** Far ends that it names in a different spelling. */
      joined?: readonly JoinedEnd[];
      /** Named records that are missing and must not be created: these links, or the parent, are not written. */
      absent?: readonly Fault[];
      /** Ambiguous names whose links were left out. */
      unclear?: readonly Fault[];
    }
  | { outcome: "rejected"; faults: readonly Fault[] };

/** An item that will be written. `row`: the record before; `place`: its index among the items. */
export type Planned = { item: BatchItem; id: string; state: RecordState; place: number; row?: RecordRow };
