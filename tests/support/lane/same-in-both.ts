/** What the second run of `.ci/run` leaves out, because the first has just tried it: files that are the same in both lanes. */
import { readdirSync, readFileSync } from "node:fs";

const SHORT = /^(?!(?:chaos|container|long|runtimes)\/).+\.test\.ts$/;

/** `isShort`, and what tests/support/ makes of it. Files with one of these names run more in the long lane. */
const LONGER = /\b(?:isShort|inLong|oneOrAll|databases|databasesAndCounters|openInDatabase)\b/;

export const sameInBoth = (): string[] =>
  readdirSync("tests", { recursive: true, encoding: "utf8" })
    .filter((name) => SHORT.test(name))
    .map((name) => `tests/${name}`)
    .filter((path) => !LONGER.test(readFileSync(path, "utf8")));
