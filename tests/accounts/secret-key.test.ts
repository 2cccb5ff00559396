/** Without SECRET_KEY, services that share a database share a key, which never leaves that database. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { resetCatalogue } from "../../src/adapters/database/dump/reset.ts";
import { createApp } from "../../src/app.ts";
import { type Composed, compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config/read.ts";
import { createLog } from "../../src/log.ts";
import { inLong } from "../support/lane/lane.ts";
import { copyExternal, databases, openMuseum } from "../support/museum/museum.ts";
import { newAccount, signedIn } from "../support/museum/signed-in.ts";
import { FEW_BUFFERS } from "../support/programs/few-buffers.ts";
import { createDatabase } from "../support/servers/server.ts";

describe.runIf(databases.includes("external"))("the key of services that share a database", () => {
  let database: { url: string; drop(): Promise<void> };
  const opened: Composed[] = [];
  const directories: string[] = [];
  beforeAll(async () => {
    database = await copyExternal();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    for (const each of directories.splice(0)) await rm(each, { recursive: true, force: true });
  });
  afterAll(() => database.drop());

  /** A service with its own data directory. */
  async function serve(url = database.url) {
    const dataDir = await mkdtemp(join(tmpdir(), "svc-key-"));
    directories.push(dataDir);
    const read = readConfig({ SVC_DATA_DIR: dataDir, DATABASE_URL: url, ...FEW_BUFFERS });
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    const silent = createLog({ level: "error", format: "json", write: () => undefined });
    const composed = await compose(read.config, "owner", silent);
    opened.push(composed);
    const { app } = createApp(composed.services);
    const me = async (token: string) =>
      (await app.request("/v1/auth/me", { headers: { Authorization: `Bearer ${token}` } })).status;
    return { ...composed, dataDir, me };
  }
  const text = (key: Uint8Array) => new TextDecoder().decode(key);

  it("is shared, so that each accepts the access tokens of the other", async () => {
    const [here, there] = [await serve(), await serve()];
    const id = await newAccount(here.services.sql, "registrar@museum.example");
    const account = { id, token_version: 1 };
    expect(await there.me(await signedIn(here.services, account))).toBe(200);
    expect(await here.me(await signedIn(there.services, account))).toBe(200);
    expect(await readdir(here.dataDir)).not.toContain("secret-key");
  });

  it("is created once, however many services ask for it at once", async () => {
    const services = await Promise.all(Array.from({ length: 4 }, () => serve()));
    await services[0]!.services.sql`delete from instance_secret`;
    const keys = await Promise.all(services.map((each) => each.services.signingKey()));
    expect(new Set(keys.map(text)).size).toBe(1);
    expect(text(keys[0]!)).toMatch(/^[0-9a-f]{64}$/);
    expect(await services[0]!.services.sql`select 1 from instance_secret`).toHaveLength(1);
  });

  inLong(it)(
    "is kept when the catalogue is emptied, because running services have it in memory",
    async () => {
      const before = text(await (await serve()).services.signingKey());
      const { services } = await serve();
      await resetCatalogue(services.sql, { all: true });
      expect(text(await services.signingKey())).toBe(before);
    },
  );

  it("is in no backup", async () => {
    const { services, dataDir } = await serve();
    const key = text(await services.signingKey());
    const { database: file } = await services.backups.make({ directory: dataDir, media: false });
    const dump = gunzipSync(await readFile(file.path)).toString();
    expect(dump).toContain("create table");
    expect(dump).not.toContain(key);
  });

  it("is read only when needed, so that a service can start before its tables exist", async () => {
    const empty = await createDatabase();
    onTestFinished(() => empty.drop());
    const { close } = await serve(empty.url);
    opened.pop();
    await close();
  });
});

inLong(it)("with an embedded database, the key is kept in its directory", async () => {
  const museum = await openMuseum({ database: "embedded" });
  onTestFinished(() => museum.close());
  const kept = (await readFile(join(museum.dataDir, "secret-key"), "utf8")).trim();
  expect(new TextDecoder().decode(await museum.services.signingKey())).toBe(kept);
  expect(await museum.services.sql`select 1 from instance_secret`).toEqual([]);
});
