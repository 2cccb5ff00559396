/**
 * The search port on a real Typesense: the one at TYPESENSE_URL, in collections that are deleted at the end, or else one that
 * `npm run runtimes` has installed, which is older than the service asks for.
 */
import { Client } from "typesense";
import { afterAll, describe } from "vitest";
import { typesenseSearch } from "../../../src/adapters/search/typesense/typesense.ts";
import { findPackage, packageMissing, TYPESENSE } from "../../servers/packages.ts";
import { openTypesense } from "../../servers/typesense.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { portExpectations } from "../../support/search/search-port.ts";
import { EMPTY_CATALOGUE } from "../../support/search/typesense-double.ts";

/** The version of Typesense that brought what these expectations need. */
const SINCE: Record<string, number> = {
  // `stem` of a field
  "finds a word by its stem": 26,
  "finds a word that is not there by its stem": 26,
  "finds words by a stem that is one of them": 26,
  "puts a word itself before its stem": 26,
  // `_eval` with several conditions
  "put the number as it was typed before one with other zeros": 26,
  "put the record with the number that was typed first, and then those that begin so": 26,
  // `name:=value*`
  "are filtered by how their values begin": 27,
  // `name.{…}`
  "are filtered by spans, each of its own": 29,
};

async function someServer() {
  const { TYPESENSE_URL, TYPESENSE_API_KEY = "" } = process.env;
  const program = findPackage(TYPESENSE);
  if (!TYPESENSE_URL && program === null) return null;
  const { url, apiKey, close } = TYPESENSE_URL
    ? { url: TYPESENSE_URL, apiKey: TYPESENSE_API_KEY, close: async () => undefined }
    : await openTypesense(program!);
  const client = new Client({ nodes: [{ url }], apiKey, logLevel: "silent" });
  const { version } = await client.debug.retrieve();
  return { url, apiKey, client, version, close };
}

const server = await someServer();
if (server === null) notTried(packageMissing(TYPESENSE));
const version = server?.version ?? "";

describe.runIf(server)("a real Typesense", () => {
  afterAll(() => server?.close());

  portExpectations(
    `Typesense ${version}`,
    async () => {
      const { url, apiKey, client } = server!;
      const alias = `svc_test_${crypto.randomUUID().replaceAll("-", "")}`;
      return {
        index: typesenseSearch({ url, apiKey, alias }, EMPTY_CATALOGUE, ["en"]),
        async close() {
          for (const { name } of await client.collections().retrieve())
            if (name.startsWith(alias)) await client.collections(name).delete();
          for (const { name } of (await client.aliases().retrieve()).aliases)
            if (name.startsWith(alias)) await client.aliases(name).delete();
        },
      };
    },
    {
      isExact: false,
      unmet: Object.keys(SINCE).filter((title) => Number.parseFloat(version) < SINCE[title]!),
    },
  );
});
