/** Media on the disk through a backup and a restore: files, tiles, private media, and media in the trash. */
import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { jpeg } from "../../support/museum/media.ts";
import { quickest } from "../../support/museum/museum.ts";
import { openOffice } from "../../support/programs/command.ts";

it("media are restored unchanged after everything else is lost", async () => {
  const office = await openOffice(quickest);
  onTestFinished(() => office.close());
  const root = join(office.settings.SVC_DATA_DIR!, "media");
  let { service, token } = await office.serve();
  const staff: typeof service.ask = (path, options) => service.ask(path, { token, ...options });
  const made = await staff("/v1/objects", {
    json: { object_type: "photograph", metadata_: { title: [{ value: "A" }] } },
  });
  const path = `/v1/objects/${made.json.id}`;
  const pictures = [await jpeg(1_500, 1_100), await jpeg(40, 30), await jpeg(41, 30)];
  const ids: string[] = [];
  for (const bytes of pictures) {
    const body = new Response(new Uint8Array(bytes)).body!;
    const sent = await staff(`${path}/media`, { method: "POST", body });
    expect(sent.status).toBe(201);
    ids.push(sent.json.media_id);
  }
  const [large, hidden, thrown] = ids as [string, string, string];
  await staff(`${path}/publish`, { method: "POST" });
  await staff(`${path}/media/${hidden}`, { method: "PATCH", json: { visibility: "private" } });
  await staff(`${path}/media/${thrown}`, { method: "DELETE" });
  for (const id of [large, hidden])
    await expect.poll(async () => (await staff(`${path}/media/${id}`)).json.status).toBe("ready");

  const bytesAt = async (address: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}${address}`, { headers });
    return [answer.status, digest(new Uint8Array(await answer.arrayBuffer()))];
  };
  const everything = async () => ({
    media: (await staff(`${path}/media`)).json.items.map((one: Record<string, unknown>) => ({
      ...one,
      links: undefined,
    })),
    trash: (await staff(`${path}/media/trash`)).json.items.map((one: { media_id: string }) => one.media_id),
    file: await bytesAt(`${path}/media/${large}/file`),
    part: await bytesAt(`${path}/media/${large}/file`, { Range: "bytes=100-299" }),
    tile: await bytesAt(`/iiif/3/${large}/512,512,512,512/512,512/0/default.jpg`),
    hidden: await bytesAt(`${path}/media/${hidden}/file`).then(([status]) => status),
    shown: await bytesAt(`${path}/media/${hidden}/file`, { Authorization: `Bearer ${token}` }),
  });
  const before = await everything();
  expect(before).toMatchObject({
    trash: [thrown],
    file: [200, digest(pictures[0]!)],
    part: [206, digest(pictures[0]!.subarray(100, 300))],
    tile: [200, expect.any(String)],
    hidden: 404,
    shown: [200, digest(pictures[1]!)],
  });

  const backup = JSON.parse((await office.run("backup", "--json")).out);
  expect(backup.notes).toEqual([]);
  await service.stop();
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true });
  expect(await office.run("media-verify", "--quick")).toMatchObject({ code: 1 });
  const { name } = backup.database;
  const restored = await office.run("restore", name, "--media", backup.media.name, "--force");
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining("with 4 media files") });
  expect(await office.run("media-verify")).toMatchObject({
    code: 0,
    out: expect.stringContaining("3 media compared"),
  });

  ({ service, token } = await office.serve());
  expect(await everything()).toEqual(before);
  expect((await staff(`${path}/media/${thrown}/restore`, { method: "POST" })).status).toBe(200);
  expect(await bytesAt(`${path}/media/${thrown}/file`)).toEqual([200, digest(pictures[2]!)]);
  await service.stop();
});

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
