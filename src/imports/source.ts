/**
 * The file of an import, and its encoding. It is opened anew for each reading: encoding, header, hash, references between rows (if
 * there can be any), rows, deferred links (if there are any).
 */
import { invalid, type Problem } from "../problem.ts";
import { demandDecodable } from "./decode.ts";
import { chooseEncoding, type Detection, detectEncoding, parseEncodingName } from "./encoding.ts";

export type ImportSource = { name: string; bytes?: number; open(): ReadableStream<Uint8Array> };

export type SourceOptions = { encoding?: string; delimiter?: string };

/** The standard name of the encoding in the options; undefined if there is none. */
export function namedEncoding({ encoding }: SourceOptions): string | undefined {
  if (encoding === undefined) return undefined;
  const named = parseEncodingName(encoding);
  if (named === null)
    throw refused(`${JSON.stringify(encoding.slice(0, 40))} is not an encoding known here`, "/encoding");
  return named;
}

/** Encodings in which bytes can be invalid. In encodings of one byte per character, hardly any can. */
const MANY_BYTES = /^(utf|gb|big5|euc|shift|iso-2022)/;

/**
 * The encoding of the file: by its byte order mark, else the one in the options, else detected. Refuses what is not text (unless
 * the options have an encoding), UTF-8 under another name, and bytes that are invalid in the encoding.
 */
export async function encodingOf(source: ImportSource, options: SourceOptions): Promise<string> {
  const named = namedEncoding(options) ?? null;
  const found = await detectEncoding(source.open());
  if (found.bytes === 0) throw refused(`${source.name} is empty`);
  if (found.binary && named === null) throw refused(`${source.name}: ${found.hint ?? "this is not text"}`);
  const encoding = chooseEncoding(found, named);
  await refuseMisnamedUtf8(source, encoding, found);
  if (MANY_BYTES.test(encoding) && !(encoding === "utf-8" && found.valid))
    await demandDecodable(source.open(), encoding);
  return encoding;
}

/** Refuses UTF-8 that is to be read in an encoding of one byte per character: it would be garbled without an error. */
export async function refuseMisnamedUtf8(
  source: ImportSource,
  encoding: string,
  found: Detection,
): Promise<void> {
  if (!found.mostlyUtf8 || (MANY_BYTES.test(encoding) && encoding !== "utf-8")) return;
  if (!found.valid) await demandDecodable(source.open(), "utf-8", found.damaged);
  else if (encoding !== "utf-8")
    throw refused(`${source.name} is UTF-8, not ${encoding}: leave the encoding out`, "/encoding");
}

/** The problem for a file that cannot be imported. */
export function refused(sentence: string, pointer = ""): Problem {
  return invalid([{ pointer, detail: sentence }], sentence);
}

/** The same stream; `counted.bytes` grows as it is read. */
export function counting(
  stream: ReadableStream<Uint8Array>,
  counted?: { bytes: number },
): ReadableStream<Uint8Array> {
  if (!counted) return stream;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        counted.bytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
}
