/** Finds the encoding of an XML file from its byte order mark, else from its XML declaration (XML 1.0, appendix F). */

import { hex } from "../../bytes.ts";
import { said } from "../../messages/said.ts";
import type { EncodingRule } from "../csv/encoding.ts";
import { knownFile } from "../file-signatures.ts";
import { brief } from "../mapping/targets.ts";
import {
  type ImportSource,
  namedEncoding,
  refused,
  refuseMisnamedUtf8,
  type SourceOptions,
} from "../source.ts";

/** Bytes in which the XML declaration is searched for. */
const HEAD = 1_024;

/** The decoder for each encoding that a file may declare. */
const DECLARED: Readonly<Record<string, string>> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  "us-ascii": "utf-8",
  ascii: "utf-8",
  "utf-16": "utf-16",
  "utf-16le": "utf-16",
  "utf-16be": "utf-16",
  "iso-8859-1": "windows-1252",
  "latin-1": "windows-1252",
  latin1: "windows-1252",
  "windows-1252": "windows-1252",
  cp1252: "windows-1252",
};

/**
 * An encoding in the options takes precedence over the XML declaration, but not over the byte order mark. Only then are all
 * bytes judged, because such an encoding may be wrong.
 */
export function xmlEncoding(source: ImportSource, options: SourceOptions): EncodingRule {
  const named = namedEncoding(options);
  const encodingBy = (beginning: Uint8Array) => encodingOf(source, named, beginning);
  if (named === undefined) return { encodingBy };
  return {
    encodingBy,
    async judge(found, encoding) {
      if (!found.bom) await refuseMisnamedUtf8(source, encoding, found);
    },
  };
}

function encodingOf({ name }: ImportSource, named: string | undefined, beginning: Uint8Array): string {
  if (beginning.length === 0) throw refused(said("fault.file.empty", { name }));
  const start = hex(beginning.subarray(0, 4));
  const format = knownFile(start);
  if (format) throw refused(said("fault.file.not_xml", { name, format }));
  const wide = utf16Of(start);
  if (wide !== undefined) return wide;
  const text = new TextDecoder("windows-1252").decode(beginning.subarray(0, HEAD)).replace(/^ï»¿/, "");
  if (!/^\s*</.test(text) && !named?.startsWith("utf-16"))
    throw refused(said(text.trim() === "" ? "fault.file.blank" : "fault.file.not_markup", { name }));
  if (start.startsWith("efbbbf")) return "utf-8";
  if (named !== undefined) return named;
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1];
  if (declared === undefined) return "utf-8";
  const decoder = DECLARED[declared.toLowerCase()];
  const about = { name, encoding: brief(declared.slice(0, 40)) };
  if (decoder === "utf-16") throw refused(said("fault.file.not_as_declared", about));
  if (decoder !== undefined) return decoder;
  throw refused(said("fault.file.declared_encoding", about));
}

/** UTF-16, recognised by its byte order mark or by the bytes of `<`. */
function utf16Of(start: string): string | undefined {
  if (start.startsWith("fffe") || /^3c00..00$/.test(start)) return "utf-16le";
  if (start.startsWith("feff") || /^003c00/.test(start)) return "utf-16be";
  return undefined;
}
