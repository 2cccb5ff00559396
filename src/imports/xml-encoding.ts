/** Finds the encoding of an XML file by its byte order mark, else by its XML declaration (XML 1.0, appendix F). */
import { hex } from "../bytes.ts";
import { detectEncoding } from "./encoding.ts";
import {
  type ImportSource,
  namedEncoding,
  refused,
  refuseMisnamedUtf8,
  type SourceOptions,
} from "./source.ts";

/** How many bytes to read for the XML declaration. */
const HEAD = 1_024;

/** The encodings that a file may declare, and the decoder for each. */
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

const OTHERS: readonly (readonly [string, string])[] = [
  ["504b0304", "a ZIP archive, as workbooks and many exports are: unpack it first"],
  ["1f8b", "a gzip archive: unpack it first"],
  ["25504446", "a PDF document"],
  ["89504e47", "a PNG image"],
  ["ffd8ff", "a JPEG image"],
  ["d0cf11e0", "an old Office file"],
  ["fffe0000", "UTF-32 text: save it as UTF-8 first"],
  ["0000feff", "UTF-32 text: save it as UTF-8 first"],
];

/** The name of the decoder. An encoding in the options outranks the XML declaration, but not the byte order mark. */
export async function xmlEncodingOf(source: ImportSource, options: SourceOptions): Promise<string> {
  const head = await headOf(source.open());
  if (head.length === 0) throw refused(`${source.name} is empty`);
  const start = hex(head.subarray(0, 4));
  const other = OTHERS.find(([signature]) => start.startsWith(signature))?.[1];
  if (other) throw refused(`${source.name} is not XML but ${other}`);
  const wide = utf16Of(start);
  if (wide !== undefined) return wide;
  const named = namedEncoding(options);
  const text = new TextDecoder("windows-1252").decode(head).replace(/^ï»¿/, "");
  if (!/^\s*</.test(text) && !named?.startsWith("utf-16"))
    throw refused(
      `${source.name} is not XML: it ${text.trim() === "" ? "holds blanks only" : "does not begin with <"}`,
    );
  if (start.startsWith("efbbbf")) return "utf-8";
  if (named !== undefined) {
    await refuseMisnamedUtf8(source, named, await detectEncoding(source.open()));
    return named;
  }
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1];
  if (declared === undefined) return "utf-8";
  const decoder = DECLARED[declared.toLowerCase()];
  const shown = JSON.stringify(declared.slice(0, 40));
  if (decoder === "utf-16")
    throw refused(
      `${source.name} declares the encoding ${shown} but is not written in it: mend its first line`,
    );
  if (decoder !== undefined) return decoder;
  throw refused(
    `${source.name} declares the encoding ${shown}; UTF-8, UTF-16, ISO-8859-1 and windows-1252 are read, so save it as UTF-8`,
  );
}

/** UTF-16, recognised by its byte order mark or by the bytes of `<`. */
function utf16Of(start: string): string | undefined {
  if (start.startsWith("fffe") || /^3c00..00$/.test(start)) return "utf-16le";
  if (start.startsWith("feff") || /^003c00/.test(start)) return "utf-16be";
  return undefined;
}

async function headOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD);
  let size = 0;
  for await (const chunk of stream) {
    head.set(chunk.subarray(0, HEAD - size), size);
    size = Math.min(HEAD, size + chunk.length);
    if (size === HEAD) break;
  }
  return head.subarray(0, size);
}
