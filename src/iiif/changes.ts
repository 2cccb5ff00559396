/**
 * Created, changed and deleted manifests and IIIF collections (IIIF Change Discovery API 1.0, level 2; Activity
 * Streams 2.0). A page is named by its last activity, so it stays the same when new ones are added. When a record
 * gets a newer activity, the old one is removed from its page. A client that walks back from `last` sees each
 * activity once. Walking forwards, the last page is as full as any, and may overlap the one before it.
 */

import { z } from "zod";
import { VISITOR } from "../caller.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { BEFORE_ALL_IDS, UUID_PATTERN } from "../ids.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { kinds } from "../records/kinds.ts";
import { settledUntil } from "../records/public/dates.ts";
import { IIIF_ROUTE, IiifShape, iiifJson } from "./answer.ts";
import { type Activity, changesAtAll, changesUpTo, type Place } from "./change-store.ts";
import { collectionAddress } from "./collections.ts";
import { manifestAddress } from "./manifest.ts";

const CONTEXT = "http://iiif.io/api/discovery/1/context.json";
const PATH = "/iiif/discovery/changes";

/** The time and the record of the activity at the end of the page. */
const PAGE_NAME = new RegExp(
  String.raw`^([12]\d{3})(\d\d)(\d\d)T([01]\d|2[0-3])([0-5]\d)([0-5]\d)Z-(${UUID_PATTERN})$`,
);
/** The last page of an empty list. */
const NOTHING: Place = { time: "1970-01-01T00:00:00Z", id: BEFORE_ALL_IDS };

const PageParams = z.object({ page: z.string() });

export function changeRoutes(api: Api): void {
  const { sql, config } = api.services;
  const { baseUrl } = config;
  const described = {
    ...IIIF_ROUTE,
    answers: {
      200: { description: "Activity Streams 2.0", schema: IiifShape },
      304: { description: "Unchanged" },
    },
  } as const;
  const whole = { id: `${baseUrl}${PATH}`, type: "OrderedCollection" };
  const pageAt = ({ time, id }: Place) => ({
    id: `${baseUrl}${PATH}/${time.replaceAll(/[-:]/g, "")}-${id}`,
    type: "OrderedCollectionPage",
  });

  endpoint(api, {
    ...described,
    path: PATH,
    summary: "List created, changed and deleted manifests (IIIF Change Discovery)",
    description: "Links to pages; harvesters start at `last` and follow `prev`.",
    async handle({ c, type }) {
      const { count, first, last } = await changesAtAll(sql, await settledUntil(sql));
      const stream = { "@context": CONTEXT, ...whole, totalItems: count };
      return iiifJson(c, VISITOR, type, CONTEXT, {
        ...stream,
        first: pageAt(first ?? NOTHING),
        last: pageAt(last ?? NOTHING),
      });
    },
  });

  endpoint(api, {
    ...described,
    path: `${PATH}/{page}`,
    summary: "Read a page of up to a hundred changes, oldest first",
    params: PageParams,
    problems: [404],
    async handle({ c, params, type }) {
      const end = placeOf(params.page);
      const { activities, before, next } = await changesUpTo(sql, end, await settledUntil(sql));
      return iiifJson(c, VISITOR, type, CONTEXT, {
        "@context": CONTEXT,
        ...pageAt(end),
        partOf: whole,
        ...(before ? { prev: pageAt(before) } : {}),
        ...(next ? { next: pageAt(next) } : {}),
        orderedItems: activities.map((activity) => activityJson(baseUrl, activity)),
      });
    },
  });
}

function placeOf(name: string): Place {
  const [, year, month, day, hours, minutes, seconds, id] = PAGE_NAME.exec(name) ?? [];
  const time = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`;
  const moment = new Date(time);
  // 31 February is read as a day of March
  const isTime = !Number.isNaN(moment.getTime()) && moment.toISOString() === `${time.slice(0, -1)}.000Z`;
  if (id !== undefined && isTime) return { time, id };
  throw new Problem("not_found", said("problem.page.unknown", { list: PATH }));
}

function activityJson(baseUrl: string, { id, record_type, type, time }: Activity): unknown {
  const object =
    record_type === "object"
      ? { id: manifestAddress(baseUrl, id), type: "Manifest" }
      : { id: collectionAddress(baseUrl, id), type: "Collection" };
  const data = {
    id: `${baseUrl}/v1/${kinds[record_type].plural}/${id}/export?format=jsonld`,
    type: "Dataset",
    format: "application/ld+json",
  };
  return {
    type,
    endTime: time,
    object: type === "Delete" ? object : { ...object, seeAlso: [data] },
  };
}
