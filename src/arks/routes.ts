/** ARKs: resolving /ark:/NAAN/name (contract §§4.4, 8.4; interface §4), and minting for older public records. */
import { z } from "zod";
import type { Account, Caller } from "../caller.ts";
import { audienceHeaders, cacheHeaders, contentTag, isUnchanged } from "../http/answer/caching.ts";
import { type Api, accountOf, type Ctx, endpoint } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { type Kind, type KindFacts, kinds, PUBLIC_KINDS } from "../records/kinds.ts";
import { mergedTarget } from "../records/merge/store.ts";
import { markChanged } from "../records/outbox.ts";
import { findRecord } from "../records/read/store.ts";
import { IdParams } from "../records/shape.ts";
import { demandRecord } from "../records/write/write.ts";
import type { Ark, Services } from "../services.ts";
import { ercOf } from "./erc.ts";
import { type ArkName, arkText, readArk, TEST_NAAN } from "./names.ts";
import { findNamedRecord, type NamedRecord } from "./store.ts";

const ArkParams = z.object({
  naan: z.string().openapi({ example: "12345" }),
  name: z.string().openapi({ example: "x54xz321" }),
});
/** Links may contain parameters added by other sites. */
const ArkQuery = z.looseObject({
  info: z
    .string()
    .optional()
    .openapi({ description: "If given, even empty: answers with metadata instead of a redirect" }),
});
const ArkShape = z.object({ ark: z.string(), url: z.string() }).openapi("Ark", {
  description: "The ARK, and the address that resolves it",
  example: { ark: "ark:/12345/x54xz321", url: "https://n2t.net/ark:/12345/x54xz321" },
});

export function arkRoutes(api: Api): void {
  resolveRoute(api);
  for (const kind of PUBLIC_KINDS) mintRoute(api, kinds[kind]);
}

function resolveRoute(api: Api): void {
  endpoint(api, {
    method: "get",
    path: "/ark:/{naan}/{name}",
    tag: "service",
    summary: "Resolve an ARK",
    description:
      "Redirects to the record's page. A missing slash (`ark:12345/…`), capitals and hyphens do not matter. With `?info` (or a " +
      "bare `?`), the answer is an ERC record that describes it. The name of a merged record leads to the other one. 404 if it is " +
      "mistyped or not public, 410 if it was deleted.",
    access: "public",
    crossOrigin: "anybody",
    params: ArkParams,
    query: ArkQuery,
    produces: [],
    answers: {
      200: { description: "Electronic Resource Citation", type: "text/plain", schema: z.string() },
      303: { description: "Redirect to the page" },
      304: { description: "Unchanged" },
    },
    problems: [404, 410],
    handle: ({ c, caller, params }) => resolve(api.services, c, caller, params),
  });
}

/** The inflections for metadata: `?info`, and formerly `?` and `??`. */
const INFLECTION = /^[^?]*\?(?:info(?:[=&].*)?|\?)?$/;

async function resolve(services: Services, c: Ctx, caller: Caller, typed: ArkName): Promise<Response> {
  const shown = arkText(typed).slice(0, 100);
  const ark = readArk(typed);
  if (typed.naan === TEST_NAAN) {
    throw new Problem("not_found", said("problem.ark.test", { naan: TEST_NAAN, ark: shown }));
  }
  const named = ark && (await findNamedRecord(services.sql, caller, ark));
  if (!ark || !named) throw unknown(shown);
  if (named.record_type === null) throw tombstone(ark);
  const { id, isMerged } = await leadsTo(services, caller, ark, named);
  const { record_type: kind } = named;
  if (INFLECTION.test(c.req.url)) {
    const other = isMerged && (await services.arks.of(services.sql, [id])).get(id);
    const where = other ? other.url : `${services.config.ark.resolverUrl}/${arkText(ark)}`;
    return erc(services, c, caller, { where, ark, id, kind });
  }
  const Location = `${services.config.baseUrl}/${kinds[kind].plural}/${id}`;
  const headers = audienceHeaders(caller);
  // so that the undo of a merge is seen
  if (isMerged) headers["Cache-Control"] = "no-cache";
  return c.body(null, 303, { Location, ...headers });
}

/** The named record, or the one that it was merged into. */
async function leadsTo(
  { sql }: Services,
  caller: Caller,
  ark: ArkName,
  { record_id, deleted_at, visible }: NamedRecord,
): Promise<{ id: string; isMerged: boolean }> {
  if (visible) return { id: record_id, isMerged: false };
  if (deleted_at === null) throw unknown(arkText(ark).slice(0, 100));
  const target = await mergedTarget(sql, caller, record_id);
  if (!target) throw tombstone(ark);
  return { id: target.id, isMerged: true };
}

const unknown = (ark: string): Problem => new Problem("not_found", said("problem.ark.not_found", { ark }));

const tombstone = (ark: ArkName): Problem =>
  new Problem("gone", said("problem.ark.deleted", { ark: arkText(ark) }));

async function erc(
  services: Services,
  c: Ctx,
  caller: Caller,
  { where, ark, id, kind }: { where: string; ark: ArkName; id: string; kind: Kind },
): Promise<Response> {
  const row = await findRecord(services.sql, caller, kind, id);
  if (!row) throw unknown(arkText(ark));
  const text = await ercOf(services, row, where);
  const etag = await contentTag(text);
  const headers = { ...cacheHeaders(caller, etag), "Content-Type": "text/plain; charset=utf-8" };
  return isUnchanged(c, etag) ? c.body(null, 304, headers) : c.body(text, 200, headers);
}

function mintRoute(api: Api, { kind, plural, singular, one }: KindFacts): void {
  const { services } = api;
  const answer = { description: "The name", schema: ArkShape };
  endpoint(api, {
    method: "post",
    path: `/v1/${plural}/{id}/ark`,
    tag: plural,
    summary: `Give an ARK to ${one}`,
    description:
      `New public records get one automatically; this is for records published before ARK_ENABLED was true. 200 with the ARK if ` +
      `the ${singular} already has one. 409 if it is not public, or no ARKs are minted.`,
    access: { action: "publish", kind },
    params: IdParams,
    answers: { 200: answer, 201: answer },
    problems: [404, 409, 410, 503],
    async handle({ c, caller, params }) {
      const { ark, fresh } = await nameRecord(services, accountOf(caller), kind, params.id);
      return c.json(ark, fresh ? 201 : 200, { Location: ark.url, "Cache-Control": "private, no-store" });
    },
  });
}

async function nameRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
): Promise<{ ark: Ark; fresh: boolean }> {
  const { sql, arks, config } = services;
  const done = await sql.begin(async (tx) => {
    const row = await demandRecord(tx, caller, kind, id, null);
    const before = (await arks.of(tx, [id])).get(id);
    if (row.status === "public") await arks.mint(tx, [id]);
    const ark = (await arks.of(tx, [id])).get(id);
    if (!ark) {
      const reason = config.ark.enabled
        ? said("problem.ark.not_public", { idno: row.idno })
        : said("problem.ark.disabled");
      throw new Problem("conflict", reason);
    }
    const fresh = ark.ark !== before?.ark;
    // exports contain it
    if (fresh) await markChanged(tx, [id], { by: "writer", hides: false });
    return { ark, fresh };
  });
  if (done.fresh) await services.changed([id]);
  return done;
}
