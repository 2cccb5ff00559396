/** The file of an import. It is opened for each reading: encoding, hash, references between rows, rows. */
import { invalid, type Problem } from "../problem.ts";
import { demandDecodable } from "./decode.ts";
import { chooseEncoding, type Detection, detectEncoding, parseEncodingName } from "./encoding.ts";

export type ImportSource = { name: string; bytes?: number; open(): ReadableStream<Uint8Array> };

export type SourceOptions = { encoding?: string; delimiter?: string };

/** The encoding that somebody named, by its standard name; undefined when nobody did. */
export function namedEncoding({ encoding }: SourceOptions): string | undefined {
  if (encoding === undefined) return undefined;
  const named = parseEncodingName(encoding);
  if (named === null)
    throw refused(`${JSON.stringify(encoding.slice(0, 40))} is not an encoding known here`, "/encoding");
  return named;
}

/** Encodings in which bytes can be wrong. With one byte for each character, hardly any can. */
const MANY_BYTES = /^(utf|gb|big5|euc|shift|iso-2022)/;

/**
 * The encoding to read the file in: of its byte order mark, else the named one, else the detected one. Refuses what is not
 * text (unless an encoding is named), UTF-8 under another name, and bytes that the encoding does not have.
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

/** Read in an encoding of one byte a character, UTF-8 would come in garbled without a fault. */
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

/** A file that cannot be imported, in one sentence. */
export function refused(sentence: string, pointer = ""): Problem {
  return invalid([{ pointer, detail: sentence }], sentence);
}

/** The same bytes; `counted` is told how many they are. */
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
