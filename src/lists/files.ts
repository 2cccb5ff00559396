/** All records of a list as a streamed file, in the list's order, as far as the caller may see them. */

import type { Caller } from "../caller.ts";
import { LIDO_NAMESPACE, lidoOf } from "../formats/lido/lido.ts";
import { viewsOf } from "../formats/view.ts";
import { contentDisposition } from "../http/answer/disposition.ts";
import { textStream } from "../http/answer/text-stream.ts";
import type { Ctx } from "../http/route.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Cursor } from "../records/read/cursor.ts";
import { listRecords } from "../records/read/list.ts";
import type { ListQuery } from "../records/read/list-order.ts";
import type { RecordRow } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { visibleRecord } from "../records/visibility.ts";
import type { Services } from "../services.ts";
import { type CsvWords, csvOf } from "./csv.ts";

/** Records in memory at once. */
const BATCH = 200;

export const FORMATS = {
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
  /** For CSV. */
  words: CsvWords;
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
  const texts = textsOf(services, caller, await currentSchema(services.sql), request);
  // errors in the query must be reported before the answer begins
  const first = await texts.next();
  return c.body(textStream(after(first, texts)), 200, headers);
}

async function* after(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function* textsOf(
  services: Services,
  caller: Caller,
  schema: Schema,
  { kind, query, format, words }: ListFileRequest,
): AsyncGenerator<string> {
  const parts = partsOf(services, caller, kind, query);
  if (format === "csv") {
    const { head, rows } = await csvOf(services.sql, { caller, schema, kind, query }, words);
    yield head;
    for await (const part of parts) yield await rows(part);
  } else if (format === "ndjson") {
    yield "";
    for await (const part of parts)
      yield part
        .map((row) => `${JSON.stringify({ record_type: kind, ...visibleRecord(schema, caller, row) })}\n`)
        .join("");
  } else {
    yield `<?xml version="1.0" encoding="UTF-8"?>\n<lido:lidoWrap xmlns:lido="${LIDO_NAMESPACE}">\n`;
    for await (const part of parts) {
      const ids = part.filter(({ status }) => status === "public").map(({ id }) => id);
      const texts = new Map(
        (await viewsOf(services, ids)).map((one) => [one.record.row.id, lidoOf(one).text]),
      );
      yield ids.flatMap((id) => (texts.has(id) ? `${texts.get(id)}\n` : [])).join("");
    }
    yield "</lido:lidoWrap>\n";
  }
}

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
