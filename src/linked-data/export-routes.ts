/** Serves records as linked data (contract §4.3, interface §4): by address, by negotiation, and from the IRI of a record. */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { DELIVERY_FORMATS, type DeliveryFormat } from "../formats/delivery.ts";
import { graphOf } from "../formats/rdf/map.ts";
import {
  asksForLinkedArt,
  FORMATS,
  JSON_LD,
  LINKED_ART,
  type Written,
  written,
} from "../formats/rdf/syntax/syntaxes.ts";
import { viewsOf } from "../formats/view.ts";
import { cacheHeaders, contentTag, isUnchanged } from "../http/answer/caching.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { openToAnybody } from "../http/request/browser.ts";
import { said, toldText } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { KINDS, type Kind, kinds, manyOf } from "../records/kinds.ts";
import { loadPublic } from "../records/public/load.ts";
import { newest } from "../records/public/loaded.ts";
import { readRecord } from "../records/read/read.ts";
import { IdParams } from "../records/shape.ts";
import type { Services } from "../services.ts";
import { document } from "../xml.ts";

function exportQuery(kind: Kind) {
  const words = [...Object.values(FORMATS).flat(), ...deliveredOf(kind).map(({ word }) => word)];
  const format = z.enum(words as [string, ...string[]], {
    error({ input }) {
      const other = DELIVERY_FORMATS.find(({ word }) => word === input);
      const values = { kind: manyOf(kind), choices: words.join(", ") };
      return other && toldText(said("fault.export.kind", { format: other.word, ...values }));
    },
  });
  return z.strictObject({ format: format.default("jsonld"), profile: Profile });
}

const XML = "application/xml; charset=utf-8";

const deliveredOf = (kind: Kind) => DELIVERY_FORMATS.filter(({ kinds }) => kinds.includes(kind));

const Profile = z
  .literal(LINKED_ART, { error: toldText(said("fault.export.profile", { profile: LINKED_ART })) })
  .optional()
  .openapi({ description: "JSON-LD in the shape of Linked Art 1.0" });

export function exportRoutes(api: Api): void {
  for (const kind of KINDS) {
    const { plural, singular, one } = kinds[kind];
    endpoint(api, {
      method: "get",
      path: `/v1/${plural}/{id}/export`,
      tag: plural,
      summary: `Export ${one} as linked data or for aggregators`,
      description: `The ${singular} as CIDOC CRM and LRMoo, or in a format for aggregators. Contains what visitors see, even for signed-in callers; only public records can be exported.`,
      access: "public",
      crossOrigin: "anybody",
      params: IdParams,
      query: exportQuery(kind),
      produces: [],
      answers: {
        200: {
          description: `The ${singular} in the requested format`,
          type: [...Object.keys(FORMATS), ...deliveredOf(kind).map(() => XML)],
          schema: z.looseObject({}),
        },
        304: { description: "Unchanged" },
      },
      problems: [404, 410],
      handle({ c, caller, params: { id }, query }) {
        const format = DELIVERY_FORMATS.find(({ word }) => word === query.format);
        if (format) return delivered(api.services, c, caller, { kind, id, format });
        const type = Object.keys(FORMATS).find((each) => FORMATS[each]!.includes(query.format))!;
        return exported(api.services, c, caller, {
          kind,
          id,
          type,
          isLinkedArt: query.profile !== undefined,
        });
      },
    });
  }
}

/** Formats for `/v1/{type}/{id}`, chosen by the Accept header. */
export function linkedDataFormats({ services }: Api) {
  return {
    types: Object.keys(FORMATS),
    async answer({ c, caller, ...wanted }: { c: Ctx; caller: Caller; kind: Kind; id: string; type: string }) {
      // only CORS_ORIGINS may read JSON at this address, but anybody may read linked data
      if (caller.kind === "visitor") openToAnybody(c);
      const isLinkedArt = asksForLinkedArt(c.req.header("Accept"));
      return exported(services, c, caller, { ...wanted, isLinkedArt });
    },
  };
}

/** Addresses to which the IRI of a record redirects, by the format that a program asks for. */
export function linkedDataAddresses({ services }: Api) {
  const { baseUrl } = services.config;
  return {
    types: [...Object.keys(FORMATS), "application/json"],
    addressOf(c: Ctx, kind: Kind, id: string, type: string): string {
      const record = `${baseUrl}/v1/${kinds[kind].plural}/${id}`;
      if (!FORMATS[type]) return record;
      const profile =
        type === JSON_LD && asksForLinkedArt(c.req.header("Accept"))
          ? `&profile=${encodeURIComponent(LINKED_ART)}`
          : "";
      return `${record}/export?format=${FORMATS[type][0]}${profile}`;
    },
  };
}

type ExportRequest = { kind: Kind; id: string; type: string; isLinkedArt: boolean };

async function exported(
  services: Services,
  c: Ctx,
  caller: Caller,
  wanted: ExportRequest,
): Promise<Response> {
  const { around, records } = await loadPublic(services, [wanted.id]);
  const record = records.find(({ row }) => row.record_type === wanted.kind);
  if (!record) throw await notPublic(services, caller, wanted);
  const { baseUrl } = services.config;
  const text = written(graphOf(around, record), baseUrl, wanted.type, wanted.isLinkedArt);
  return sent(c, caller, text, newest(record));
}

async function delivered(
  services: Services,
  c: Ctx,
  caller: Caller,
  { format, ...wanted }: { kind: Kind; id: string; format: DeliveryFormat },
): Promise<Response> {
  const [view] = await viewsOf(services, [wanted.id]);
  if (view?.record.row.record_type !== wanted.kind) throw await notPublic(services, caller, wanted);
  return sent(c, caller, { type: XML, text: document(format.write(view)) }, newest(view.record));
}

async function sent(c: Ctx, caller: Caller, { type, text }: Written, updatedAt: string): Promise<Response> {
  const headers = cacheHeaders(caller, await contentTag(text), updatedAt);
  if (isUnchanged(c, headers.ETag!)) return c.body(null, 304, headers);
  return c.body(text, 200, { ...headers, "Content-Type": type });
}

/** Tells callers who may see the record why it has no linked data. For others it does not exist. */
async function notPublic(
  { sql }: Services,
  caller: Caller,
  { kind, id }: Pick<ExportRequest, "kind" | "id">,
): Promise<Problem> {
  const { idno } = await readRecord(sql, caller, kind, id);
  return new Problem("not_found", said("problem.record.no_linked_data", { idno }));
}
