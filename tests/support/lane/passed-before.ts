/**
 * `.ci/run` runs the short lane and then everything. A file that has just passed and is the same in both lanes is not
 * run again: its tests are counted.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { TestModule } from "vitest/node";
import { importsOf, ROOT } from "../sources.ts";

export type PassedBefore = { record: string | undefined; tests: Record<string, number> };

/** Programs that the tests start do not see the record: they may be test runs, too. */
export function passedBefore(): PassedBefore {
  const record = process.env.SVC_TESTS_PASSED;
  delete process.env.SVC_TESTS_PASSED;
  return { record, tests: record && existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : {} };
}

/** Notes for the next lane what need not be run again. */
export function notePassed(record: string, modules: readonly TestModule[]): void {
  const passed = modules.flatMap((module): [string, number][] => {
    const tests = [...module.children.allTests()];
    const allPassed = module.ok() && tests.every((test) => test.result().state === "passed");
    return allPassed && !asksForLane(module.relativeModuleId)
      ? [[module.relativeModuleId, tests.length]]
      : [];
  });
  writeFileSync(record, JSON.stringify(Object.fromEntries(passed)));
}

const LANE = "tests/support/lane/lane.ts";
/** Opens the same museum in both lanes; but the list of databases in it is shorter in the short one. */
const MUSEUM = "tests/support/museum/museum.ts";

/** Whether the file, or anything of the tests that it imports, may do less in the short lane. */
export function asksForLane(file: string, seen: Set<string> = new Set()): boolean {
  if (file === LANE) return true;
  if (file === MUSEUM || !file.startsWith("tests/") || !file.endsWith(".ts") || seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(`${ROOT}${file}`, "utf8");
  return (
    /^import \{[^}]*\bdatabases\b/m.test(text) ||
    importsOf({ path: file, text }).some(({ to }) => asksForLane(to, seen))
  );
}
