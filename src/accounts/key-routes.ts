/** /v1/users/{id}/api-keys: what programs act with in the name of an account (interface §5). */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { type Api, accountOf, type Ctx, endpoint } from "../http/endpoint.ts";
import { listOf, wholeList } from "../http/list-envelope.ts";
import { isStorable } from "../text.ts";
import { findKey, listKeys, type StoredKey } from "./key-store.ts";
import { changeKey, createKey, noKey, ownerOfKeys, revokeKey } from "./keys.ts";

const TAG = "accounts";
const LARGEST = 16 * 1024;
/** RFC 7396, and JSON as everybody sends it. */
const PATCH_TYPES = ["application/merge-patch+json", "application/json"];
const PRIVATE = { "Cache-Control": "private, no-store" };

const Id = z.uuid().toLowerCase();
const OwnerParams = z.object({ id: Id.openapi({ description: "The account" }) });
const KeyParams = OwnerParams.extend({ key_id: Id });

const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine(isStorable, "contains a NUL or half of a surrogate pair")
  .openapi({ description: "What it is for, so that it is known again", example: "Website" });
const Scopes = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(50)
  .transform((scopes) => [...new Set(scopes)])
  .openapi({
    type: "array",
    items: { type: "string" },
    description:
      "`records:read`, `records:write` (create and change), `records:publish`, `records:delete`, and the names of features such as `media:write`. Not more than the account may do; when it loses one, so does the key. Without `records:read` only what is public is seen",
    example: ["records:read"],
  });
const Expiry = z.iso
  .datetime({ offset: true, local: true })
  .transform((time) => (/(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`))
  .nullable()
  .openapi({
    type: ["string", "null"],
    description: "ISO 8601, without an offset in UTC; null: never",
    example: "2031-01-31T12:00:00",
  });

export const KeyDraft = z
  .strictObject({ name: Name, permissions: Scopes, expires_at: Expiry.optional() })
  .openapi("ApiKeyDraft");
const KeyPatch = z
  .strictObject({ name: Name.optional(), permissions: Scopes.optional(), expires_at: Expiry.optional() })
  .openapi("ApiKeyPatch");

const Key = z
  .object({
    id: z.uuid(),
    name: z.string(),
    key_prefix: z.string().openapi({ description: "The key begins with it", example: "svc_4k7x0m2q9a" }),
    permissions: z.array(z.string()),
    expires_at: z.string().nullable(),
    last_used_at: z.string().nullable().openapi({ description: "To the minute" }),
    created_at: z.string(),
  })
  .openapi("ApiKey");
const NewKey = Key.extend({
  key: z.string().openapi({ description: "To be sent as X-API-Key; shown only here" }),
}).openapi("NewApiKey");
const KeyList = listOf(Key).openapi("ApiKeyList");

const WHOSE =
  "One's own, or with the permission `users:manage` those of others; of somebody who may do more only to see and to revoke " +
  "them. API keys are not taken here.";

export function keyRoutes(api: Api): void {
  const { services } = api;
  const asking = (c: Ctx, caller: Caller) => ({ caller: accountOf(caller), client: c.get("client") });
  const common = { tag: TAG, access: "account", description: WHOSE } as const;

  endpoint(api, {
    ...common,
    method: "get",
    path: "/v1/users/{id}/api-keys",
    summary: "List the API keys of an account",
    params: OwnerParams,
    answers: { 200: { description: "The keys, the first one first", schema: KeyList } },
    problems: [404],
    async handle({ c, caller, params }) {
      const owner = await ownerOfKeys(services, accountOf(caller), params.id);
      return c.json(wholeList((await listKeys(services.sql, owner.id)).map(keyJson)), 200, PRIVATE);
    },
  });

  endpoint(api, {
    ...common,
    method: "post",
    path: "/v1/users/{id}/api-keys",
    summary: "Make an API key",
    description: `${WHOSE} Only a superuser makes keys for a superuser.`,
    params: OwnerParams,
    body: { schema: KeyDraft, limit: LARGEST },
    answers: { 201: { description: "The key, shown this once", schema: NewKey } },
    problems: [404, 409],
    async handle({ c, caller, params, body }) {
      const owner = await ownerOfKeys(services, accountOf(caller), params.id);
      const draft = { ...body, expires_at: body.expires_at ?? null };
      const { stored, key } = await createKey(services, asking(c, caller), owner, draft);
      const at = `${new URL(c.req.url).pathname.replace(/\/$/, "")}/${stored.id}`;
      return c.json({ ...keyJson(stored), key }, 201, { ...PRIVATE, Location: at });
    },
  });

  endpoint(api, {
    ...common,
    method: "get",
    path: "/v1/users/{id}/api-keys/{key_id}",
    summary: "Read about an API key",
    params: KeyParams,
    answers: { 200: { description: "Everything but the key itself", schema: Key } },
    problems: [404],
    async handle({ c, caller, params }) {
      const owner = await ownerOfKeys(services, accountOf(caller), params.id);
      return c.json(keyJson((await findKey(services.sql, owner.id, params.key_id)) ?? noKey()), 200, PRIVATE);
    },
  });

  endpoint(api, {
    ...common,
    method: "patch",
    path: "/v1/users/{id}/api-keys/{key_id}",
    summary: "Change what an API key is called, may do, or when it expires",
    params: KeyParams,
    body: { schema: KeyPatch, types: PATCH_TYPES, limit: LARGEST },
    answers: { 200: { description: "The key as it is now", schema: Key } },
    problems: [404],
    async handle({ c, caller, params, body }) {
      const owner = await ownerOfKeys(services, accountOf(caller), params.id);
      const changed = await changeKey(services, asking(c, caller), owner, params.key_id, body);
      return c.json(keyJson(changed), 200, PRIVATE);
    },
  });

  endpoint(api, {
    ...common,
    method: "delete",
    path: "/v1/users/{id}/api-keys/{key_id}",
    summary: "Revoke an API key",
    params: KeyParams,
    answers: { 204: { description: "The key is not taken any more" } },
    problems: [404],
    async handle({ c, caller, params }) {
      const owner = await ownerOfKeys(services, accountOf(caller), params.id);
      await revokeKey(services, asking(c, caller), owner, params.key_id);
      return c.body(null, 204);
    },
  });
}

function keyJson({ id, name, key_prefix, permissions, expires_at, last_used_at, created_at }: StoredKey) {
  return { id, name, key_prefix, permissions, expires_at, last_used_at, created_at };
}
