/** What goes into a batch, and what becomes of it. */
import type { Fault } from "../problem.ts";
import type { JoinedEnd, MadeEnd } from "./batch-links.ts";
import type { ItemLinks } from "./link-wishes.ts";
import type { RecordRow, RecordState } from "./record.ts";
import type { Draft } from "./shape.ts";

/**
 * What happens when the record is there already. `refuse`: the item is rejected. `tie`: only its links and its parent are
 * written, which are still owed to a record that the same source has just made or changed. `link`: only its links are, to
 * those that are there; without its record the item is rejected.
 */
export type Upsert = "refuse" | "skip" | "merge" | "replace" | "tie" | "link";

export type BatchItem = {
  draft: Draft;
  /** The record that this item is known to be, for example because an earlier run of the same file made it. */
  knownId?: string;
  links?: ItemLinks;
  /**
   * The identification number of its parent, instead of the draft's `parent_id`. `comes`: the source has the parent
   * elsewhere, so it may be missing as yet.
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
      /** Far ends of its links that had to be made; each stands with the first item that wished for it. */
      made?: readonly MadeEnd[];
      /** Far ends that it names in another spelling than theirs. */
      joined?: readonly JoinedEnd[];
      /** What it names, what is not there and must not be made: those links, or the parent, are not written. */
      absent?: readonly Fault[];
      /** What it names, what several records are called and what it goes without. */
      unclear?: readonly Fault[];
    }
  | { outcome: "rejected"; faults: readonly Fault[] };

/** An item that will be written. `row`: the record as it was; `place`: among the items. */
export type Planned = { item: BatchItem; id: string; state: RecordState; place: number; row?: RecordRow };
