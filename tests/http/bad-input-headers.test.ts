import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listening } from "../../src/runtimes/listening.ts";
import { listen } from "../../src/runtimes/node.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { signedIn } from "../support/museum/signed-in.ts";
import { leavingNothing, refusal } from "../support/refusals.ts";

describe.each(databases)("bad headers in the %s database", async (database) => {
  const museum = await museumHere({ database, demo: true });
  const admin = await museum.as("superuser");
  const id = museum.demo.get("obj-lighthouse-lens")!;
  leavingNothing(() => museum);

  describe("headers", () => {
    it("Content-Encoding: a compressed body is refused", async () => {
      for (const [path, type] of [
        ["/v1/objects", "application/json"],
        ["/v1/objects/bulk", "application/x-ndjson"],
      ] as const) {
        const headers = { "Content-Type": type, "Content-Encoding": "gzip" };
        await refusal(await admin(path, { method: "POST", body: "\u001f\u008b", headers }), path, 415);
      }
    });

    it.each([
      "text/html",
      "image/png, audio/*;q=0.5",
      "application/json;q=0",
      "*/*;q=0",
      "text/csv",
      "application/problem+json",
    ])("Accept: %s cannot be served", async (accept) => {
      for (const path of [
        "/v1/objects",
        `/v1/objects/${id}`,
        "/v1/search",
        `/api/v1/objects/${id}/relations`,
        "/v1/schemas",
      ]) {
        await refusal(await museum.ask(path, { headers: { Accept: accept } }), path, 406);
      }
      const wish = { method: "POST", json: { object_type: "coin" }, headers: { Accept: accept } };
      await refusal(await admin("/v1/objects", wish), "/v1/objects", 406);
    });

    it.each([
      "",
      "*/*",
      "application/*",
      "nonsense",
      ",;q=1",
      "text/html, */*;q=0.1",
      "application/json; charset=utf-8",
      "APPLICATION/JSON",
      `${"a/b,".repeat(200)}*/*`,
    ])("Accept: %s can be served", async (accept) => {
      expect((await museum.ask(`/v1/objects/${id}`, { headers: { Accept: accept } })).status).toBe(200);
    });

    it("X-Request-Id: a valid one is returned, anything else is replaced", async () => {
      const echoed = async (given: string) =>
        (await museum.ask("/v1/objects?page_size=1", { headers: { "X-Request-Id": given } })).headers.get(
          "X-Request-Id",
        );
      for (const given of ["abc-123", "a".repeat(128), "01a1fb95:1/2+3=@x_.y"])
        expect(await echoed(given)).toBe(given);
      for (const given of [
        "",
        "a b",
        "a".repeat(129),
        'x", "admin": "yes',
        "a%0d%0aSet-Cookie: x=1",
        "é",
        "a,b",
        "<x>",
      ]) {
        expect(await echoed(given)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
      }
      expect(museum.log.join("\n")).not.toMatch(/Set-Cookie|"admin": "yes"/);
    });

    it.each([
      "Basic YTpi",
      "Bearer",
      "Bearer ",
      "Bearer a b",
      "Bearer ' or 1=1 --",
      "bearer eyJhbGciOiJub25lIn0.e30.",
      "Negotiate x",
      "\t",
    ])("Authorization: %s is refused", async (authorization) => {
      for (const path of ["/v1/objects", `/v1/objects/${id}`]) {
        const answer = await museum.ask(path, { headers: { Authorization: authorization } });
        expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
        await refusal(answer, path, 401);
      }
    });

    it("junk in optional headers is ignored", async () => {
      for (const junk of [
        "",
        ";;;,,,",
        "*;q=nan",
        "é",
        "a".repeat(10_000),
        ",".repeat(10_000),
        "'; drop table records",
      ]) {
        for (const name of [
          "Accept-Language",
          "If-None-Match",
          "Cookie",
          "Range",
          "If-Modified-Since",
          "X-Forwarded-For",
        ]) {
          const answer = await museum.ask(`/v1/objects/${id}?include=title`, { headers: { [name]: junk } });
          expect(answer.status, `${name}: ${junk.slice(0, 30)}`).toBe(200);
        }
      }
    });
  });

  describe("raw requests", () => {
    let server: Listening;
    let token: string;

    beforeAll(async () => {
      server = await listen(museum.api.app, { host: "127.0.0.1", port: 0 });
      const [account] = await museum.services.sql<{ id: string; token_version: number }[]>`
        select id, token_version from accounts where role = 'superuser'`;
      token = await signedIn(museum.services, account!);
    });
    afterAll(() => server.stop());

    /** Sends these bytes and returns everything received until the connection ends. */
    const exchange = (bytes: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(server.port, "127.0.0.1");
        let text = "";
        socket.on("data", (chunk) => {
          text += chunk.toString("latin1");
        });
        socket.on("error", () => undefined);
        socket.on("close", () => resolve(text));
        socket.setTimeout(5_000, () => socket.destroy());
        socket.write(Buffer.from(bytes, "latin1"));
      });
    const head = (line: string, ...headers: string[]) =>
      `${line} HTTP/1.1\r\nHost: museum\r\nConnection: close\r\n${headers.map((text) => `${text}\r\n`).join("")}\r\n`;
    const status = (answer: string) => Number(answer.slice(9, 12));

    it.each([
      ["NUL in a header", head("GET /v1/objects", "X-Request-Id: a\u0000b")],
      ["a bare line feed in a header", head("GET /v1/objects", "X-Request-Id: a\nX-Evil: b\rc")],
      ["NUL in the address", head("GET /v1/objects/\u0000")],
      ["a control character in the address", head("GET /v1/objects?q=\u0001")],
      ["two lengths", head("POST /v1/objects", "Content-Length: 2", "Content-Length: 3")],
      ["a length and chunks", head("POST /v1/objects", "Content-Length: 2", "Transfer-Encoding: chunked")],
      ["a negative length", head("POST /v1/objects", "Content-Length: -1")],
      ["an invalid host", "GET /v1/objects HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"],
      ["no host", "GET /v1/objects HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ])("with %s are answered with 400", async (_, bytes) => {
      expect(status(await exchange(bytes))).toBe(400);
    });

    it.each(["FOO", "BREW"])(
      "with the method %s, which the parser does not know, are answered with 400",
      async (method) => {
        expect(status(await exchange(head(`${method} /v1/objects`)))).toBe(400);
      },
    );

    it.each(["PROPFIND", "PURGE"])(
      "with the method %s, which no route has, are answered with 501",
      async (method) => {
        const answer = await exchange(head(`${method} /v1/objects`));
        expect(status(answer)).toBe(501);
        expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({
          type: "urn:svc:problem:not_implemented",
          detail: `${method} is not a method that this service knows`,
        });
      },
    );

    it("with a very long address are answered with 414 or 431", async () => {
      expect([414, 431]).toContain(status(await exchange(head(`GET /v1/objects?q=${"x".repeat(100_000)}`))));
    });

    it.each([
      ["GET /v1/objects?q=%ZZ", 200],
      ["GET /v1/objects/%ZZ", 422],
      ["GET /v1/objects?q=%00", 400],
      ["GET /v1/nothing", 404],
      ["TRACE /v1/objects", 405],
      ["GET http://elsewhere.example/v1/nothing", 404],
    ])("%s: answered with %i", async (line, expected) => {
      const answer = await exchange(head(line));
      expect(status(answer)).toBe(expected);
      if (expected !== 200) expect(answer).toMatch(/content-type: application\/problem\+json/i);
    });

    it("that announce a body of 100 MB are refused at once", async () => {
      const headers = [
        `Authorization: Bearer ${token}`,
        "Content-Type: application/json",
        "Content-Length: 104857600",
      ];
      const started = performance.now();
      const answer = await exchange(`${head("POST /v1/objects", ...headers)}{"idno":`);
      expect(status(answer)).toBe(413);
      expect(answer).toContain("urn:svc:problem:too_large");
      expect(performance.now() - started).toBeLessThan(4_000);
    });

    it("that end too early create no record", async () => {
      const headers = [
        `Authorization: Bearer ${token}`,
        "Content-Type: application/json",
        "Content-Length: 1000",
      ];
      const socket = connect(server.port, "127.0.0.1");
      await new Promise((sent) =>
        socket.write(`${head("POST /v1/objects", ...headers)}{"object_type":"coin"}`, sent),
      );
      const logged = museum.log.length;
      socket.destroy();
      await expect.poll(() => museum.log.slice(logged).join("\n")).toContain('"status":400');
    });
  });
});
