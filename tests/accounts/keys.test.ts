import { beforeEach, describe, expect, it } from "vitest";
import { scopesOf, withinScopes } from "../../src/accounts/keys/scopes.ts";
import { normalisePassword } from "../../src/accounts/passwords/passwords.ts";
import { createApp } from "../../src/app.ts";
import type { Permissions } from "../../src/caller.ts";
import {
  createObject,
  faults,
  type ProblemJson,
  patched,
  read,
  samples,
} from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, type Role } from "../support/museum/museum.ts";
import { newAccount, signedIn } from "../support/museum/signed-in.ts";

const PASSWORD = "seven keys on one ring";
const KEY = /^svc_[0-9a-z]{10}_[\w-]{43}$/;

type KeyJson = {
  id: string;
  name: string;
  key?: string;
  key_prefix: string;
  permissions: string[];
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
};

describe("the permissions of a key", () => {
  const owner: Permissions = {
    records: { object: ["read", "create", "update", "delete"], place: ["read"], entity: [] },
    features: ["media:write", "users:manage"],
  };
  it.each<[string[], Permissions]>([
    [[], { records: {}, features: [] }],
    [["records:read"], { records: { object: ["read"], place: ["read"] }, features: [] }],
    [["records:write"], { records: { object: ["create", "update"] }, features: [] }],
    [["records:publish"], { records: {}, features: [] }],
    [["records:delete", "media:write"], { records: { object: ["delete"] }, features: ["media:write"] }],
    [["settings:manage", "constructor", "read"], { records: {}, features: [] }],
  ])("%j, for an owner with some permissions, are limited to the owner's", (scopes, left) => {
    expect(withinScopes(owner, scopes)).toEqual(left);
  });

  it("can be expressed with these scopes", () => {
    const scopes = "records:read records:write records:delete media:write users:manage";
    expect(scopesOf(owner).join(" ")).toBe(scopes);
    expect(scopesOf({ records: {}, features: [] })).toEqual([]);
  });
});

describe.each(databases)("API keys in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const sql = museum.services.sql;
  const passwordHash = await museum.services.passwords.hash(normalisePassword(PASSWORD));
  beforeEach(async () => {
    await sql`delete from accounts`;
  });

  const withHeaders =
    (headers: Record<string, string>): Ask =>
    (path, init = {}) =>
      museum.ask(path, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } });
  const keyed = (key: string) => withHeaders({ "X-API-Key": key });

  async function hire(role: Role) {
    const email = `${role}-${crypto.randomUUID().slice(0, 8)}@museum.example`;
    const id = await newAccount(sql, email, { displayName: role, role, passwordHash });
    const token = await signedIn(museum.services, { id, token_version: 1 });
    const ask = withHeaders({ Authorization: `Bearer ${token}` });
    return { id, email, ask, keys: `/v1/users/${id}/api-keys` };
  }

  async function makeKey(
    who: { ask: Ask; keys: string },
    permissions: string[],
    more: Record<string, unknown> = {},
  ): Promise<KeyJson & { key: string }> {
    return read(who.ask(who.keys, { json: { name: "Website", permissions, ...more } }), 201);
  }

  const events = async (event: string) =>
    sql`select actor_id, account_id, detail from security_events where event = ${event} order by at desc limit 1`;

  describe("API keys for one's own programs", () => {
    it("are named in a refusal if they lack the permission, not their owner", async () => {
      const editor = await hire("editor");
      const { key } = await makeKey(editor, ["records:read", "records:write"]);
      const ndjson = [{ ...samples.object.draft, status: "public" }];
      const answer = await keyed(key)("/v1/objects/bulk", { ndjson });
      expect(await answer.text()).toContain('"The API key lacks the permission records:publish for object"');
    });

    it("are shown once and stored as a hash", async () => {
      const editor = await hire("editor");
      const json = { name: " Website ", permissions: ["records:read"] };
      const answer = await editor.ask(editor.keys, { json });
      expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
      const made = await read<KeyJson & { key: string }>(answer, 201);
      expect(answer.headers.get("Location")).toBe(`${editor.keys}/${made.id}`);
      expect(made).toEqual({
        id: expect.any(String),
        name: "Website",
        key: expect.stringMatching(KEY),
        key_prefix: made.key.slice(0, 14),
        permissions: ["records:read"],
        expires_at: null,
        last_used_at: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}$/),
      });
      const { key, ...shown } = made;
      expect(await read(editor.ask(`${editor.keys}/${made.id}`))).toEqual(shown);
      const list = { total: 1, page: 1, page_size: 1, items: [shown] };
      expect(await read(editor.ask(editor.keys))).toEqual(list);
      const kept = [await sql`select * from api_keys`, await sql`select * from security_events`, museum.log];
      expect(JSON.stringify(kept)).not.toContain(key.slice(15));
      const detail = { key_prefix: made.key_prefix, permissions: ["records:read"] };
      const whose = { actor_id: editor.id, account_id: editor.id };
      expect(await events("key_created")).toMatchObject([{ ...whose, detail }]);
    });

    it("tell whose they are, and which permissions remain", async () => {
      const editor = await hire("editor");
      const { key } = await makeKey(editor, ["records:read", "media:write"]);
      const me = await read<Record<string, unknown>>(keyed(key)("/v1/auth/me"));
      expect(me).toMatchObject({ id: editor.id, role: "editor", permissions: { features: ["media:write"] } });
      expect(me.permissions).toMatchObject({ records: { object: ["read"], place: ["read"] } });
    });

    it("do what they were made for and nothing else", async () => {
      const editor = await hire("editor");
      const draft = await createObject(editor.ask, "Harbour at dusk");
      const path = `/v1/objects/${draft.id}`;
      const ask = keyed((await makeKey(editor, ["records:read"])).key);
      await read(ask(path));
      const refused = await read<ProblemJson>(ask("/v1/objects", { json: samples.object.draft }), 403);
      expect(refused.detail).toBe("The API key lacks the permission records:create for object");
      await read(ask(path, { method: "PATCH", json: { idno: "X 1" } }), 403);
      await read(ask(`${path}/publish`, { method: "POST" }), 403);
      await read(ask(path, { method: "DELETE" }), 403);

      const writer = keyed((await makeKey(editor, ["records:read", "records:write"])).key);
      await createObject(writer, "Harbour at dawn");
      await read(writer(`${path}/publish`, { method: "POST" }), 403);
      await read(writer(path, { method: "DELETE" }), 403);

      const publisher = keyed((await makeKey(editor, ["records:publish", "records:read"])).key);
      await read(publisher(`${path}/publish`, { method: "POST" }));
      await read(publisher(path, { method: "PATCH", json: { idno: "X 1" } }), 403);
      const blind = keyed((await makeKey(editor, ["media:write"])).key);
      expect(await read(blind("/v1/objects"))).toEqual(await read(museum.ask("/v1/objects")));
      await read(blind(path));
      const { id } = await createObject(editor.ask, "Harbour by night");
      await read(blind(`/v1/objects/${id}`), 404);
    });

    it("cannot have more permissions than their owner: each excess one is reported", async () => {
      const viewer = await hire("viewer");
      const json = { name: "x", permissions: ["records:read", "records:write", "users:manage", "no:such"] };
      const { errors } = await read<ProblemJson>(viewer.ask(viewer.keys, { json }), 422);
      const places = [1, 2, 3].map((at) => ({ pointer: `/permissions/${at}`, code: "key.permission" }));
      expect(errors).toMatchObject(places);
      expect(errors![0]!.detail).toContain('the account does not have "records:write"');
      const { id } = await makeKey(viewer, ["records:read"]);
      const patch = { method: "PATCH", json: { permissions: ["records:read", "records:delete"] } };
      expect(await faults(viewer.ask(`${viewer.keys}/${id}`, patch))).toEqual(["/permissions/1"]);
      expect(await sql`select permissions from api_keys`).toEqual([{ permissions: ["records:read"] }]);
    });

    it("lose a permission at once when their owner loses it, and regain it with the owner", async () => {
      const editor = await hire("editor");
      const ask = keyed((await makeKey(editor, ["records:read", "records:write", "media:write"])).key);
      await createObject(ask, "Before");
      await sql`update accounts set role = 'viewer' where id = ${editor.id}`;
      await read(ask("/v1/objects", { json: samples.object.draft }), 403);
      const me = await read<{ permissions: Permissions }>(ask("/v1/auth/me"));
      expect(me.permissions.features).toEqual([]);
      expect(me.permissions.records.object).toEqual(["read"]);
      await sql`update accounts set role = 'superuser' where id = ${editor.id}`;
      const regained = await read<{ permissions: Permissions }>(ask("/v1/auth/me"));
      expect(regained.permissions.features).toEqual(["media:write"]);
      await createObject(ask, "After");
    });

    it.each([
      [{}, ["/name", "/permissions"]],
      [{ name: "", permissions: [] }, ["/name", "/permissions"]],
      [{ name: "a\u0000", permissions: ["records:read"] }, ["/name"]],
      [{ name: "a", permissions: "records:read" }, ["/permissions"]],
      [{ name: "a", permissions: ["records:read"], expires_at: "tomorrow" }, ["/expires_at"]],
      [{ name: "a", permissions: ["records:read"], expires_at: "2020-01-31T12:00:00" }, ["/expires_at"]],
      [{ name: "a", permissions: ["records:read"], account_id: "x" }, ["/account_id"]],
    ])("are not made from %j", async (json, pointers) => {
      const editor = await hire("editor");
      expect(await faults(editor.ask(editor.keys, { json }))).toEqual(pointers);
    });

    it("are limited to a hundred for each account", async () => {
      const editor = await hire("editor");
      await sql`
        insert into api_keys (id, account_id, name, key_prefix, key_hash, permissions)
        select gen_random_uuid(), ${editor.id}, 'x', 'p' || n, 'h' || n, '{}' from generate_series(1, 99) n`;
      await makeKey(editor, ["records:read"]);
      await read(editor.ask(editor.keys, { json: { name: "x", permissions: ["records:read"] } }), 409);
    });
  });

  describe("API keys end", () => {
    it("when they are revoked", async () => {
      const editor = await hire("editor");
      const { id, key, key_prefix } = await makeKey(editor, ["records:read"]);
      const other = await makeKey(editor, ["records:read"]);
      await read(keyed(key)("/v1/objects"));
      await read(editor.ask(`${editor.keys}/${id}`, { method: "DELETE" }), 204);
      const refused = await keyed(key)("/v1/objects");
      expect(refused.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await read(refused, 401)).toMatchObject({ detail: "The API key is unknown" });
      await read(keyed(other.key)("/v1/objects"));
      for (const method of ["GET", "DELETE"]) await read(editor.ask(`${editor.keys}/${id}`, { method }), 404);
      expect(await events("key_revoked")).toMatchObject([{ account_id: editor.id, detail: { key_prefix } }]);
    });

    it("when they expire", async () => {
      const editor = await hire("editor");
      const made = await makeKey(editor, ["records:read"], { expires_at: "2999-12-31T23:30:00+01:00" });
      expect(made.expires_at).toBe("2999-12-31T22:30:00.000000");
      await read(keyed(made.key)("/v1/objects"));
      await sql`update api_keys set expires_at = now() - interval '1 second'`;
      const { detail } = await read<ProblemJson>(keyed(made.key)("/v1/objects"), 401);
      expect(detail).toBe("The API key has expired");
    });

    it("while their owner is disabled, and with their owner", async () => {
      const editor = await hire("editor");
      const ask = keyed((await makeKey(editor, ["records:read"])).key);
      await sql`update accounts set disabled_at = now()`;
      await read(ask("/v1/objects"), 401);
      await sql`update accounts set disabled_at = null`;
      await read(ask("/v1/objects"));
      await sql`delete from accounts`;
      await read(ask("/v1/objects"), 401);
    });

    it("while their owner must change the password, even for a request that asks who owns the key", async () => {
      const editor = await hire("editor");
      const ask = keyed((await makeKey(editor, ["records:read"])).key);
      await sql`update accounts set must_change_password = true`;
      for (const path of ["/v1/objects", "/v1/auth/me"]) await read(ask(path), 403);
    });

    it("but not with the sessions of their owner", async () => {
      const editor = await hire("editor");
      const ask = keyed((await makeKey(editor, ["records:read"])).key);
      await read(editor.ask("/v1/auth/logout-everywhere", { method: "POST" }), 204);
      await read(editor.ask(editor.keys), 401);
      await read(ask("/v1/objects"));
    });
  });

  describe("API keys in use", () => {
    it("are refused if any part of them is made up, without saying which", async () => {
      const editor = await hire("editor");
      const { key } = await makeKey(editor, ["records:read"]);
      const forged = [
        ...["", "svc_", key.slice(0, -1), `${key}A`, key.toUpperCase()],
        key.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
        key.replace(/^svc_./, (start) => `svc_${start.endsWith("0") ? "1" : "0"}`),
        `svc_0000000000_${"A".repeat(43)}`,
        "' or true --",
      ];
      for (const each of forged) {
        const problem = await read<ProblemJson>(keyed(each)("/v1/objects"), 401);
        expect(problem.detail).toBe("The API key is unknown");
      }
    });

    it("are a bad request together with a bearer token", async () => {
      const editor = await hire("editor");
      const { key } = await makeKey(editor, ["records:read"]);
      await read(editor.ask("/v1/objects", { headers: { "X-API-Key": key } }), 400);
    });

    it("record the time of their last use, at most once a minute", async () => {
      const editor = await hire("editor");
      const { id, key } = await makeKey(editor, ["records:read"]);
      museum.log.length = 0;
      await read(keyed(key)("/v1/objects"));
      const logged = JSON.parse(museum.log.find((line) => line.includes('"request"'))!);
      expect(logged).toMatchObject({ account: editor.id, key: id });
      await sql`update api_keys set last_used_at = null`;
      const used = async () => (await read<KeyJson>(editor.ask(`${editor.keys}/${id}`))).last_used_at;
      const version = async () => (await sql`select xmin::text as version from api_keys`)[0]!.version;
      await read(keyed(key)("/v1/objects"));
      await expect.poll(used).not.toBeNull();
      const written = await version();
      await Promise.all(Array.from({ length: 10 }, () => read(keyed(key)("/v1/objects"))));
      expect(await version()).toBe(written);
      await sql`update api_keys set last_used_at = now() - interval '61 seconds'`;
      const before = await used();
      await read(keyed(key)("/v1/objects"));
      await expect.poll(used).not.toBe(before);
    });

    it("work even if their last use cannot be written", async () => {
      const editor = await hire("editor");
      const { key } = await makeKey(editor, ["records:read"]);
      const broken = new Proxy(sql, {
        apply: (target, self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) =>
          strings.join("").includes("update api_keys")
            ? Promise.reject(new Error("the disk is full"))
            : Reflect.apply(target, self, [strings, ...values]),
      });
      const lines: string[] = [];
      const log = { ...museum.services.log, warn: (message: string) => void lines.push(message) };
      const { app } = createApp({ ...museum.services, sql: broken, log });
      expect((await app.request("/v1/objects", { headers: { "X-API-Key": key } })).status).toBe(200);
      await expect.poll(() => lines).toEqual(["the last use of an API key could not be written"]);
    });

    it("make no keys, change no passwords, and end no sessions", async () => {
      const boss = await hire("superuser");
      const own = await read<{ permissions: Permissions }>(boss.ask("/v1/auth/me"));
      const { id, key } = await makeKey(boss, scopesOf(own.permissions));
      const ask = keyed(key);
      const colleague = await hire("viewer");
      const json = { name: "x", permissions: ["records:read"] };
      for (const keys of [boss.keys, colleague.keys, `/api${boss.keys}`]) {
        await read(ask(keys, { json }), 403);
        await read(ask(keys), 403);
      }
      await read(ask(`${boss.keys}/${id}`, { method: "PATCH", json: { expires_at: null } }), 403);
      await read(ask(`${boss.keys}/${id}`, { method: "DELETE" }), 403);
      const change = { current_password: PASSWORD, new_password: "eight keys on two rings" };
      await read(ask("/v1/auth/password", { json: change }), 403);
      await read(ask("/v1/auth/logout-everywhere", { method: "POST" }), 403);
      await read(ask("/v1/auth/me"));
      expect(await sql`select 1 from api_keys`).toHaveLength(1);
      const versions = await sql`select distinct token_version from accounts`;
      expect(versions).toEqual([{ token_version: 1 }]);
    });
  });

  describe("API keys of others", () => {
    it("cannot be seen or changed without users:manage", async () => {
      const [editor, viewer] = [await hire("editor"), await hire("viewer")];
      const { id } = await makeKey(viewer, ["records:read"]);
      await read(editor.ask(viewer.keys), 403);
      await read(editor.ask(viewer.keys, { json: { name: "x", permissions: ["records:read"] } }), 403);
      for (const method of ["GET", "DELETE"]) await read(editor.ask(`${viewer.keys}/${id}`, { method }), 403);
      await read(museum.ask(viewer.keys), 401);
      // nor does the answer reveal which accounts exist
      await read(editor.ask(`/v1/users/${crypto.randomUUID()}/api-keys`), 403);
    });

    it("are made, changed and revoked by an administrator, within the owner's permissions", async () => {
      const [admin, viewer] = [await hire("admin"), await hire("viewer")];
      const forViewer = { ask: admin.ask, keys: viewer.keys };
      const { id, key } = await makeKey(forViewer, ["records:read"]);
      expect(await read(keyed(key)("/v1/auth/me"))).toMatchObject({ id: viewer.id });
      const json = { name: "x", permissions: ["users:manage"] };
      expect(await faults(admin.ask(viewer.keys, { json }))).toEqual(["/permissions/0"]);
      const path = `${viewer.keys}/${id}`;
      const [name, expires_at] = ["Kiosk", "2999-01-01T00:00:00"];
      const kiosk = { name, permissions: ["records:read"], expires_at: `${expires_at}.000000` };
      expect(await patched(admin.ask, path, { name, expires_at })).toMatchObject(kiosk);
      expect(await patched(admin.ask, path, { expires_at: null })).toMatchObject({ name, expires_at: null });
      expect(await events("key_changed")).toMatchObject([{ actor_id: admin.id, account_id: viewer.id }]);
      await read(admin.ask(path, { method: "DELETE" }), 204);
      await read(keyed(key)("/v1/objects"), 401);
      await read(admin.ask(`/v1/users/${crypto.randomUUID()}/api-keys`), 404);
    });

    it.each([
      ["no permissions", '{"records": {}, "features": ["users:manage"]}'],
      [
        "fewer permissions for one kind",
        '{"records": {"object": ["read", "create", "update"]}, "features": ["users:manage"]}',
      ],
    ])(
      "are revoked, but not made or changed by an administrator of accounts who otherwise has %s",
      async (_, may) => {
        const [helper, admin] = [await hire("admin"), await hire("admin")];
        const { id } = await makeKey(admin, ["users:manage"]);
        await sql`delete from roles where name = 'helper'`;
        await sql`insert into roles (name, permissions) values ('helper', ${may}::text::jsonb)`;
        await sql`update accounts set role = 'helper' where id = ${helper.id}`;
        // not even with permissions that both have, because the key acts in the other's name
        const json = { name: "x", permissions: ["users:manage"] };
        const problem = await read<ProblemJson>(helper.ask(admin.keys, { json }), 403);
        expect(problem.detail).toContain("has more permissions than you");
        const path = `${admin.keys}/${id}`;
        for (const change of [{ name: "y" }, { permissions: ["records:write"] }, { expires_at: null }]) {
          await read(helper.ask(path, { method: "PATCH", json: change }), 403);
        }
        await makeKey(helper, ["users:manage"]);
        await read(helper.ask(path, { method: "DELETE" }), 204);
        expect(await sql`select account_id from api_keys`).toEqual([{ account_id: helper.id }]);
      },
    );

    it("of a superuser are made only by superusers, but an administrator can revoke one", async () => {
      const [admin, boss, chief] = [await hire("admin"), await hire("superuser"), await hire("superuser")];
      const json = { name: "x", permissions: ["users:manage"] };
      await read(admin.ask(boss.keys, { json }), 403);
      const { id } = await makeKey({ ask: chief.ask, keys: boss.keys }, ["records:read"]);
      const patch = { method: "PATCH", json: { permissions: ["users:manage"] } };
      await read(admin.ask(`${boss.keys}/${id}`, patch), 403);
      await read(admin.ask(`${boss.keys}/${id}`, { method: "DELETE" }), 204);
    });

    it("made by an administrator are revoked when their owner becomes superuser", async () => {
      const [admin, colleague, boss] = [await hire("admin"), await hire("admin"), await hire("superuser")];
      const own = await read<{ permissions: Permissions }>(admin.ask("/v1/auth/me"));
      const { key } = await makeKey({ ask: admin.ask, keys: colleague.keys }, scopesOf(own.permissions));
      const json = { email: "new@museum.example", role: "superuser" };
      await read(keyed(key)("/v1/users", { json }), 403);
      const promote = { method: "PATCH", json: { role: "superuser" } };
      await read(boss.ask(`/v1/users/${colleague.id}`, promote));
      await read(keyed(key)("/v1/users", { json }), 401);
      expect(await events("key_revoked")).toMatchObject([{ actor_id: boss.id, account_id: colleague.id }]);
      expect(await sql`select 1 from api_keys`).toEqual([]);
    });

    it("are never made for somebody who becomes superuser at the same moment", async () => {
      for (let round = 0; round < 5; round++) {
        const [admin, colleague, boss] = [await hire("admin"), await hire("admin"), await hire("superuser")];
        const json = { name: "x", permissions: ["users:manage"] };
        const promote = { method: "PATCH", json: { role: "superuser" } };
        const made = Array.from({ length: 6 }, () => admin.ask(colleague.keys, { json }));
        const promoting = boss.ask(`/v1/users/${colleague.id}`, promote);
        const [promoted, ...answers] = await Promise.all([promoting, ...made]);
        expect(promoted.status).toBe(200);
        for (const { status } of answers) expect([201, 403, 409]).toContain(status);
        expect(await sql`select name from api_keys where account_id = ${colleague.id}`).toEqual([]);
      }
    });

    it("outlive the permissions of their maker, within the owner's, and the log names the maker", async () => {
      const [admin, viewer] = [await hire("admin"), await hire("viewer")];
      const { key } = await makeKey({ ask: admin.ask, keys: viewer.keys }, ["records:read"]);
      await sql`update accounts set role = 'viewer', disabled_at = now() where id = ${admin.id}`;
      await read(keyed(key)("/v1/objects"));
      await read(keyed(key)("/v1/objects", { json: samples.object.draft }), 403);
      expect(await events("key_created")).toMatchObject([{ actor_id: admin.id, account_id: viewer.id }]);
    });

    it("are not found under another account", async () => {
      const [admin, editor, viewer] = [await hire("admin"), await hire("editor"), await hire("viewer")];
      const { id } = await makeKey(editor, ["records:read"]);
      for (const [method, json] of [["GET"], ["DELETE"], ["PATCH", { name: "x" }]] as const) {
        await read(admin.ask(`${viewer.keys}/${id}`, { method, ...(json ? { json } : {}) }), 404);
        await read(viewer.ask(`${viewer.keys}/${id}`, { method, ...(json ? { json } : {}) }), 404);
      }
      expect(await sql`select name from api_keys`).toEqual([{ name: "Website" }]);
    });
  });
});
