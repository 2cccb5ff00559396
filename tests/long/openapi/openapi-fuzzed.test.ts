/** Requests that Schemathesis makes from the description of the API: every limit of it kept, and every one broken. */
import { describe, expect, it } from "vitest";
import { fuzz } from "../../conformance/fuzz.ts";
import { findPackage, packageMissing, SCHEMATHESIS } from "../../servers/packages.ts";
import { notTried } from "../../support/lane/skipped.ts";

/** For each role. Trying everything takes 45 on two idle cores. */
const LONGEST_SECONDS = 60;

const program = findPackage(SCHEMATHESIS);
if (program === null) notTried(packageMissing(SCHEMATHESIS));

describe.runIf(program !== null)("the API", () => {
  it("answers visitors, a viewer and a superuser as its description says, whatever they send", async () => {
    for await (const { who, cases, faults } of fuzz(program!, LONGEST_SECONDS, "coverage")) {
      console.log(`${who}: ${cases} requests`);
      expect(faults, who).toEqual([]);
      expect(cases, who).toBeGreaterThan(0);
    }
  }, 300_000);
});
