/** Logging out also ends the access tokens, in every process. */
import { describe, expect, it } from "vitest";
import { normalisePassword } from "../../src/accounts/passwords/passwords.ts";
import { createApp } from "../../src/app.ts";
import { read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { newAccount } from "../support/museum/signed-in.ts";

const PASSWORD = "seven keys on one ring";

describe.each(databases)("logging out in the %s database", async (database) => {
  const email = "registrar@museum.example";

  const museum = await museumHere({ database });
  const passwordHash = await museum.services.passwords.hash(normalisePassword(PASSWORD));
  const id = await newAccount(museum.services.sql, email, { passwordHash });

  const signIn = async () => {
    const answer = await museum.ask("/v1/auth/login", { json: { email, password: PASSWORD } });
    const cookie = answer.headers.getSetCookie()[0]!.replace(/;.*/, "");
    const { access_token } = await read<{ access_token: string }>(answer);
    return { cookie, headers: { Authorization: `Bearer ${access_token}` } };
  };
  const logout = (headers: Record<string, string>) =>
    museum.ask("/v1/auth/logout", { method: "POST", headers });
  const me = (headers: Record<string, string>) => museum.ask("/v1/auth/me", { headers });
  const loggedOut = () =>
    museum.services.sql`select 1 from security_events where event = 'logged_out' and account_id = ${id}`;

  it("with an access token ends the session of that token only", async () => {
    const [here, there] = [await signIn(), await signIn()];
    const before = (await loggedOut()).length;
    await read(logout(here.headers), 204);
    const { detail } = await read<{ detail: string }>(me(here.headers), 401);
    expect(detail).toBe("The access token is no longer valid; sign in again");
    await read(museum.ask("/v1/auth/refresh", { method: "POST", headers: { Cookie: here.cookie } }), 401);
    await read(me(there.headers));
    expect(await loggedOut()).toHaveLength(before + 1);
  });

  it("with the cookie ends the access tokens of its session, also earlier ones", async () => {
    const { cookie, headers } = await signIn();
    const again = await museum.ask("/v1/auth/refresh", { method: "POST", headers: { Cookie: cookie } });
    const next = again.headers.getSetCookie()[0]!.replace(/;.*/, "");
    const { access_token } = await read<{ access_token: string }>(again);
    await read(logout({ Cookie: next }), 204);
    await read(me(headers), 401);
    await read(me({ Authorization: `Bearer ${access_token}` }), 401);
  });

  it("with a program's refresh token ends its session, and refuses keys that it does not know", async () => {
    const { cookie, headers } = await signIn();
    const refresh_token = cookie.replace(/.*?=/, "");
    await read(museum.ask("/v1/auth/logout", { json: { refresh_token, all: true } }), 422);
    await read(museum.ask("/v1/auth/logout", { json: { token: refresh_token } }), 422);
    await read(me(headers));
    await read(museum.ask("/v1/auth/logout", { json: { refresh_token } }), 204);
    await read(me(headers), 401);
    await read(museum.ask("/v1/auth/refresh", { json: { refresh_token } }), 401);
  });

  it("with a cookie and the access token of another session ends both", async () => {
    const [here, there] = [await signIn(), await signIn()];
    await read(logout({ Cookie: here.cookie, ...there.headers }), 204);
    await read(me(here.headers), 401);
    await read(me(there.headers), 401);
  });

  it("with an invalid access token is no error, and still ends the session of the cookie", async () => {
    const { cookie, headers } = await signIn();
    const ended = await signIn();
    await read(logout(ended.headers), 204);
    await read(logout(ended.headers), 204);
    await read(logout({ Cookie: cookie, Authorization: "Bearer junk" }), 204);
    await read(me(headers), 401);
  });

  it("takes effect at once in another process", async () => {
    const other = createApp({ ...museum.services }).app;
    const { headers } = await signIn();
    expect((await other.request("/v1/auth/me", { headers })).status).toBe(200);
    await read(logout(headers), 204);
    expect((await other.request("/v1/auth/me", { headers })).status).toBe(401);
    expect((await other.request("/v1/objects", { headers })).status).toBe(401);
  });

  it("a cookie used twice ends the access tokens of thief and owner", async () => {
    const { cookie, headers } = await signIn();
    const refresh = () => museum.ask("/v1/auth/refresh", { method: "POST", headers: { Cookie: cookie } });
    await read(refresh());
    await museum.services.sql`update sessions set refreshed_at = refreshed_at - interval '1 minute'`;
    await read(refresh(), 401);
    await read(me(headers), 401);
  });

  it("an access token ends with its session, thirty days after signing in", async () => {
    const { headers } = await signIn();
    await museum.services.sql`update sessions set created_at = now() - interval '31 days'`;
    await read(me(headers), 401);
  });
});
