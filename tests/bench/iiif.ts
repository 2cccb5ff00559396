/**
 * Images over HTTP from a separate service: tiles on and off the grid of the pyramid, whole pictures and thumbnails,
 * made for the first time and requested again. Compared with Debian's iipimage-server on the same pyramids if it is
 * installed (apt-get install iipimage-server lighttpd). Then 16 clients request whole pictures at once.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import sharp from "sharp";
import { loadDemoMuseum } from "../../cli/demo/load.ts";
import { newId } from "../../src/ids.ts";
import type { Services } from "../../src/services.ts";
import { freePort } from "../runtimes/started.ts";
import { GENEROUS_LIMITS } from "../support/generous-limits.ts";
import { prepared } from "../support/museum/pictures.ts";
import { type Ground, openGround, type Where } from "./ground.ts";
import { load } from "./load.ts";

const STARFISH = process.env.BENCH_PICTURE ?? "";
const IIPSRV = "/usr/lib/iipimage-server/iipsrv.fcgi";
const SECONDS = 2;
const CLIENTS = 4;
const ALBUM = 500;

type Picture = { name: string; id: string; width: number; height: number };

export async function benchIiif(where: Where): Promise<void> {
  const ground = await openGround(where);
  const directory = await mkdtemp(join(tmpdir(), "svc-bench-iiif-"));
  const running: ChildProcess[] = [];
  try {
    const pictures = await hang(ground, directory);
    const album = await fillAlbum(ground.services);
    await ground.leave();
    const service = await serve(ground, running);
    const manifest = await measure([`${service.url}/v1/objects/${album}/iiif/manifest`]);
    console.log(`\nmanifest of ${ALBUM} pictures: ${told(manifest)}`);
    const iipsrv = await serveIip(join(ground.dataDir, "media/pyramids"), directory, running);
    console.log(`\nimages, ${where} database, ${CLIENTS} clients; ms for the first time, requests/s again`);
    if (iipsrv === null) console.log("iipimage-server or lighttpd is not installed: nothing to compare with");
    for (const picture of pictures) {
      const ours = (path: string) => `${service.url}/iiif/3/${picture.id}/${path}`;
      const theirs = (path: string) => `${iipsrv}?IIIF=${picture.id}.tif/${path}`;
      for (const [what, paths] of Object.entries(requests(picture))) {
        const own = await measure(paths.map(ours));
        const other = iipsrv === null ? null : await measure(paths.map(theirs));
        console.log(line(`${picture.name}, ${what}`, own, other));
      }
    }
    console.log(`resident after this: ${resident(service.pid, "VmRSS")} MB`);
    await crowd(service, pictures.at(-1)!);
  } finally {
    for (const process of running) process.kill();
    await ground.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** A file of the operator's choice (BENCH_PICTURE) or a drawn one, and one of 100 megapixels. */
async function hang(ground: Ground, directory: string): Promise<Picture[]> {
  const { services } = ground;
  await loadDemoMuseum(services);
  const small = join(directory, "12.jpg");
  const large = join(directory, "100.jpg");
  const drawn = (width: number, height: number, path: string) =>
    sharp({
      create: {
        width: width / 8,
        height: height / 8,
        channels: 3,
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    } as never)
      .resize(width, height)
      .jpeg({ quality: 92 })
      .toFile(path);
  if (!existsSync(STARFISH)) await drawn(4_000, 3_000, small);
  await drawn(10_000, 10_000, large);
  const files = [existsSync(STARFISH) ? STARFISH : small, large];
  const pictures: Picture[] = [];
  for (const path of files) pictures.push(await add(services, path));
  const began = performance.now();
  await prepared(services);
  console.log(`pyramids of ${files.length} pictures: ${Math.round(performance.now() - began)} ms`);
  return pictures;
}

async function add({ sql, files, images }: Services, path: string): Promise<Picture> {
  const id = newId();
  const key = `originals/${id}.jpg`;
  const { bytes } = await files.put(
    key,
    Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
  );
  const facts = await images.describe(key);
  if ("refused" in facts) throw new Error(facts.refused.key);
  const { width, height } = facts;
  await sql`
    insert into object_media (id, object_id, storage_key, filename, mime_type, category, status, bytes, sha256, width, height,
      pages, visibility, position)
    select ${id}, r.id, ${key}, 'picture.jpg', 'image/jpeg', 'image', 'pending', ${bytes},
      md5(${id}) || md5(${id}), ${width}, ${height}, 1, 'public', 1
    from records r where r.record_type = 'object' and r.status = 'public' order by r.id limit 1`;
  return { name: `${Math.round((width * height) / 1e6)} MP`, id, width, height };
}

/** An object with as many media as a sketchbook; their files do not matter. */
async function fillAlbum({ sql }: Services): Promise<string> {
  const [object] = await sql<{ id: string }[]>`
    select r.id from records r where r.record_type = 'object' and r.status = 'public'
      and not exists (select 1 from object_media m where m.object_id = r.id) order by r.id limit 1`;
  await sql`
    insert into object_media (id, object_id, storage_key, filename, mime_type, category, status, bytes, sha256, width, height,
      pages, visibility, position, caption, alt_text, license_uri)
    select gen_random_uuid(), ${object!.id}, 'originals/' || n, n || '.jpg', 'image/jpeg', 'image', 'ready', 1000000,
      md5(n::text) || md5(n::text), 4000, 3000, 1, 'public', n,
      jsonb_build_array(jsonb_build_object('lang', 'en', 'value', 'Sheet ' || n), jsonb_build_object('lang', 'de', 'value', 'Blatt ' || n)),
      jsonb_build_array(jsonb_build_object('lang', 'en', 'value', 'A drawing of boats in a harbour')),
      'http://creativecommons.org/publicdomain/zero/1.0/'
    from generate_series(1, ${ALBUM}::int) n`;
  return object!.id;
}

/** Each is requested once, then all in turn again and again. */
function requests({ width, height }: Picture): Record<string, string[]> {
  const tiles = (shift: number) => {
    // more than a server keeps in memory
    const found: string[] = [];
    for (let y = shift; y + 512 <= height && found.length < 40; y += 512)
      for (let x = shift; x + 512 <= width && found.length < 40; x += 512)
        found.push(`${x},${y},512,512/512,512/0/default.jpg`);
    return found;
  };
  return {
    "tile on the grid": tiles(0),
    "tile beside the grid": tiles(100),
    thumbnail: ["!200,200", "!190,190", "!180,180"].map((size) => `full/${size}/0/default.jpg`),
    "half its size": [2, 2.1, 2.2].map((part) => `full/${Math.floor(width / part)},/0/default.jpg`),
    "full/max": ["full/max/0/default.jpg"],
  };
}

type Figures = { first: number; again: number };

async function measure(urls: string[]): Promise<Figures> {
  let first = 0;
  for (const url of urls) {
    const began = performance.now();
    const answer = await fetch(url);
    const { byteLength } = await answer.arrayBuffer();
    if (answer.status !== 200 || byteLength === 0) throw new Error(`${answer.status} at ${url}`);
    first += performance.now() - began;
  }
  const again = (await load(urls, CLIENTS, SECONDS)) / SECONDS;
  return { first: first / urls.length, again };
}

const told = ({ first, again }: Figures): string => `${first.toFixed(1)} ms ${Math.round(again)}/s`;

function line(what: string, own: Figures, other: Figures | null): string {
  if (other === null) return `${what}: ${told(own)}`;
  const ratios = `${(other.first / own.first).toFixed(2)} and ${(own.again / other.again).toFixed(2)} times as fast`;
  return `${what}: ${told(own)}; iipsrv ${told(other)}: ${ratios}`;
}

/** Whole pictures, none of which was made before. */
async function crowd(service: { url: string; pid: number }, { id, width }: Picture): Promise<void> {
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const answer = await fetch(
        `${service.url}/iiif/3/${id}/0,0,${width - 1 - index},${width}/max/0/default.jpg`,
      );
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  const done = answers.filter((status) => status === 200).length;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `16 clients want whole pictures at once: ${done} got theirs, ${16 - done} were refused, in ${seconds} s; ` +
      `at most ${resident(service.pid, "VmHWM")} MB resident, ${resident(service.pid, "VmRSS")} MB afterwards`,
  );
}

function resident(pid: number, field: "VmRSS" | "VmHWM"): string {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return "?";
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(path, "utf8"))?.[1];
  return String(Math.round(Number(kilobytes) / 1024));
}

async function serve(ground: Ground, running: ChildProcess[]): Promise<{ url: string; pid: number }> {
  const service = spawn(process.execPath, ["cli/svc-manage.mjs", "serve"], {
    env: {
      ...process.env,
      ...GENEROUS_LIMITS,
      SVC_DATA_DIR: ground.dataDir,
      DATABASE_URL: ground.databaseUrl ?? "",
      PORT: "0",
      LOG_FORMAT: "json",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(service);
  const url = await new Promise<string>((resolve, reject) => {
    service.once("exit", () => reject(new Error("the service has not started")));
    for (const stream of [service.stdout, service.stderr]) {
      createInterface(stream!).on("line", (said) => {
        const address = /"message":"ready".*?(http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
        if (address) resolve(address);
      });
    }
  });
  return { url, pid: service.pid! };
}

/** The address of iipimage-server; null when it is not installed. */
async function serveIip(
  pyramids: string,
  directory: string,
  running: ChildProcess[],
): Promise<string | null> {
  if (!existsSync(IIPSRV) || !existsSync("/usr/sbin/lighttpd")) return null;
  const port = await freePort();
  const configuration = join(directory, "lighttpd.conf");
  await writeFile(
    configuration,
    `server.modules = ("mod_fastcgi")
server.document-root = "${directory}"
server.bind = "127.0.0.1"
server.port = ${port}
fastcgi.server = ("/iipsrv" => (("socket" => "${directory}/socket", "check-local" => "disable", "max-procs" => 2,
  "bin-path" => "${IIPSRV}", "bin-environment" => ("FILESYSTEM_PREFIX" => "${pyramids}/", "JPEG_QUALITY" => "85",
  "MAX_CVT" => "20000", "MAX_IMAGE_CACHE_SIZE" => "10", "LOGFILE" => "${directory}/log", "VERBOSITY" => "0"))))
`,
  );
  const server = spawn("/usr/sbin/lighttpd", ["-D", "-f", configuration], { stdio: "ignore" });
  running.push(server);
  await once(server, "spawn");
  const address = `http://127.0.0.1:${port}/iipsrv`;
  for (let tries = 0; tries < 50; tries++) {
    if (
      await fetch(address).then(
        () => true,
        () => false,
      )
    )
      return address;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("lighttpd has not started");
}
