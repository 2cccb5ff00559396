/** Moving objects, and where they were: /v1/objects/{id}/move, /v1/objects/move, /v1/objects/{id}/locations (interface §10). */
import { z } from "zod";
import { demandAction } from "../caller.ts";
import { expectedVersion } from "../http/answer/caching.ts";
import { ActorShape, actorJson, listOf, pageQuery } from "../http/answer/list-envelope.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import { type Api, accountOf, endpoint } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { readRecord } from "../records/read/read.ts";
import { DayShape, IdParams, IdShape } from "../records/shape.ts";
import { moveObject, moveObjects, today } from "./move.ts";
import { FoundShape, idsFound } from "./move-found.ts";
import { listMovements, type Movement } from "./movements.ts";

/** Objects that one request moves. */
const MOST = 1_000;

const NamedShape = z
  .object({
    id: IdShape.nullable(),
    idno: z.string().nullable(),
    title: z.string().openapi({ description: "Its name" }),
  })
  .nullable();

const MovementShape = z
  .object({
    from: NamedShape.openapi({ description: "Null: it had no place before" }),
    to: NamedShape.openapi({
      description: "Null: it has no place any more. A place that was deleted for good has a title only",
    }),
    date: z.string().nullable().openapi({ description: "Null if nobody said when" }),
    until: z
      .string()
      .nullable()
      .openapi({ description: "The date of the next movement, or of the merge of the object" }),
    reason: z.string().nullable().openapi({ description: "Why it was moved" }),
    procedure: NamedShape.openapi({ description: "Such as the loan that it was moved for" }),
    moved_at: z.string().openapi({ description: "When this was recorded" }),
    moved_by: ActorShape,
    import_id: z.string().nullable().openapi({ description: "The import or batch edit that moved it" }),
  })
  .openapi("Movement");

const movementJson = ({ object: _, at, left_at: _left, actor_id, actor, ...movement }: Movement) => ({
  ...movement,
  moved_at: at,
  moved_by: actorJson(actor_id, actor),
});

const move = {
  to: IdShape.openapi({ description: "A storage location" }),
  date: DayShape.optional().openapi({
    description: "When they were moved, such as 2026-01-31; today if left out",
  }),
  reason: z.string().trim().max(2_000).optional().openapi({ description: "Why, and by whom" }),
};

const MoveBody = z
  .strictObject({
    ...move,
    from: IdShape.nullable()
      .optional()
      .openapi({ description: "Where it is, as far as you know: 409 if it is elsewhere. Null: nowhere" }),
  })
  .openapi("Move");

const MovesBody = z
  .strictObject({
    ...move,
    ids: z.array(IdShape).min(1).max(MOST).optional().openapi({ description: "Objects" }),
    search: FoundShape.optional().openapi({
      description: `Instead of ids: parameters of GET /v1/search. 422 if no object, or more than ${MOST}, are found; similar words do not count`,
    }),
  })
  .openapi("Moves");

export function moveRoutes(api: Api): void {
  const { services } = api;
  const access = { action: "update", kind: "object" } as const;

  endpoint(api, {
    method: "post",
    path: "/v1/objects/{id}/move",
    tag: "objects",
    summary: "Move an object to another storage location",
    description: "Ends its current location and records the movement.",
    access,
    params: IdParams,
    body: { schema: MoveBody },
    answers: { 200: { description: "The movement", schema: MovementShape } },
    problems: [404, 409, 410, 412],
    async handle({ c, caller, params, body: { to, from, date = today(), reason = "" } }) {
      const wish = { to, day: date, reason };
      const known = { from, expected: expectedVersion(c) };
      const movement = await moveObject(services, accountOf(caller), params.id, wish, known);
      return c.json(movementJson(movement), 200);
    },
  });

  endpoint(api, {
    method: "post",
    path: "/v1/objects/move",
    tag: "objects",
    summary: "Move many objects to another storage location",
    description:
      "Those with these ids, or those that a search finds. All or none. POST /v1/imports/{import_id}/undo takes it back. Objects that are there already stay as they are.",
    access,
    body: { schema: MovesBody },
    answers: {
      200: {
        description: "What was moved",
        schema: z
          .object({
            import_id: IdShape,
            moved: z.array(IdShape).openapi({ description: "The ids of objects that were moved" }),
            unchanged: z.array(IdShape).openapi({ description: "Those that were there already" }),
          })
          .openapi("Moved"),
      },
    },
    problems: [503],
    async handle({ c, caller, body: { to, ids, search, date = today(), reason = "" } }) {
      const wish = { to, day: date, reason };
      if ((ids === undefined) === (search === undefined))
        throw invalid([{ pointer: "/ids", detail: said("fault.move.ids_or_search") }]);
      const account = accountOf(caller);
      const found = async () =>
        withinLimit(api, { c, caller }, () => idsFound(services, account, search!, MOST, c.get("requestId")));
      const { importId, ...done } = await moveObjects(services, account, ids ?? (await found()), wish);
      return c.json({ import_id: importId, ...done }, 200);
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/objects/{id}/locations",
    tag: "objects",
    summary: "List where an object is and was",
    description: "Its movements, newest first. Each begins where the one before ended.",
    access: { action: "read", kind: "storage_location" },
    params: IdParams,
    query: z.strictObject(pageQuery),
    answers: { 200: { description: "A page", schema: listOf(MovementShape).openapi("MovementList") } },
    problems: [404, 410],
    async handle({ c, caller, params, query: { page, page_size } }) {
      demandAction(caller, "read", "object");
      const { id } = await readRecord(services.sql, caller, "object", params.id);
      const found = await listMovements(
        services.sql,
        caller,
        { object: id, formers: true },
        {
          limit: page_size,
          offset: (page - 1) * page_size,
        },
      );
      const items = found.items.map(movementJson);
      return c.json({ total: found.total, page, page_size, items }, 200, { "Cache-Control": "no-store" });
    },
  });
}
