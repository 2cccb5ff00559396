/** What is done for each kind of job. Its name and title stand in `src/jobs/kinds.ts`. */
import type { JobKind } from "../src/jobs/kinds.ts";
import { backUp } from "./back-up.ts";
import { editRecords } from "./edit-records.ts";
import { housekeep } from "./housekeeping.ts";
import { importFile, undoByJob } from "./import-file.ts";
import type { JobKindWork } from "./job-kind.ts";
import { makeDumps } from "./make-dumps.ts";
import { nameAll } from "./name-all.ts";
import { prepareImages } from "./prepare-images.ts";
import { purgeTrash } from "./purge-trash.ts";
import { rebuildProjection } from "./rebuild-projection.ts";
import { abandonReindex, reindex } from "./rebuild-search.ts";
import { verifyBackup } from "./verify-backup.ts";

const orphanedImport = (id: string) =>
  `The service stopped during this import. POST /v1/jobs/${id}/retry (or svc-manage jobs retry ${id}) continues it.`;

export const KIND_WORK: Record<JobKind, JobKindWork> = {
  // a disk that is full is final; another try tomorrow
  backup: { run: backUp, retries: 3, concurrency: 1, longestSilenceMs: 3_600_000 },
  "backup-verify": { run: verifyBackup, retries: 1, concurrency: 1, longestSilenceMs: 3_600_000 },
  dump: { run: makeDumps, retries: 3, concurrency: 1 },
  // a long import does not keep everybody else's waiting
  import: { run: importFile, retries: 5, concurrency: 2, orphan: orphanedImport },
  edit: { run: editRecords, retries: 5, concurrency: 1 },
  "import-undo": { run: undoByJob, retries: 5, concurrency: 1 },
  // an index that cannot be reached for some hours is only away; there is one place to build in
  reindex: { run: reindex, abandon: abandonReindex, retries: 10, concurrency: 1 },
  "prepare-images": {
    run: prepareImages,
    retries: 10,
    concurrency: 1,
    // one picture of a gigapixel is one step
    longestSilenceMs: 3_600_000,
  },
  // two at once, so that one whose place is away does not keep another waiting
  rebuild: { run: rebuildProjection, retries: 10, concurrency: 2 },
  "ark-mint": { run: nameAll, retries: 3, concurrency: 1 },
  "purge-trash": {
    run: ({ services, report }) => purgeTrash(services, report),
    retries: 5,
    concurrency: 1,
  },
  housekeeping: {
    run: ({ services, report }) => housekeep(services, report),
    retries: 3,
    concurrency: 1,
    // one large table of the embedded database is one step
    longestSilenceMs: 3_600_000,
  },
};
