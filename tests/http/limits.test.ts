import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { bucketOf } from "../../src/config/networks.ts";
import { readConfig } from "../../src/config/read.ts";
import { inLong } from "../support/lane/lane.ts";
import { type ProblemJson, read } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";
import { newAccount, signedIn } from "../support/museum/signed-in.ts";
import { databasesAndCounters, isLeftOf, type OwnCounter, openCounter } from "../support/servers/counters.ts";

const everywhere = "a client of a museum with the $database database, with requests counted $counting,";
describe.each(databasesAndCounters)(everywhere, async ({ database, counting }) => {
  let counter: OwnCounter;
  const museum = await museumHere({ database, demo: true });
  beforeEach(async () => {
    counter = await openCounter(counting);
  });
  afterEach(() => counter.close());

  /** The same museum with other limits and its own counts. */
  function requester(env: Record<string, string> = {}) {
    const config = readConfig({ SVC_DATA_DIR: museum.dataDir, ...env });
    if (!config.ok) throw new Error(config.faults.join("\n"));
    const { app } = createApp({ ...museum.services, config: config.config, counter });
    return (path: string, remote = "192.0.2.1", init: RequestInit = {}) =>
      app.request(path, init, { remote });
  }

  /** The headers of somebody who is signed in. */
  async function credentials(): Promise<{ headers: Record<string, string> }> {
    const email = `${crypto.randomUUID()}@museum.example`;
    const id = await newAccount(museum.services.sql, email, { role: "viewer" });
    const token = await signedIn(museum.services, { id, token_version: 1 });
    return { headers: { Authorization: `Bearer ${token}` } };
  }

  /** Checks `RateLimit`: its seconds are those of the window that began with the first request, or a few less. */
  function expectLeft(answer: Response, name: string, remaining: number, seconds: number): void {
    const header = answer.headers.get("RateLimit") ?? "";
    const [, left] = new RegExp(`^"${name}";r=${remaining};t=(\\d+)$`).exec(header) ?? [];
    expect(left !== undefined && isLeftOf(seconds, Number(left), counter), header).toBe(true);
  }

  it("reads in every answer how many requests are left, and is refused when none are", async () => {
    const ask = requester({ RATE_LIMIT_DEFAULT: "3/hour" });
    const answers = [await ask("/v1/objects"), await ask("/v1/objects/none"), await ask("/nowhere")];
    expect(answers.map((answer) => answer.status)).toEqual([200, 422, 404]);
    for (const [n, answer] of answers.entries()) expectLeft(answer, "default", 2 - n, 3_600);
    const refused = await ask("/v1/objects");
    expect(refused.headers.get("RateLimit-Policy")).toBe('"default";q=3;w=3600');
    expectLeft(refused, "default", 0, 3_600);
    expect(refused.headers.get("RateLimit")).toContain(`t=${refused.headers.get("Retry-After")}`);
    expect(refused.headers.get("Content-Type")).toBe("application/problem+json");
    expect(refused.headers.get("X-Request-Id")).not.toBeNull();
    const problem = await read<ProblemJson>(refused, 429);
    expect(problem).toMatchObject({ type: "urn:svc:problem:too_many", instance: "/v1/objects" });
    expect((await ask("/v1/objects", "192.0.2.2")).status).toBe(200);
  });

  it("cannot get round a limit by the other prefix, another method or another query", async () => {
    const ask = requester({ RATE_LIMIT_PUBLIC_SEARCH: "4/hour" });
    const paths = [
      "/portal/v1/search",
      "/portal/v1/search?q=a",
      "/portal/v1/search/",
      "/portal/v1/search/advanced",
    ];
    for (const path of paths) expect((await ask(path)).status).not.toBe(429);
    for (const path of paths) expect((await ask(path)).status, path).toBe(429);
    expect((await ask(paths[0]!, "192.0.2.1", { method: "HEAD" })).status).toBe(429);
    expect((await ask("/v1/search")).headers.get("RateLimit-Policy")).toBe('"default";q=200;w=60');
  });

  it("has a separate limit for authority sources", async () => {
    const answer = await requester()("/api/v1/authorities/gnd?q=Mozart");
    expect(answer.headers.get("RateLimit-Policy")).toBe('"authorities";q=60;w=60');
  });

  it("may send many photographs one by one; asking where they belong counts like all else", async () => {
    const policyOf = async (type: string) => {
      const init = { method: "POST", body: "{}", headers: { "Content-Type": type } };
      const answer = await requester()("/v1/media/batch", "192.0.2.1", init);
      return answer.headers.get("RateLimit-Policy");
    };
    expect(await policyOf("multipart/form-data; boundary=x")).toBe('"media-batch";q=1200;w=60');
    expect(await policyOf("application/json")).toBe('"default";q=200;w=60');
  });

  it("may ask for the health without limit", async () => {
    const ask = requester({ RATE_LIMIT_DEFAULT: "1/day" });
    for (let n = 0; n < 5; n++) {
      const answer = await ask("/health");
      expect(answer.status).not.toBe(429);
      expect(answer.headers.get("RateLimit")).toBeNull();
    }
  });

  it("may load a whole page: its styles, scripts, fonts and logo are not counted", async () => {
    const ask = requester({ RATE_LIMIT_DEFAULT: "1/hour" });
    const page = await (await ask("/")).text();
    const [style] = /\/assets\/style\.[^"]+/.exec(page) ?? [];
    const files = [style!, style!, "/logo/none"];
    const statuses = await Promise.all(files.map(async (path) => (await ask(path)).status));
    expect(statuses).toEqual([200, 200, 404]);
    expect((await ask("/")).status).toBe(429);
  });

  it("is counted by account when signed in, from any address, and apart from visitors at the same address", async () => {
    const ask = requester({ RATE_LIMIT_DEFAULT: "2/hour" });
    const [one, other] = [await credentials(), await credentials()];
    const statuses = [];
    for (const remote of ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
      statuses.push((await ask("/v1/objects", remote, one)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await ask("/v1/objects", "192.0.2.3", other)).status).toBe(200);
    expect((await ask("/v1/objects", "192.0.2.3")).status).toBe(200);
  });

  it("cannot become somebody else with an invented X-Forwarded-For", async () => {
    const ask = requester({ RATE_LIMIT_DEFAULT: "5/hour" });
    const statuses = [];
    for (let n = 0; n < 50; n++) {
      const headers = { "X-Forwarded-For": `203.0.113.${n}`, Forwarded: `for=203.0.113.${n}` };
      statuses.push((await ask("/v1/objects", "192.0.2.1", { headers })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });

  it("behind a trusted proxy has the address that the proxy reports, not one that it sent to the proxy", async () => {
    const ask = requester({ RATE_LIMIT_DEFAULT: "5/hour", TRUSTED_PROXIES: "10.0.0.0/8" });
    const through = async (header: string) =>
      (await ask("/v1/objects", "10.0.0.1", { headers: { "X-Forwarded-For": header } })).status;
    const forged = [];
    for (let n = 0; n < 50; n++) forged.push(await through(`203.0.113.${n}, 192.0.2.1`));
    expect(forged.filter((status) => status === 200)).toHaveLength(5);
    expect(await through("192.0.2.2")).toBe(200);
    // without the proxy, the header is ignored
    const direct = { headers: { "X-Forwarded-For": "192.0.2.99" } };
    for (let n = 0; n < 5; n++) await ask("/v1/objects", "192.0.2.50", direct);
    expect((await ask("/v1/objects", "192.0.2.50", direct)).status).toBe(429);
  });

  it("may send wrong credentials only so often, without effect on those with right ones", async () => {
    const ask = requester({ RATE_LIMIT_DEFAULT: "3/hour" });
    const guess = (remote: string) =>
      ask("/v1/objects", remote, { headers: { Authorization: `Bearer ${crypto.randomUUID()}` } });
    const answers = [];
    for (let n = 0; n < 5; n++) answers.push(await guess("192.0.2.1"));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    expectLeft(answers[0]!, "refused", 2, 3_600);
    expect(answers[0]!.headers.get("WWW-Authenticate")).toContain("Bearer");
    expect(answers[4]!.headers.get("Retry-After")).not.toBeNull();
    expect(answers[4]!.headers.get("WWW-Authenticate")).toBeNull();
    expect(await answers[4]!.json()).toMatchObject({ status: 429, type: "urn:svc:problem:too_many" });
    expect((await ask("/v1/objects", "192.0.2.1", await credentials())).status).toBe(200);
    expect((await guess("192.0.2.2")).status).toBe(401);
  });

  inLong(it)("may sign in ten times a minute from one address, in either way, signed in or not", async () => {
    const ask = requester();
    const statuses = [];
    for (let n = 0; n < 12; n++) {
      const form = n % 2 === 0;
      const credentials = { email: `guess-${n}@museum.example`, password: "not the password" };
      const init = form
        ? {
            method: "POST",
            body: String(
              new URLSearchParams({ username: credentials.email, password: credentials.password }),
            ),
            headers: { "Content-Type": "application/x-www-form-urlencoded" },
          }
        : {
            method: "POST",
            body: JSON.stringify(credentials),
            headers: { "Content-Type": "application/json" },
          };
      statuses.push((await ask(form ? "/v1/auth/token" : "/api/v1/auth/login", "192.0.2.7", init)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await ask("/v1/auth/login", "192.0.2.7", { method: "POST" });
    expect(refused.headers.get("RateLimit-Policy")).toBe('"login";q=10;w=60');
    const page = await ask("/admin/sign-in", "192.0.2.7", { method: "POST" });
    expect([page.status, page.headers.get("RateLimit-Policy")]).toEqual([429, '"login";q=10;w=60']);
  });
});

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:0201", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "20010db800010002"],
  ["2001:db8:1:2::", "20010db800010002"],
  ["2001:DB8:1:2:ffff::1", "20010db800010002"],
  ["2001:db8:1:3::1", "20010db800010003"],
  ["fe80::1%eth0", "fe80000000000000"],
  ["::1", "0000000000000000"],
  ["", ""],
  ["not:an:address", ""],
])("the address %s is counted as %s", (address, bucket) => {
  expect(bucketOf(address)).toBe(bucket);
});
