import { hash as argon2 } from "@node-rs/argon2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demandResetAllowed } from "../../src/accounts/passwords/attempts.ts";
import { normalisePassword } from "../../src/accounts/passwords/passwords.ts";
import { findAccountById, setPassword } from "../../src/accounts/store.ts";
import { createApp } from "../../src/app.ts";
import { Problem } from "../../src/problem.ts";
import type { Counter } from "../../src/services.ts";
import { inLong } from "../support/lane/lane.ts";
import { museumHere } from "../support/museum/museum.ts";
import { newAccount } from "../support/museum/signed-in.ts";
import {
  counters,
  databasesAndCounters,
  isLeftOf,
  type OwnCounter,
  openCounter,
} from "../support/servers/counters.ts";

const ADDRESS = "Curator@Museum.example";
const PASSWORD = "a quiet Depot, 1888";
const WRONG = "not the password";

const everywhere = "guessing passwords in a museum with the $database database, counted $counting";
describe.each(databasesAndCounters)(everywhere, async ({ database, counting }) => {
  const museum = await museumHere({ database });
  const passwordHash = await museum.services.passwords.hash(normalisePassword(PASSWORD));
  const id = await newAccount(museum.services.sql, ADDRESS, { displayName: "Curator", passwordHash });

  let counter: OwnCounter;
  let verified = 0;
  /** Each test has its own address, so that none is known from the test before. */
  let round = 0;
  let login: (password: string, email?: string, remote?: string) => Promise<Response>;
  let app: ReturnType<typeof createApp>["app"];
  beforeEach(async () => {
    verified = 0;
    round += 1;
    const { passwords } = museum.services;
    const watched = {
      ...passwords,
      verify(password: string, hash: string) {
        verified++;
        return passwords.verify(password, hash);
      },
    };
    counter = await openCounter(counting);
    // how often an address may sign in at all is tested elsewhere
    const patient: Counter = {
      ...counter,
      hit: (limit, who) => counter.hit(limit.name === "login" ? { ...limit, limit: 10_000 } : limit, who),
    };
    ({ app } = createApp({ ...museum.services, counter: patient, passwords: watched }));
    login = async (password, email = ADDRESS, remote = `198.51.100.${round}`) =>
      app.request(
        "/v1/auth/login",
        {
          method: "POST",
          body: JSON.stringify({ email, password }),
          headers: { "Content-Type": "application/json" },
        },
        { remote },
      );
  });

  afterEach(() => counter.close());

  const blocked = () => museum.services.sql<{ account_id: string | null; client: string }[]>`
    select account_id, client from security_events where event = 'login_blocked' order by at, id`;

  it("locks out an address after five failures: even the right password is refused, unchecked", async () => {
    for (let n = 0; n < 5; n++) expect((await login(WRONG)).status).toBe(401);
    const before = await blocked();
    const sixth = await login(PASSWORD);
    expect(sixth.status).toBe(429);
    const seconds = sixth.headers.get("Retry-After");
    expect(isLeftOf(900, Number(seconds), counter), seconds!).toBe(true);
    // this is not the limit of requests, which is far from used up
    expect(sixth.headers.get("RateLimit")).toBe(`"password";r=0;t=${seconds}`);
    expect(sixth.headers.get("RateLimit-Policy")).toBe('"password";q=5;w=900');
    expect(sixth.headers.get("Content-Type")).toBe("application/problem+json");
    const { detail } = (await sixth.json()) as { detail: string };
    expect(detail).toMatch(
      /^After too many wrong passwords, this account is locked .*svc-manage reset-admin; try again in/,
    );
    expect(verified).toBe(5);
    await login(PASSWORD);
    // logged once, however often the address tries again
    expect((await blocked()).slice(before.length)).toEqual([
      { account_id: id, client: `198.51.100.${round}` },
    ]);
  });

  const farAway = (n: number) => `2001:db8:${n.toString(16)}::1`;

  inLong(it)("from one address, 300 at once, has five passwords checked", async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) => login(n === 299 ? PASSWORD : `${WRONG} ${n}`)),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(295);
    expect(verified).toBe(5);
  });

  inLong(it)(
    "from 300 addresses at once has a hundred passwords checked, and its owner can still sign in at a known address",
    async () => {
      // a first sign-in makes this address a known one
      expect((await login(PASSWORD)).status).toBe(200);
      const quick = await argon2(normalisePassword(PASSWORD), { memoryCost: 8, timeCost: 1, parallelism: 1 });
      await museum.services.sql`update accounts set password_hash = ${quick} where id = ${id}`;
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, n) =>
          login(n === 299 ? PASSWORD : `${WRONG} ${n}`, ADDRESS, farAway(n)),
        ),
      );
      expect(answers.filter(({ status }) => status === 429).length).toBe(201);
      expect(verified).toBe(100);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.headers.get("RateLimit-Policy")).toBe('"password-strangers";q=100;w=900');
      // the attack goes on
      for (let n = 0; n < 3; n++) expect((await login(PASSWORD)).status).toBe(200);
      expect((await login(PASSWORD, ADDRESS, "203.0.113.9")).status).toBe(429);
    },
    120_000,
  );

  it("from elsewhere does not lock the owner out, neither at a known address nor at a new one", async () => {
    for (let n = 0; n < 6; n++) await login(WRONG, ADDRESS, "203.0.113.66");
    expect((await login(PASSWORD, ADDRESS, "203.0.113.66")).status).toBe(429);
    expect((await login(PASSWORD)).status).toBe(200);
    expect((await login(PASSWORD, ADDRESS, farAway(7))).status).toBe(200);
  });

  it("is counted for a whole IPv6 network, as households have it", async () => {
    for (let n = 0; n < 5; n++) await login(WRONG, ADDRESS, `2001:db8:99::${n + 1}`);
    expect((await login(PASSWORD, ADDRESS, "2001:db8:99::99")).status).toBe(429);
    expect((await login(PASSWORD, ADDRESS, "2001:db8:98::1")).status).toBe(200);
  });

  it("is counted for the account in every spelling of its address", async () => {
    const ways = [
      ADDRESS,
      ADDRESS.toUpperCase(),
      ` ${ADDRESS} `,
      ADDRESS.replace("Museum", "Ｍｕｓｅｕｍ"),
      ADDRESS,
    ];
    for (const way of ways) expect((await login(WRONG, way)).status).toBe(401);
    expect((await login(PASSWORD)).status).toBe(429);
  });

  it("does not reveal whether an account exists", async () => {
    const answersTo = async (email: string) => {
      const answers = [];
      for (let n = 0; n < 7; n++) {
        const answer = await login(WRONG, email);
        const { status } = answer;
        const seconds = answer.headers.get("Retry-After");
        expect(seconds !== null && isLeftOf(900, Number(seconds), counter)).toBe(status === 429);
        // the clock goes on between the requests
        answers.push([status, (await answer.text()).replace(`in ${seconds} seconds`, "in so many seconds")]);
      }
      return answers;
    };
    expect(await answersTo("nobody@museum.example")).toEqual(await answersTo(ADDRESS));
    expect((await blocked()).at(-2)).toMatchObject({ account_id: null });
  });

  it("is counted anew after a quarter of an hour, one failure at a time, and after the right password", async () => {
    for (let n = 0; n < 6; n++) await login(WRONG);
    await counter.pass(880_000);
    expect((await login(PASSWORD)).status).toBe(429);
    await counter.pass(20_000);
    expect((await login(WRONG)).status).toBe(401);
    expect((await login(PASSWORD)).status).toBe(429);
    await counter.pass(900_000);
    expect((await login(PASSWORD)).status).toBe(200);
    for (let n = 0; n < 5; n++) expect((await login(WRONG)).status).toBe(401);
  });

  it("locks nobody out after four mistakes and then the right password", async () => {
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) expect((await login(WRONG)).status).toBe(401);
      expect((await login(PASSWORD)).status).toBe(200);
    }
  });

  it("no longer counts after a new password, and is then counted from zero", async () => {
    const { sql, passwords } = museum.services;
    for (let n = 0; n < 6; n++) await login(WRONG);
    expect((await login(PASSWORD)).status).toBe(429);
    const given = await passwords.hash(normalisePassword("a depot given anew, 1890"));
    const again = await passwords.hash(normalisePassword(PASSWORD));
    const take = (hash: string) =>
      sql.begin(async (tx) => setPassword(tx, (await findAccountById(tx, id))!, hash));
    await take(given);
    expect((await login("a depot given anew, 1890")).status).toBe(200);
    for (let n = 0; n < 5; n++) expect((await login(PASSWORD)).status).toBe(401);
    expect((await login("a depot given anew, 1890")).status).toBe(429);
    await take(again);
    expect((await login(PASSWORD)).status).toBe(200);
  });

  it("for one account does not lock out another", async () => {
    for (let n = 0; n < 6; n++) await login(WRONG, "another@museum.example");
    expect((await login(PASSWORD)).status).toBe(200);
  });

  it("is not easier with a session that was left open", async () => {
    const { access_token } = (await (await login(PASSWORD)).json()) as { access_token: string };
    const change = async (current_password: string) =>
      app.request(
        "/v1/auth/password",
        {
          method: "POST",
          body: JSON.stringify({ current_password, new_password: "another quiet Depot, 1889" }),
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${access_token}` },
        },
        { remote: `198.51.100.${round}` },
      );
    const failed = () => museum.services.sql`
      select actor_id, account_id, client, detail from security_events
      where event = 'password_change_failed' order by at, id`;
    const before = (await failed()).length;
    const blockedBefore = (await blocked()).length;
    // two here and three at sign-in make five
    for (let n = 0; n < 2; n++) expect((await change(WRONG)).status).toBe(422);
    for (let n = 0; n < 3; n++) expect((await login(WRONG)).status).toBe(401);
    expect((await change(PASSWORD)).status).toBe(429);
    expect((await login(PASSWORD)).status).toBe(429);
    const one = { actor_id: id, account_id: id, client: `198.51.100.${round}`, detail: {} };
    expect((await failed()).slice(before)).toEqual([one, one]);
    expect((await blocked()).slice(blockedBefore)).toMatchObject([
      { account_id: id, client: `198.51.100.${round}` },
    ]);
  });
});

it.each(counters)("an account gets at most three reset mails an hour, counted %s", async (counting) => {
  const counter = await openCounter(counting);
  const services = { counter };
  for (let n = 0; n < 3; n++) await demandResetAllowed(services, ADDRESS);
  const refused = await demandResetAllowed(services, ADDRESS.toLowerCase()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Problem);
  expect(refused).toMatchObject({ status: 429 });
  const seconds = Number((refused as Problem).headers["Retry-After"]);
  expect(isLeftOf(3_600, seconds, counter), `${seconds}`).toBe(true);
  await demandResetAllowed(services, "another@museum.example");
  await counter.pass(3_600_000);
  await demandResetAllowed(services, ADDRESS);
  await counter.close();
});
