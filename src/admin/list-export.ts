/** What a list finds as a file: all of it, in its order, as far as the caller sees it; streamed. */
import { LIDO_NAMESPACE, lidoOf } from "../aggregation/lido.ts";
import { viewsOf } from "../aggregation/view.ts";
import type { Caller } from "../caller.ts";
import { contentDisposition } from "../http/disposition.ts";
import type { Api } from "../http/endpoint.ts";
import { textStream } from "../http/text-stream.ts";
import { inTurn } from "../http/turns.ts";
import type { Pages } from "../pages/page.ts";
import { page } from "../pages/routes.ts";
import type { View } from "../pages/view.ts";
import { Problem } from "../problem.ts";
import type { Cursor } from "../records/cursor.ts";
import { KINDS, type Kind, kinds } from "../records/kinds.ts";
import { type ListQuery, listRecords } from "../records/list.ts";
import type { RecordRow } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { visibleRecord } from "../records/visibility.ts";
import type { Services } from "../services.ts";
import { listQueryOf, readAsked } from "./list-asked.ts";
import { csvOf } from "./list-csv.ts";
import { exportPath } from "./sections.ts";

/** Records that are read at once, and held. */
const BATCH = 200;

const FORMATS = {
  csv: { ending: "csv", type: "text/csv; charset=utf-8" },
  ndjson: { ending: "ndjson", type: "application/x-ndjson" },
  lido: { ending: "xml", type: "application/xml; charset=utf-8" },
} as const;
export type ListFormat = keyof typeof FORMATS;

/** LIDO is for objects, and tells what visitors see. */
export const listFormats = (kind: Kind): ListFormat[] =>
  (Object.keys(FORMATS) as ListFormat[]).filter((format) => format !== "lido" || kind === "object");

type Query = Omit<ListQuery, "page" | "page_size">;

export function listExportRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;
  for (const kind of KINDS) {
    page(api, pages, {
      path: exportPath(kind),
      summary: `The ${kinds[kind].plural.replace("-", " ")} that a list finds, as CSV, NDJSON or LIDO`,
      access: { action: "read", kind },
      async show({ c, view, caller }) {
        const schema = await currentSchema(sql);
        const format = listFormats(kind).find((each) => each === c.req.query("format"));
        if (!format) throw new Problem("invalid", `format is one of ${listFormats(kind).join(", ")}`);
        const query = listQueryOf(readAsked(new URL(c.req.url).searchParams, schema, kind));
        const { type, ending } = FORMATS[format];
        const headers = {
          "Content-Type": type,
          "Content-Disposition": contentDisposition("attachment", `${kinds[kind].plural}.${ending}`),
          "Cache-Control": "private, no-store",
        };
        if (c.req.method === "HEAD") return c.body(null, 200, headers);
        const texts = textsOf(services, view, schema, kind, query, format);
        // what is wrong with the question is told before the file begins
        const first = await inTurn(api, c, caller, () => texts.next());
        return c.body(textStream(after(first, texts)), 200, headers);
      },
    });
  }
}

async function* after(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function* textsOf(
  services: Services,
  view: View,
  schema: Schema,
  kind: Kind,
  query: Query,
  format: ListFormat,
): AsyncGenerator<string> {
  const { caller } = view;
  const parts = partsOf(services, caller, kind, query);
  if (format === "csv") {
    const { head, rows } = await csvOf(services.sql, view, schema, kind, query);
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

/** All that is found, some at a time; what is written meanwhile moves none of the others. */
async function* partsOf(
  { sql }: Services,
  caller: Caller,
  kind: Kind,
  query: Query,
): AsyncGenerator<readonly RecordRow[]> {
  let cursor: Cursor | null | undefined;
  do {
    const found = await listRecords(sql, caller, kind, {
      ...query,
      page: 1,
      page_size: BATCH,
      ...(cursor ? { cursor } : {}),
    });
    if (found.rows.length > 0) yield found.rows;
    cursor = found.next;
  } while (cursor);
}
