/** /v1/security-events: what happened to accounts, keys and roles. Nothing can change these events. */

import { z } from "zod";
import { SECURITY_EVENTS } from "../accounts/security-events.ts";
import { ActorShape, actorJson, listOf, pageQuery } from "../http/answer/list-envelope.ts";
import { pageLinks } from "../http/answer/resource-answers.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { TimeShape } from "../http/text-shape.ts";
import { IdShape } from "../records/shape.ts";
import { countSecurityEvents, listSecurityEvents } from "./security-event-store.ts";

const EventShape = z
  .object({
    id: IdShape,
    at: z.string(),
    event: z.string().openapi({ example: "login_failed" }),
    actor: ActorShape,
    actor_id: IdShape.nullable().openapi({
      description: "The account that did it; null: a visitor, or the service itself",
    }),
    account_id: IdShape.nullable().openapi({ description: "The account concerned" }),
    client: z.string().nullable().openapi({ description: "The address of the client" }),
    detail: z.record(z.string(), z.unknown()).openapi({ description: "More about what happened" }),
  })
  .openapi("SecurityEvent");

const EventListShape = listOf(EventShape).openapi("SecurityEventList");

const EventQuery = z.strictObject({
  ...pageQuery,
  event: z.enum(SECURITY_EVENTS).optional(),
  account_id: IdShape.optional(),
  actor_id: IdShape.optional(),
  since: TimeShape.optional().openapi({ description: "At this time or later; UTC if it has no offset" }),
  until: TimeShape.optional().openapi({ description: "Before this time; UTC if it has no offset" }),
});

export function securityEventRoutes(api: Api): void {
  const { sql } = api.services;

  endpoint(api, {
    method: "get",
    path: "/v1/security-events",
    tag: "staff",
    summary: "List the security events",
    description:
      "Newest first; events are never changed or removed. To read all pages while new events arrive, give `until`. " +
      "Link headers (RFC 8288) give first, prev, next and last.",
    access: { feature: "users:manage" },
    query: EventQuery,
    answers: { 200: { description: "A page", schema: EventListShape } },
    async handle({ c, query }) {
      const { page, page_size, ...filter } = query;
      const total = await countSecurityEvents(sql, filter);
      const found = await listSecurityEvents(sql, filter, {
        limit: page_size,
        offset: (page - 1) * page_size,
      });
      const items = found.map(({ actor_email, ...event }) => ({
        ...event,
        actor: actorJson(event.actor_id, actor_email),
      }));
      const body = { total, page, page_size, items };
      return c.json(body, 200, { Link: pageLinks(c, body), "Cache-Control": "private, no-store" });
    },
  });
}
