/** Writes the commands into cli/descriptions.json and docs/command-line.md: `node --import tsx tests/support/docs/write-command-docs.ts`. */
import { readFile, writeFile } from "node:fs/promises";
import { commandPages, descriptions, JSON_FILE, PAGE } from "./command-table.ts";

const PLACE = /(<!-- commands: begin[^>]*-->\n)[\s\S]*?(<!-- commands: end -->)/;

const page = await readFile(PAGE, "utf8");
if (!PLACE.test(page)) throw new Error("docs/command-line.md has no place for the commands");
const all = await descriptions();
await writeFile(JSON_FILE, `${JSON.stringify(all, null, 2)}\n`);
const pages = commandPages(all);
await writeFile(
  PAGE,
  page.replace(PLACE, (_, begin: string, end: string) => `${begin}\n${pages}\n\n${end}`),
);
