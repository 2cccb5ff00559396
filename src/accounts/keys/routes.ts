/** /v1/users/{id}/api-keys: keys for programs that act for an account (interface §5). */
import { z } from "zod";
import { listOf, wholeList } from "../../http/answer/list-envelope.ts";
import { below } from "../../http/answer/resource-answers.ts";
import { type Api, accountOf, endpoint, requesterOf } from "../../http/endpoint.ts";
import { PATCH_TYPES } from "../../http/request/body.ts";
import { storable } from "../../http/text-shape.ts";
import { said, toldText } from "../../messages/said.ts";
import { changeKey, createKey, noKey, ownerOfKeys, revokeKey } from "./keys.ts";
import { findKey, listKeys, type StoredKey } from "./store.ts";

const TAG = "accounts";
const LARGEST = 16 * 1024;
const PRIVATE = { "Cache-Control": "private, no-store" };

const Id = z.uuid().toLowerCase();
const OwnerParams = z.object({ id: Id.openapi({ description: "The account" }) });
const KeyParams = OwnerParams.extend({ key_id: Id });

const Name = storable(z.string().trim().min(1).max(200)).openapi({
  description: "The purpose of the key",
  example: "Website",
});
const Scopes = z
  .array(z.string().min(1).max(100))
  .min(1, toldText(said("fault.key.none_chosen")))
  .max(50)
  .transform((scopes) => [...new Set(scopes)])
  .openapi({
    description:
      "`records:read`, `records:write` (create and change), `records:publish`, `records:delete`, and the names of features such as `media:write`. At most those of the account; if the account loses one, so does the key. Without `records:read`, the key sees only public data",
    example: ["records:read"],
  });
const Expiry = z.iso
  .datetime({ offset: true, local: true })
  .transform((time) => (/(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`))
  .nullable()
  .openapi({
    type: ["string", "null"],
    description: "ISO 8601, UTC if it has no offset; null: never",
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
    key_prefix: z.string().openapi({ description: "The beginning of the key", example: "svc_4k7x0m2q9a" }),
    permissions: z.array(z.string()).openapi({ description: "What the key allows" }),
    expires_at: z.string().nullable(),
    last_used_at: z.string().nullable().openapi({ description: "Accurate to the minute" }),
    created_at: z.string(),
  })
  .openapi("ApiKey");
const NewKey = Key.extend({
  key: z.string().openapi({ description: "Send it as X-API-Key; it is shown only here" }),
}).openapi("NewApiKey");
const KeyList = listOf(Key).openapi("ApiKeyList");

const WHOSE =
  "Your own keys, or with `users:manage` those of others; the keys of an account with more permissions can only be listed and revoked." +
  " API keys are not accepted here.";

export function keyRoutes(api: Api): void {
  const { services } = api;
  const common = { tag: TAG, access: "account", description: WHOSE } as const;

  endpoint(api, {
    ...common,
    method: "get",
    path: "/v1/users/{id}/api-keys",
    summary: "List the API keys of an account",
    params: OwnerParams,
    answers: { 200: { description: "The keys, oldest first", schema: KeyList } },
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
    summary: "Create an API key",
    description: `${WHOSE} Only a superuser can create keys for a superuser.`,
    params: OwnerParams,
    body: { schema: KeyDraft, limit: LARGEST },
    answers: { 201: { description: "The key, shown only once", schema: NewKey } },
    problems: [404, 409],
    async handle({ c, caller, params, body }) {
      const owner = await ownerOfKeys(services, accountOf(caller), params.id);
      const draft = { ...body, expires_at: body.expires_at ?? null };
      const { stored, key } = await createKey(services, requesterOf(c), owner, draft);
      return c.json({ ...keyJson(stored), key }, 201, { ...PRIVATE, Location: below(c, stored.id).at });
    },
  });

  endpoint(api, {
    ...common,
    method: "get",
    path: "/v1/users/{id}/api-keys/{key_id}",
    summary: "Read an API key",
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
    summary: "Change the name, permissions or expiry of an API key",
    params: KeyParams,
    body: { schema: KeyPatch, types: PATCH_TYPES, limit: LARGEST },
    answers: { 200: { description: "The key as it is now", schema: Key } },
    problems: [404],
    async handle({ c, caller, params, body }) {
      const owner = await ownerOfKeys(services, accountOf(caller), params.id);
      const changed = await changeKey(services, requesterOf(c), owner, params.key_id, body);
      return c.json(keyJson(changed), 200, PRIVATE);
    },
  });

  endpoint(api, {
    ...common,
    method: "delete",
    path: "/v1/users/{id}/api-keys/{key_id}",
    summary: "Revoke an API key",
    params: KeyParams,
    answers: { 204: { description: "The key is revoked" } },
    problems: [404],
    async handle({ c, caller, params }) {
      const owner = await ownerOfKeys(services, accountOf(caller), params.id);
      await revokeKey(services, requesterOf(c), owner, params.key_id);
      return c.body(null, 204);
    },
  });
}

function keyJson({ id, name, key_prefix, permissions, expires_at, last_used_at, created_at }: StoredKey) {
  return { id, name, key_prefix, permissions, expires_at, last_used_at, created_at };
}
