/** What svc-manage does without the database that a service has open, or does not answer for. */
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeOwnerLock } from "../../../src/adapters/database/pglite/owner-lock.ts";
import { bindPrivately } from "../../../src/adapters/database/pglite/unix-socket.ts";
import { type Office, openOffice } from "../../support/programs/command.ts";

let office: Office;
let dataDir: string;
beforeEach(async () => {
  office = await openOffice();
  dataDir = office.settings.SVC_DATA_DIR!;
});
afterEach(() => office.close());

async function aboutDatabase() {
  const { code, out } = await office.run("doctor", "--json");
  const { findings } = JSON.parse(out) as { findings: { check: string; says: string; mend?: string }[] };
  const checks = findings.map(({ check }) => check);
  return { code, checks, ...findings.find(({ check }) => check === "database")! };
}

describe("on the embedded database, while a service has it open", () => {
  it("restore and db-reset are refused with the process that holds it, and migrate has nothing to do", async () => {
    const made = JSON.parse((await office.run("backup", "--json")).out);
    const { service, token } = await office.serve();
    const inUse = `already in use by process ${service.child.pid}, the service or a command. Stop it`;
    for (const args of [
      ["restore", made.database.name, "--force"],
      ["db-reset"],
      ["db-reset", "--yes", "--all", "--no-backup"],
    ])
      expect(await office.run(...args), args.join(" ")).toEqual({
        code: 1,
        out: "",
        err: expect.stringContaining(inUse),
      });
    expect(await office.run("migrate")).toEqual({ code: 0, out: "The database is up to date", err: "" });
    expect((await service.ask("/v1/objects", { token })).status).toBe(200);
  });
});

describe("the doctor", () => {
  const mend = "stop the process that holds it, or read its log";

  it("sees a service that starts or stops, and one that hangs", async () => {
    const lock = await takeOwnerLock(dataDir);
    try {
      expect(await aboutDatabase()).toMatchObject({
        code: 1,
        says: expect.stringContaining(
          `belongs to process ${process.pid}, a command or a service that is starting or stopping`,
        ),
        mend,
      });
      const silent = createServer(() => undefined);
      await bindPrivately(join(dataDir, ".door", "socket"), (path) => {
        return new Promise((resolve) => silent.listen(path, resolve));
      });
      const found = await aboutDatabase();
      expect(found).toMatchObject({
        code: 1,
        says: `process ${process.pid} has the embedded database open, but has not answered within 15 seconds`,
        mend,
      });
      expect(found.checks).toContain("MEDIA_ROOT");
      expect(found.checks).not.toContain("schema");
      silent.close();
    } finally {
      await lock.release();
    }
  }, 60_000);

  it("looks into the database itself after a service was killed", async () => {
    const { service } = await office.serve();
    await service.kill("SIGKILL");
    const found = await aboutDatabase();
    expect(found.says).toBe("the embedded database opens; no service is using it");
    expect(found.checks).toEqual(expect.arrayContaining(["schema", "worker", "outbox", "administrators"]));
    await rm(join(dataDir, ".door"), { recursive: true });
    expect((await aboutDatabase()).says).toBe(found.says);
  });
});
