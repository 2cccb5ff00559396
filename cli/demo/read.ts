import { readFile } from "node:fs/promises";

/** A file of the demo museum (cli/demo/museum), by its name without the ending. */
export const readDemo = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`museum/${name}.json`, import.meta.url), "utf8"));
