/**
 * An installation like a museum's, of which every part can be made to fail: programs are real and are started again.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runtimeName } from "../../src/runtimes/serve.ts";
import { environment, freePort, type Settings, type Started, started } from "../runtimes/started.ts";
import { isOxigraphHere, openOxigraph } from "../servers/oxigraph.ts";
import { isSeaweedfsHere, openSeaweedfs } from "../servers/seaweedfs.ts";
import { begin } from "../support/programs/processes.ts";
import { type Cable, layCable } from "../support/servers/cable.ts";
import { isRedisThere, openRedisRest, type RedisRest } from "../support/servers/redis-rest.ts";
import { createDatabase } from "../support/servers/server.ts";

export type Where = "embedded" | "external";

const MAIN = fileURLToPath(new URL("../../cli/svc-manage.mjs", import.meta.url));
export const PASSWORD = "a list as long as the pier";

/**
 * One process of the service. Whoever kills it starts it again; when it ends by itself, it is started again as by
 * systemd.
 */
export class Instance {
  readonly url: string;
  readonly #settings: Settings;
  #running: Started | null = null;
  #starting: Promise<void> | null = null;
  #closed = false;
  /** How often it ended without being killed. */
  endedAlone = 0;
  /** Why it has not started so far. */
  notStarted: string | null = null;
  /** Unexpected errors in its log. */
  readonly errors: string[] = [];

  constructor(settings: Settings) {
    this.#settings = settings;
    this.url = `http://127.0.0.1:${settings.PORT}`;
  }

  /** One start at a time: of two processes with one data directory, the second would fail for ever. */
  start(): Promise<void> {
    this.#starting ??= this.#startOnce().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #startOnce(): Promise<void> {
    while (!this.#closed) {
      const running = await started(
        // as `npm start` does
        [process.execPath, "--max-semi-space-size=8", MAIN, "serve"],
        environment({ MALLOC_ARENA_MAX: "2", ...this.#settings }),
        runtimeName(),
      ).catch((error) => {
        this.notStarted = error.message;
        return null;
      });
      if (running) {
        this.notStarted = null;
        this.#running = running;
        void running.ended.then(async () => {
          this.errors.push(...running.lines.filter((line) => line.includes('"level":"error"')));
          if (this.#running !== running) return;
          this.endedAlone += 1;
          await this.#starting;
          await this.start();
        });
        return;
      }
      await setTimeout(1_000);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#running?.child.kill(name);
  }

  async kill(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.kill("SIGKILL");
  }

  /** Its exit code. */
  async stop(): Promise<number | null | undefined> {
    this.#closed = true;
    await this.#starting;
    const running = this.#running;
    this.#running = null;
    return (await running?.stop())?.code;
  }

  /** Megabytes resident, now and at most: of its process and its child processes. */
  async memory(): Promise<string> {
    const pid = this.#running?.child.pid;
    if (pid === undefined) return "not running";
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => ""))
      .split(" ")
      .filter(Boolean);
    const all = await Promise.all([pid, ...children].map(residentOf));
    return all.map(({ now, most }) => `${now} MB (at most ${most})`).join(" + ");
  }
}

async function residentOf(pid: number | string): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1000);
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}

/** A server that keeps its data while it is killed, and the cable between it and the services. */
export type Store = { cable: Cable; kill(): Promise<void>; start(): Promise<void>; close(): Promise<void> };

export type Site = {
  where: Where;
  instances: readonly Instance[];
  settings: Settings;
  /** The directory of all files, on a separate disk that can be filled; null: on a shared disk. */
  disk: string | null;
  cable: Cable | null;
  /** The name of its database on the server. */
  database: string | null;
  redis: RedisRest | null;
  triples: Store | null;
  objects: Store | null;
  /** Runs a command to its end: its exit code and its output. */
  command(...args: string[]): Promise<{ code: number | null; said: string }>;
  close(): Promise<void>;
};

/** @param megabytes size of its disk; null: no separate disk and no stores, to measure memory */
export async function openSite(where: Where, megabytes: number | null): Promise<Site> {
  const directory = await mkdtemp(join(tmpdir(), "svc-chaos-"));
  const data = join(directory, "data");
  await mkdir(data);
  const disk = megabytes !== null && mount(data, megabytes) ? data : null;
  const isLarge = where === "external";
  const database = isLarge ? await createDatabase() : null;
  const cable = database ? await layCable(database.url) : null;
  const redis =
    isLarge && (await isRedisThere()) ? await openRedisRest(undefined, `${crypto.randomUUID()}:`) : null;
  const hasStores = isLarge && megabytes !== null;
  const triples = hasStores && isOxigraphHere() ? await withTriples() : null;
  const objects = hasStores && isSeaweedfsHere() ? await withObjects() : null;
  const settings: Settings = {
    MEDIA_ROOT: join(data, "media"),
    DATABASE_URL: database?.url ?? "",
    DEFAULT_ADMIN_PASSWORD: PASSWORD,
    JWT_EXPIRES_SECONDS: "86400",
    TRIPLESTORE_ENABLED: String(megabytes !== null),
    SPARQL_REQUIRE_AUTH: "false",
    RATE_LIMIT_SPARQL: "1000000/second",
    // the default; other tests use less
    SVC_DATABASE_BUFFERS_MB: "64",
    ...triples?.settings,
    ...objects?.settings,
    ...(redis ? { UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token } : {}),
  };
  const ofFirst = { ...settings, SVC_DATA_DIR: join(data, "0") };
  const command: Site["command"] = async (...args) => {
    const program = begin([process.execPath, MAIN, ...args], environment(ofFirst));
    const code = await program.ended;
    return { code, said: program.lines.join("\n") };
  };
  const instances: Instance[] = [];
  for (let n = 0; n < (isLarge ? 2 : 1); n++) {
    const own = {
      DATABASE_URL: cable?.url ?? "",
      SVC_DATA_DIR: join(data, String(n)),
      PORT: await freePort(),
    };
    instances.push(new Instance({ ...settings, ...own }));
  }
  const site: Site = {
    where,
    instances,
    settings: ofFirst,
    disk,
    cable,
    database: database ? new URL(database.url).pathname.slice(1) : null,
    redis,
    triples,
    objects,
    command,
    async close() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await Promise.all([cable?.close(), redis?.close(), triples?.close(), objects?.close()]);
      await database?.drop();
      if (disk) execFileSync("umount", ["-l", disk]);
      await rm(directory, { recursive: true, force: true });
    },
  };
  try {
    if (isLarge) await command("migrate");
    await Promise.all(instances.map((instance) => instance.start()));
    return site;
  } catch (error) {
    await site.close();
    throw error;
  }
}

async function withTriples(): Promise<Store & { settings: Settings }> {
  const store = await openOxigraph();
  const cable = await layCable(store.url);
  return {
    ...store,
    cable,
    settings: { TRIPLESTORE_URL: cable.url },
    async close() {
      await cable.close();
      await store.close();
    },
  };
}

async function withObjects(): Promise<Store & { settings: Settings }> {
  const store = await openSeaweedfs();
  const { endpointUrl, bucket, accessKey, secretKey } = store.bucket;
  const cable = await layCable(endpointUrl!);
  return {
    ...store,
    kill: store.stop,
    cable,
    settings: {
      STORAGE_BACKEND: "s3",
      S3_ENDPOINT_URL: cable.url,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
    },
    async close() {
      await cable.close();
      await store.close();
    },
  };
}

/** Only root can do this; without it, no disk is filled. */
function mount(directory: string, megabytes: number): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
