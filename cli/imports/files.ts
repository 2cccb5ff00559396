/** Opens the files of an import. Each fault is reported in one sentence. */

import { open, readFile, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { identityOf } from "../../src/adapters/files/named-files.ts";
import { demandSingleKeys } from "../../src/http/request/json-keys.ts";
import { readJson } from "../../src/http/request/json-text.ts";
import { said } from "../../src/messages/said.ts";
import type { ImportInput } from "../../src/operator/imports.ts";
import { Refusal } from "../../src/refusal.ts";
import { cannotRead, fileFault } from "../catalogue/open.ts";
import { bytesOf } from "../terminal/bytes-of.ts";

export async function readMapping(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error) => {
    throw new Refusal(said("cli.import.mapping_unreadable", { path, reason: fileFault(error) }));
  });
  readJson(
    text.replace(/^\uFEFF/, ""),
    (place) => new Refusal(said("cli.import.mapping_not_json", { path, ...place })),
  );
  demandSingleKeys(text);
  return text;
}

/** `named`: the place of a regular file; null for a pipe, whose content must be sent. */
export type SourceFile = {
  name: string;
  bytes: number;
  named: ImportInput["file"];
  open(): ReadableStream<Uint8Array>;
};

export async function sourceFile(path: string): Promise<SourceFile> {
  const about = await stat(path).catch(cannotRead(path));
  const source = { name: basename(path), bytes: about.size, open: () => bytesOf(path) };
  if (about.isFIFO()) return { ...source, named: null };
  if (!about.isFile()) throw new Refusal(said("cli.file.not_file", { path }));
  const file = await open(path).catch(cannotRead(path));
  const identity = await identityOf(file);
  await file.close();
  return { ...source, named: identity && { path: await realpath(path), identity } };
}

/** The rejects file goes to the working directory, because the directory of the source may be read-only. */
export function defaultRejectsPath(path: string, ending: "csv" | "xml"): string {
  const endings = ending === "csv" ? "csv|xlsx" : ending;
  return `${basename(path).replace(new RegExp(`\\.(${endings})$`, "i"), "")}.rejects.${ending}`;
}
