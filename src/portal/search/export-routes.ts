/** GET /portal/v1/search/export: the results of a visitor's search as CSV, in the words of the pages. */
import { z } from "zod";
import { VISITOR } from "../../caller.ts";
import { contentDisposition } from "../../http/answer/disposition.ts";
import { textStream } from "../../http/answer/text-stream.ts";
import { oneByOne } from "../../http/concurrency-limit.ts";
import { type Api, endpoint } from "../../http/endpoint.ts";
import type { Pages } from "../../pages/page.ts";
import { labelIn } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { labelsOfTerms, termKey } from "../../records/public/terms.ts";
import { findRecords } from "../../records/read/store.ts";
import type { Entry } from "../../records/record.ts";
import { currentSchema, type Field, type Schema } from "../../records/schema.ts";
import { visibleFields, visibleMetadata } from "../../records/visibility.ts";
import { FoundParams, firstFound, MOST_FOUND } from "../../search/first-found.ts";
import { SEARCH_TYPES } from "../../search/params.ts";
import { delimiterFor, withApostrophe, writeCsvRow } from "../../text/csv-cells.ts";
import { recordAddress } from "../addresses.ts";
import { cardFacts } from "../card-facts.ts";
import { wordsOf } from "../record/values.ts";
import { entriesFor } from "../record/view.ts";

/** Records in memory at once. */
const BATCH = 100;
const SEPARATOR = "; ";

export function searchExportRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  // one batch at a time, even if there are several files, so that other requests are served in between
  const withinLimit = oneByOne();
  endpoint(api, {
    method: "get",
    path: "/portal/v1/search/export",
    tag: "portal",
    summary: "Export what a public search finds as CSV",
    description: `The first ${MOST_FOUND} records of one type, in the order of the search, with names of fields, terms and dates in the reader's language. Programs should rather use /v1/<plural> and the exports.`,
    access: "public",
    query: FoundParams.extend({
      type: z.enum(SEARCH_TYPES).default("object"),
      format: z.enum(["csv"]).default("csv"),
    }),
    ignored: () => ["status"],
    produces: [],
    answers: { 200: { description: "The file, streamed", type: "text/csv", schema: z.string() } },
    problems: [503],
    async handle({ c, query: { type, format: _, ...query } }) {
      const ids = await firstFound(api, c, type, query);
      const view = await pages.view(c);
      const headers = {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": contentDisposition("attachment", `${kinds[type].plural}.csv`),
        "Cache-Control": "no-store",
      };
      if (c.req.method === "HEAD") return c.body(null, 200, headers);
      const lines = linesOf(services, view, await currentSchema(services.sql), type, ids);
      return c.body(textStream({ next: () => withinLimit(() => lines.next()) }), 200, headers);
    },
  });
}

async function* linesOf(
  { sql, config }: Api["services"],
  view: View,
  schema: Schema,
  kind: Kind,
  ids: readonly string[],
): AsyncGenerator<string> {
  const { t } = view;
  const fields = visibleFields(schema, VISITOR, kind);
  const title = fields.find(({ name }) => name === kinds[kind].titleField);
  const others = fields.filter((field) => field !== title);
  const label = ({ label: own, name }: Field) => labelIn(own, t.language, name);
  const line = (cells: readonly string[]) => writeCsvRow(cells.map(withApostrophe), delimiterFor(t.language));
  const makers = kind === "object" ? [t("attribution.maker")] : [];
  const named = [
    t("manifest.number"),
    title ? label(title) : t("admin.name"),
    t("search.subtype"),
    ...makers,
  ];
  // without a byte order mark, spreadsheets read the file as Windows-1252
  yield `\uFEFF${line([...named, ...others.map(label), t("record.address")])}`;
  for (let from = 0; from < ids.length; from += BATCH) {
    const part = ids.slice(from, from + BATCH);
    const rows = await findRecords(sql, VISITOR, kind, part);
    const facts = await cardFacts(sql, view, part, Number.POSITIVE_INFINITY);
    const seen = new Map(
      rows.map((row) => [row.id, visibleMetadata(schema, VISITOR, kind, row.metadata)] as const),
    );
    const terms = [...seen.values()].flatMap((metadata) =>
      others.flatMap(({ name, vocabulary }) =>
        vocabulary === null ? [] : (metadata[name] ?? []).map(({ value }) => ({ vocabulary, value })),
      ),
    );
    const labels = await labelsOfTerms(sql, terms);
    const cell = (field: Field, entries: readonly Entry[] = []) =>
      (field.is_translatable ? entriesFor(entries, t.language) : entries)
        .map((entry) => {
          const own = labels.get(termKey(field.vocabulary, entry.value));
          return wordsOf(view, field, own ? { ...entry, labels: own } : entry);
        })
        .join(SEPARATOR);
    const lines = part.flatMap((id) => {
      const [metadata, known] = [seen.get(id), facts.get(id)];
      // hidden since the search
      if (!metadata || !known) return [];
      const { record, subtype } = known;
      return line([
        ...[record.idno, record.title, subtype.value],
        ...(kind === "object" ? [known.makers.join(SEPARATOR)] : []),
        ...others.map((field) => cell(field, metadata[field.name])),
        config.baseUrl + recordAddress(record),
      ]);
    });
    yield lines.join("");
  }
}
