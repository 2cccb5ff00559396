import { beforeEach, describe, expect, it } from "vitest";
import { createObject, linksOf, type Page, type ProblemJson, read } from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, type Role } from "../support/museum/museum.ts";
import { newAccount, signedIn } from "../support/museum/signed-in.ts";

type User = {
  id: string;
  email: string;
  display_name: string;
  role: string;
  disabled: boolean;
  must_change_password: boolean;
  last_login_at: string | null;
  created_at: string;
  password?: string;
};
type RoleJson = {
  name: string;
  label: Record<string, string>;
  sort_order: number;
  permissions: { records: Record<string, string[]>; features: string[] };
};
type Event = {
  id: string;
  at: string;
  event: string;
  actor_id: string | null;
  account_id: string | null;
  client: string | null;
  detail: Record<string, unknown>;
};

const PASSWORD = "a quiet Depot, 1888 – Straße";

describe.each(databases)("the staff in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const sql = museum.services.sql;

  beforeEach(async () => {
    await sql`delete from accounts`;
    await sql`delete from roles where name not in ('superuser', 'admin', 'editor', 'cataloger', 'viewer')`;
  });

  /** Somebody with this role, signed in. */
  async function hired(role: string, email = `${role}-${crypto.randomUUID()}@museum.example`) {
    const id = await newAccount(sql, email, { displayName: role, role });
    return { id, email, ask: await asking(id) };
  }

  /** Asks as this account, with a token issued now. */
  async function asking(id: string): Promise<Ask> {
    const [row] = await sql<{ token_version: number }[]>`select token_version from accounts where id = ${id}`;
    const token = await signedIn(museum.services, { id, token_version: row!.token_version });
    return (path, init = {}) =>
      museum.ask(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  }

  const patch = (ask: Ask, path: string, json: unknown, headers: Record<string, string> = {}) =>
    ask(path, { method: "PATCH", json, headers });
  const problem = (answer: Promise<Response>, status: number) => read<ProblemJson>(answer, status);
  const events = (ask: Ask, query = "") => read<Page<Event>>(ask(`/v1/security-events${query}`));

  describe("accounts", () => {
    it("a new account gets a password that is shown once, signs in with it and must change it", async () => {
      const admin = await hired("admin");
      const json = { email: " Jo@Museum.example ", display_name: "Jo Curator", role: "cataloger" };
      const answer = await admin.ask("/v1/users", { json });
      const location = answer.headers.get("Location");
      const tag = answer.headers.get("ETag");
      const made = await read<User>(answer, 201);
      expect(made).toMatchObject({ email: "Jo@Museum.example", role: "cataloger", disabled: false });
      expect(made).toMatchObject({ must_change_password: true, last_login_at: null });
      expect(location).toBe(`/v1/users/${made.id}`);

      const seen = await admin.ask(location!);
      expect(seen.headers.get("ETag")).toBe(tag);
      const { password, ...rest } = made;
      expect(await read<User>(seen)).toEqual(rest);
      const login = await read<{ access_token: string; must_change_password: boolean }>(
        museum.ask("/v1/auth/login", { json: { email: "jo@museum.example", password } }),
      );
      expect(login.must_change_password).toBe(true);
      const jo = { headers: { Authorization: `Bearer ${login.access_token}` } };
      expect((await museum.ask("/v1/auth/me", jo)).status).toBe(200);
      const shut = await problem(museum.ask("/v1/objects", jo), 403);
      expect(shut.detail).toContain("POST /v1/auth/password");
    });

    it("a password chosen by the administrator is not shown; a weak one is refused", async () => {
      const admin = await hired("admin");
      const draft = { email: "jo@museum.example", role: "viewer" };
      const weak = await problem(admin.ask("/v1/users", { json: { ...draft, password: "short" } }), 422);
      expect(weak.errors).toMatchObject([{ pointer: "/password", code: "password.short" }]);
      const made = await read<User>(admin.ask("/v1/users", { json: { ...draft, password: PASSWORD } }), 201);
      expect(made).not.toHaveProperty("password");
      expect(made).toMatchObject({ display_name: "", must_change_password: true });
      const json = { email: "jo@museum.example", password: PASSWORD };
      expect((await museum.ask("/v1/auth/login", { json })).status).toBe(200);
    });

    it("an address belongs to one account, however it is written", async () => {
      const admin = await hired("admin");
      const json = { email: "Jörg@Museum.example", role: "viewer" };
      const first = await read<User>(admin.ask("/v1/users", { json }), 201);
      const other = await hired("viewer", "other@museum.example");
      const variants = [
        ...["jörg@museum.example", "JÖRG@MUSEUM.EXAMPLE", "  Jo\u0308rg@museum.example"],
        ...["ｊörg@museum.example", "jörg@ｍuseum.example"],
      ];
      for (const email of variants) {
        const answer = await problem(admin.ask("/v1/users", { json: { ...json, email } }), 409);
        expect(answer.detail).toBe("An account with this address already exists");
        expect((await patch(admin.ask, `/v1/users/${other.id}`, { email })).status, email).toBe(409);
      }
      await read(patch(admin.ask, `/v1/users/${first.id}`, { email: variants[1] }));
    });

    it.each([
      ...["", "jo", "jo@", "@museum.example", "a@b@c", "a@b＠c", `${"x".repeat(300)}@museum.example`],
      ...["jo@museum.example\r\nBcc: all@museum.example", "jo@museum.example,ida@museum.example"],
      ...["jo\u0000@museum.example", "jo\ud800@museum.example", "jo\u200b@museum.example"],
      "Jo <jo@museum.example>",
    ])("%j is refused as an address", async (email) => {
      const admin = await hired("admin");
      const answer = await problem(admin.ask("/v1/users", { json: { email, role: "viewer" } }), 422);
      expect(answer.errors?.map(({ pointer }) => pointer)).toEqual(["/email"]);
    });

    it.each([
      ...["Jo\nCurator", "Jo\u0007", "Jo\u0085", "\u202eJo", "J\u2066o\u2069", "J\u200fo"],
      ...["Jo\u2028Curator", "Jo\ud800"],
    ])("%j is refused as a name, because it would look like another one", async (display_name) => {
      const admin = await hired("admin");
      const json = { email: "jo.name@museum.example", display_name, role: "viewer" };
      const answer = await problem(admin.ask("/v1/users", { json }), 422);
      expect(answer.errors?.map(({ pointer }) => pointer)).toEqual(["/display_name"]);
    });

    it("accounts are listed in pages, by role, state and part of the name, without hashes", async () => {
      const admin = await hired("admin", "anna@museum.example");
      for (const name of ["Ida Brandt", "Jörg Öhlund", "Zoë"]) {
        const email = `${name.split(" ")[0]}@museum.example`;
        const json = { email, display_name: name, role: "viewer" };
        const made = await read<User>(admin.ask("/v1/users", { json }), 201);
        if (name === "Zoë") await read(patch(admin.ask, `/v1/users/${made.id}`, { disabled: true }));
      }
      const list = async (query: string) => {
        const { items } = await read<Page<User>>(admin.ask(`/v1/users?${query}`));
        return items.map(({ display_name }) => display_name);
      };
      expect(await list("")).toEqual(["admin", "Ida Brandt", "Jörg Öhlund", "Zoë"]);
      expect(await list("role=viewer")).toEqual(["Ida Brandt", "Jörg Öhlund", "Zoë"]);
      expect(await list("disabled=true")).toEqual(["Zoë"]);
      expect(await list("disabled=false&role=viewer")).toEqual(["Ida Brandt", "Jörg Öhlund"]);
      expect(await list("q=OHLUND")).toEqual(["Jörg Öhlund"]);
      expect(await list("q=zoe%40")).toEqual(["Zoë"]);
      const page = await admin.ask("/v1/users?page_size=2&page=2");
      expect(linksOf(page)).toMatchObject({ prev: "/v1/users?page_size=2&page=1" });
      const text = await page.text();
      expect(JSON.parse(text)).toMatchObject({ total: 4, page: 2, page_size: 2 });
      expect(text).not.toMatch(/argon2|hash|token_version|permissions/);
      expect(Object.keys(JSON.parse(text).items[0]).sort().join(" ")).toBe(
        "created_at disabled display_name email id last_login_at must_change_password role",
      );
    });

    it("a change is refused when somebody else changed the account in the meantime", async () => {
      const admin = await hired("admin");
      const jo = await hired("viewer");
      const path = `/v1/users/${jo.id}`;
      const tag = (await admin.ask(path)).headers.get("ETag")!;
      await read(patch(admin.ask, path, { display_name: "Jo" }, { "If-Match": tag }));
      await problem(patch(admin.ask, path, { display_name: "Joan" }, { "If-Match": tag }), 412);
      await problem(admin.ask(path, { method: "DELETE", headers: { "If-Match": tag } }), 412);
      expect(await read<User>(admin.ask(path))).toMatchObject({ display_name: "Jo" });
    });

    it("a new role, a temporary password and disabling end tokens at once; a new name does not", async () => {
      const admin = await hired("admin");
      const jo = await hired("viewer");
      const path = `/v1/users/${jo.id}`;
      const still = async (ask: Ask) => (await ask("/v1/auth/me")).status;
      await read(patch(admin.ask, path, { display_name: "Jo", must_change_password: false }));
      expect(await still(jo.ask)).toBe(200);

      await read(patch(admin.ask, path, { role: "cataloger" }));
      expect(await still(jo.ask)).toBe(401);

      let ask = await asking(jo.id);
      const changed = await read<User>(patch(admin.ask, path, { password: PASSWORD }));
      expect(changed.must_change_password).toBe(true);
      expect(await still(ask)).toBe(401);
      const json = { email: jo.email, password: PASSWORD };
      expect((await museum.ask("/v1/auth/login", { json })).status).toBe(200);

      ask = await asking(jo.id);
      await read(patch(admin.ask, path, { disabled: true }));
      expect(await still(ask)).toBe(401);
      expect((await museum.ask("/v1/auth/login", { json })).status).toBe(401);
      await read(patch(admin.ask, path, { disabled: false }));
      expect(await still(ask)).toBe(401);
      expect((await museum.ask("/v1/auth/login", { json })).status).toBe(200);
    });

    it("nobody can set their own password without the current one", async () => {
      const admin = await hired("admin");
      const answer = await problem(patch(admin.ask, `/v1/users/${admin.id}`, { password: PASSWORD }), 409);
      expect(answer.detail).toContain("/v1/auth/password");
    });

    it("an account that changed records is kept for their history; one that did nothing can be deleted", async () => {
      const admin = await hired("admin");
      const editor = await hired("editor");
      const idle = await hired("editor");
      await createObject(editor.ask, "Harbour at dusk");
      const kept = await problem(admin.ask(`/v1/users/${editor.id}`, { method: "DELETE" }), 409);
      expect(kept.detail).toContain("disable it instead");
      expect((await admin.ask(`/v1/users/${idle.id}`, { method: "DELETE" })).status).toBe(204);
      expect((await admin.ask(`/v1/users/${idle.id}`)).status).toBe(404);
      expect((await idle.ask("/v1/auth/me")).status).toBe(401);
      const { items } = await events(admin.ask, `?account_id=${idle.id}`);
      expect(items).toMatchObject([
        { event: "account_deleted", actor_id: admin.id, detail: { email: idle.email, role: "editor" } },
      ]);
    });

    it("characters that PostgreSQL cannot store are refused everywhere", async () => {
      const admin = await hired("admin");
      const jo = await hired("viewer");
      for (const bad of ["\u0000", "\ud800"]) {
        const text = `abc${bad}`;
        const draft = { email: "new@museum.example", role: "viewer" };
        for (const key of ["email", "display_name", "role", "password"]) {
          const json = { ...draft, [key]: text };
          const refused = await problem(admin.ask("/v1/users", { json }), 422);
          expect(refused.errors?.map(({ pointer }) => pointer)).toEqual([`/${key}`]);
          await problem(patch(admin.ask, `/v1/users/${jo.id}`, { [key]: text }), 422);
        }
      }
    });

    it("an unknown role, an unknown key and an unknown account are refused by name", async () => {
      const admin = await hired("admin");
      const json = { email: "jo@museum.example", role: "keeper" };
      const none = await problem(admin.ask("/v1/users", { json }), 422);
      expect(none.errors?.[0]?.pointer).toBe("/role");
      const jo = await hired("viewer");
      const odd = await problem(patch(admin.ask, `/v1/users/${jo.id}`, { password_hash: "x" }), 422);
      expect(odd.errors?.[0]?.pointer).toBe("/password_hash");
      expect((await admin.ask(`/v1/users/${crypto.randomUUID()}`)).status).toBe(404);
    });
  });

  describe("limits of administration", () => {
    it.each<Role>(["viewer", "cataloger", "editor"])("a %s administers nobody", async (role) => {
      const somebody = await hired(role);
      const json = { email: "new@museum.example", role: "admin" };
      for (const answer of [
        ...["users", "roles", "security-events"].map((path) => somebody.ask(`/v1/${path}`)),
        somebody.ask("/v1/users", { json }),
        patch(somebody.ask, `/v1/users/${somebody.id}`, { role: "admin" }),
      ])
        expect((await answer).status).toBe(403);
      const [row] = await sql<{ n: number }[]>`select count(*)::int as n from accounts where role = 'admin'`;
      expect(row!.n).toBe(0);
    });

    it("an admin can make admins, but only a superuser can make, change or delete superusers", async () => {
      const admin = await hired("admin");
      const superuser = await hired("superuser");
      const other = await hired("superuser");
      const json = { email: "new@museum.example", role: "superuser" };
      for (const answer of [
        admin.ask("/v1/users", { json }),
        patch(admin.ask, `/v1/users/${admin.id}`, { role: "superuser" }),
        patch(admin.ask, `/v1/users/${other.id}`, { role: "viewer" }),
        patch(admin.ask, `/v1/users/${other.id}`, { disabled: true }),
        patch(admin.ask, `/v1/users/${other.id}`, { password: PASSWORD }),
        patch(admin.ask, `/v1/users/${other.id}`, { email: "mine@museum.example" }),
        admin.ask(`/v1/users/${other.id}`, { method: "DELETE" }),
      ]) {
        expect((await problem(answer, 403)).detail).toContain("only a superuser");
      }
      expect((await admin.ask("/v1/users", { json: { ...json, role: "admin" } })).status).toBe(201);
      await read(patch(superuser.ask, `/v1/users/${admin.id}`, { role: "superuser" }));
      await read(patch(superuser.ask, `/v1/users/${other.id}`, { role: "viewer" }));
    });

    it("a role that only administers accounts can give no more than it permits, and change nobody who has more", async () => {
      const superuser = await hired("superuser");
      const records = { object: ["read"] };
      const permissions = { records, features: ["users:manage"] };
      const role = { name: "desk", label: { en: "Desk" }, permissions };
      await read(superuser.ask("/v1/roles", { json: role }), 201);
      const clerk = await hired("desk");
      const viewer = await hired("viewer");
      const colleague = await hired("desk");
      const more = await problem(patch(clerk.ask, `/v1/users/${colleague.id}`, { role: "viewer" }), 403);
      expect(more.detail).toContain("records:read for entity");
      await problem(patch(clerk.ask, `/v1/users/${viewer.id}`, { disabled: true }), 403);
      const german = { "Accept-Language": "de" };
      const giving = patch(clerk.ask, `/v1/users/${colleague.id}`, { role: "viewer" }, german);
      const { code, detail } = await problem(giving, 403);
      expect([code, detail]).toEqual([
        "role.give_refused",
        expect.stringMatching(
          /^Sie können die Rolle viewer nicht vergeben: dazu gehören Berechtigungen, .* und \d+ weitere$/,
        ),
      ]);
      await read(patch(clerk.ask, `/v1/users/${colleague.id}`, { disabled: true }));
      const email = "new@museum.example";
      await read(clerk.ask("/v1/users", { json: { email, role: "desk" } }), 201);

      const wider = { records: { object: ["read", "update"] }, features: ["users:manage"] };
      await problem(patch(clerk.ask, "/v1/roles/desk", { permissions: wider }), 403);
      await problem(patch(clerk.ask, "/v1/roles/viewer", { label: { en: "Guest" } }), 403);
      await problem(clerk.ask("/v1/roles/viewer", { method: "DELETE" }), 403);
      await problem(clerk.ask("/v1/roles", { json: { ...role, name: "porter", permissions: wider } }), 403);
      await read(clerk.ask("/v1/roles", { json: { ...role, name: "porter" } }), 201);
    });

    it("the last superuser who can sign in cannot be demoted, disabled or deleted", async () => {
      const last = await hired("superuser");
      const gone = await hired("superuser");
      await read(patch(last.ask, `/v1/users/${gone.id}`, { disabled: true }));
      for (const answer of [
        patch(last.ask, `/v1/users/${last.id}`, { role: "admin" }),
        patch(last.ask, `/v1/users/${last.id}`, { disabled: true }),
        last.ask(`/v1/users/${last.id}`, { method: "DELETE" }),
      ]) {
        expect((await problem(answer, 409)).detail).toContain("the last superuser who can sign in");
      }
      await read(patch(last.ask, `/v1/users/${last.id}`, { display_name: "The last" }));
      await read(patch(last.ask, `/v1/users/${gone.id}`, { disabled: false }));
      await read(patch(last.ask, `/v1/users/${last.id}`, { role: "admin" }));
    });

    it("at least one superuser is left when all demote or delete one another at the same moment", async () => {
      for (const way of [{ method: "DELETE" }, { method: "PATCH", json: { role: "viewer" } }]) {
        await sql`delete from accounts`;
        const circle = await Promise.all([1, 2, 3, 4].map(() => hired("superuser")));
        const answers = await Promise.all(
          circle.map(({ ask }, n) => ask(`/v1/users/${circle[(n + 1) % 4]!.id}`, way)),
        );
        const [row] = await sql<{ n: number }[]>`
          select count(*)::int as n from accounts where role = 'superuser' and disabled_at is null`;
        expect(row!.n).toBeGreaterThan(0);
        const done = answers.filter(({ status }) => status < 300).length;
        expect(done).toBe(4 - row!.n);
        expect(done).toBeGreaterThan(0);
        expect(answers.filter(({ status }) => ![200, 204, 401, 403, 409].includes(status))).toEqual([]);
      }
    });

    it("one of two superusers who demote themselves at the same moment stays a superuser", async () => {
      const [one, two] = [await hired("superuser"), await hired("superuser")];
      const answers = await Promise.all(
        [one, two].map(({ ask, id }) => patch(ask, `/v1/users/${id}`, { role: "admin" })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });

  describe("roles", () => {
    const keeper = {
      name: "keeper",
      label: { en: "Keeper" },
      sort_order: 10,
      permissions: { records: { object: ["read", "update"] }, features: ["media:write"] },
    };

    it("the five default roles exist, with their permissions", async () => {
      const admin = await hired("admin");
      const { items } = await read<{ items: RoleJson[] }>(admin.ask("/v1/roles"));
      expect(items.map(({ name }) => name)).toEqual(["superuser", "admin", "editor", "cataloger", "viewer"]);
      const [superuser, same, editor, cataloger, viewer] = items.map(({ permissions }) => permissions);
      expect(superuser!.features).toHaveLength(12);
      expect(same).toEqual(superuser);
      const features = "media:write authority:read sparql:query jobs:read metrics:read import:run";
      expect(editor!.features.join(" ")).toBe(features);
      expect(cataloger!.records.object).toEqual(["read", "create", "update"]);
      expect(Object.values(viewer!.records)).toEqual(Array.from({ length: 7 }, () => ["read"]));
    });

    it("a custom role can be made, given, changed for the next request, and deleted when nobody has it", async () => {
      const admin = await hired("admin");
      const made = await admin.ask("/v1/roles", { json: keeper });
      expect(made.headers.get("Location")).toBe("/v1/roles/keeper");
      expect(await read<RoleJson>(made, 201)).toEqual(keeper);
      expect(await read<RoleJson>(admin.ask("/v1/roles/keeper"))).toEqual(keeper);
      const jo = await hired("keeper");
      const draft = { object_type: "painting", metadata_: { title: [{ value: "Pier" }] } };
      expect((await jo.ask("/v1/objects", { json: draft })).status).toBe(403);

      const permissions = { records: { object: ["create", "read"] } };
      const changed = await read<RoleJson>(patch(admin.ask, "/v1/roles/keeper", { permissions }));
      const now = { records: { object: ["read", "create"] }, features: ["media:write"] };
      expect(changed.permissions).toEqual(now);
      expect((await jo.ask("/v1/objects", { json: draft })).status).toBe(201);

      const used = await problem(admin.ask("/v1/roles/keeper", { method: "DELETE" }), 409);
      expect(used.detail).toContain("1 account");
      await read(patch(admin.ask, `/v1/users/${jo.id}`, { role: "viewer" }));
      expect((await admin.ask("/v1/roles/keeper", { method: "DELETE" })).status).toBe(204);
      expect((await admin.ask("/v1/roles/keeper")).status).toBe(404);
    });

    it("users:manage is lost with the next request", async () => {
      const superuser = await hired("superuser");
      const features = ["users:manage"];
      const role = { name: "desk", label: { en: "Desk" }, permissions: { records: {}, features } };
      await read(superuser.ask("/v1/roles", { json: role }), 201);
      const clerk = await hired("desk");
      expect((await clerk.ask("/v1/users")).status).toBe(200);
      await read(patch(superuser.ask, "/v1/roles/desk", { permissions: { features: [] } }));
      expect((await clerk.ask("/v1/users")).status).toBe(403);
    });

    it("PUT replaces everything but the name, and If-Match must fit", async () => {
      const admin = await hired("admin");
      const made = await admin.ask("/v1/roles", { json: keeper });
      const tag = made.headers.get("ETag")!;
      const json = { label: { en: "Guard" }, permissions: { records: {}, features: [] } };
      const put = (body: unknown) =>
        admin.ask("/v1/roles/keeper", { method: "PUT", json: body, headers: { "If-Match": tag } });
      expect(await read<RoleJson>(put(json))).toEqual({ name: "keeper", sort_order: 100, ...json });
      await problem(put(json), 412);
      const renamed = { ...json, name: "guard" };
      expect((await admin.ask("/v1/roles/keeper", { method: "PUT", json: renamed })).status).toBe(422);
    });

    it("the role superuser cannot be changed, admin cannot be deleted, and no role can be made twice", async () => {
      const superuser = await hired("superuser");
      const { permissions } = keeper;
      for (const answer of [
        patch(superuser.ask, "/v1/roles/superuser", { permissions }),
        patch(superuser.ask, "/v1/roles/superuser", { label: { en: "God" } }),
        superuser.ask("/v1/roles/superuser", { method: "DELETE" }),
        superuser.ask("/v1/roles/admin", { method: "DELETE" }),
        superuser.ask("/v1/roles", { json: { ...keeper, name: "superuser" } }),
        superuser.ask("/v1/roles", { json: { ...keeper, name: "viewer" } }),
      ]) {
        await problem(answer, 409);
      }
    });

    it.each([
      ["/permissions/records/vase", { records: { vase: ["read"] }, features: [] }],
      ["/permissions/records/object/0", { records: { object: ["burn"] }, features: [] }],
      ["/permissions/records/object", { records: { object: ["update"] }, features: [] }],
      ["/permissions/features/0", { records: {}, features: ["everything"] }],
      ["/permissions/features", { records: {} }],
    ])("an unknown permission is refused at %s", async (pointer, permissions) => {
      const admin = await hired("admin");
      const answer = await problem(admin.ask("/v1/roles", { json: { ...keeper, permissions } }), 422);
      expect(answer.errors?.map((fault) => fault.pointer)).toEqual([pointer]);
    });
  });

  describe("the log of security events", () => {
    it("shows who did what to whom, newest first, and never a password", async () => {
      const admin = await hired("admin");
      const json = { email: "jo@museum.example", role: "viewer", password: PASSWORD };
      const jo = await read<User>(admin.ask("/v1/users", { json }), 201);
      const path = `/v1/users/${jo.id}`;
      await read(patch(admin.ask, path, { role: "editor", password: `${PASSWORD}!` }));
      await read(patch(admin.ask, path, { disabled: true }));
      await read(patch(admin.ask, path, { disabled: true }));
      await read(patch(admin.ask, path, { disabled: false }));
      await read(patch(admin.ask, path, { display_name: "Jo", must_change_password: true }));
      const { total, items } = await events(admin.ask, `?actor_id=${admin.id}`);
      expect(total).toBe(5);
      expect(items.map(({ event, account_id, detail }) => [event, account_id, detail])).toEqual([
        ["account_changed", jo.id, { changed: ["display_name"] }],
        ["account_enabled", jo.id, {}],
        ["account_disabled", jo.id, {}],
        ["account_changed", jo.id, { changed: ["role", "password"], role: "editor", role_before: "viewer" }],
        ["account_created", jo.id, { email: "jo@museum.example", role: "viewer" }],
      ]);
      expect(JSON.stringify(items)).not.toMatch(/Depot|argon2/);
    });

    it("shows which permissions a role gained and lost", async () => {
      const admin = await hired("admin");
      const permissions = { records: { object: ["read"] }, features: ["jobs:read"] };
      await read(admin.ask("/v1/roles", { json: { name: "desk", label: { en: "Desk" }, permissions } }), 201);
      await read(patch(admin.ask, "/v1/roles/desk", { permissions: { features: ["import:run"] } }));
      await admin.ask("/v1/roles/desk", { method: "DELETE" });
      const { items } = await events(admin.ask, `?actor_id=${admin.id}`);
      expect(items.map(({ event, detail }) => [event, detail])).toEqual([
        ["role_deleted", { role: "desk", permissions: ["records:read for object", "import:run"] }],
        ["role_changed", { role: "desk", added: ["import:run"], removed: ["jobs:read"] }],
        ["role_created", { role: "desk", permissions: ["records:read for object", "jobs:read"] }],
      ]);
    });

    it("can be read in pages, by event, account and time", async () => {
      const admin = await hired("admin");
      const account = crypto.randomUUID();
      for (const [n, event] of ["login_failed", "login_failed", "login_succeeded"].entries()) {
        await sql`
          insert into security_events (id, event, account_id, client, at)
          values (${crypto.randomUUID()}, ${event}, ${account}, '192.0.2.7', ${`2026-01-0${n + 1}T12:00:00Z`})`;
      }
      const found = async (query: string) => {
        const { items } = await events(admin.ask, `?account_id=${account}&${query}`);
        return items.map(({ at }) => at.slice(8, 10));
      };
      expect(await found("")).toEqual(["03", "02", "01"]);
      expect(await found("event=login_failed")).toEqual(["02", "01"]);
      expect(await found("since=2026-01-02")).toEqual(["03", "02"]);
      expect(await found("since=2026-01-02T12:00:00&until=2026-01-03T12:00:00")).toEqual(["02"]);
      expect(await found("until=2026-01-02T13:00:00%2B02:00")).toEqual(["01"]);
      expect(await found("page_size=2&page=2")).toEqual(["01"]);
      const answer = await admin.ask(`/v1/security-events?account_id=${account}&page_size=2`);
      expect(linksOf(answer).next).toBe(`/v1/security-events?account_id=${account}&page_size=2&page=2`);
      const items = [{ client: "192.0.2.7" }, {}];
      expect(await read<Page<Event>>(answer)).toMatchObject({ total: 3, items });
      for (const query of "event=party since=yesterday until=0000-01-01 account_id=1 colour=red".split(" "))
        await problem(admin.ask(`/v1/security-events?${query}`), 422);
    });

    it("cannot be changed or emptied, not even in the database", async () => {
      const admin = await hired("admin");
      const json = { email: "jo@museum.example", role: "viewer" };
      await read(admin.ask("/v1/users", { json }), 201);
      const refused = /rows of security_events are never changed/;
      await expect(sql`update security_events set event = 'login_succeeded'`).rejects.toThrow(refused);
      await expect(sql`delete from security_events`).rejects.toThrow(refused);
      await expect(sql`truncate security_events`).rejects.toThrow(refused);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        expect((await admin.ask("/v1/security-events", { method })).status).toBe(405);
      }
      expect((await events(admin.ask, `?actor_id=${admin.id}`)).total).toBe(1);
    });

    it("contains nothing about changes that were refused", async () => {
      const admin = await hired("admin");
      const json = { email: admin.email, role: "viewer" };
      await problem(admin.ask("/v1/users", { json }), 409);
      expect((await events(admin.ask, `?actor_id=${admin.id}`)).total).toBe(0);
    });
  });
});
