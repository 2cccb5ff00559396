/** An object with hundreds of pictures: its page stays light, and all of them can be seen. */
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { create, english } from "../support/museum/catalogue.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";

const MANY = 450;
let path: string;

const museum = await museumHere();
beforeAll(async () => {
  const admin = await museum.as("admin");
  const { id } = await create(admin, "object", { status: "public", metadata_: { title: english("Album") } });
  path = `/objects/${id}`;
  expect((await send(admin, id, await jpeg(2_000, 1_500), "1.jpg")).status).toBe(201);
  // the same picture on every page of the album
  const ids = Array.from({ length: MANY - 1 }, newId);
  const { sql } = museum.services;
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = 'object_media' and column_name not in ('id', 'position', 'is_primary', 'storage_key', 'sha256') and is_generated = 'NEVER'`;
  const same = columns.map(({ name }) => `"${name}"`).join(", ");
  await sql.unsafe(
    `insert into object_media (id, position, is_primary, storage_key, sha256, ${same})
     select x.id, x.n + 1, false, x.id::text, encode(sha256(x.id::text::bytea), 'hex'), ${same} from object_media, unnest($1::uuid[]) with ordinality x (id, n) where object_id = $2`,
    [ids, id],
  );
});

const read = async (address: string) =>
  (await museum.ask(address, { headers: { Accept: "text/html" } })).text();
const picturesOn = (page: string) =>
  new Set([...page.matchAll(/data-zoom="([^"]+)"/g)].map(([, one]) => one));

it("shows the first 200 of 450, and all of them behind a plain link", async () => {
  const first = await read(path);
  expect(picturesOn(first).size).toBe(200);
  const [, link] = /1–200 of 450 <a [^>]*href="([^"]+)"/.exec(first)!;
  const all = await read(link!);
  expect(picturesOn(all).size).toBe(MANY);
  expect(all).not.toContain("of 450");
  expect(all).toContain(`<link rel="canonical" href="http://127.0.0.1:8000${path}">`);
  expect(gzipSync(first).length).toBeLessThan(16_000);
  expect(gzipSync(all).length).toBeLessThan(32_000);
  // only what is seen at first is loaded at once
  expect(all.match(/loading="lazy"/g)).toHaveLength(MANY - 1);
});

it("the manifest has all of them", async () => {
  const manifest = (await (await museum.ask(`/iiif/presentation/3${path}/manifest`)).json()) as {
    items: unknown[];
  };
  expect(manifest.items).toHaveLength(MANY);
});
