/** /v1/objects/{id}/media: the pictures, films, sounds, documents and models of an object (contract §2.5, interface §6). */

import { z } from "zod";
import { type Caller, mayUse } from "../caller.ts";
import { cachedJson, contentTag, expectedVersion } from "../http/answer/caching.ts";
import { listOf, pageQuery, rangeOf, wholeList } from "../http/answer/list-envelope.ts";
import { pageLinks } from "../http/answer/resource-answers.ts";
import { type Api, accountOf, type Ctx, endpoint } from "../http/endpoint.ts";
import { PATCH_TYPES } from "../http/request/body.ts";
import { demandOwnOrigin } from "../http/request/origin.ts";
import { wordsFor } from "../http/words.ts";
import { said, sayAll } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Medium } from "../records/media/medium.ts";
import { countMedia, listFirstMedia, listMedia, listTrash, mediumSeenBy } from "../records/media/store.ts";
import type { MediaOf } from "../records/read/extras.ts";
import { readRecord } from "../records/read/read.ts";
import { IdParams, IdShape } from "../records/shape.ts";
import { deliverFile } from "./delivery.ts";
import { mediumJson } from "./json.ts";
import { MediumChangeShape, MediumListShape, MediumShape, UploadedShape, UploadForm } from "./shape.ts";
import { upload } from "./upload.ts";
import { changeMedium, missingMedium, removeMedium, restoreMedium } from "./write.ts";

const LIST = "/v1/objects/{id}/media";
const ONE = `${LIST}/{media_id}`;
const FILE = "/objects/{id}/media/{media_id}/file";
const MediumParams = z.object({ id: IdShape, media_id: IdShape });
const access = { feature: "media:write" };
const tag = "media";
const written = { tag, access, params: MediumParams };

export function mediaRoutes(api: Api): void {
  listRoute(api);
  uploadRoute(api);
  trashRoutes(api);
  oneRoutes(api);
  fileRoutes(api);
}

/** For `?include=media` of records. */
export const includedMedia: MediaOf = async ({ sql, config }, caller, ids, each, t) => {
  const found = new Map(ids.map((id) => [id, { items: [] as unknown[], total: 0 }]));
  for (const { total, ...medium } of await listFirstMedia(sql, caller, ids, each)) {
    const those = found.get(medium.object_id)!;
    those.items.push(mediumJson(medium, config.baseUrl, t));
    those.total = total;
  }
  return found;
};

function listRoute(api: Api): void {
  const { sql, config } = api.services;
  endpoint(api, {
    method: "get",
    path: LIST,
    tag,
    summary: "List the media of an object",
    description: "In their order. Visitors see public media of public objects.",
    access: "public",
    params: IdParams,
    query: z.strictObject(pageQuery),
    answers: { 200: { description: "A page", schema: MediumListShape }, 304: { description: "Unchanged" } },
    problems: [404, 410],
    async handle({ c, caller, params, query }) {
      await demandObject(api, caller, params.id);
      const total = await countMedia(sql, caller, params.id);
      const found = await listMedia(sql, caller, params.id, rangeOf(query));
      const t = wordsFor(c);
      const body = { total, ...query, items: found.map((one) => mediumJson(one, config.baseUrl, t)) };
      return cachedJson(c, caller, body, await contentTag(body), { link: pageLinks(c, body) });
    },
  });
}

function uploadRoute(api: Api): void {
  const { config } = api.services;
  endpoint(api, {
    method: "post",
    path: LIST,
    tag,
    summary: "Add a file to an object",
    description:
      "A form with the part `file` and fields, or the file itself as the body, with `Content-Disposition: attachment; " +
      'filename="…"` for its name. The type is detected from the content: a file with a wrong ending is renamed, and ' +
      "`notes` say so. 409 if the object already has the same file, with its address in `Location`; `duplicates` names " +
      "other objects with this file. 422 for a picture that is unreadable or has too many pixels. An empty field counts as missing.",
    access,
    params: IdParams,
    body: { schema: UploadForm, types: ["multipart/form-data"], streamed: true },
    answers: { 201: { description: "The medium", schema: UploadedShape } },
    problems: [404, 409, 410, 503],
    async handle({ c, caller, params }) {
      // a page of another site could send a form or a body without a type
      demandOwnOrigin(c, config);
      const account = accountOf(caller);
      // check the object before half a gigabyte is uploaded in vain
      await demandObject(api, caller, params.id);
      const { medium, notes, duplicates } = await upload(api.services, account, params.id, c.req.raw);
      return answer(api, c, medium, 201, { notes, duplicates });
    },
  });
}

function oneRoutes(api: Api): void {
  const { services } = api;
  const described = { description: "The medium", schema: MediumShape };

  endpoint(api, {
    method: "get",
    path: ONE,
    tag,
    summary: "Read one medium",
    access: "public",
    params: MediumParams,
    answers: { 200: described, 304: { description: "Unchanged" } },
    problems: [404, 410],
    async handle({ c, caller, params }) {
      const medium = await demandMedium(api, caller, params);
      const body = mediumJson(medium, services.config.baseUrl, wordsFor(c));
      // visitors get no version, because it also changes with media that they may not see
      const tag = mayUse(caller, access.feature) ? tagOf(medium) : await contentTag(body);
      return cachedJson(c, caller, body, tag, { updatedAt: medium.updated_at });
    },
  });

  endpoint(api, {
    ...written,
    method: "patch",
    path: ONE,
    summary: "Change the description of a medium",
    description: "JSON Merge Patch (RFC 7396). The file itself cannot be replaced: add a new one instead.",
    body: { schema: MediumChangeShape, types: PATCH_TYPES },
    answers: { 200: described },
    problems: [404, 409, 410, 412],
    async handle({ c, caller, params, body }) {
      const medium = await changeMedium(services, accountOf(caller), params, body, unchangedFor(c));
      return answer(api, c, medium);
    },
  });

  endpoint(api, {
    ...written,
    method: "delete",
    path: ONE,
    summary: "Put a medium into the trash",
    description: "It can be restored for 30 days; then its file is deleted, too.",
    answers: { 204: { description: "It is in the trash" } },
    problems: [404, 410, 412],
    async handle({ c, caller, params }) {
      await removeMedium(services, accountOf(caller), params, unchangedFor(c));
      return c.body(null, 204);
    },
  });
}

function trashRoutes(api: Api): void {
  const { services } = api;
  endpoint(api, {
    method: "get",
    path: `${LIST}/trash`,
    tag,
    summary: "List the media in the trash of an object",
    description:
      "They are kept for 30 days, then purged. If the object itself is in the trash, its media are restored with it.",
    access,
    params: IdParams,
    answers: {
      200: {
        description: "Newest first",
        schema: listOf(MediumShape.extend({ deleted_at: z.string() })),
      },
    },
    problems: [404, 410],
    async handle({ c, caller, params }) {
      await demandObject(api, caller, params.id);
      const items = (await listTrash(services.sql, caller, params.id)).map((medium) => ({
        ...mediumJson(medium, services.config.baseUrl, wordsFor(c)),
        deleted_at: medium.deleted_at,
      }));
      return c.json(wholeList(items), 200, { "Cache-Control": "private, no-store" });
    },
  });

  endpoint(api, {
    ...written,
    method: "post",
    path: `${ONE}/restore`,
    summary: "Restore a medium from the trash",
    answers: { 200: { description: "The medium", schema: MediumShape } },
    problems: [404, 409, 410],
    handle: async ({ c, caller, params }) =>
      answer(api, c, await restoreMedium(services, accountOf(caller), params)),
  });
}

/** At the address of contract §4.4, and at the same one below /v1. */
function fileRoutes(api: Api): void {
  for (const path of [FILE, `/v1${FILE}`]) {
    endpoint(api, {
      method: "get",
      path,
      ...(path === FILE ? {} : { page: true }),
      tag,
      summary: "Read the file of a medium",
      description:
        "Takes `Range` (one), `If-Range`, `If-None-Match` and `If-Modified-Since`. Visitors get it without the metadata that " +
        "cameras and programs write into pictures and films: places, names, serial numbers.",
      access: "public",
      crossOrigin: "anybody",
      params: MediumParams,
      produces: [],
      answers: {
        200: { description: "The file", schema: z.string().openapi({ format: "binary" }), type: "*/*" },
        206: {
          description: "The part that `Range` asks for",
          schema: z.string().openapi({ format: "binary" }),
          type: "*/*",
        },
        304: { description: "Unchanged" },
      },
      problems: [404, 410, 416, 503],
      handle: async ({ c, caller, params }) =>
        deliverFile(api.services, c, caller, await demandMedium(api, caller, params)),
    });
  }
}

async function demandObject({ services: { sql } }: Api, caller: Caller, id: string): Promise<void> {
  await readRecord(sql, caller, "object", id);
}

async function demandMedium(
  api: Api,
  caller: Caller,
  { id, media_id }: { id: string; media_id: string },
): Promise<Medium> {
  const medium = await mediumSeenBy(api.services.sql, caller, media_id);
  if (medium?.object_id === id) return medium;
  await demandObject(api, caller, id);
  throw missingMedium(media_id);
}

/** Includes the status, which changes with finished tiles without a new version. */
const tagOf = ({ version, status }: Medium): string => `"${version}-${status}"`;

/** Returns a check that throws 412 unless the medium has the version in `If-Match`. */
function unchangedFor(c: Ctx): (medium: Medium) => void {
  const expected = expectedVersion(c);
  return ({ version }) => {
    if (expected === null || expected === "any" || expected.includes(version)) return;
    throw new Problem("stale", said("problem.medium.changed", { version: String(version) }), {
      headers: { ETag: `"${version}"` },
    });
  };
}

function answer(api: Api, c: Ctx, medium: Medium, status: 200 | 201 = 200, more: object = {}): Response {
  const t = wordsFor(c);
  const body = { ...mediumJson(medium, api.services.config.baseUrl, t), ...sayAll(t, more) };
  return c.json(body, status, {
    ETag: tagOf(medium),
    "Cache-Control": "private, no-store",
    ...(status === 201 ? { Location: `${new URL(c.req.url).pathname.replace(/\/$/, "")}/${medium.id}` } : {}),
  });
}
