/** POST /v1/media/batch: files for many objects (interface §10). */

import { wholeList } from "../http/answer/list-envelope.ts";
import { type Api, accountOf, endpoint, readBody } from "../http/endpoint.ts";
import { demandOwnOrigin } from "../http/request/origin.ts";
import { wordsFor } from "../http/words.ts";
import { say } from "../messages/said.ts";
import { codeOf } from "../problem.ts";
import { planBatch, storeBatch } from "./batch.ts";
import { BatchForm, BatchPlan, BatchShape } from "./shape.ts";

export function mediaBatchRoutes(api: Api): void {
  const { services } = api;
  endpoint(api, {
    method: "post",
    path: "/v1/media/batch",
    tag: "media",
    summary: "Add files to the objects that their names begin with",
    description:
      "A file belongs to the object whose import named it, or with whose number its name begins: `1912.4.jpg`, `1912-4_verso.tif`. " +
      "JSON with `dry_run` tells what belongs where, and stores nothing. A form stores up to 1,000 files, together as large as one file " +
      "may be; the order of an object's files is that of their names. A file that an object already has is not stored twice, so an interrupted " +
      "upload can be repeated. Files without an object are not stored. An empty field counts as missing, except `object_id`.",
    access: { feature: "media:write" },
    body: { schema: BatchPlan, form: BatchForm, streamed: true },
    answers: { 200: { description: "What became of each file, in their order", schema: BatchShape } },
    problems: [404, 410, 503],
    async handle({ c, caller }) {
      demandOwnOrigin(c, services.config);
      const account = accountOf(caller);
      const isForm = /^multipart\//i.test(c.req.header("Content-Type") ?? "");
      const items = isForm
        ? await storeBatch(services, account, c.req.raw)
        : await planBatch(services, account, (await readBody(c, BatchPlan, { types: TYPES })).files);
      const t = wordsFor(c);
      const told = items.map(({ reason, ...item }) =>
        reason ? { ...item, code: codeOf(reason), detail: say(t, reason) } : item,
      );
      return c.json(wholeList(told), 200, { "Cache-Control": "private, no-store" });
    },
  });
}

const TYPES = ["application/json", "multipart/form-data"];
