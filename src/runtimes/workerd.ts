/**
 * The service as a Worker: on Cloudflare, and on workerd, its runtime, anywhere (docs/edge.md). The app is made with the first
 * request, which brings the variables; a connection to the database belongs to one request.
 */

import { perRequest, requestConnection } from "../adapters/database/server/per-request.ts";
import { type AssetBinding, boundAssets } from "../adapters/files/bound-assets.ts";
import { createApp } from "../app.ts";
import { composeEdge, edgeFaults } from "../compose-edge.ts";
import { readConfig } from "../config/read.ts";
import { said, say } from "../messages/said.ts";
import { type Catalogue, ENGLISH, setCatalogues } from "../messages/translate.ts";
import { Problem } from "../problem.ts";

/** The catalogues of all languages but English, inserted by `cli/build/edge.ts`. */
declare const CATALOGUES: Record<string, Catalogue>;

setCatalogues(CATALOGUES);

/** The variables of the service, and the binding of its assets. */
type Bindings = { ASSETS: AssetBinding } & Record<string, unknown>;
type Context = { waitUntil(work: Promise<unknown>): void };
/** `clientIp`: with its port, of workerd alone. */
type Incoming = Request & { cf?: { colo?: string; clientIp?: string } };
type Answering = (request: Incoming) => Promise<Response>;

let answering: Answering | null = null;

export default {
  fetch(request: Incoming, bindings: Bindings, context: Context): Promise<Response> {
    answering ??= begin(bindings);
    const answer = answering(request);
    // what one request asks others may wait for as well: it goes on when its own client has left
    context.waitUntil(answer.catch(() => undefined));
    return answer;
  },
};

function begin({ ASSETS, ...rest }: Bindings): Answering {
  const texts = Object.entries(rest).filter((each): each is [string, string] => typeof each[1] === "string");
  const read = readConfig(Object.fromEntries(texts));
  const faults = read.ok ? edgeFaults(read.config) : read.faults;
  if (!read.ok || faults.length > 0) {
    for (const fault of faults) console.error(say(ENGLISH, fault));
    return async (request) => refusal(request);
  }
  const { config } = read;
  for (const warning of config.warnings) console.warn(say(ENGLISH, warning));
  const database = perRequest();
  const { app } = createApp(composeEdge(config, database.sql, boundAssets(ASSETS)));
  return async (request) => {
    const own = requestConnection(config.databaseUrl!);
    return asItIs(await database.answer(own, () => app.fetch(request, { remote: clientOf(request) })));
  };
}

/** What the app has compressed, a Worker would compress once more: it takes Content-Encoding for an order. */
function asItIs(answer: Response): Response {
  if (!answer.headers.has("Content-Encoding")) return answer;
  const { status, headers } = answer;
  return new Response(answer.body, { status, headers, encodeBody: "manual" } as ResponseInit);
}

/** Cloudflare has told its name (`colo`) and writes a header; elsewhere anybody could, and workerd says who has connected. */
function clientOf({ cf, headers }: Incoming): string | undefined {
  if (cf?.colo !== undefined) return headers.get("CF-Connecting-IP") ?? undefined;
  return cf?.clientIp?.replace(/^\[?(.*?)\]?:\d+$/, "$1");
}

function refusal(request: Request): Response {
  const problem = new Problem("unavailable", said("problem.service.not_configured"));
  return Response.json(problem.toJson(new URL(request.url).pathname, ENGLISH), {
    status: problem.status,
    headers: { "Content-Type": "application/problem+json", "Cache-Control": "no-store" },
  });
}
