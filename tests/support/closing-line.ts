/** Ends every run with what was skipped and why, and one plain line of the real counts. */
import { readFileSync } from "node:fs";
import type { Reporter, TestCase } from "vitest/node";
import { skippedReasonsPath } from "./skipped.ts";

export default class ClosingLine implements Reporter {
  #counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  #skipped = new Map<string, number>();

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    this.#counts[state] += 1;
    if (state === "skipped") {
      const file = test.module.relativeModuleId;
      this.#skipped.set(file, (this.#skipped.get(file) ?? 0) + 1);
    }
  }

  onTestRunEnd(modules: ReadonlyArray<{ state(): string }>, errors: readonly unknown[]): void {
    const { passed, failed, skipped } = this.#counts;
    for (const [file, count] of this.#skipped) console.log(`skipped ${count} in ${file}`);
    for (const reason of reasons()) console.log(`not tried here: ${reason}`);
    // a file that could not be loaded has no tests to count, and is a failure all the same
    const broken = modules.filter((module) => module.state() === "failed").length;
    const more = failed === 0 ? broken + errors.length : 0;
    console.log(`${passed} passed, ${failed + more} failed, ${skipped} skipped`);
  }
}

function reasons(): string[] {
  try {
    return readFileSync(skippedReasonsPath(), "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
