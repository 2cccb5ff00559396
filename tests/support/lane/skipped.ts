/** Lists servers and programs that this machine lacks, at the end of a run. In CI they are required. */
import { appendFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function skippedReasonsPath(): string {
  return join(tmpdir(), `svc-tests-not-tried-${process.env.SVC_TEST_RUN ?? "0"}.txt`);
}

export function forgetReasons(): void {
  rmSync(skippedReasonsPath(), { force: true });
}

/** Notes why something was skipped; with CI set, this is a failure instead. */
export function notTried(reason: string): void {
  if (process.env.CI) throw new Error(`required in CI: ${reason}`);
  appendFileSync(skippedReasonsPath(), `${reason}\n`);
}
