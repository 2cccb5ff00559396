/** The demo museum's records in a real Typesense are found by the same queries as in the database. */
import { afterAll, beforeAll, describe } from "vitest";
import { findPackage, packageMissing, TYPESENSE } from "../servers/packages.ts";
import { type OwnTypesense, openTypesense } from "../servers/typesense.ts";
import { type Museum, openMuseum } from "../support/museum.ts";
import { sameAnswers } from "../support/same-answers.ts";
import { notTried } from "../support/skipped.ts";

const program = findPackage(TYPESENSE);
if (program === null) notTried(packageMissing(TYPESENSE));

describe.runIf(program)("the index in a real Typesense and the one in the database", () => {
  let typesense: OwnTypesense;
  let museum: Museum;
  beforeAll(async () => {
    typesense = await openTypesense(program!);
    const env = { TYPESENSE_URL: typesense.url, TYPESENSE_API_KEY: typesense.apiKey };
    museum = await openMuseum({ demo: true, env });
  });
  afterAll(async () => {
    await museum?.close();
    await typesense?.close();
  });

  // Typesense 0.24 cannot filter by spans
  sameAnswers(() => museum, { spans: false });
});
