/** The lanes: `npm test` runs the short one, `npm run test:all` and naming a single file run all tests. */
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    lane: "short" | "all";
  }
}

export const isShort: boolean = inject("lane") === "short";

/** For slow tests in a quick file: `inLong(it)("…", …)` runs in the long lane only. */
export const inLong = <Run extends (...args: never[]) => unknown>(run: Run): Run =>
  isShort ? ((() => undefined) as unknown as Run) : run;

/** All of these in the long lane, only the last one in the short lane: every database, every counter, … */
export const oneOrAll = <T>(all: readonly T[]): T[] => (isShort ? all.slice(-1) : [...all]);
