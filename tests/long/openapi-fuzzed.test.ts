/** Requests that Schemathesis makes from the description of the API, for a minute and a half. */
import { describe, expect, it } from "vitest";
import { fuzz } from "../conformance/fuzz.ts";
import { findPackage, packageMissing, SCHEMATHESIS } from "../servers/packages.ts";
import { notTried } from "../support/skipped.ts";

const program = findPackage(SCHEMATHESIS);
if (program === null) notTried(packageMissing(SCHEMATHESIS));

describe.runIf(program !== null)("the API", () => {
  it("answers visitors, a viewer and a superuser as its description says, whatever they send", async () => {
    for await (const { who, cases, faults } of fuzz(program!, 30, "examples,fuzzing")) {
      console.log(`${who}: ${cases} requests`);
      expect(faults, who).toEqual([]);
      expect(cases, who).toBeGreaterThan(500);
    }
  }, 240_000);
});
