/**
 * The kinds of job by name, which is all that routes need. `workers/job-kinds.ts` defines the work of each, and does
 * not compile if one is missing.
 */
import { said, type Told } from "../messages/said.ts";

export const JOB_KIND_NAMES = [
  "backup",
  "backup-verify",
  "dump",
  "import",
  "edit",
  "import-undo",
  "reindex",
  "prepare-images",
  "rebuild",
  "ark-mint",
  "purge-trash",
  "housekeeping",
] as const;

export type JobKind = (typeof JOB_KIND_NAMES)[number];

/** The title of a kind; for an unknown kind, its name. */
export function titleOf(kind: string): Told {
  const known = JOB_KIND_NAMES.find((name) => name === kind);
  return known ? said(`job.title.${known}`) : kind;
}

/** Kinds that leave something behind when they do not continue. A worker cleans that up and ends them, even if they are waiting. */
export const ENDED_BY_WORKER: readonly JobKind[] = ["reindex"];
