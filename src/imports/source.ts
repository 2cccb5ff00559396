/** The file of an import, opened as often as it must be read: for its encoding, its hash, its ties and its rows. */
import { invalid, type Problem } from "../problem.ts";
import { readCsv } from "./csv.ts";
import { chooseEncoding, decode, detectEncoding, parseEncodingName } from "./encoding.ts";
import { type CsvTable, csvTable } from "./table.ts";

export type ImportSource = { name: string; bytes?: number; open(): ReadableStream<Uint8Array> };

export type SourceOptions = { encoding?: string; delimiter?: string };

export async function encodingOf(source: ImportSource, options: SourceOptions): Promise<string> {
  const named = options.encoding === undefined ? null : parseEncodingName(options.encoding);
  if (options.encoding !== undefined && named === null) {
    throw refused(`${JSON.stringify(options.encoding.slice(0, 40))} is no encoding known here`, "/encoding");
  }
  const found = await detectEncoding(source.open());
  if (found.bytes === 0) throw refused(`${source.name} is empty`);
  if (found.binary && named === null) throw refused(`${source.name}: ${found.hint ?? "this is not text"}`);
  return chooseEncoding(found, named);
}

function refused(sentence: string, pointer = ""): Problem {
  return invalid([{ pointer, detail: sentence }], sentence);
}

/** The table in the file. `counted` is told how many bytes were read, `parted` which delimiter was found. */
export function openTable(
  source: ImportSource,
  encoding: string,
  options: SourceOptions,
  told: { counted?: { bytes: number }; parted?(delimiter: string): void } = {},
): Promise<CsvTable> {
  const bytes = told.counted ? counting(source.open(), told.counted) : source.open();
  const text = decode(bytes, encoding, { fatal: options.encoding !== undefined });
  return csvTable(readCsv(text, { delimiter: options.delimiter, parted: told.parted }));
}

function counting(
  stream: ReadableStream<Uint8Array>,
  counted: { bytes: number },
): ReadableStream<Uint8Array> {
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        counted.bytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
}
