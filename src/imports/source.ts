/** The file of an import, and the rule for the encoding of a table. */
import { hex } from "../bytes.ts";
import { type Said, said } from "../messages/said.ts";
import { invalid, type Problem } from "../problem.ts";
import { demandDecodable, firstControl } from "./csv/decode.ts";
import { chooseEncoding, type Detection, type EncodingRule, parseEncodingName } from "./csv/encoding.ts";
import { knownFile, officeKind } from "./file-signatures.ts";
import { brief } from "./mapping/targets.ts";

/** `open` reads from the beginning. */
export type ImportSource = { name: string; bytes: number; open(): ReadableStream<Uint8Array> };

export type SourceOptions = {
  encoding?: string;
  delimiter?: string;
  /** For a workbook: the name of the sheet, and the number of the row that names the columns. */
  sheet?: string;
  headerRow?: number;
};

/** `isArchive`: the file is a ZIP archive, as workbooks are. The first `open` continues the reading that found this out. */
export async function withBeginning<T>(
  source: ImportSource,
  use: (isArchive: boolean, source: ImportSource) => Promise<T>,
): Promise<T> {
  const reader = source.open().getReader();
  const held: Uint8Array[] = [];
  let start = "";
  let isOpened = false;
  const continued = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      const next = held.shift() ?? (await reader.read()).value;
      if (next) controller.enqueue(next);
      else controller.close();
    },
    cancel: () => reader.cancel(),
  };
  const open = () => {
    if (isOpened) return source.open();
    isOpened = true;
    return new ReadableStream(continued, { highWaterMark: 0 });
  };
  try {
    while (start.length < 8) {
      const { value } = await reader.read();
      if (!value) break;
      held.push(value);
      start += hex(value.subarray(0, 4));
    }
    return await use(knownFile(start) === "zip", { ...source, open });
  } finally {
    if (!isOpened) await reader.cancel();
  }
}

/** The standard name of the encoding in the options; undefined if they name none. */
export function namedEncoding({ encoding }: SourceOptions): string | undefined {
  if (encoding === undefined) return undefined;
  const named = parseEncodingName(encoding);
  if (named === null)
    throw refused(
      said("fault.file.unknown_encoding", { encoding: brief(encoding.slice(0, 40)) }),
      "/encoding",
    );
  return named;
}

/** Encodings with several bytes per character. */
const MANY_BYTES = /^(utf|gb|big5|euc|shift|iso-2022)/;

/**
 * Takes the encoding of a table from its byte order mark, else from the options, else detects it. Refuses what is not text
 * (unless the options name an encoding), UTF-8 that is called something else, and bytes that are invalid in the encoding.
 */
export function tableEncoding(source: ImportSource, options: SourceOptions): EncodingRule {
  const named = namedEncoding(options) ?? null;
  return {
    encodingBy: (_beginning, found) =>
      found.certain || named !== null ? chooseEncoding(found, named) : undefined,
    async judge(found, encoding) {
      if (found.bytes === 0) throw refused(said("fault.file.empty", { name: source.name }));
      const control =
        found.format === "bytes" && named === null ? await firstControl(source.open(), encoding) : null;
      if (control) throw refused(said("fault.file.control_character", { name: source.name, ...control }));
      if (found.format !== undefined && named === null)
        throw refused(
          said("fault.file.not_table", {
            name: source.name,
            format: found.format === "office" ? await officeKind(source.open()) : found.format,
          }),
        );
      await refuseMisnamedUtf8(source, encoding, found);
      if (encoding === "utf-8" && !found.valid) await demandDecodable(source.open(), encoding);
    },
    // the detector has found everything invalid in UTF-8, and in Windows-1252 every byte is valid
    mustDecode: (encoding) => encoding !== "utf-8" && encoding !== "windows-1252",
  };
}

/** Refuses UTF-8 that would be read in an encoding with one byte per character, which garbles it without an error. */
export async function refuseMisnamedUtf8(
  source: ImportSource,
  encoding: string,
  found: Detection,
): Promise<void> {
  if (!found.mostlyUtf8 || (MANY_BYTES.test(encoding) && encoding !== "utf-8")) return;
  if (!found.valid) await demandDecodable(source.open(), "utf-8", found.damaged);
  else if (encoding !== "utf-8")
    throw refused(said("fault.file.is_utf8", { name: source.name, encoding }), "/encoding");
}

export function refused(told: Said, pointer = ""): Problem {
  return invalid([{ pointer, detail: told }], told);
}
