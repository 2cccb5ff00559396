import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, inject, test } from "vitest";
import { openPostgres } from "../src/adapters/database/postgres.ts";
import { readyForQuery } from "../src/adapters/database/wire.ts";
import { rawMessage } from "./support/wire-client.ts";

test("a server that cannot be reached is told with its place, without the password", async () => {
  const error = await openPostgres("postgres://somebody:secret@127.0.0.1:1/db").catch(
    (caught: Error) => caught,
  );
  expect(String(error)).toContain(
    "The database of DATABASE_URL at 127.0.0.1:1 cannot be used: connect ECONNREFUSED",
  );
  expect(String(error)).not.toContain("secret");
});

test("a server that is too old is refused with a sentence", async () => {
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
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(Buffer.concat([rawMessage("R", int32(0)), readyForQuery("I")]));
      socket.on("data", (bytes) => bytes[0] !== 88 && socket.write(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(openPostgres(`postgres://somebody@127.0.0.1:${port}/db`)).rejects.toThrow(
    `PostgreSQL 15 or newer is needed; the server at 127.0.0.1:${port} is version 14.11`,
  );
  server.close();
});

test.skipIf(!inject("external"))(
  "sessions say who they are and work in UTC, whatever the server's zone",
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
