/** Reads the catalogues of words from the disk when it is imported: each file of `src/messages` is a language. */
import { readdirSync, readFileSync } from "node:fs";
import { type Catalogue, setCatalogues } from "../messages/translate.ts";

const FOLDER = new URL("../messages/", import.meta.url);

/** By language, without English, which is part of the program. */
export function readCatalogues(): Record<string, Catalogue> {
  const names = readdirSync(FOLDER).flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? []);
  const others = names.filter((name) => name !== "en").sort();
  return Object.fromEntries(
    others.map((name) => [name, JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"))]),
  );
}

setCatalogues(readCatalogues());
