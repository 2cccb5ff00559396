/**
 * `.ci/run` runs the short lane and then everything. A file that has just passed and is the same in both lanes is not
 * run again, and one that differs only by its databases is run for the others: what passed before is counted.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { TestModule } from "vitest/node";
import { importsOf, ROOT } from "../sources.ts";

/** `tests`: full names by file. */
export type PassedBefore = { record: string | undefined; tests: Record<string, string[]> };

/** Programs that the tests start do not see the record: they may be test runs, too. */
export function passedBefore(): PassedBefore {
  const record = process.env.SVC_TESTS_PASSED;
  delete process.env.SVC_TESTS_PASSED;
  return { record, tests: record && existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : {} };
}

/** Notes for the next lane what need not be run again. */
export function notePassed(record: string, modules: readonly TestModule[]): void {
  const passed = modules.flatMap((module): [string, string[]][] => {
    const tests = [...module.children.allTests()];
    const allPassed = module.ok() && tests.every((test) => test.result().state === "passed");
    return allPassed && !asksForLane(module.relativeModuleId)
      ? [[module.relativeModuleId, tests.map(({ fullName }) => fullName)]]
      : [];
  });
  writeFileSync(record, JSON.stringify(Object.fromEntries(passed)));
}

export const LANE = "tests/support/lane/lane.ts";
/** It asks for the lane only to list `databases`. */
export const MUSEUM = "tests/support/museum/museum.ts";

/** Whether the file, or anything of the tests that it imports, may do less in the short lane, other than on fewer databases. */
export function asksForLane(file: string): boolean {
  return reached(file).has(LANE);
}

/** Whether it has fewer databases in the short lane. */
export function asksForDatabases(file: string): boolean {
  return [...reached(file)].some((each) => /^import \{[^}]*\bdatabases\b/m.test(textOf(each)));
}

/** The file and everything of the tests that it imports, but nothing by way of the museum. */
function reached(file: string, found: Set<string> = new Set()): Set<string> {
  if (file === MUSEUM || !/^tests\/.*\.ts$/.test(file) || found.has(file)) return found;
  found.add(file);
  for (const { to } of importsOf({ path: file, text: textOf(file) })) reached(to, found);
  return found;
}

const textOf = (file: string): string => readFileSync(`${ROOT}${file}`, "utf8");
