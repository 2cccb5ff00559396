/** Acts like a browser of staff: signs in on the page, keeps the cookie, and sends forms with the token of the last page. */
import { expect } from "vitest";
import type { Museum } from "./museum.ts";
import { newAccount } from "./signed-in.ts";

export const HOME = "http://127.0.0.1:8000";
const PASSWORD = "a long walk by the harbour";
let visitors = 0;

export type StaffBrowser = {
  get(path: string): Promise<Response>;
  text(path: string): Promise<string>;
  /** Sends a form of a staff page. @param csrf a token other than that of the page */
  send(path: string, form: Record<string, string>, csrf?: string): Promise<Response>;
  /** A form with a file. */
  sendFile(path: string, body: FormData): Promise<Response>;
  cookie: string;
  csrf: string;
};

/** Creates somebody with this role and signs them in. */
export async function staffBrowser(museum: Museum, role: string, language = "en"): Promise<StaffBrowser> {
  const { app } = museum.api;
  const email = `${role}-${++visitors}@example.org`;
  const passwordHash = await museum.services.passwords.hash(PASSWORD);
  await newAccount(museum.services.sql, email, { displayName: role, role, passwordHash });
  const ask = (path: string, cookie: string, form?: Record<string, string> | FormData) =>
    app.request(
      `${HOME}${path}`,
      {
        method: form ? "POST" : "GET",
        body: form instanceof FormData ? form : form ? new URLSearchParams(form).toString() : null,
        headers: {
          Accept: "text/html,*/*;q=0.8",
          "Accept-Language": language,
          ...(form ? { Origin: HOME } : {}),
          ...(form && !(form instanceof FormData)
            ? { "Content-Type": "application/x-www-form-urlencoded" }
            : {}),
          ...(cookie ? { Cookie: cookie } : {}),
        },
      },
      { remote: `198.18.${Math.floor(visitors / 250)}.${visitors++ % 250}` },
    );
  const entered = await ask("/admin/sign-in", "", { email, password: PASSWORD });
  const cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(";")[0]!)
    .find((each) => each.includes("svc_session="));
  if (!cookie) throw new Error(`${email} could not sign in: ${entered.status}`);
  const csrf = /name="_csrf" value="([^"]+)"/.exec(await (await ask("/admin", cookie)).text())![1]!;
  return {
    cookie,
    csrf,
    get: async (path) => ask(path, cookie),
    text: async (path) => (await ask(path, cookie)).text(),
    sendFile: async (path, body) => ask(path, cookie, body),
    send: async (path, form, token = csrf) => ask(path, cookie, { ...form, _csrf: token }),
  };
}

/** The numbers of the records in a table, in the order of the page. */
export const numbersIn = (page: string): string[] =>
  [...page.matchAll(/<(?:td class="nowrap"><a [^>]*|small class="nowrap")>([^<]*)</g)].map(
    ([, idno]) => idno!,
  );

/** What the form of a new object sends at least. */
export const NEW_OBJECT = { object_type: "painting", status: "draft", collection_status: "active" };

/** Creates an object with the form and returns the address of its page. */
export async function objectByForm(browser: StaffBrowser, form: Record<string, string>): Promise<string> {
  const made = await browser.send("/admin/objects/new", { ...NEW_OBJECT, ...form });
  expect([made.status, await made.text()]).toEqual([303, ""]);
  return made.headers.get("Location")!;
}
