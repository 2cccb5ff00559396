/** Ends every run with the skipped tests and their reasons, and a line with the counts: `N passed, N failed, N skipped`. */
import { readFileSync } from "node:fs";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { notePassed, type PassedBefore } from "./passed-before.ts";
import { forgetReasons, skippedReasonsPath } from "./skipped.ts";

export default class ClosingLine implements Reporter {
  readonly #before: PassedBefore;
  #counts = { passed: 0, failed: 0, skipped: 0 };

  constructor(before: PassedBefore) {
    this.#before = before;
  }

  onInit(vitest: Vitest): void {
    // processes of the tests inherit this, and note their reasons under it
    process.env.SVC_TEST_RUN = String(process.pid);
    forgetReasons();
    // only at the exit, so that errors at the very end are printed first and counted
    if (!vitest.config.watch) process.once("exit", (code) => this.#print(code !== 0));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    // an error outside of any test is a failure, too
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      // a file that could not be loaded, or a failed beforeAll or afterAll
      for (const part of [module, ...module.children.allSuites()]) {
        if (part.errors().length > 0) counts.failed += 1;
      }
      let skipped = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "skipped") skipped += 1;
        // begun but never ended: its process died
        else counts[state === "pending" ? "failed" : state] += 1;
      }
      counts.skipped += skipped;
      if (skipped > 0) console.log(`skipped ${skipped} in ${module.relativeModuleId}`);
    }
    const { record, tests } = this.#before;
    const ran = new Set(
      modules.flatMap((module) =>
        [...module.children.allTests()].map(({ fullName }) => `${module.relativeModuleId} ${fullName}`),
      ),
    );
    for (const [file, names] of Object.entries(tests)) {
      const passed = names.filter((name) => !ran.has(`${file} ${name}`)).length;
      console.log(`passed before ${passed} in ${file}`);
      counts.passed += passed;
    }
    if (record) notePassed(record, modules);
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
