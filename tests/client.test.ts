import fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config/read.ts";
import { clientAddress } from "../src/http/client.ts";
import type { Env } from "../src/http/endpoint.ts";

/** Who the service thinks is asking. */
async function clientOf(trusted: string, remote: string | undefined, forwarded?: string | string[]) {
  const read = readConfig(trusted ? { TRUSTED_PROXIES: trusted } : {});
  if (!read.ok) throw new Error(read.faults.join("\n"));
  const app = new Hono<Env>();
  app.use(clientAddress(read.config.trustedProxies));
  app.get("/", (c) => c.text(c.get("client")));
  const headers = new Headers();
  for (const one of [forwarded ?? []].flat()) headers.append("X-Forwarded-For", one);
  return (await app.request("/", { headers }, remote === undefined ? {} : { remote })).text();
}

const PROXIES = "10.0.0.0/8, fd00::/8";

describe("who is asking, where no proxy is trusted", () => {
  it.each(["203.0.113.9", "127.0.0.1", "10.0.0.1, 203.0.113.9", "::1", "unknown", ""])(
    "is the connection, whatever X-Forwarded-For %j says",
    async (forwarded) => {
      expect(await clientOf("", "192.0.2.1", forwarded)).toBe("192.0.2.1");
      expect(await clientOf(PROXIES, "192.0.2.1", forwarded)).toBe("192.0.2.1");
    },
  );

  it("is nobody where the runtime does not know", async () => {
    expect(await clientOf("", undefined, "203.0.113.9")).toBe("");
    expect(await clientOf(PROXIES, undefined, "203.0.113.9")).toBe("");
    expect(await clientOf("0.0.0.0/0, ::/0", undefined, "203.0.113.9")).toBe("");
  });
});

describe("who is asking, behind trusted proxies", () => {
  it.each([
    ["a proxy that says nothing is the client itself", undefined, "10.0.0.1"],
    ["the address the proxy saw", "192.0.2.1", "192.0.2.1"],
    ["not what the client invented before it", "203.0.113.9, 192.0.2.1", "192.0.2.1"],
    ["not an invented proxy either", "203.0.113.9, 10.9.9.9, 192.0.2.1", "192.0.2.1"],
    ["through two proxies", "203.0.113.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"],
    ["through IPv6 proxies", "192.0.2.1, fd00::2, fd12:3456::1", "192.0.2.1"],
    ["without spaces, or with many", "203.0.113.9,  192.0.2.1 ,10.0.0.2", "192.0.2.1"],
    ["with a port", "192.0.2.1:4711", "192.0.2.1"],
    ["IPv6", "2001:db8::1", "2001:db8::1"],
    ["IPv6 in brackets with a port", "[2001:db8::1]:4711", "2001:db8::1"],
    ["IPv6 in brackets", "[2001:db8::1]", "2001:db8::1"],
    ["a proxy written as mapped IPv6", "192.0.2.1, ::ffff:10.0.0.2", "192.0.2.1"],
    ["a proxy with a port", "192.0.2.1, 10.0.0.2:80", "192.0.2.1"],
    ["only proxies: the farthest", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["what is not an address ends the search at the last that is known", "192.0.2.1, garbage", "10.0.0.1"],
    ["and behind another proxy too", "192.0.2.1, unknown, 10.0.0.2", "10.0.0.2"],
    ["an empty place", "192.0.2.1,", "10.0.0.1"],
    ["an octal-looking address", "010.0.0.1", "10.0.0.1"],
    ["an address with a host name's tail", "192.0.2.1.example.org", "10.0.0.1"],
    ["markup", '"><script>alert(1)</script>', "10.0.0.1"],
  ])("%s", async (_what, forwarded, client) => {
    expect(await clientOf(PROXIES, "10.0.0.1", forwarded)).toBe(client);
  });

  it("a header given several times is one list", async () => {
    expect(await clientOf(PROXIES, "10.0.0.1", ["203.0.113.9", "192.0.2.1, 10.0.0.2"])).toBe("192.0.2.1");
  });

  it("a dual-stack socket shows the proxy as mapped IPv6", async () => {
    expect(await clientOf(PROXIES, "::ffff:10.0.0.1", "192.0.2.1")).toBe("192.0.2.1");
    expect(await clientOf(PROXIES, "::ffff:192.0.2.7", "203.0.113.9")).toBe("::ffff:192.0.2.7");
  });

  it("an endless list costs no more than a long one", async () => {
    const forwarded = `192.0.2.1${", 10.0.0.2".repeat(5_000)}`;
    expect(await clientOf(PROXIES, "10.0.0.1", forwarded)).toBe("10.0.0.2");
  });

  it("whatever stands before the address that the proxy saw changes nothing", async () => {
    const words = fc.constantFrom("10.0.0.9", "203.0.113.9", "[::1]:9", "fd00::9", "x", "", "192.0.2.1:1");
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 30 }), async (invented) => {
        const forwarded = [...invented, "192.0.2.77", "10.0.0.2"].join(", ");
        expect(await clientOf(PROXIES, "10.0.0.1", forwarded)).toBe("192.0.2.77");
      }),
      { numRuns: 50 },
    );
  });
});
