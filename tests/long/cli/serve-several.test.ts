/** Several services on one PostgreSQL and one Redis, as in a large installation. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimesHere } from "../../runtimes/runtimes.ts";
import { type Ask, asked } from "../../runtimes/started.ts";
import {
  ADMIN,
  canHaveSeveral,
  type SeveralServices,
  startSeveral,
} from "../../support/servers/several-services.ts";

const PASSWORD = "a lantern on the third pier";
describe.runIf(await canHaveSeveral()).each(runtimesHere("Node 24"))(
  "three services on %s",
  (_name, runtime) => {
    let several: SeveralServices;
    let token: string;
    const at =
      (n: number): Ask =>
      (path, options) =>
        asked(new URL(path, `http://127.0.0.1:${several.ports[n]}`), options);

    beforeAll(async () => {
      several = await startSeveral(runtime, {
        // so that each test has its own address
        TRUSTED_PROXIES: "127.0.0.1/32",
      });
    });
    afterAll(() => several?.close());

    it("create one administrator between them when they start together, and all know the account", async () => {
      const passwords = await several.firstPasswords();
      expect(passwords).toHaveLength(1);
      const [password] = passwords;
      const entered = await at(0)("/v1/auth/login", { json: { email: ADMIN, password } });
      const chosen = { current_password: password, new_password: PASSWORD };
      const changed = await at(1)("/v1/auth/password", { token: entered.json.access_token, json: chosen });
      token = changed.json.access_token;
      expect(await at(2)("/v1/auth/me", { token })).toMatchObject({
        status: 200,
        json: { role: "superuser" },
      });
      // a session ended by one service is ended for all
      for (const n of [0, 1, 2])
        expect(await at(n)("/v1/auth/me", { token: entered.json.access_token })).toMatchObject({
          status: 401,
        });
    });

    it("run each due job, and each requested one, once between them", async () => {
      const jobs = async (kind: string) => (await at(1)(`/v1/jobs?kind=${kind}`, { token })).json;
      for (const kind of ["purge-trash", "housekeeping", "dump"])
        await expect.poll(async () => (await jobs(kind)).total).toBe(1);
      const queued = await Promise.all(
        [0, 1, 2].map((n) => at(n)("/v1/search/reindex", { token, method: "POST" })),
      );
      const events = await at(2)(`/v1/jobs/${queued[0]!.json.job_id}/events`, { token });
      expect(events.text).toContain("event: done");
      await expect
        .poll(async () =>
          (await jobs("reindex")).items.every(({ state }: { state: string }) => state === "done"),
        )
        .toBe(true);
      for (const job of (await jobs("reindex")).items) expect(job).toMatchObject({ attempts: 1 });
    });

    it("count guesses at a password together", async () => {
      const headers = { "X-Forwarded-For": "198.51.100.1" };
      const email = "nobody@example.org";
      const guesses = [];
      for (let n = 0; n < 7; n++)
        guesses.push(await at(n % 3)("/v1/auth/login", { json: { email, password: `guess ${n}` }, headers }));
      expect(guesses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    });

    it("see at once what another one has changed: fields, settings, roles, keys, records and search results", async () => {
      const field = { name: "harbour", label: { en: "Harbour" }, field_type: "text", is_public: true };
      const json = { object_type: "print", metadata_: { title: [{ value: "Bell buoy" }] } };
      // fill what they keep in memory
      for (const n of [0, 1, 2]) await at(n)("/portal/v1/search?q=buoy");
      expect(await at(0)("/v1/schemas/object", { token, json: field })).toMatchObject({ status: 201 });
      const metadata_ = { ...json.metadata_, harbour: [{ value: "Ostend" }] };
      const { id } = (await at(1)("/v1/objects", { token, json: { ...json, metadata_ } })).json;
      const path = `/v1/objects/${id}`;
      expect(await at(2)(`${path}/publish`, { token, method: "POST" })).toMatchObject({ status: 200 });
      const found = (n: number) => at(n)("/portal/v1/search?q=buoy");
      const etags = new Set<string | null>();
      for (const n of [0, 1, 2]) {
        expect(await found(n)).toMatchObject({ json: { total: 1, items: [{ id }] } });
        const seen = await at(n)(path);
        expect(seen.text).toContain("Ostend");
        etags.add(seen.headers.get("ETag"));
      }
      expect(etags.size).toBe(1);

      await at(1)("/v1/schemas/object/harbour", { token, method: "PATCH", json: { is_public: false } });
      for (const n of [0, 1, 2]) {
        const seen = await at(n)(path, { headers: { "If-None-Match": [...etags][0]! } });
        expect([seen.status, seen.text.includes("Ostend")]).toEqual([200, false]);
        expect((await found(n)).text).not.toContain("Ostend");
      }
      await at(2)("/v1/settings", { token, method: "PATCH", json: { name: { en: "Museum of Buoys" } } });
      for (const n of [0, 1, 2]) {
        const page = await at(n)("/", { headers: { Accept: "text/html" } });
        expect(page.text).toContain("Museum of Buoys");
      }

      const user = { email: "editor@example.org", role: "editor", password: "a third lantern, unlit" };
      const hired = (await at(0)("/v1/users", { token, json: user })).json;
      const change = { must_change_password: false };
      await at(1)(`/v1/users/${hired.id}`, { token, method: "PATCH", json: change });
      const entered = await at(2)("/v1/auth/login", { json: { email: user.email, password: user.password } });
      const theirs = { token: entered.json.access_token };
      for (const n of [0, 1, 2])
        expect(await at(n)("/v1/objects/trash", theirs)).toMatchObject({ status: 200 });
      await at(0)(`/v1/users/${hired.id}`, { token, method: "PATCH", json: { role: "viewer" } });
      // with fewer permissions, the former sessions end
      for (const n of [0, 1, 2]) expect((await at(n)("/v1/objects", { ...theirs, json })).status).toBe(401);

      const keys = `/v1/users/${hired.id}/api-keys`;
      const key = (await at(1)(keys, { token, json: { name: "k", permissions: ["records:read"] } })).json;
      const byKey = { headers: { "X-API-Key": key.key } };
      for (const n of [0, 1, 2]) expect((await at(n)("/v1/auth/me", byKey)).status).toBe(200);
      await at(2)(`${keys}/${key.id}`, { token, method: "DELETE" });
      for (const n of [0, 1, 2]) expect((await at(n)("/v1/auth/me", byKey)).status).toBe(401);

      await at(0)(path, { token, method: "DELETE" });
      for (const n of [0, 1, 2]) {
        expect(await found(n)).toMatchObject({ json: { total: 0 } });
        expect((await at(n)(path)).status).toBe(410);
      }
    });
  },
);
