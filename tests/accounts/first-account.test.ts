/** Getting in for the first time: the code of the first start makes the first account somebody's own, once. */
import { beforeEach, describe, expect, it } from "vitest";
import { ensureFirstAdmin } from "../../src/accounts/first-run.ts";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { HOME } from "../support/museum/staff-browser.ts";

const PATH = "/admin/first-account";
const PASSWORD = "seven lanterns at the pier";
const IDA = { display_name: "Ida Quay", email: "ida@museum.example" };

describe.each(databases)("the first account in the %s database", async (database) => {
  let code = "";
  let printed = "";
  let forgotten: string[] = [];
  /** Limits are counted by address: each test has its own. */
  let remote = "";
  let tests = 0;

  const museum = await museumHere({ database });
  beforeEach(async () => {
    const { services } = museum;
    remote = `198.18.9.${++tests}`;
    services.counter = inProcessCounter();
    services.givenPasswords = { forget: async (email) => void forgotten.push(email) };
    await services.sql`delete from accounts`;
    await ensureFirstAdmin(services, {
      print(text) {
        printed = text;
      },
      writeCredentials: async () => undefined,
    });
    code = /^password: (.+)$/m.exec(printed)![1]!;
    forgotten = [];
  });

  async function browse(path: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
    const sent = form && new URLSearchParams(form).toString();
    const typed = { Origin: HOME, "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await museum.ask(path, {
      ...(sent === undefined ? {} : { method: "POST", body: sent }),
      headers: { Accept: "text/html", ...(sent === undefined ? {} : typed), ...headers },
      remote,
    });
    const location = answer.headers.get("Location");
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!);
    return { status: answer.status, location, cookies, headers: answer.headers, text: await answer.text() };
  }
  const claim = (more: Record<string, string> = {}) =>
    browse(PATH, { code, ...IDA, new_password: PASSWORD, password_again: PASSWORD, ...more });
  const signIn = async (email: string, password: string) =>
    (await browse("/admin/sign-in", { email, password })).status;
  const sessionOf = ({ cookies }: { cookies: string[] }) =>
    cookies.find((cookie) => cookie.startsWith("svc_session=") && cookie.length > 30);
  const emails = async () =>
    (await museum.services.sql<{ email: string }[]>`select email from accounts`).map(({ email }) => email);

  it("is what /admin asks for, and the link that is printed has the code only behind #", async () => {
    expect(printed).toContain(`\nlink: ${HOME}${PATH}#code=${code}\n`);
    expect((await browse("/admin")).location).toBe("/admin/sign-in?to=%2Fadmin");
    expect((await browse("/admin/sign-in?to=%2Fadmin")).location).toBe(PATH);
    const { status, text, headers } = await browse(PATH);
    expect(status).toBe(200);
    for (const name of ["code", "display_name", "email", "new_password", "password_again"])
      expect(text).toContain(`name="${name}"`);
    expect([headers.get("Cache-Control"), headers.get("Referrer-Policy")]).toEqual([
      "no-store",
      "no-referrer",
    ]);
  });

  it("gets its name, address and password, is signed in, and the code is of no use any more", async () => {
    const done = await claim({ code: ` ${code} ` });
    expect([done.status, done.location]).toEqual([303, "/admin"]);
    const desk = await browse("/admin", undefined, { Cookie: sessionOf(done)! });
    expect(desk.text).toContain(IDA.email);
    expect(forgotten).toEqual(["admin@example.org"]);
    expect(await emails()).toEqual([IDA.email]);
    expect([await signIn(IDA.email, PASSWORD), await signIn(IDA.email, code)]).toEqual([303, 401]);

    const again = await claim({ email: "max@museum.example" });
    expect([again.status, again.location, sessionOf(again)]).toEqual([303, "/admin/sign-in", undefined]);
    const told = await browse("/admin/sign-in", undefined, { Cookie: again.cookies.join("; ") });
    expect(told.text).toContain("its code was used");
    expect((await browse(PATH)).location).toBe("/admin/sign-in");
    expect(await emails()).toEqual([IDA.email]);
    const events = await museum.services.sql<{ event: string }[]>`
      select event from security_events where account_id = (select id from accounts) order by at, id`;
    expect(events.map(({ event }) => event)).toEqual([
      ...["account_changed", "login_succeeded", "login_succeeded", "login_failed"],
    ]);
  });

  it("belongs to one of two who send the code at the same moment", async () => {
    const both = await Promise.all(["ida", "max"].map((who) => claim({ email: `${who}@museum.example` })));
    expect(both.map(({ location }) => location).sort()).toEqual(["/admin", "/admin/sign-in"]);
    const [winner] = both.flatMap((each, n) => (sessionOf(each) ? [n] : []));
    expect(await emails()).toEqual([`${["ida", "max"][winner!]}@museum.example`]);
  });

  it("is not given for a wrong code, and after five nobody at that address can try any more", async () => {
    const guesses: string[] = [];
    for (let n = 0; n < 5; n++) guesses.push((await claim({ code: `${code}x` })).text);
    for (const text of guesses) expect(text).toContain("is not the first-run code");
    const locked = await claim();
    expect([locked.status, locked.location]).toEqual([429, null]);
    expect(locked.text).toContain(`value="${IDA.email}"`);
    expect(await emails()).toEqual(["admin@example.org"]);
    remote = "198.18.10.1";
    expect((await claim()).status).toBe(303);
  });

  it("counts with the other ways to sign in, ten a minute for an address", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await claim({ new_password: "short" })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });

  it("keeps what was typed when something is wrong with it, and does not count that as a wrong code", async () => {
    const wrong: Record<string, string>[] = [
      { email: "nobody" },
      { display_name: " " },
      { new_password: "short", password_again: "short" },
      { password_again: "another one" },
      { new_password: code, password_again: code },
      { new_password: `ida ${PASSWORD}`, password_again: `ida ${PASSWORD}` },
    ];
    for (const more of wrong) {
      const { status, text } = await claim(more);
      expect(status, JSON.stringify(more)).toBe(422);
      expect(text).toContain(`name="code" required`);
      expect(text).toContain(`value="${more.email ?? IDA.email}"`);
      expect(text).toContain('aria-invalid="true"');
    }
    expect(await emails()).toEqual(["admin@example.org"]);
    expect((await claim()).status).toBe(303);
  });

  it("is refused from a page of another origin", async () => {
    expect((await browse(PATH, { code, ...IDA }, { Origin: "https://elsewhere.example" })).status).toBe(403);
  });

  it("is left to the usual sign-in once its password was used, or when somebody else has an account", async () => {
    const usual = async () => {
      const { status, text } = await browse("/admin/sign-in");
      expect(text).toContain("svc-manage reset-admin");
      return status;
    };
    await museum.as("viewer");
    expect(await usual()).toBe(200);
    expect((await claim()).location).toBe("/admin/sign-in");
    await museum.services.sql`delete from accounts where role = 'viewer'`;
    expect((await browse("/admin/sign-in")).location).toBe(PATH);
    expect(await signIn("admin@example.org", code)).toBe(303);
    expect(await usual()).toBe(200);
    expect((await claim()).location).toBe("/admin/sign-in");
    expect(await emails()).toEqual(["admin@example.org"]);
  });
});
