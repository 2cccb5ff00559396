/** Manifests of objects and collections (IIIF Presentation API 3.0; interface §6). */

import { z } from "zod";
import { type Caller, VISITOR } from "../caller.ts";
import { NEVER_UNASKED } from "../http/answer/caching.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { listMedia } from "../records/media/store.ts";
import { publicRecord } from "../records/public/record.ts";
import { shownFields } from "../records/public/terms.ts";
import { missing } from "../records/read/read.ts";
import { IdParams } from "../records/shape.ts";
import { FoundParams, firstFound, MOST_FOUND } from "../search/first-found.ts";
import { settingsOf } from "../settings/settings.ts";
import { IIIF_ROUTE, IiifShape, iiifJson } from "./answer.ts";
import { collectionOf, foundCollection, topCollection } from "./collections.ts";
import { manifestOf, PRESENTATION_CONTEXT } from "./manifest.ts";
import { providerOf } from "./provider.ts";

/** The most pictures in a manifest. */
const MOST_MEDIA = 5_000;

const answers = {
  200: { description: "The manifest", schema: IiifShape },
  304: { description: "Unchanged" },
};
const collectionAnswers = { ...answers, 200: { description: "The collection", schema: IiifShape } };

export function manifestRoutes(api: Api): void {
  for (const path of ["/v1/objects/{id}/iiif/manifest", "/iiif/presentation/3/objects/{id}/manifest"]) {
    endpoint(api, {
      ...IIIF_ROUTE,
      path,
      summary: "Read an object as a IIIF manifest",
      description: "404 if the object has no pictures, films, sounds or documents that the caller may see.",
      params: IdParams,
      answers,
      problems: [404, 410],
      handle: async ({ c, caller, params, type }) =>
        iiifJson(c, caller, type, PRESENTATION_CONTEXT, await objectManifest(api, caller, params.id)),
    });
  }
  endpoint(api, {
    ...IIIF_ROUTE,
    path: "/iiif/presentation/3/collections/{id}",
    summary: "Read a collection as a IIIF collection: sub-collections, and the manifests of its objects",
    params: IdParams,
    answers: collectionAnswers,
    problems: [404, 410],
    handle: async ({ c, caller, params, type }) =>
      iiifJson(c, caller, type, PRESENTATION_CONTEXT, await collectionOf(api.services, caller, params.id)),
  });
  endpoint(api, {
    ...IIIF_ROUTE,
    path: "/iiif/presentation/3/collections",
    summary: "Read the top-level collections as a IIIF collection",
    answers: collectionAnswers,
    handle: async ({ c, caller, type }) =>
      iiifJson(c, caller, type, PRESENTATION_CONTEXT, await topCollection(api.services, caller)),
  });
  searchRoute(api);
}

/** The address of the search, whose parameters are the collection's own. */
function searchRoute(api: Api): void {
  endpoint(api, {
    ...IIIF_ROUTE,
    path: "/iiif/presentation/3/search",
    summary: "Read what a public search finds as a IIIF collection",
    description: `The manifests of the objects among the first ${MOST_FOUND} that visitors find, in the order of the search.`,
    query: FoundParams.extend({ type: z.literal("object").optional() }),
    ignored: () => ["status"],
    answers: collectionAnswers,
    problems: [503],
    async handle({ c, type, query: { type: _, ...query } }) {
      const ids = await firstFound(api, c, "object", query);
      const { pathname, search } = new URL(c.req.url);
      const id = `${api.services.config.baseUrl}${pathname}${search}`;
      const body = await foundCollection(api.services, id, query.q?.trim() ?? "", ids);
      return iiifJson(c, VISITOR, type, PRESENTATION_CONTEXT, body, { "Cache-Control": NEVER_UNASKED });
    },
  });
}

async function objectManifest({ services }: Api, caller: Caller, id: string): Promise<unknown> {
  const { sql, config } = services;
  const [record, media, settings] = await Promise.all([
    publicRecord(services, caller, "object", id),
    listMedia(sql, caller, id, { limit: MOST_MEDIA, offset: 0 }),
    settingsOf(services),
  ]);
  if (!record) throw await missing(sql, caller, "object", id);
  const { row, schema, titles, values, ark } = record;
  const manifest = manifestOf({
    ...{ id, idno: row.idno, ark, titles, media },
    baseUrl: config.baseUrl,
    fields: await shownFields(sql, schema, "object", values),
    provider: providerOf(config.baseUrl, settings),
  });
  if (manifest === null) {
    throw new Problem("not_found", said("problem.manifest.nothing_shown", { number: row.idno }));
  }
  return manifest;
}
