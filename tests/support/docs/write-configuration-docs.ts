/**
 * Writes the tables of variables into documentation pages, by default docs/configuration.md:
 * `node --import tsx tests/support/docs/write-configuration-docs.ts [page.md …]`
 */
import { readFileSync, writeFileSync } from "node:fs";
import { configurationTable } from "../../../src/config/read.ts";

const PLACE = /(<!-- variables: begin[^>]*-->\n)[\s\S]*?(<!-- variables: end -->)/;

const pages = process.argv.slice(2);
for (const page of pages.length > 0 ? pages : ["docs/configuration.md"]) {
  const before = readFileSync(page, "utf8");
  if (!PLACE.test(before)) {
    throw new Error(`${page} has no lines <!-- variables: begin --> and <!-- variables: end -->`);
  }
  writeFileSync(
    page,
    before.replace(PLACE, (_, begin: string, end: string) => `${begin}\n${configurationTable()}\n${end}`),
  );
}
