/** Somebody who forgot a password can set a new one by mail; nobody else can. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { normalisePassword } from "../../src/accounts/passwords/passwords.ts";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { smtpMail } from "../../src/adapters/mail/smtp.ts";
import type { Sql } from "../../src/services.ts";
import { housekeep } from "../../workers/housekeeping.ts";
import { sendMails } from "../../workers/send-mails.ts";
import { inLong } from "../support/lane/lane.ts";
import { notTried } from "../support/lane/skipped.ts";
import { faults, type ProblemJson, read } from "../support/museum/catalogue.ts";
import { databases, type Museum, openMuseum } from "../support/museum/museum.ts";
import { newAccount } from "../support/museum/signed-in.ts";
import { makeAuthority, openRelay, type Relay } from "../support/servers/relay.ts";

const authority = makeAuthority();
if (!authority) notTried("password reset by mail: there is no openssl to make certificates with");

const ADDRESS = "Ida.Brandt@museum.example";
const OLD = "a quiet Depot, 1888";
const NEW = "seven lanterns at the pier";
const RESET = "/v1/auth/password-reset";
const SITE = {
  SVC_BASE_URL: "https://museum.example",
  SVC_ADMIN_URL: "https://staff.museum.example/admin",
  SECRET_KEY: "3f7b1d9c4e8a2065f1b7c3d9e5a8402617fb3c9d5e1a8046",
};

describe.runIf(authority).each(databases)("a password reset in the %s database", (database) => {
  const certificate = authority?.certify("localhost");
  let museum: Museum;
  let sql: Sql;
  let oldHash: string;
  let ida: string;
  let relay: Relay;

  beforeAll(async () => {
    relay = await openRelay({ tls: "starttls", certificate });
    const mail = {
      ...{
        SMTP_ENABLED: "true",
        SMTP_HOST: "localhost",
        SMTP_PORT: String(relay.port),
        SMTP_STARTTLS: "true",
      },
      SMTP_FROM: "The Museum <post@museum.example>",
    };
    museum = await openMuseum({ database, env: { ...SITE, ...mail } });
    sql = museum.services.sql;
    museum.services.mail = smtpMail(museum.services.config.smtp!, [authority!.ca]);
    oldHash = await museum.services.passwords.hash(normalisePassword(OLD));
  });
  afterAll(async () => {
    await relay.close();
    await museum.close();
  });

  beforeEach(async () => {
    relay.mails.length = 0;
    museum.log.length = 0;
    // limits are tested elsewhere
    museum.services.counter = inProcessCounter();
    await sql`delete from mail_queue`;
    await sql`delete from accounts`;
    ida = await hire(ADDRESS);
  });

  const hire = (email: string, mustChangePassword = false) =>
    newAccount(sql, email, { displayName: "Ida", passwordHash: oldHash, mustChangePassword });

  const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
    museum.ask(path, { json, headers });
  const request = (email: string, headers?: Record<string, string>) => post(RESET, { email }, headers);
  const confirm = (token: string, new_password = NEW) => post(`${RESET}/confirm`, { token, new_password });
  const signIn = (password: string, email = ADDRESS) => post("/v1/auth/login", { email, password });
  const deliver = () => sendMails(museum.services);
  const queue = () => sql`select * from mail_queue order by id`;
  const tokenIn = (text: string) => /#token=([\w-]+)/.exec(text)?.[1] ?? "";
  /** Requests a reset, delivers the mail and answers the token in it. */
  async function tokenByMail(email = ADDRESS): Promise<string> {
    await read(request(email), 202);
    expect(await deliver()).toBe(1);
    return tokenIn(relay.mails.at(-1)!.text);
  }

  it("sends a link by mail, and the new password replaces the old one", async () => {
    const token = await tokenByMail();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(relay.mails).toMatchObject([{ to: [ADDRESS], from: "post@museum.example", encrypted: true }]);
    await read(confirm(token), 204);
    await read(signIn(OLD), 401);
    expect(await read(signIn(NEW))).toMatchObject({ must_change_password: false });
    // the mail that notifies the owner
    expect(await queue()).toMatchObject([{ kind: "password_changed" }]);
  });

  it("sends its mails in the language of whoever asks", async () => {
    const json = { email: ADDRESS };
    await read(museum.ask("/v1/auth/password-reset", { json, headers: { "Accept-Language": "de-AT" } }), 202);
    await sendMails(museum.services);
    expect(relay.mails[0]!.headers).toContain("Neues_Passwort");
    expect(relay.mails[0]!.html).toContain('<html lang="de">');
  });

  it("is recorded in the log of security events, with the address of the client", async () => {
    const body = JSON.stringify({ email: ADDRESS });
    const headers = { "Content-Type": "application/json" };
    await read(
      museum.api.app.request(RESET, { method: "POST", body, headers }, { remote: "192.0.2.7" }),
      202,
    );
    await deliver();
    await read(confirm(tokenIn(relay.mails[0]!.text)), 204);
    expect(
      await sql`select event, actor_id, client from security_events where account_id = ${ida} order by at, id`,
    ).toEqual([
      { event: "password_reset_requested", actor_id: null, client: "192.0.2.7" },
      { event: "password_reset", actor_id: ida, client: expect.stringMatching(/^198\.1[89]\./) },
    ]);
  });

  it("uses only configured addresses in its mail, the same in plain text and in HTML", async () => {
    await read(
      request(ADDRESS, {
        Host: "thief.example.org",
        "X-Forwarded-Host": "thief.example.org",
        "X-Forwarded-Proto": "http",
        Forwarded: "host=thief.example.org",
        Origin: "https://thief.example.org",
        Referer: "https://thief.example.org/",
      }),
      202,
    );
    await deliver();
    const { text, html, source } = relay.mails[0]!;
    const link = `https://staff.museum.example/admin/reset#token=${tokenIn(text)}`;
    expect(text).toContain(`\n${link}\n`);
    expect(html).toContain(`href="${link}"`);
    for (const words of [text, html]) {
      expect(words).toContain("https://museum.example/v1/auth/password-reset/confirm");
      expect(words).toContain("30 minutes");
    }
    expect(source).not.toContain("thief");
  });

  it("ends every session of the account, and of no other account", async () => {
    await hire("olaf@museum.example");
    const bearer = async (email: string) => {
      const { access_token } = await read<{ access_token: string }>(signIn(OLD, email));
      return { headers: { Authorization: `Bearer ${access_token}` } };
    };
    const [hers, his] = [await bearer(ADDRESS), await bearer("olaf@museum.example")];
    await read(museum.ask("/v1/auth/me", hers));
    await read(confirm(await tokenByMail()), 204);
    await read(museum.ask("/v1/auth/me", hers), 401);
    await read(museum.ask("/v1/auth/me", his));
  });

  it("also satisfies a required password change, and ignores an expired access token sent along", async () => {
    await sql`update accounts set must_change_password = true where id = ${ida}`;
    const old = { Authorization: "Bearer a.b.c" };
    await read(request(ADDRESS, old), 202);
    await deliver();
    const token = tokenIn(relay.mails[0]!.text);
    await read(post(`${RESET}/confirm`, { token, new_password: NEW }, old), 204);
    expect(await read(signIn(NEW))).toMatchObject({ must_change_password: false });
  });

  it("accepts a token only once, even when it comes twice at the same time", async () => {
    const token = await tokenByMail();
    const answers = await Promise.all([confirm(token), confirm(token, `${NEW}, too`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422]);
    expect(await faults(confirm(token))).toEqual(["/token"]);
  });

  it("accepts a token for half an hour", async () => {
    const token = await tokenByMail();
    const [row] = await sql<{ minutes: number }[]>`
      select extract(epoch from expires_at - now()) / 60 as minutes from password_resets`;
    expect(Number(row!.minutes)).toBeGreaterThan(25);
    expect(Number(row!.minutes)).toBeLessThanOrEqual(30);
    await sql`update password_resets set expires_at = now() - interval '1 second'`;
    expect(await faults(confirm(token))).toEqual(["/token"]);
    await read(signIn(OLD));
    await housekeep(museum.services);
    expect(await sql`select 1 from password_resets`).toHaveLength(0);
  });

  it("ends the previous token as soon as a new one is requested", async () => {
    const first = await tokenByMail();
    await read(request(ADDRESS), 202);
    expect(await faults(confirm(first))).toEqual(["/token"]);
    await deliver();
    const second = tokenIn(relay.mails[1]!.text);
    expect(second).not.toBe(first);
    expect(await faults(confirm(first))).toEqual(["/token"]);
    await read(confirm(second), 204);
  });

  it("ends the token when the account gets another address", async () => {
    const token = await tokenByMail();
    const admin = await museum.as("superuser");
    await read(admin(`/v1/users/${ida}`, { method: "PATCH", json: { email: "ida.new@museum.example" } }));
    expect(await faults(confirm(token))).toEqual(["/token"]);
  });

  it("sends one mail for several requests before the worker runs", async () => {
    for (let n = 0; n < 3; n++) await read(request(ADDRESS), 202);
    expect(await deliver()).toBe(1);
    expect(relay.mails).toHaveLength(1);
  });

  it("ends the token when the password was changed or the account disabled in the meantime", async () => {
    const token = await tokenByMail();
    await sql`update accounts set token_version = token_version + 1`;
    expect(await faults(confirm(token))).toEqual(["/token"]);
    const another = await tokenByMail();
    await sql`update accounts set disabled_at = now()`;
    expect(await faults(confirm(another))).toEqual(["/token"]);
  });

  it("checks the new password by the usual rules, and a refused one does not use up the token", async () => {
    const token = await tokenByMail();
    for (const chosen of ["short", "password123456", "ida.brandt and her dog", "\ud800".padEnd(12, "x")]) {
      expect(await faults(confirm(token, chosen)), chosen).toEqual(["/new_password"]);
    }
    await read(confirm(token), 204);
  });

  it.each([
    ["an empty token", { token: "", new_password: NEW }, "/token"],
    ["a token that was made up", { token: "A".repeat(43), new_password: NEW }, "/token"],
    ["a hash of a token", { token: "0".repeat(64), new_password: NEW }, "/token"],
    ["a token with a NUL", { token: "\0", new_password: NEW }, "/token"],
    ["a token that is not text", { token: { $ne: "" }, new_password: NEW }, "/token"],
    ["a key nobody knows", { token: "A", new_password: NEW, email: ADDRESS }, "/email"],
  ])("names the faulty field: %s", async (_what, body, pointer) => {
    await tokenByMail();
    expect(await faults(post(`${RESET}/confirm`, body))).toEqual([pointer]);
  });

  it("stores nothing in the database or the log that opens the account", async () => {
    const token = await tokenByMail();
    const kept = JSON.stringify([await queue(), await sql`select * from password_resets`]);
    expect(kept).not.toContain(token);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
    const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    expect(kept).toContain(hash);
    expect(await faults(confirm(hash))).toEqual(["/token"]);
    await read(confirm(token), 204);
    expect(museum.log.join("\n")).toContain("mail sent");
    expect(museum.log.join("\n")).not.toMatch(new RegExp(`${token}|${NEW}`));
  });

  it("answers the same, and writes as many rows, for unknown and disabled accounts", async () => {
    await sql`update accounts set disabled_at = now()`;
    const olaf = await hire("olaf@museum.example");
    const answers = [];
    for (const email of ["olaf@museum.example", "nobody@museum.example", ADDRESS]) {
      const rows = async () =>
        (
          await sql<{ n: number }[]>`
          select (select count(*)::int from mail_queue) + (select count(*)::int from security_events) as n`
        )[0]!.n;
      const before = await rows();
      const response = await request(email);
      const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
      answers.push({ body: await read(response, 202), headers, rows: (await rows()) - before });
    }
    expect(answers[0]!.rows).toBe(2);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await deliver()).toBe(1);
    expect(relay.mails).toMatchObject([{ to: ["olaf@museum.example"] }]);
    expect(await queue()).toEqual([]);
    expect(await sql`select account_id from password_resets`).toEqual([{ account_id: olaf }]);
  });

  it("sends the mail to the address of the account, however it was typed", async () => {
    await read(request("  IDA.brandt@MUSEUM.example \r\n"), 202);
    expect(await deliver()).toBe(1);
    expect(relay.mails[0]!.to).toEqual([ADDRESS]);
    expect(relay.mails[0]!.headers).toMatch(new RegExp(`^To: ${ADDRESS}\\r?$`, "m"));
  });

  it.each([
    `${ADDRESS}\r\nBcc: thief@example.org`,
    `${ADDRESS}, thief@example.org`,
    `${ADDRESS}\0`,
    `"${ADDRESS}" <thief@example.org>`,
  ])("sends nothing to anybody for %j", async (email) => {
    await read(request(email), 202);
    expect(await deliver()).toBe(0);
    expect(relay.mails).toEqual([]);
  });

  it("gives up an account whose address contains two, with the reason", async () => {
    await hire("olaf@museum.example, thief@example.org");
    await read(request("olaf@museum.example, thief@example.org"), 202);
    expect(await deliver()).toBe(0);
    expect(await queue()).toMatchObject([
      { given_up_at: expect.any(String), last_error: expect.any(String) },
    ]);
    expect(relay.mails).toEqual([]);
  });

  describe("while the relay is down", () => {
    let port: number;
    beforeEach(async () => {
      port = relay.port;
      await relay.close();
    });
    afterEach(async () => {
      relay = await openRelay({ tls: "starttls", certificate, port }).catch(() => relay);
    });
    const due = () => sql`update mail_queue set due_at = now()`;

    it("gives the same answer, and sends the mail when the relay is back", async () => {
      await read(request(ADDRESS), 202);
      expect(await deliver()).toBe(0);
      expect(await queue()).toMatchObject([
        { attempts: 1, last_error: expect.stringContaining("ECONNREFUSED") },
      ]);
      // not due yet
      relay = await openRelay({ tls: "starttls", certificate, port });
      expect(await deliver()).toBe(0);
      await due();
      expect(await deliver()).toBe(1);
      expect(await queue()).toEqual([]);
      await read(confirm(tokenIn(relay.mails[0]!.text)), 204);
      await relay.close();
    });

    it("waits twice as long after each attempt, then gives up with the reason", async () => {
      await read(request(ADDRESS), 202);
      const waits: number[] = [];
      for (let tried = 1; tried <= 10; tried++) {
        await due();
        expect(await deliver()).toBe(0);
        const [row] = await sql<{ wait: number }[]>`
          select round(extract(epoch from due_at - now()) / 15)::int as wait from mail_queue`;
        waits.push(row!.wait / 4);
      }
      expect(waits.slice(0, 9)).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60]);
      expect(await queue()).toMatchObject([{ given_up_at: expect.any(String), attempts: 10 }]);
      expect(museum.log.join("\n")).toContain("mail given up");
      await due();
      await deliver();
      expect(await queue()).toMatchObject([{ attempts: 10 }]);
      await sql`update mail_queue set given_up_at = now() - interval '31 days'`;
      await housekeep(museum.services);
      expect(await queue()).toEqual([]);
    });
  });

  it("sends a mail that a killed process had claimed once the claim has expired", async () => {
    await read(request(ADDRESS), 202);
    await sql`update mail_queue set attempts = 1, due_at = now() + interval '2 minutes'`;
    expect(await deliver()).toBe(0);
    await sql`update mail_queue set due_at = now()`;
    expect(await deliver()).toBe(1);
  });

  it("sends each mail once when several workers run at the same time", async () => {
    const many = Array.from({ length: 6 }, (_, n) => `colleague-${n}@museum.example`);
    for (const email of many) {
      await hire(email);
      await read(request(email), 202);
    }
    const sent = await Promise.all([deliver(), deliver(), deliver()]);
    expect(sent.reduce((sum, n) => sum + n)).toBe(many.length);
    expect(relay.mails.map(({ to }) => to[0]).sort()).toEqual(many);
  });

  it("does not send a mail that is a day late", async () => {
    await read(request(ADDRESS), 202);
    await sql`update mail_queue set asked_at = now() - interval '25 hours'`;
    expect(await deliver()).toBe(0);
    expect(await queue()).toMatchObject([{ last_error: "it could not be sent for a day" }]);
  });

  it("is refused for everybody, with an explanation, while mail is switched off", async () => {
    const { mail } = museum.services;
    museum.services.mail = null;
    try {
      for (const email of [ADDRESS, "nobody@museum.example"]) {
        const problem = await read<ProblemJson>(request(email), 503);
        expect(problem.detail).toContain("ask an administrator");
      }
      expect(await queue()).toEqual([]);
      expect(await deliver()).toBe(0);
    } finally {
      museum.services.mail = mail;
    }
  });
});

inLong(it)("a museum without a relay has no mail", async () => {
  const museum = await openMuseum();
  expect(museum.services.mail).toBeNull();
  await museum.close();
});

inLong(it)("without mail, a reset is refused with an explanation and logs no error", async () => {
  const museum = await openMuseum();
  onTestFinished(() => museum.close());
  const { detail } = await read<ProblemJson>(museum.ask(RESET, { json: { email: ADDRESS } }), 503);
  expect(detail).toBe("This service sends no mail; ask an administrator for a new password");
  const lines = museum.log.map((line) => JSON.parse(line) as { level: string; status?: number });
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ level: "info", status: 503 });
});
