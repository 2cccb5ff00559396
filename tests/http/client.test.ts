import fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import type { Env } from "../../src/http/endpoint.ts";
import { clientAddress } from "../../src/http/request/client.ts";

/** The address that the service takes for the client's. */
async function clientOf(trusted: string, remote: string | undefined, forwarded?: string | string[]) {
  const read = readConfig(trusted ? { TRUSTED_PROXIES: trusted } : {});
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const app = new Hono<Env>();
  app.use(clientAddress(read.config.trustedProxies));
  app.get("/", (c) => c.text(c.get("client")));
  const headers = new Headers();
  for (const one of [forwarded ?? []].flat()) headers.append("X-Forwarded-For", one);
  return (await app.request("/", { headers }, remote === undefined ? {} : { remote })).text();
}

const PROXIES = "10.0.0.0/8, fd00::/8";

describe("the client's address without trusted proxies", () => {
  it.each(["203.0.113.9", "127.0.0.1", "10.0.0.1, 203.0.113.9", "::1", "unknown", ""])(
    "is that of the connection, whatever X-Forwarded-For says (%j)",
    async (forwarded) => {
      expect(await clientOf("", "192.0.2.1", forwarded)).toBe("192.0.2.1");
      expect(await clientOf(PROXIES, "192.0.2.1", forwarded)).toBe("192.0.2.1");
    },
  );

  it("is empty if the runtime does not know it", async () => {
    expect(await clientOf("", undefined, "203.0.113.9")).toBe("");
    expect(await clientOf(PROXIES, undefined, "203.0.113.9")).toBe("");
    expect(await clientOf("0.0.0.0/0, ::/0", undefined, "203.0.113.9")).toBe("");
  });
});

describe("the client's address behind trusted proxies", () => {
  it.each([
    ["is the proxy's, if the header is missing", undefined, "10.0.0.1"],
    ["is the one that the proxy saw", "192.0.2.1", "192.0.2.1"],
    ["is not one that the client invented", "203.0.113.9, 192.0.2.1", "192.0.2.1"],
    ["is not an invented proxy", "203.0.113.9, 10.9.9.9, 192.0.2.1", "192.0.2.1"],
    ["is found through two proxies", "203.0.113.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"],
    ["is found through IPv6 proxies", "192.0.2.1, fd00::2, fd12:3456::1", "192.0.2.1"],
    ["is found with any number of spaces", "203.0.113.9,  192.0.2.1 ,10.0.0.2", "192.0.2.1"],
    ["is found with a port", "192.0.2.1:4711", "192.0.2.1"],
    ["may be IPv6", "2001:db8::1", "2001:db8::1"],
    ["may be IPv6 in brackets with a port", "[2001:db8::1]:4711", "2001:db8::1"],
    ["may be IPv6 in brackets", "[2001:db8::1]", "2001:db8::1"],
    ["is found behind a proxy in mapped IPv6", "192.0.2.1, ::ffff:10.0.0.2", "192.0.2.1"],
    ["is found behind a proxy with a port", "192.0.2.1, 10.0.0.2:80", "192.0.2.1"],
    ["is the farthest one, if all are proxies", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["is the last known one before something that is no address", "192.0.2.1, garbage", "10.0.0.1"],
    [
      "is the last known one before that behind another proxy, too",
      "192.0.2.1, unknown, 10.0.0.2",
      "10.0.0.2",
    ],
    ["is the last known one before an empty entry", "192.0.2.1,", "10.0.0.1"],
    ["is not one that looks octal", "010.0.0.1", "10.0.0.1"],
    ["is not one with the tail of a host name", "192.0.2.1.example.org", "10.0.0.1"],
    ["is not markup", '"><script>alert(1)</script>', "10.0.0.1"],
  ])("%s", async (_what, forwarded, client) => {
    expect(await clientOf(PROXIES, "10.0.0.1", forwarded)).toBe(client);
  });

  it("is found in a header that is given several times", async () => {
    expect(await clientOf(PROXIES, "10.0.0.1", ["203.0.113.9", "192.0.2.1, 10.0.0.2"])).toBe("192.0.2.1");
  });

  it("is found if a dual-stack socket shows the proxy as mapped IPv6", async () => {
    expect(await clientOf(PROXIES, "::ffff:10.0.0.1", "192.0.2.1")).toBe("192.0.2.1");
    expect(await clientOf(PROXIES, "::ffff:192.0.2.7", "203.0.113.9")).toBe("::ffff:192.0.2.7");
  });

  it("is found in an endless list at the cost of a long one", async () => {
    const forwarded = `192.0.2.1${", 10.0.0.2".repeat(5_000)}`;
    expect(await clientOf(PROXIES, "10.0.0.1", forwarded)).toBe("10.0.0.2");
  });

  it("does not depend on what stands before the address that the proxy saw", async () => {
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
