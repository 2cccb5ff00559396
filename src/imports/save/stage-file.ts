/** Opens the file of an import and reads it into staged rows. */

import { yieldingRunner } from "../../http/yielding.ts";
import { said, type Told } from "../../messages/said.ts";
import type { Services } from "../../services.ts";
import { openCsvFile } from "../csv/file.ts";
import type { FirstUse, ImportFile } from "../import-file.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { mapRow } from "../mapping/row.ts";
import { type RowReferences, rowReferences } from "../mapping/row-references.ts";
import { demandFit } from "../mapping/schema-fit.ts";
import type { ImportOptions } from "../options.ts";
import { type ImportSource, refused, withBeginning } from "../source.ts";
import { openXlsxFile } from "../xlsx/file.ts";
import { openXmlFile } from "../xml/file.ts";
import { numberedNames } from "./names-with-numbers.ts";
import type { StagedRows } from "./staged-rows.ts";

export async function openImportFile<T>(
  source: ImportSource,
  { recordXPath, ...options }: ImportOptions,
  use: FirstUse<T>,
  isCheck = false,
): Promise<ImportFile<T>> {
  const notWorkbook = () => {
    const given = options.sheet === undefined ? options.headerRow && "/header_row" : "/sheet";
    if (given) throw refused(said("fault.workbook.only", { name: source.name }), given);
  };
  if (recordXPath === undefined)
    return withBeginning(source, async (isArchive, begun) => {
      if (isArchive) return openXlsxFile(begun, options, use);
      notWorkbook();
      return openCsvFile(begun, options, use, isCheck);
    });
  notWorkbook();
  return openXmlFile(source, { ...options, recordXPath }, use, isCheck);
}

/** `broken`: why the rest of the file could not be read. */
type Staged = { mapping: Mapping; references: RowReferences; broken: Told | undefined };

/**
 * Reads the file into staged rows. Throws 422 for faults of the file or the mapping, before anything is imported.
 *
 * @param noteRead called after each piece of the file
 */
export function stageFile(
  services: Services,
  staged: StagedRows,
  source: ImportSource,
  givenMapping: Mapping,
  options: ImportOptions,
  noteRead: (read: { bytes: number }) => Promise<void>,
): Promise<ImportFile<Staged>> {
  const read = { bytes: 0 };
  const counted = { ...source, open: () => source.open().pipeThrough(countBytes(read)) };
  return openImportFile(counted, options, async ({ mappingFaults, rows }) => {
    const mapping = await demandFit(services, givenMapping, await mappingFaults(givenMapping), options);
    const references = rowReferences(staged, mapping, options);
    const yielding = yieldingRunner();
    const { rows: pieces, broken } = await rows(mapping);
    for await (const piece of pieces) {
      for (const row of piece) {
        const mapped = await yielding(() => mapRow(mapping, options.kind, row));
        const names = { names: references.namesOf(mapped), numbered: numberedNames(mapped) };
        await staged.add({ number: staged.count + 1, row, mapped }, names);
      }
      await noteRead(read);
    }
    await staged.end();
    return { mapping, references, broken: broken?.() };
  });
}

function countBytes(read: { bytes: number }): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      read.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
}
