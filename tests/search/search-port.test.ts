/** The expectations of the port, on the indexes that every machine has. */
import { afterAll, expect } from "vitest";
import { typesenseSearch } from "../../src/adapters/search/typesense/typesense.ts";
import { openInDatabase } from "../support/search/search-in-database.ts";
import { portExpectations } from "../support/search/search-port.ts";
import { EMPTY_CATALOGUE, openTypesenseDouble } from "../support/search/typesense-double.ts";

portExpectations("the tables of the database", openInDatabase, { isExact: true });

const faults: string[] = [];

portExpectations(
  "Typesense, with its double",
  async () => {
    const double = await openTypesenseDouble();
    const { url, apiKey } = double;
    return {
      index: typesenseSearch({ url, apiKey }, EMPTY_CATALOGUE, ["en"]),
      async close() {
        faults.push(...double.faults);
        await double.close();
      },
    };
  },
  { isExact: false },
);

afterAll(() => expect(faults).toEqual([]));
