import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { migrate } from "../../src/adapters/database/migrate/migrate.ts";
import { message, readyForQuery } from "../../src/adapters/database/pglite/wire.ts";
import { openPostgres } from "../../src/adapters/database/server/postgres.ts";
import { inLong, oneOrAll } from "../support/lane/lane.ts";
import { copyExternal, openMuseum } from "../support/museum/museum.ts";
import { begin } from "../support/programs/processes.ts";
import { layCable } from "../support/servers/cable.ts";
import { createDatabase, onServer } from "../support/servers/server.ts";

const URL_WITH_SECRET = (port: number) => `postgres://registrar:secret@127.0.0.1:${port}/museum`;
const sentence = (port: number, reason: string) =>
  `The database museum at 127.0.0.1:${port} (DATABASE_URL) cannot be used: ${reason}`;

const rawMessage = (type: string, body: string | Buffer = "") =>
  message(type.charCodeAt(0), Buffer.from(body));

/** A server that treats every connection like this. */
async function withServer<T>(
  welcome: (socket: Socket) => void,
  use: (port: number) => Promise<T>,
): Promise<T> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    welcome(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

const refused = (port: number, patience?: number) =>
  openPostgres(URL_WITH_SECRET(port), { patience }).then(
    () => "",
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("a server is refused in a sentence without the password", () => {
  test("when nothing listens there", async () => {
    expect(await refused(1)).toBe(
      `Refusal: ${sentence(1, "nothing listens there; is the server running, and are host and port right?")}`,
    );
  });

  test.each([
    ["the password is wrong", "28P01", "the password for the user registrar is wrong"],
    ["the database is missing", "3D000", "the server has no database of this name; create it first"],
    ["it is just starting", "57P03", "the server is just starting or stopping; try again in a moment"],
    ["it says something else", "28000", "what the server says"],
  ])("when %s", async (_what, code, reason) => {
    const answer = rawMessage("E", `SFATAL\0VFATAL\0C${code}\0Mwhat the server says\0\0`);
    await withServer(
      (socket) => socket.once("data", () => socket.end(answer)),
      async (port) => expect(await refused(port)).toBe(`Refusal: ${sentence(port, reason)}`),
    );
  });

  test.each<[string, (socket: Socket) => void]>([
    ["says nothing", () => {}],
    ["hangs up", (socket) => socket.once("data", () => socket.end())],
    ["speaks HTTP", (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))],
  ])("when it is not PostgreSQL and %s", async (_what, welcome) => {
    const reason = "no PostgreSQL server answered there within 0.5 seconds; are host and port right?";
    await withServer(welcome, async (port) =>
      expect(await refused(port, 0.5)).toBe(`Refusal: ${sentence(port, reason)}`),
    );
  });

  test("when it is too old", async () => {
    const column = (name: string) =>
      Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(6), int32(25), Buffer.alloc(8)]);
    const value = (text: string) => Buffer.concat([int32(text.length), Buffer.from(text)]);
    const two = Buffer.from([0, 2]);
    const answer = Buffer.concat([
      rawMessage("1"),
      rawMessage("t", Buffer.from([0, 0])),
      rawMessage("T", Buffer.concat([two, column("number"), column("version")])),
      rawMessage("2"),
      rawMessage("D", Buffer.concat([two, value("140011"), value("14.11")])),
      rawMessage("C", "SELECT 1\0"),
      readyForQuery("I"),
    ]);
    const welcome = (socket: Socket) =>
      socket.once("data", () => {
        socket.write(Buffer.concat([rawMessage("R", int32(0)), readyForQuery("I")]));
        socket.on("data", (bytes) => bytes[0] !== 88 && socket.write(answer));
      });
    await withServer(welcome, async (port) =>
      expect(await refused(port)).toBe(
        `Refusal: ${sentence(port, "it is PostgreSQL 14.11, and 15 or newer is needed")}`,
      ),
    );
  });
});

test.each(oneOrAll(["migrate", "serve"]))(
  "svc-manage %s ends with that one line and exit code 1",
  async (command) => {
    const program = begin([process.execPath, "cli/svc-manage.mjs", command], {
      PATH: process.env.PATH,
      PORT: "0",
      DATABASE_URL: URL_WITH_SECRET(1),
    });
    expect(await program.ended).toBe(1);
    expect(program.lines).toEqual([
      sentence(1, "nothing listens there; is the server running, and are host and port right?"),
    ]);
  },
);

test.skipIf(!inject("external"))("a user without rights is told who must own the database", async () => {
  const { url, drop } = await createDatabase();
  const role = `svc_visitor_${crypto.randomUUID().slice(0, 8)}`;
  await onServer((sql) => sql.unsafe(`create role ${role} login`));
  const sql = await openPostgres(url, { max: 1 });
  onTestFinished(() => onServer((server) => server.unsafe(`drop role ${role}`)));
  onTestFinished(() => drop());
  onTestFinished(() => sql.end());
  await sql.unsafe(`set role ${role}`);
  await expect(migrate(sql)).rejects.toThrow(
    "The schema cannot be created: permission denied for schema public. " +
      "Use the primary server, and make the user of DATABASE_URL the owner of the database",
  );
});

test.skipIf(!inject("external"))(
  "sessions carry the name of the service and work in UTC, whatever the zone of the server",
  async () => {
    const sql = await openPostgres(inject("external")?.server ?? "", { max: 2 });
    const [row] = await sql`
    select current_setting('application_name') as name, current_setting('timezone') as zone,
      current_setting('statement_timeout') as timeout`;
    expect(row).toEqual({ name: "svc", zone: "UTC", timeout: "0" });
    await sql.end();
  },
);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

inLong(describe.runIf(inject("external")))("a service whose database server goes away", () => {
  test("answers 503 and reports it in its health, and goes on when the server is back", async () => {
    const database = await copyExternal();
    const cable = await layCable(database.url);
    const museum = await openMuseum({ database: "embedded", env: { DATABASE_URL: cable.url } });
    const lists = async () => (await museum.ask("/v1/objects")).status;
    const health = async () => {
      const { checks } = (await (await museum.ask("/health")).json()) as { checks: { database: string } };
      return checks.database;
    };
    onTestFinished(() => database.drop());
    onTestFinished(() => cable.close());
    onTestFinished(() => museum.close());
    expect([await lists(), await health()]).toEqual([200, "ok"]);
    cable.cut();
    await expect.poll(lists).toBe(503);
    await expect.poll(health).not.toBe("ok");
    cable.mend();
    await expect.poll(lists).toBe(200);
    await expect.poll(health).toBe("ok");
  });
});
