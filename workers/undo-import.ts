/** The job that undoes an import. */
import { callerOf, type OnBehalf } from "../src/accounts/on-behalf.ts";
import { undoImport } from "../src/imports/undo/undo.ts";
import { writeJobText } from "../src/jobs/files.ts";
import { said } from "../src/messages/said.ts";
import { Problem } from "../src/problem.ts";
import type { JobInput } from "./job-kind.ts";
import { toNextStep, wasCancelled } from "./run-job.ts";

/** The most records of a kind of outcome that the result names. */
const NAMED = 100;

export async function undoByJob({
  services,
  id,
  params,
  signal,
  report,
}: JobInput): Promise<Record<string, unknown>> {
  const { import_id, dry_run, on_behalf } = params as {
    import_id: string;
    dry_run: boolean;
    on_behalf: OnBehalf;
  };
  const currentAccount = () => callerOf(services.sql, on_behalf);
  const caller = await currentAccount();
  await report({ result: { import_id, dry_run } });
  const reportStep = toNextStep(report, signal);
  const whole = await undoImport(services, caller, import_id, {
    dryRun: dry_run,
    stopped: () => signal.aborted,
    currentAccount,
    progress: (done, total) => reportStep({ done, total }),
  }).catch((error) => {
    if (!(error instanceof Problem) || error.code !== "forbidden") throw error;
    throw new Problem("forbidden", said("problem.import.undo_stopped", { fault: error.told }));
  });
  if (whole.finished || wasCancelled(signal))
    await writeJobText(services.sql, id, "outcome", JSON.stringify(whole));
  signal.throwIfAborted();
  const { importId, finished: _, undone, ...summary } = whole;
  return {
    ...{ import_id: importId, dry_run, ...summary },
    named: summary.named.slice(0, NAMED),
    undone: { trashed: undone.trashed.slice(0, NAMED), restored: undone.restored.slice(0, NAMED) },
  };
}
