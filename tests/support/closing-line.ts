/** Ends every run with the skipped tests and their reasons, and a line with the counts: `N passed, N failed, N skipped`. */
import { readFileSync } from "node:fs";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { forgetReasons, skippedReasonsPath } from "./skipped.ts";

export default class ClosingLine implements Reporter {
  #counts = { passed: 0, failed: 0, skipped: 0 };

  onInit(vitest: Vitest): void {
    // told to the processes of the tests, which note their reasons under it
    process.env.SVC_TEST_RUN = String(process.pid);
    forgetReasons();
    // not before: what goes wrong at the very end is still printed, and counts
    if (!vitest.config.watch) process.once("exit", (code) => this.#print(code !== 0));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    // an error that belongs to no test is a failure all the same
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      // a file that could not be loaded, a beforeAll or afterAll that failed
      for (const part of [module, ...module.children.allSuites()]) {
        if (part.errors().length > 0) counts.failed += 1;
      }
      let skipped = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "skipped") skipped += 1;
        // begun and never ended: its process died
        else counts[state === "pending" ? "failed" : state] += 1;
      }
      counts.skipped += skipped;
      if (skipped > 0) console.log(`skipped ${skipped} in ${module.relativeModuleId}`);
    }
    for (const reason of reasons()) console.log(`not tried here: ${reason}`);
    this.#counts = counts;
  }

  #print(somethingFailed: boolean): void {
    const { passed, failed, skipped } = this.#counts;
    console.log(
      `${passed} passed, ${failed === 0 && somethingFailed ? 1 : failed} failed, ${skipped} skipped`,
    );
  }
}

function reasons(): string[] {
  try {
    return [...new Set(readFileSync(skippedReasonsPath(), "utf8").split("\n").filter(Boolean))];
  } catch {
    return [];
  }
}
