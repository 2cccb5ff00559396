/** The pages for a forgotten password: requesting the mail, and choosing a new password with its link. */
import { beforeEach, describe, expect, it } from "vitest";
import { normalisePassword } from "../../src/accounts/passwords/passwords.ts";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import type { OutgoingMail } from "../../src/services.ts";
import { sendMails } from "../../workers/send-mails.ts";
import { museumHere } from "../support/museum/museum.ts";
import { newAccount } from "../support/museum/signed-in.ts";
import { HOME, staffBrowser } from "../support/museum/staff-browser.ts";

const EMAIL = "ida@museum.example";
const OLD = "a quiet Depot, 1888";
const NEW = "seven lanterns at the pier";

const mails: OutgoingMail[] = [];
/** Limits are counted by address: each test has its own. */
let remote = "";
let tests = 0;

const museum = await museumHere();
const oldHash = await museum.services.passwords.hash(normalisePassword(OLD));
beforeEach(async () => {
  mails.length = 0;
  remote = `198.18.7.${++tests}`;
  museum.services.counter = inProcessCounter();
  museum.services.mail = {
    async send(mail) {
      mails.push(mail);
      return null;
    },
  };
  const { sql } = museum.services;
  await sql`delete from mail_queue`;
  await sql`delete from accounts where email = ${EMAIL}`;
  await newAccount(sql, EMAIL, { displayName: "Ida", passwordHash: oldHash, mustChangePassword: true });
});

/** What a browser does; after a redirect, `text` is that of the next page. */
async function browse(path: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await museum.api.app.request(
    `${HOME}${path}`,
    {
      method: form ? "POST" : "GET",
      body: form ? new URLSearchParams(form).toString() : null,
      headers: {
        Accept: "text/html,*/*;q=0.8",
        ...(form ? { "Content-Type": "application/x-www-form-urlencoded", Origin: HOME } : {}),
        ...headers,
      },
    },
    { remote },
  );
  const location = answer.headers.get("Location");
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0]!)
    .join("; ");
  const shown =
    location === null
      ? answer
      : await museum.api.app.request(
          `${HOME}${location}`,
          { headers: { Accept: "text/html", Cookie: cookie } },
          { remote },
        );
  return { status: answer.status, location, headers: answer.headers, text: await shown.text() };
}

const request = (email: string) => browse("/admin/forgotten", { email });
const reset = (token: string, new_password: string, headers?: Record<string, string>) =>
  browse("/admin/reset", { token, new_password, password_again: new_password }, headers);
const signIn = async (password: string) =>
  (await browse("/admin/sign-in", { email: EMAIL, password })).status;
const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, "");

async function tokenByMail(): Promise<string> {
  expect((await request(EMAIL)).status).toBe(303);
  expect(await sendMails(museum.services)).toBe(1);
  const [, page, token] = /(\/admin\/reset)#token=([\w-]+)/.exec(mails.at(-1)!.text)!;
  expect((await browse(page!)).status).toBe(200);
  return token!;
}

describe("a forgotten password", () => {
  it("is reported from the sign-in page, with the same answer whether the account exists or not", async () => {
    expect((await browse("/admin/sign-in")).text).toContain('href="/admin/forgotten"');
    expect((await browse("/admin/forgotten")).text).toContain('name="email"');
    const known = await request(EMAIL);
    const unknown = await request("nobody@museum.example");
    expect(known.text).toContain("If there is an account with this address");
    expect([unknown.status, unknown.location]).toEqual([known.status, known.location]);
    expect(withoutNonce(unknown.text)).toBe(withoutNonce(known.text));
    expect(await sendMails(museum.services)).toBe(1);
    expect(mails.map(({ to }) => to)).toEqual([EMAIL]);
  });

  it("can be reported three times an hour, and then the form says how long to wait", async () => {
    for (let n = 0; n < 3; n++) expect((await request(EMAIL)).status).toBe(303);
    const refused = await request(EMAIL);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, expect.any(String)]);
    expect(refused.text).toContain("Too many attempts. Please wait ");
    expect(refused.text).toContain(`value="${EMAIL}"`);
  });

  it("is replaced with the token of the mail, once", async () => {
    const token = await tokenByMail();
    const done = await reset(token, NEW);
    expect([done.status, done.location]).toEqual([303, "/admin/sign-in"]);
    expect(done.text).toContain("The password is changed.");
    expect(await signIn(OLD)).toBe(401);
    expect(await signIn(NEW)).toBe(303);
    const again = await reset(token, `${NEW}, too`);
    expect(again.status).toBe(422);
    expect(again.text).toContain("This link is not valid");
    expect(again.text).toContain('href="/admin/forgotten"');
    expect(again.text).not.toContain('name="new_password"');
  });

  it("is not replaced by a weak one: the form names the fault in the reader's language and keeps the token", async () => {
    const token = await tokenByMail();
    const weak = await reset(token, "short", { "Accept-Language": "de" });
    expect(weak.status).toBe(422);
    expect(weak.text).toContain('<a href="#new_password">Neues Passwort</a>: ist kürzer als 12 Zeichen');
    expect(weak.text).toContain(`name="token" value="${token}"`);
    expect(weak.text).not.toMatch(/id="with-token" hidden|short/);
    const twice = { token, new_password: NEW, password_again: `${NEW}s` };
    const mistyped = await browse("/admin/reset", twice);
    expect([mistyped.status, mistyped.text]).toEqual([
      422,
      expect.stringContaining(
        '<p class="fault" id="password_again-faults">The two new passwords differ.</p>',
      ),
    ]);
    expect(mistyped.text).toContain(`name="token" value="${token}"`);
    expect((await reset(token, NEW)).status).toBe(303);
  });

  it("can be replaced in a browser whose session is another one, or must first change the password", async () => {
    const token = await tokenByMail();
    const { cookie } = await staffBrowser(museum, "viewer");
    await museum.services.sql`update accounts set must_change_password = true where role = 'viewer'`;
    expect((await browse("/admin/reset", undefined, { Cookie: cookie })).status).toBe(200);
    expect((await reset(token, NEW, { Cookie: cookie })).status).toBe(303);
  });

  it("cannot be replaced from a page of another origin, nor guessed", async () => {
    const token = await tokenByMail();
    expect((await reset(token, NEW, { Origin: "https://elsewhere.example" })).status).toBe(403);
    const forgotten = await browse(
      "/admin/forgotten",
      { email: EMAIL },
      { Origin: "https://elsewhere.example" },
    );
    expect(forgotten.status).toBe(403);
    remote = "198.18.8.1";
    const guesses: number[] = [];
    for (let n = 0; n < 11; n++) guesses.push((await reset("A".repeat(43), NEW)).status);
    expect(guesses).toEqual([...Array<number>(10).fill(422), 429]);
  });

  it("opens no form without a token: the page says what to do", async () => {
    const { text, headers } = await browse("/admin/reset");
    expect(text).toContain("open the link in the e-mail again");
    expect(text).toMatch(/<div class="narrow" id="with-token" hidden>/);
    expect(text).toMatch(/<script type="module" src="\/assets\/secret-link\.\w+\.js" nonce=/);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  });

  it("is a matter for administrators where no mail is sent", async () => {
    museum.services.mail = null;
    expect((await browse("/admin/sign-in")).text).not.toContain("/admin/forgotten");
    for (const answer of [await browse("/admin/forgotten"), await request(EMAIL)]) {
      expect(answer.status).toBe(503);
      expect(answer.text).toContain("Ask an administrator for a new password");
      expect(answer.text).not.toContain('name="email"');
    }
    expect(await museum.services.sql`select 1 from mail_queue`).toHaveLength(0);
  });
});
