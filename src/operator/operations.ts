/** The operations, by name. */
import { accountOperations } from "./accounts.ts";
import { aggregationOperations } from "./aggregation.ts";
import { backupOperations } from "./backups.ts";
import { configurationOperations } from "./configuration.ts";
import { doctorOperations } from "./doctor.ts";
import { exportOperations } from "./exports.ts";
import { importOperations } from "./imports.ts";
import { jobOperations } from "./jobs.ts";
import { mediaOperations } from "./media.ts";
import { searchOperations } from "./search.ts";

export const OPERATIONS = {
  ...accountOperations,
  ...aggregationOperations,
  ...backupOperations,
  ...configurationOperations,
  ...doctorOperations,
  ...exportOperations,
  ...importOperations,
  ...jobOperations,
  ...mediaOperations,
  ...searchOperations,
};
