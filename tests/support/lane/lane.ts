/** The lanes: `npm test` runs the short one, `npm run test:all` and naming a single file run all tests. */
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** `rest`: all without what the short one has done, for files that differ only by their databases. */
    lane: "short" | "all" | "rest";
  }
}

export const isShort: boolean = inject("lane") === "short";

/** For slow tests in a quick file: `inLong(it)("…", …)` runs in the long lane only. */
export const inLong = <Run extends (...args: never[]) => unknown>(run: Run): Run =>
  isShort ? ((() => undefined) as unknown as Run) : run;

/** All of these in the long lane, only the last one in the short lane: every database, every counter, … */
export const oneOrAll = <T>(all: readonly T[]): T[] => {
  if (all.length > 1 && inject("lane") === "rest") return all.slice(0, -1);
  return isShort ? all.slice(-1) : [...all];
};
