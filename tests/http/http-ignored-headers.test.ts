/** A cookie or header that does not parse is ignored: the answer is the same as without it. */
import { describe, expect, it } from "vitest";
import { isShort } from "../support/lane/lane.ts";
import { museumHere } from "../support/museum/museum.ts";

/** Those that select or continue an answer; credentials and preconditions of a write are refused instead. */
const HEADERS = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "If-Modified-Since",
  "If-None-Match",
  "If-Range",
  "Last-Event-ID",
  "Origin",
  "Range",
  "Sec-Fetch-Site",
  "X-CSRF-Token",
  "X-Forwarded-For",
  "X-Request-Id",
];

const COOKIES = ["svc_flash", "svc_language", "svc_refresh", "svc_session"];

const UNREADABLE = [
  "x",
  "%",
  "%E0%A4%A",
  "=",
  ";;;",
  '"',
  ",,,",
  "\u00ff",
  "-1",
  "1e999",
  "constructor",
  'text/html;q="\\',
  "a".repeat(3_000),
];

const BROWSER: Record<string, string> = { Accept: "text/html, */*;q=0.5" };

const PATHS = [
  "/",
  "/search?q=a",
  "/nowhere",
  "/objects/nowhere",
  "/admin",
  "/assets/nowhere",
  "/v1/objects",
  "/v1/nowhere",
  "/v1/auth/me",
  "/v1/search?q=a",
  "/sparql",
  "/oai?verb=Identify",
  "/iiif/3/nowhere/info.json",
  "/health",
  "/robots.txt",
];

describe("headers that do not parse", async () => {
  const museum = await museumHere();

  const statusOf = async (path: string, headers: Record<string, string>) => {
    const answer = await museum.ask(path, { headers });
    await answer.body?.cancel();
    return answer.status;
  };

  it.each(PATHS)("are ignored by %s", async (path) => {
    const plain = await statusOf(path, {});
    const page = await statusOf(path, BROWSER);
    const different: string[] = [];
    // in the short lane a third of them for each path, others for its neighbours
    for (const value of UNREADABLE.filter((_, at) => !isShort || (at + PATHS.indexOf(path)) % 3 === 0)) {
      const cookies = [value, ...COOKIES.map((name) => `${name}=${value}`)].map((Cookie) => ({ Cookie }));
      for (const headers of [...HEADERS.map((name) => ({ [name]: value })), ...cookies]) {
        const got = [await statusOf(path, headers), await statusOf(path, { ...BROWSER, ...headers })];
        const isAccept = "Accept" in headers;
        const wanted = [plain, isAccept ? plain : page];
        if (String(got) !== String(wanted))
          different.push(`${JSON.stringify(headers).slice(0, 60)}: ${got}, not ${wanted}`);
      }
    }
    expect(different).toEqual([]);
  });
});
