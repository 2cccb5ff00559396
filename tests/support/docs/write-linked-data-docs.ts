/** Writes the tables of docs/linked-data.md: `node --import tsx tests/support/docs/write-linked-data-docs.ts`. */
import { readFile, writeFile } from "node:fs/promises";
import { PAGE, tables } from "./linked-data-tables.ts";

let page = await readFile(PAGE, "utf8");
for (const [name, table] of Object.entries(tables())) {
  const place = new RegExp(`(<!-- ${name}: begin[^>]*-->\\n)[\\s\\S]*?(<!-- ${name}: end -->)`);
  if (!place.test(page)) throw new Error(`docs/linked-data.md has no place for the ${name}`);
  page = page.replace(place, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}
await writeFile(PAGE, page);
