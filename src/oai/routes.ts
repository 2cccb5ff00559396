/** /oai: the Open Archives Initiative Protocol for Metadata Harvesting, version 2.0 (contract §4.4, interface §4). */
import { z } from "zod";
import { VISITOR } from "../caller.ts";
import { audienceHeaders, isUnchanged } from "../http/answer/caching.ts";
import { packed, takesGzip } from "../http/answer/compression.ts";
import { textStream } from "../http/answer/text-stream.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { demandContentType, readBytes } from "../http/request/body.ts";
import { FORM } from "../http/request/form.ts";
import { settledUntil } from "../records/public/dates.ts";
import type { Services } from "../services.ts";
import { element } from "../xml.ts";
import { type Answer, document, faultDocument } from "./answer.ts";
import { Fault } from "./fault.ts";
import { metadataFormats, record } from "./items.ts";
import { listed } from "./lists.ts";
import { identity, sets } from "./repository.ts";
import { type OaiRequest, readRequest } from "./request.ts";

const XML = "text/xml; charset=utf-8";
/** Bytes of a form: room for a token and the names. */
const LARGEST = 16_384;

const argument = (description: string) => z.unknown().optional().openapi({ type: "string", description });
const Arguments = z
  .object({
    verb: argument("Identify, ListMetadataFormats, ListSets, ListIdentifiers, ListRecords or GetRecord"),
    metadataPrefix: argument("The format, for example oai_dc"),
    identifier: argument("The identifier of a record: oai:<host>:<type>:<uuid>"),
    from: argument("The first day, or the first second (UTC), of changes"),
    until: argument("The last day, or the last second (UTC), of changes"),
    set: argument("A type of record, a collection, or a set of the installation"),
    resumptionToken: argument("Continues a list"),
  })
  .catchall(argument("Not an argument of OAI-PMH: the answer is an error"));

export function oaiRoutes(api: Api): void {
  const common = {
    path: "/oai",
    tag: "linked-data",
    access: "public",
    produces: [],
    description:
      "OAI-PMH 2.0, public records only, even for signed-in callers. Protocol errors are answered with status 200.",
    answers: {
      200: { description: "The answer", type: "text/xml", schema: z.string() },
      304: { description: "Unchanged" },
    },
  } as const;

  endpoint(api, {
    ...common,
    method: "get",
    crossOrigin: "anybody",
    summary: "Harvest public records",
    query: Arguments,
    handle: ({ c }) => answered(api, c, new URL(c.req.url).searchParams),
  });

  endpoint(api, {
    ...common,
    method: "post",
    summary: "Harvest public records, with the arguments in a form",
    query: z.looseObject({}),
    body: { schema: Arguments, types: [FORM], streamed: true },
    async handle({ c }) {
      demandContentType(c.req.header("Content-Type"), [FORM]);
      const form = new TextDecoder().decode(await readBytes(c.req.raw, LARGEST));
      return answered(api, c, [...new URL(c.req.url).searchParams, ...new URLSearchParams(form)]);
    },
  });
}

async function answered(api: Api, c: Ctx, params: Iterable<[string, string]>): Promise<Response> {
  const { services } = api;
  const { config, sql } = services;
  const args = Object.fromEntries(params);
  const request = { baseUrl: config.baseUrl, args };
  const headers = { ...audienceHeaders(VISITOR), Vary: "Accept-Encoding", "Content-Type": XML };
  try {
    const asked = readRequest(params);
    // harvesters take turns: an answer of a hundred records is long work
    return await withinLimit(api, { c, caller: VISITOR }, async () => {
      const answer = await answerTo(services, asked);
      const tagged = { ...headers, ETag: answer.tag };
      if (isUnchanged(c, answer.tag)) return c.body(null, 304, tagged);
      const text = await new Response(textStream(document(request, asked.verb, answer))).text();
      return sent(c, tagged, new Response(text).body!);
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // the arguments of an invalid request are not repeated (§3.2)
    const isIllegal = error.code === "badVerb" || error.code === "badArgument";
    const fault = element("error", { code: error.code }, error.message);
    const date = error.date ?? (await settledUntil(sql));
    const text = faultDocument({ ...request, args: isIllegal ? {} : args }, date, fault);
    return sent(c, { ...headers, "Cache-Control": "no-store" }, textStream(text));
  }
}

function answerTo(services: Services, asked: OaiRequest): Promise<Answer> {
  switch (asked.verb) {
    case "Identify":
      return identity(services);
    case "ListMetadataFormats":
      return metadataFormats(services, asked.identifier);
    case "ListSets":
      return sets(services, asked.resumed);
    case "GetRecord":
      return record(services, asked);
    default:
      return listed(services, asked);
  }
}

function sent(
  c: Ctx,
  headers: Record<string, string>,
  text: ReadableStream<Uint8Array<ArrayBuffer>>,
): Response {
  const isPacked = takesGzip(c);
  const all = isPacked ? { ...headers, "Content-Encoding": "gzip" } : headers;
  if (c.req.method === "HEAD") {
    void text.cancel();
    return c.body(null, 200, all);
  }
  return c.body(isPacked ? packed(text) : text, 200, all);
}
