/** Which tests are run: those of the short lane (`npm test`), or all of them (`npm run test:all`, one file by its name). */
import { inject, it } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    lane: "short" | "all";
  }
}

export const isShort: boolean = inject("lane") === "short";

/** `it` for what takes long in a file that is otherwise quick: it is there in the long lane. */
export const itLong: (name: string, test: () => Promise<void>, timeout?: number) => void = isShort
  ? () => undefined
  : it;

/** All of these in the long lane, the last one in the short: every database, every counter, … */
export const oneOrAll = <T>(all: readonly T[]): T[] => (isShort ? all.slice(-1) : [...all]);
