/**
 * The kinds of job by name: all that routes need to put one in. What is done for each stands in `workers/job-kinds.ts`,
 * which does not compile while one is missing.
 */

export const JOB_KINDS = {
  backup: "Make a backup of the database and of the media directory",
  "backup-verify": "Restore a backup where it does not matter, to prove that it can be restored",
  dump: "Write what is public into the files under /dumps/",
  import: "Import a file that was sent over the API",
  edit: "Change many records at once",
  "import-undo": "Take an import or a bulk edit back",
  reindex: "Make the search index anew, while the old one answers",
  "prepare-images": "Look new pictures through, and make their tiles",
  rebuild: "Bring what is made from the records into agreement with all of them",
  "ark-mint": "Name what is public and has no ARK yet",
  "purge-trash": "Empty the trash of what has lain there for 30 days",
  housekeeping: "Throw away what nobody needs any more, and renew the database's statistics",
} as const;

export type JobKind = keyof typeof JOB_KINDS;

export const JOB_KIND_NAMES = Object.keys(JOB_KINDS) as JobKind[];

/** Of a kind that this version does not know, its name. */
export function titleOf(kind: string): string {
  return Object.hasOwn(JOB_KINDS, kind) ? JOB_KINDS[kind as JobKind] : kind;
}

/** What they leave when they have begun and will not go on, a worker throws away: it ends them, also when they wait. */
export const ENDED_BY_WORKER: readonly JobKind[] = ["reindex"];
