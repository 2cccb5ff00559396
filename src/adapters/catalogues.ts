/** Reads the catalogues of words from the disk when it is imported: each file of `src/messages` is a language. */
import { readdirSync, readFileSync } from "node:fs";
import { type Catalogue, setCatalogues } from "../messages/translate.ts";

const FOLDER = new URL("../messages/", import.meta.url);

/** By language, English first. */
export function readCatalogues(): Record<string, Catalogue> {
  const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -5)] : []));
  const inOrder = ["en", ...names.filter((name) => name !== "en").sort()];
  return Object.fromEntries(
    inOrder.map((name) => [name, JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"))]),
  );
}

setCatalogues(readCatalogues());
