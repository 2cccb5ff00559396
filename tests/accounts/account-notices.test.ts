/** Account owners get a mail when their password or address was changed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { noticeMail } from "../../src/accounts/account-notices.ts";
import { normalisePassword } from "../../src/accounts/passwords/passwords.ts";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { smtpMail } from "../../src/adapters/mail/smtp.ts";
import { resetAdmin } from "../../src/staff/admin-reset.ts";
import { sendMails } from "../../workers/send-mails.ts";
import { notTried } from "../support/lane/skipped.ts";
import { read } from "../support/museum/catalogue.ts";
import { type Ask, databases, type Museum, openMuseum } from "../support/museum/museum.ts";
import { newAccount } from "../support/museum/signed-in.ts";
import { makeAuthority, openRelay, type Relay } from "../support/servers/relay.ts";

const authority = makeAuthority();
if (!authority) notTried("mails about changes to an account: there is no openssl to make certificates with");

const ADDRESS = "ida.brandt@museum.example";
const OTHER = "somebody.else@museum.example";
const OLD = "a quiet Depot, 1888";
const NEW = "seven lanterns at the pier";

describe.runIf(authority).each(databases)("account notices in the %s database", (database) => {
  let museum: Museum;
  let admin: Ask;
  let ida: string;
  let oldHash: string;
  let relay: Relay;

  beforeAll(async () => {
    relay = await openRelay({ tls: "starttls", certificate: authority?.certify("localhost") });
    museum = await openMuseum({
      database,
      env: {
        SVC_BASE_URL: "https://museum.example",
        SECRET_KEY: "3f7b1d9c4e8a2065f1b7c3d9e5a8402617fb3c9d5e1a8046",
        SMTP_ENABLED: "true",
        SMTP_HOST: "localhost",
        SMTP_PORT: String(relay.port),
        SMTP_STARTTLS: "true",
        SMTP_FROM: "post@museum.example",
      },
    });
    oldHash = await museum.services.passwords.hash(normalisePassword(OLD));
  });
  afterAll(async () => {
    await relay.close();
    await museum.close();
  });

  beforeEach(async () => {
    const { services } = museum;
    relay.mails.length = 0;
    services.mail = smtpMail(services.config.smtp!, [authority!.ca]);
    services.counter = inProcessCounter();
    await services.sql`delete from mail_queue`;
    await services.sql`delete from accounts`;
    admin = await museum.as("superuser");
    const more = { displayName: "Ida", role: "admin", passwordHash: oldHash };
    ida = await newAccount(services.sql, ADDRESS, more);
  });

  const change = (json: object, status = 200, headers = {}) =>
    read(admin(`/v1/users/${ida}`, { method: "PATCH", json, headers }), status);
  const changeOwn = async () => {
    const login = { json: { email: ADDRESS, password: OLD } };
    const { access_token } = await read<{ access_token: string }>(museum.ask("/v1/auth/login", login));
    const json = { current_password: OLD, new_password: NEW };
    const headers = { Authorization: `Bearer ${access_token}` };
    await read(museum.ask("/v1/auth/password", { json, headers }));
  };
  const reset = async () => {
    await read(museum.ask("/v1/auth/password-reset", { json: { email: ADDRESS } }), 202);
    expect(await sendMails(museum.services)).toBe(1);
    const token = /#token=([\w-]+)/.exec(relay.mails.pop()!.text)![1];
    await read(museum.ask("/v1/auth/password-reset/confirm", { json: { token, new_password: NEW } }), 204);
  };
  const resetByOperator = () =>
    resetAdmin(museum.services, { id: ida, email: ADDRESS }, { enable: false }).then(() => undefined);
  const ways: [string, () => Promise<unknown>][] = [
    ["by its owner", changeOwn],
    ["by mail", reset],
    ["by an administrator", () => change({ password: NEW })],
    ["by whoever runs the service", resetByOperator],
  ];

  it.each(ways)(
    "a password changed %s is reported to the account's address, without a secret",
    async (_by, way) => {
      await way();
      expect(await sendMails(museum.services)).toBe(1);
      expect(relay.mails).toMatchObject([{ to: [ADDRESS], from: "post@museum.example" }]);
      const { text, html, headers } = relay.mails[0]!;
      expect(headers).toContain("Subject: Your password for museum.example was changed");
      expect(text).toMatch(/was changed on \d{1,2} \w+ \d{4} at \d\d:\d\d \(\w/);
      for (const words of [text, html]) {
        expect(words).toContain("If not, tell the administrator of museum.example at once");
        expect(words).toContain("https://museum.example/admin/forgotten");
        expect(words).not.toMatch(new RegExp(`${OLD}|${NEW}|token`));
      }
      expect(await museum.services.sql`select 1 from mail_queue`).toHaveLength(0);
    },
  );

  const withoutMail = ways.filter(([, way]) => way !== reset);

  it.each(withoutMail)(
    "without a mail server, no notice is queued for a password changed %s",
    async (_by, way) => {
      museum.services.mail = null;
      await way();
      await change({ email: OTHER });
      expect(await museum.services.sql`select 1 from mail_queue`).toHaveLength(0);
    },
  );

  it("an address change is reported to the old address, a password change to the new one", async () => {
    await change({ email: OTHER, password: NEW });
    expect(await sendMails(museum.services)).toBe(2);
    const [addressNotice] = relay.mails.filter(({ to }) => to[0] === ADDRESS);
    expect(relay.mails.map(({ to }) => to[0]).sort()).toEqual([ADDRESS, OTHER]);
    expect(addressNotice!.headers).toContain("Subject: Your address at museum.example was changed");
    expect(addressNotice!.text).toMatch(
      /e-mail address of your account at museum.example was changed on \d{1,2} \w+ \d{4} at \d\d:\d\d/,
    );
    expect(addressNotice!.text).toContain("If not, tell the administrator of museum.example at once");
    expect(addressNotice!.source).not.toContain(OTHER);
  });

  it("a password notice goes to the address at the time of the change, even if the address is changed before it is sent", async () => {
    await change({ password: NEW });
    await change({ email: OTHER });
    await sendMails(museum.services);
    expect(relay.mails.map(({ to }) => to)).toEqual([[ADDRESS], [ADDRESS]]);
  });

  it("refused changes, the same address in other letter case and a new display name send no notice", async () => {
    await change({ email: OTHER, password: NEW }, 412, { "If-Match": '"another"' });
    await change({ email: OTHER, password: "short" }, 422);
    await change({ email: ADDRESS.toUpperCase(), display_name: "Ida B." });
    expect(await museum.services.sql`select 1 from mail_queue`).toHaveLength(0);
  });
});

it("a notice gives the time in the museum's time zone", () => {
  const config = {
    baseUrl: "https://museum.example",
    adminUrl: "https://museum.example/admin",
    timeZone: "Europe/Berlin",
  };
  const { text } = noticeMail(config, "password_changed", ADDRESS, "2026-07-01T22:30:00.123456", "en");
  expect(text).toContain(" was changed on 2 July 2026 at 00:30 (Europe/Berlin).");
});
