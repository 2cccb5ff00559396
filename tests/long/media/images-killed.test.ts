/** A service is killed while it makes the tiles of a picture: it leaves nothing half-made, and continues by itself. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openEmbedded } from "../../../src/adapters/database/pglite/pglite.ts";
import { runtimesHere } from "../../runtimes/runtimes.ts";
import { freePort, type Settings, type Started, serve } from "../../runtimes/started.ts";
import { endLeases } from "../../support/programs/command.ts";

const PASSWORD = "a lantern on the third pier";
let directory: string;
let settings: Settings;
let service: Started;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-images-killed-"));
  settings = { SVC_DATA_DIR: join(directory, "data"), PORT: await freePort() };
});
afterAll(async () => {
  await service?.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true });
});

const filesIn = (name: string) => readdir(join(directory, "data", name)).catch(() => []);

it("a killed service leaves no unfinished pyramid, and makes it after its restart", async () => {
  const runtime = runtimesHere("Node 24")[0]![1];
  service = await serve(runtime, settings);
  const credentials = await readFile(join(directory, "data/first-run-credentials.txt"), "utf8");
  const password = /^password: (.+)$/m.exec(credentials)![1]!;
  const login = await service.ask("/v1/auth/login", { json: { email: "admin@example.org", password } });
  const chosen = { current_password: password, new_password: PASSWORD };
  const changed = await service.ask("/v1/auth/password", { json: chosen, token: login.json.access_token });
  const token = changed.json.access_token;
  const object = await service.ask("/v1/objects", {
    json: { object_type: "photograph", metadata_: { title: [{ value: "Large" }] } },
    token,
  });
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const picture = await sharp({
    create: { width: 4_000, height: 3_000, channels: 3, background: "white", noise },
  })
    .jpeg()
    .toBuffer();
  const sent = await service.ask(`/v1/objects/${object.json.id}/media`, {
    method: "POST",
    body: new Response(new Uint8Array(picture)).body!,
    headers: { "Content-Type": "application/octet-stream" },
    token,
  });
  expect(sent.status).toBe(201);
  const id = sent.json.media_id;
  // a draft is in the cache while the pyramid is made
  await expect.poll(async () => (await filesIn("image-cache")).length, { interval: 20 }).toBeGreaterThan(0);
  await service.kill("SIGKILL");
  expect(await filesIn("media/pyramids")).toEqual([]);
  const { sql, close } = await openEmbedded({ dataDir: join(directory, "data") });
  await endLeases(sql);
  await close();

  service = await serve(runtime, settings);
  const again = await service.ask("/v1/auth/login", {
    json: { email: "admin@example.org", password: PASSWORD },
  });
  const medium = async () =>
    (await service.ask(`/v1/objects/${object.json.id}/media/${id}`, { token: again.json.access_token })).json;
  expect(
    (await service.ask(`/iiif/3/${id}/full/200,/0/default.jpg`, { token: again.json.access_token })).status,
  ).toBe(200);
  await expect.poll(async () => (await medium()).status, { timeout: 120_000 }).toBe("ready");
  expect(await filesIn("media/pyramids")).toEqual([`${id}.tif`]);
});
