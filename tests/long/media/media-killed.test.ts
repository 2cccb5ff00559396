/** A service is killed while a file arrives: it leaves no row without its file, and no file that stays for ever. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { purgeTrash } from "../../../workers/purge-trash.ts";
import { quickest } from "../../support/museum/museum.ts";
import { openOffice } from "../../support/programs/command.ts";

const LENGTH = 24_000_000;

it("a service leaves every medium intact after kills at any moment, and cleans up the rest", async () => {
  const office = await openOffice(quickest);
  onTestFinished(() => office.close());
  const originals = join(office.settings.SVC_DATA_DIR!, "media/originals");
  let object = "";
  for (const moment of [0.1, 0.5, 0.9, 0.999, 1]) {
    const { service, token } = await office.serve();
    const staff = (path: string, options: object) => service.ask(path, { token, ...options });
    if (object === "") {
      const made = await staff("/v1/objects", {
        json: { object_type: "photograph", metadata_: { title: [{ value: "A" }] } },
      });
      object = made.json.id;
    }
    const bytes = new Uint8Array(LENGTH).fill(Math.round(moment * 200));
    bytes.set(new TextEncoder().encode("%PDF-1.7"));
    let at = 0;
    const arrived = new Promise<void>((resolve) => {
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (at >= LENGTH * moment) {
            resolve();
            if (moment < 1) await setTimeout(60_000, undefined, { ref: false });
            return controller.close();
          }
          controller.enqueue(bytes.slice(at, at + 65_536));
          at += 65_536;
        },
      });
      staff(`/v1/objects/${object}/media`, { method: "POST", body }).catch(() => undefined);
    });
    await arrived;
    await setTimeout(moment === 1 ? 15 : 100);
    await service.kill("SIGKILL");
  }
  await office.look(async (services) => {
    const { sql } = services;
    await sql`update stray_files set due_at = now()`;
    await purgeTrash(services);
    const media = await sql<{ storage_key: string; bytes: number; sha256: string }[]>`
      select storage_key, bytes::float8 as bytes, sha256 from object_media`;
    const left = (await readdir(originals).catch(() => [])).filter((name) => !name.startsWith("."));
    expect(left.map((name) => `originals/${name}`).sort()).toEqual(
      media.map((one) => one.storage_key).sort(),
    );
    for (const one of media) {
      const found = await services.files.get(one.storage_key);
      const hash = createHash("sha256");
      for await (const chunk of found!.content as unknown as AsyncIterable<Uint8Array>) hash.update(chunk);
      expect(hash.digest("hex")).toBe(one.sha256);
      expect((await stat(join(originals, one.storage_key.slice("originals/".length)))).size).toBe(one.bytes);
    }
    expect(await sql`select 1 from stray_files`).toEqual([]);
  });
});

it("a service keeps nothing of a file whose sender hangs up, and continues", async () => {
  const office = await openOffice(quickest);
  onTestFinished(() => office.close());
  const { service, token } = await office.serve();
  const staff = (path: string, options: object) => service.ask(path, { token, ...options });
  const made = await staff("/v1/objects", { json: { object_type: "photograph", metadata_: {} } });
  const path = `/v1/objects/${made.json.id}/media`;
  const originals = join(office.settings.SVC_DATA_DIR!, "media/originals");
  for (const type of ["application/pdf", "multipart/form-data; boundary=cut"]) {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: museum\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${LENGTH}\r\n\r\n`,
    );
    if (type.startsWith("multipart"))
      socket.write('--cut\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n');
    socket.write(`%PDF-1.7${" ".repeat(200_000)}`);
    await expect.poll(() => readdir(originals).catch(() => [])).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => readdir(originals).catch(() => [])).toEqual([]);
  }
  expect((await staff(path, {})).json.total).toBe(0);
  await service.stop();
  expect(await office.look(({ sql }) => sql`select 1 from stray_files`)).toEqual([]);
});

it("media-verify --delete loses no file when it is killed, and continues", async () => {
  const office = await openOffice(quickest);
  onTestFinished(() => office.close());
  const media = join(office.settings.SVC_DATA_DIR!, "media");
  const originals = join(media, "originals");
  await mkdir(originals, { recursive: true });
  const names = Array.from(
    { length: 200 },
    (_, n) => `0198c0de-0000-7000-8000-${String(n).padStart(12, "0")}.jpg`,
  );
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const [n, name] of names.entries()) {
    await writeFile(join(originals, name), new Uint8Array(50_000).fill(n));
    await utimes(join(originals, name), old, old);
  }
  const filesIn = async (folder: string) =>
    (await readdir(join(media, folder), { recursive: true }).catch(() => []))
      .filter((name) => name.endsWith(".jpg"))
      .map((name) => join(media, folder, name));
  const command = office.begin("media-verify", "--delete", "--yes");
  await office.until(command, async () => (await filesIn("trash")).length > 20);
  await command.kill("SIGKILL");
  expect((await filesIn("originals")).length).toBeGreaterThan(0);
  const intact = async (paths: string[]) => {
    const whole = new Set<number>();
    for (const path of paths) {
      const bytes = await readFile(path);
      expect(bytes.equals(new Uint8Array(50_000).fill(bytes[0]!))).toBe(true);
      whole.add(bytes[0]!);
    }
    return whole.size;
  };
  expect(await intact([...(await filesIn("originals")), ...(await filesIn("trash"))])).toBe(names.length);
  expect(await office.run("media-verify", "--delete", "--yes")).toMatchObject({ code: 0 });
  expect([await filesIn("originals"), await intact(await filesIn("trash"))]).toEqual([[], names.length]);
});
