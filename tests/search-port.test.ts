/** The expectations of the port, on every index that can be had on every machine. */
import { afterAll, expect } from "vitest";
import { typesenseSearch } from "../src/adapters/search/typesense.ts";
import { openInDatabase } from "./support/search-in-database.ts";
import { portExpectations } from "./support/search-port.ts";
import { EMPTY_CATALOGUE, openTypesenseDouble } from "./support/typesense-double.ts";

portExpectations("the tables of the database", openInDatabase);

const faults: string[] = [];

portExpectations("Typesense, before its double", async () => {
  const double = await openTypesenseDouble();
  const { url, apiKey } = double;
  return {
    index: typesenseSearch({ url, apiKey }, EMPTY_CATALOGUE),
    async close() {
      faults.push(...double.faults);
      await double.close();
    },
  };
});

afterAll(() => expect(faults).toEqual([]));
