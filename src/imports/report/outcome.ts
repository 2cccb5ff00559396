/** What an import job stores for the command that follows it, because pages do not show it, or show it differently. */
import type { Said, Told } from "../../messages/said.ts";
import type { PreviewPart } from "./preview-text.ts";

/** Stored before the first row is written. `resumed`: the id of the import that this run continues. */
export type ImportNotices = { resumed: string | null; notices: readonly Said[] };

export type ImportOutcome = {
  finished: boolean;
  import_id: string;
  /** Part of `lines`, except in a dry run. */
  lead: Said[];
  lines: Said[];
  preview: PreviewPart[];
  rejected: number;
  unlinked: number;
  /** Imported rows in the rejects file that would not find their records again. */
  lost: number;
  /** Whether the catalogue assigned the numbers, so that an import of the corrected file would not find the records. */
  numbered: boolean;
  broken: Told | null;
};
