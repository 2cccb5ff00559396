/** Which tests are run: those of the short lane (`npm test`), or all of them (`npm run test:all`, one file by its name). */
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    lane: "short" | "all";
  }
}

export const isShort: boolean = inject("lane") === "short";

/** For what takes long in a file that is otherwise quick: `inLong(it)("…", …)` is there in the long lane only. */
export const inLong = <Run extends (...args: never[]) => unknown>(run: Run): Run =>
  isShort ? ((() => undefined) as unknown as Run) : run;

/** All of these in the long lane, the last one in the short: every database, every counter, … */
export const oneOrAll = <T>(all: readonly T[]): T[] => (isShort ? all.slice(-1) : [...all]);
