/** The work of each kind of job. Names and titles are in `src/jobs/kinds.ts`. */

import type { Job } from "../src/jobs/job.ts";
import type { JobKind } from "../src/jobs/kinds.ts";
import { said } from "../src/messages/said.ts";
import { backUp } from "./back-up.ts";
import { editRecords } from "./edit-records.ts";
import { housekeep } from "./housekeeping.ts";
import { importFile } from "./import-file.ts";
import type { JobKindWork } from "./job-kind.ts";
import { makeDumps } from "./make-dumps.ts";
import { mintArks } from "./mint-arks.ts";
import { prepareImages } from "./prepare-images.ts";
import { purgeTrash } from "./purge-trash.ts";
import { rebuildProjection } from "./rebuild-projection.ts";
import { abandonReindex, reindex } from "./rebuild-search.ts";
import { undoByJob } from "./undo-import.ts";
import { verifyBackup } from "./verify-backup.ts";

const orphanedImport = ({ params }: Pick<Job, "params">) =>
  params.on_behalf === null ? said("job.import.command_ended") : said("job.import.orphaned");

export const KIND_WORK: Record<JobKind, JobKindWork> = {
  // a full disk is final; the next try is tomorrow
  backup: { run: backUp, retries: 3, concurrency: 1, longestSilenceMs: 3_600_000 },
  "backup-verify": { run: verifyBackup, retries: 1, concurrency: 1, longestSilenceMs: 3_600_000 },
  dump: { run: makeDumps, retries: 3, concurrency: 1 },
  // two at once, so that a long import does not block those of others
  import: { run: importFile, retries: 5, concurrency: 2, orphan: orphanedImport },
  edit: { run: editRecords, retries: 5, concurrency: 1 },
  "import-undo": { run: undoByJob, retries: 5, concurrency: 1 },
  // the index may be unreachable for some hours; only one rebuild can run
  reindex: { run: reindex, abandon: abandonReindex, retries: 10, concurrency: 1 },
  "prepare-images": {
    run: prepareImages,
    retries: 10,
    concurrency: 1,
    // one gigapixel picture is one step
    longestSilenceMs: 3_600_000,
  },
  // two at once, so that one with an unreachable store does not block another
  rebuild: { run: rebuildProjection, retries: 10, concurrency: 2 },
  "ark-mint": { run: mintArks, retries: 3, concurrency: 1 },
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
