import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixedHead } from "../../src/http/request/browser.ts";
import { listen } from "../../src/runtimes/node.ts";
import { answerClientErrors } from "../../src/runtimes/node-refusals.ts";
import type { Listening } from "../../src/runtimes/serve.ts";

const HOST = "127.0.0.1";
/** The headers that every answer has, these too. */
const HEAD = fixedHead({ baseUrl: "https://museum.example" });
let service: Listening;
beforeAll(async () => {
  service = await listen({ fetch: () => new Response("well") }, { host: HOST, port: 0 }, HEAD);
});
afterAll(() => service.stop());

/** Sends these bytes and answers everything that comes back until the connection is closed. */
async function send(bytes: string, port = service.port): Promise<string> {
  const socket = connect(port, HOST);
  let answer = "";
  socket.setEncoding("utf8").on("data", (piece) => {
    answer += piece;
  });
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return answer;
}

/** The problem in an answer, which must give the same status twice and the right length. */
function problemOf(answer: string): { status: number; code: string; instance: string } {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 \d{3} [A-Z]/);
  expect(head).toContain("\r\nContent-Type: application/problem+json\r\n");
  expect(head).toContain(`\r\nContent-Length: ${body.length}\r\n`);
  expect(head).toContain("\r\nConnection: close\r\n");
  expectHead(head);
  const { type, title, detail, ...problem } = JSON.parse(body);
  expect([type, title, detail]).toEqual([
    expect.stringMatching(/^urn:svc:problem:[a-z_]+$/),
    expect.stringMatching(/^[A-Z]/),
    expect.stringMatching(/^The \w+ \w+/),
  ]);
  expect(head.startsWith(`HTTP/1.1 ${problem.status} `)).toBe(true);
  return problem;
}

function expectHead(answer: string): void {
  const lowerCase = answer.toLowerCase();
  expect(Object.keys(HEAD)).toContain("Strict-Transport-Security");
  for (const [name, value] of [...Object.entries(HEAD), ["Cache-Control", "no-store"]]) {
    expect(lowerCase).toContain(`\r\n${name}: ${value}\r\n`.toLowerCase());
  }
}

const HEADERS = "Host: museum.example\r\n";

describe("requests that Node itself refuses", () => {
  it.each([
    [
      "an unknown method",
      `FOO /v1/objects?q=x HTTP/1.1\r\n${HEADERS}\r\n`,
      { status: 400, code: "request.not_http_because", instance: "/" },
    ],
    [
      "words that are not a request",
      "Dear museum,\r\n\r\n",
      { status: 400, code: "request.not_http_because", instance: "/" },
    ],
    [
      "the start of a TLS connection",
      "\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
      { status: 400, code: "request.not_http_because", instance: "/" },
    ],
    [
      "two lengths for one body",
      `POST /v1/objects HTTP/1.1\r\n${HEADERS}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      {
        status: 400,
        code: "request.not_http_because",
        instance: "/",
      },
    ],
    [
      "headers that are too long",
      `GET /health HTTP/1.1\r\n${HEADERS}X-Long: ${"x".repeat(20_000)}\r\n\r\n`,
      {
        status: 431,
        code: "request.headers_too_large",
        instance: "/",
      },
    ],
    [
      "an address that is too long",
      `GET /${"x".repeat(20_000)} HTTP/1.1\r\n${HEADERS}\r\n`,
      {
        status: 431,
        code: "request.headers_too_large",
        instance: "/",
      },
    ],
  ])("are answered with a problem: %s", async (_what, bytes, problem) => {
    expect(problemOf(await send(bytes))).toEqual(problem);
  });

  it("are answered with a problem: a request that is not completed in time", async () => {
    const server = createServer({
      headersTimeout: 100,
      requestTimeout: 100,
      connectionsCheckingInterval: 50,
    });
    answerClientErrors(server, HEAD);
    server.listen(0, HOST);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(problemOf(await send(`GET /health HTTP/1.1\r\n${HEADERS}`, port))).toEqual({
      status: 408,
      code: "request.too_slow",
      instance: "/",
    });
    server.close();
  });

  it.each([
    ["no host", "", "The request has no Host header"],
    ["two hosts", "Host: a.example\r\nhost: b.example\r\n", "The request has 2 Host headers"],
  ])("are answered with a problem about Host: %s", async (_what, hosts, detail) => {
    const answer = await send(`GET /v1/objects?q=x HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/i);
    expectHead(answer);
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({
      type: "urn:svc:problem:malformed",
      detail,
      instance: "/v1/objects",
    });
  });

  it("do not include HTTP/1.0 without a host, which needs none", async () => {
    expect(await send("GET /health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it("are answered with a problem: an invalid host", async () => {
    const answer = await send("GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({
      type: "urn:svc:problem:malformed",
      detail: expect.stringMatching(/^The request cannot be read: \w/),
    });
  });
});

describe("an answer that is being sent", () => {
  it("is not interrupted by an error message", async () => {
    const slow = await listen(
      {
        fetch: () =>
          new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(3)) })),
      },
      { host: HOST, port: 0 },
    );
    const socket = connect(slow.port, HOST);
    let answer = "";
    socket.on("data", (piece) => {
      if (answer === "") socket.write("nonsense\r\n\r\n");
      answer += piece;
    });
    socket.on("error", () => {});
    socket.write(`GET / HTTP/1.1\r\n${HEADERS}\r\n`);
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toContain("problem");
    await slow.stop();
  });
});
