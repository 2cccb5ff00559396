/**
 * The kinds of job by name, which is all that routes need. `workers/job-kinds.ts` defines the work of each, and does
 * not compile if one is missing.
 */

export const JOB_KINDS = {
  backup: "Back up the database and the media directory",
  "backup-verify": "Test a backup by restoring it into a temporary database",
  dump: "Write all public records to the files under /dumps/",
  import: "Import an uploaded file",
  edit: "Change many records at once",
  "import-undo": "Undo an import or a bulk edit",
  reindex: "Rebuild the search index while the old one answers",
  "prepare-images": "Check new pictures and make their tiles",
  rebuild: "Rebuild data that is derived from the records",
  "ark-mint": "Give ARKs to public records that have none",
  "purge-trash": "Delete records that have been in the trash for 30 days",
  housekeeping: "Delete expired data and update the database's statistics",
} as const;

export type JobKind = keyof typeof JOB_KINDS;

export const JOB_KIND_NAMES = Object.keys(JOB_KINDS) as JobKind[];

/** The title of a kind; for an unknown kind, its name. */
export function titleOf(kind: string): string {
  return Object.hasOwn(JOB_KINDS, kind) ? JOB_KINDS[kind as JobKind] : kind;
}

/** Kinds that leave something behind when they do not continue. A worker cleans that up and ends them, even if they are waiting. */
export const ENDED_BY_WORKER: readonly JobKind[] = ["reindex"];
