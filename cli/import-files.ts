/** The files of an import, opened so that each fault is one sentence. */

import { open, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { ImportSource } from "../src/imports/source.ts";
import { demandSingleKeys } from "../src/json-keys.ts";
import { said } from "../src/messages/said.ts";
import { Refusal } from "../src/refusal.ts";
import { bytesOf } from "./bytes-of.ts";
import { fileFault } from "./open.ts";

export async function readMapping(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error) => {
    throw new Refusal(said("cli.import.mapping_unreadable", { path, reason: fileFault(error) }));
  });
  let mapping: unknown;
  try {
    mapping = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Refusal(said("cli.import.mapping_not_json", { path, reason: (error as Error).message }));
  }
  demandSingleKeys(text);
  return mapping;
}

export async function fileSource(path: string): Promise<ImportSource> {
  const refuse = (error: unknown) => {
    throw new Refusal(said("cli.file.cannot_read", { path, reason: fileFault(error) }));
  };
  const about = await stat(path).catch(refuse);
  if (!about.isFile()) throw new Refusal(said("cli.file.not_file", { path }));
  await open(path).then((file) => file.close(), refuse);
  return { name: basename(path), bytes: about.size, open: () => bytesOf(path) };
}

/** The path of the rejects file: in the working directory, because the directory of the file may be read-only. */
export function defaultRejectsPath(path: string, ending: "csv" | "xml"): string {
  return `${basename(path).replace(new RegExp(`\\.${ending}$`, "i"), "")}.rejects.${ending}`;
}
