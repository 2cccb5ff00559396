/** All records of a list as a streamed file, in the list's order, as far as the caller may see them. */

import type { Caller } from "../caller.ts";
import { LIDO_NAMESPACE, lidoOf } from "../formats/lido/lido.ts";
import { viewsOf } from "../formats/view.ts";
import { contentDisposition } from "../http/answer/disposition.ts";
import { byteStream } from "../http/answer/text-stream.ts";
import type { Ctx } from "../http/route.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Cursor } from "../records/read/cursor.ts";
import { listRecords } from "../records/read/list.ts";
import type { ListQuery } from "../records/read/list-order.ts";
import type { RecordRow } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { visibleRecord } from "../records/visibility.ts";
import type { Services } from "../services.ts";
import { guarded, withApostrophe, writeCsvRow } from "../text/csv-cells.ts";
import { workbookWriter, XLSX_TYPE } from "../text/workbook.ts";
import { type ListTable, listTable, type TableWords } from "./table.ts";

/** Records in memory at once. */
const BATCH = 200;

export const FORMATS = {
  xlsx: { ending: "xlsx", type: XLSX_TYPE },
  csv: { ending: "csv", type: "text/csv; charset=utf-8" },
  ndjson: { ending: "ndjson", type: "application/x-ndjson" },
  lido: { ending: "xml", type: "application/xml; charset=utf-8" },
} as const;
export type ListFormat = keyof typeof FORMATS;

/** LIDO is for objects, and contains only what visitors see. */
export const listFormats = (kind: Kind): ListFormat[] =>
  (Object.keys(FORMATS) as ListFormat[]).filter((format) => format !== "lido" || kind === "object");

type ListFileRequest = {
  kind: Kind;
  query: Omit<ListQuery, "page" | "page_size">;
  format: ListFormat;
  /** For tables. */
  words: TableWords;
};

export async function listFile(
  services: Services,
  c: Ctx,
  caller: Caller,
  request: ListFileRequest,
): Promise<Response> {
  const { type, ending } = FORMATS[request.format];
  const headers = {
    "Content-Type": type,
    "Content-Disposition": contentDisposition("attachment", `${kinds[request.kind].plural}.${ending}`),
    "Cache-Control": "private, no-store",
  };
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  const texts = bytesOf(services, caller, await currentSchema(services.sql), request);
  // errors in the query must be reported before the answer begins
  const first = await texts.next();
  return c.body(byteStream(after(first, texts)), 200, headers);
}

async function* after(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function* bytesOf(
  services: Services,
  caller: Caller,
  schema: Schema,
  { kind, query, format, words }: ListFileRequest,
): AsyncGenerator<Uint8Array> {
  const parts = partsOf(services, caller, kind, query);
  if (format === "csv") {
    const table = await listTable(services.sql, { caller, schema, kind, query }, words);
    const line = (cells: readonly string[]) => writeCsvRow(cells.map(withApostrophe), words.delimiter);
    // without a byte order mark, spreadsheets read the file as Windows-1252
    yield encoded(`\uFEFF${line(table.names)}`);
    for await (const part of parts) yield encoded((await table.rows(part)).map(line).join(""));
  } else if (format === "xlsx") {
    const table = await listTable(services.sql, { caller, schema, kind, query }, words);
    const writer = workbookWriter(words.kind(kind));
    yield writer.rows([table.names.map((text) => ({ text }))]);
    for await (const part of parts) yield writer.rows((await table.rows(part)).map(cellsOf(table)));
    yield writer.end();
  } else if (format === "ndjson") {
    yield encoded("");
    for await (const part of parts)
      yield encoded(
        part
          .map((row) => `${JSON.stringify({ record_type: kind, ...visibleRecord(schema, caller, row) })}\n`)
          .join(""),
      );
  } else {
    yield encoded(`<?xml version="1.0" encoding="UTF-8"?>\n<lido:lidoWrap xmlns:lido="${LIDO_NAMESPACE}">\n`);
    for await (const part of parts) {
      const ids = part.filter(({ status }) => status === "public").map(({ id }) => id);
      const texts = new Map(
        (await viewsOf(services, ids)).map((one) => [one.record.row.id, lidoOf(one).text]),
      );
      yield encoded(ids.flatMap((id) => (texts.has(id) ? `${texts.get(id)}\n` : [])).join(""));
    }
    yield encoded("</lido:lidoWrap>\n");
  }
}

const encoder = new TextEncoder();
const encoded = (text: string): Uint8Array => encoder.encode(text);

/** The cells of a row of a workbook. */
const cellsOf =
  ({ numeric }: ListTable) =>
  (cells: readonly string[]) =>
    cells.map((text, index) => ({ text: guarded(text), isNumber: numeric[index]! }));

/**
 * All records found, in batches. In the order of changes, a record that is edited meanwhile would move past the reader, so
 * the order of creation is used instead.
 */
async function* partsOf(
  { sql }: Services,
  caller: Caller,
  kind: Kind,
  query: ListFileRequest["query"],
): AsyncGenerator<readonly RecordRow[]> {
  const sort_by = query.sort_by === "updated_at" ? "created_at" : query.sort_by;
  let cursor: Cursor | null | undefined;
  do {
    const found = await listRecords(sql, caller, kind, {
      ...query,
      sort_by,
      page: 1,
      page_size: BATCH,
      ...(cursor ? { cursor } : {}),
    });
    if (found.rows.length > 0) yield found.rows;
    cursor = found.next;
  } while (cursor);
}
