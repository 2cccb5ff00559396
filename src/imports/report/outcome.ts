/** What a job leaves for the command that follows it: what a page does not show, or shows otherwise. */
import type { Said, Told } from "../../messages/said.ts";
import type { PreviewPart } from "./preview-text.ts";

/** Known when the first row is to be written. `resumed`: the id of the import that this run continues. */
export type ImportNotices = { resumed: string | null; notices: readonly Said[] };

/** Of an import that has ended or was stopped. */
export type ImportOutcome = {
  finished: boolean;
  import_id: string;
  /** Part of `lines`, except in a dry run. */
  lead: Said[];
  lines: Said[];
  preview: PreviewPart[];
  rejected: number;
  unlinked: number;
  /** Rows in the rejects file that were imported, and would not find their records. */
  lost: number;
  /** Whether the catalogue gave the numbers: a corrected file then counts as another file. */
  numbered: boolean;
  broken: Told | null;
};
