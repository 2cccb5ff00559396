/** Tests the port on the server at TYPESENSE_URL, in collections that are deleted at the end. */
import { Client } from "typesense";
import { expect, it } from "vitest";
import { typesenseSearch } from "../../src/adapters/search/typesense.ts";
import { portExpectations } from "../support/search-port.ts";
import { EMPTY_CATALOGUE } from "../support/typesense-double.ts";

const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey } = process.env;

it("TYPESENSE_URL and TYPESENSE_API_KEY name a server and a key with all rights", () => {
  expect({ TYPESENSE_URL: url ?? "not set", TYPESENSE_API_KEY: apiKey ? "set" : "not set" }).toEqual({
    TYPESENSE_URL: expect.stringMatching(/^https?:/),
    TYPESENSE_API_KEY: "set",
  });
});

if (url && apiKey) {
  portExpectations(
    `Typesense at ${new URL(url).host}`,
    async () => {
      const alias = `svc_test_${crypto.randomUUID().replaceAll("-", "")}`;
      return {
        index: typesenseSearch({ url, apiKey, alias }, EMPTY_CATALOGUE, ["en"]),
        async close() {
          const client = new Client({ nodes: [{ url }], apiKey, logLevel: "silent" });
          for (const { name: collection } of await client.collections().retrieve()) {
            if (collection.startsWith(alias)) await client.collections(collection).delete();
          }
          for (const each of [alias, `${alias}_building`]) {
            await client
              .aliases(each)
              .delete()
              .catch((error: { httpStatus?: number }) => {
                if (error.httpStatus !== 404) throw error;
              });
          }
        },
      };
    },
    { isExact: false },
  );
}
