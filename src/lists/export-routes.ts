/** GET /v1/<plural>/export: everything public as linked data, or the records of a list as Excel, CSV, NDJSON or LIDO. */
import { z } from "zod";
import { demandAction } from "../caller.ts";
import { publicQuads } from "../formats/rdf/public-quads.ts";
import { textStream } from "../http/answer/text-stream.ts";
import { oneByOne } from "../http/concurrency-limit.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { KINDS, type Kind, kinds, PUBLIC_KINDS } from "../records/kinds.ts";
import type { ListQuery } from "../records/read/list-order.ts";
import { demandSubtypes } from "../records/read/list-routes.ts";
import { fieldFilters, findingShape } from "../records/read/list-shape.ts";
import { currentSchema } from "../records/schema.ts";
import { FORMATS, type ListFormat, listFile, listFormats } from "./files.ts";
import { PLAIN_WORDS } from "./table.ts";

const N_QUADS = "application/n-quads";

/** Records. A batch takes some hundredths of a second, and a megabyte or two. */
const BATCH = 100;

const isPublic = (kind: Kind) => PUBLIC_KINDS.includes(kind);

function exportShape(kind: Kind) {
  const words: string[] = [...(isPublic(kind) ? ["nquads"] : []), ...listFormats(kind)];
  const format = z.enum(words);
  return findingShape(kinds[kind], { format: isPublic(kind) ? format.default("nquads") : format });
}

export function bulkExportRoutes(api: Api): void {
  const { sql } = api.services;
  // one batch at a time, even if there are several exports, so that other requests are served in between
  const withinLimit = oneByOne();
  for (const kind of KINDS) {
    const { plural, many, subtypeKey } = kinds[kind];
    const lists = `${listFormats(kind).join(", ")}: the records that the list finds with the same parameters, in the order of creation unless sort_by says otherwise; only for callers who may read ${many}.`;
    endpoint(api, {
      method: "get",
      path: `/v1/${plural}/export`,
      tag: plural,
      summary: `Export ${many}`,
      description: isPublic(kind)
        ? `nquads: all public ${many} as linked data, streamed, as visitors see them, with one named graph for each record, \`urn:svc:graph:<type>:<uuid>\`. ${lists}`
        : lists,
      access: isPublic(kind) ? "public" : { action: "read", kind },
      ...(isPublic(kind) ? { crossOrigin: "anybody" as const } : {}),
      query: exportShape(kind),
      produces: [],
      answers: {
        200: {
          description: "The file, streamed",
          type: [
            ...(isPublic(kind) ? [N_QUADS] : []),
            ...listFormats(kind).map((format) => FORMATS[format].type),
          ],
          schema: z.string(),
        },
      },
      async handle({ c, caller, query: { format, ...params } }) {
        if (format !== "nquads") {
          demandAction(caller, "read", kind);
          const { [subtypeKey]: subtype, ...others } = params as Record<string, unknown>;
          const { fields, rest } = await fieldFilters(sql, caller, kind, others);
          const query = { ...rest, subtype, fields } as Omit<ListQuery, "page" | "page_size">;
          demandSubtypes(await currentSchema(sql), caller, kinds[kind], [query.subtype ?? []].flat());
          const request = { kind, query, format: format as ListFormat, words: PLAIN_WORDS };
          return listFile(api.services, c, caller, request);
        }
        demandNoFilter(new URL(c.req.url).searchParams);
        const headers = { "Content-Type": N_QUADS, "Cache-Control": "no-store" };
        if (c.req.method === "HEAD") return c.body(null, 200, headers);
        const pages = publicQuads(api.services, kind, BATCH);
        const texts: AsyncIterator<string> = {
          next: () =>
            withinLimit(async () => {
              const { done = false, value } = await pages.next();
              return done ? { done, value } : { done, value: value.text };
            }),
        };
        return c.body(textStream(texts), 200, headers);
      },
    });
  }
}

/** 422 for filters that this format ignores: the client would believe that they worked. */
function demandNoFilter(params: URLSearchParams): void {
  const filters = [...params.keys()].filter((name) => name !== "format");
  const detail = said("fault.export.filter");
  if (filters.length > 0) throw invalid(filters.map((name) => ({ pointer: `query:${name}`, detail })));
}
