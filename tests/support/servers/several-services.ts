/** Three services on one PostgreSQL and one Redis, like a large installation. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "../../runtimes/runtimes.ts";
import { freePort, type Settings, type Started, serve, svcManage } from "../../runtimes/started.ts";
import { notTried } from "../lane/skipped.ts";
import { isRedisThere, openRedisRest, REDIS_MISSING } from "./redis-rest.ts";
import { createDatabase, isServerThere, SERVER_MISSING } from "./server.ts";

export const ADMIN = "admin@127.0.0.1";

export type SeveralServices = {
  /** Replaced when one of them is started again. */
  services: Started[];
  /** Each keeps its port. */
  ports: readonly string[];
  start(n: number): Promise<Started>;
  /** One entry for each service that created the first administrator. */
  firstPasswords(): Promise<string[]>;
  close(): Promise<void>;
};

/** Whether this machine has what they need; missing programs are listed at the end of the run. */
export async function canHaveSeveral(): Promise<boolean> {
  const needed = [
    [await isServerThere(), SERVER_MISSING],
    [await isRedisThere(), REDIS_MISSING],
  ] as const;
  for (const [isThere, name] of needed) if (!isThere) notTried(name);
  return needed.every(([isThere]) => isThere);
}

export async function startSeveral(runtime: Runtime, settings: Settings): Promise<SeveralServices> {
  const [directory, database, redis, ...ports] = await Promise.all([
    mkdtemp(join(tmpdir(), "svc-several-")),
    createDatabase(),
    openRedisRest(undefined, `${crypto.randomUUID()}:`),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const shared: Settings = {
    SVC_BASE_URL: "http://127.0.0.1",
    SECRET_KEY: "9d2f61c08b7e4a35f1d06c9be874a3520b7f9e1c6d28a4f3",
    DATABASE_URL: database.url,
    UPSTASH_REDIS_REST_URL: redis.url,
    UPSTASH_REDIS_REST_TOKEN: redis.token,
    ...settings,
  };
  const place = (n: number) => join(directory, String(n));
  const several: SeveralServices = {
    services: [],
    ports,
    async start(n) {
      const started = await serve(runtime, { ...shared, PORT: ports[n]!, SVC_DATA_DIR: place(n) });
      several.services[n] = started;
      return started;
    },
    async firstPasswords() {
      const makers = several.services.flatMap(({ lines }, n) => (lines.includes("FIRST RUN") ? [n] : []));
      const files = makers.map((n) => readFile(join(place(n), "first-run-credentials.txt"), "utf8"));
      return (await Promise.all(files)).map((text) => /^password: (.+)$/m.exec(text)![1]!);
    },
    async close() {
      await Promise.all(several.services.map((service) => service.kill("SIGKILL")));
      await redis.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  try {
    await svcManage(runtime, { ...shared, SVC_DATA_DIR: directory }, "migrate");
    // at once, as an orchestrator starts them
    await Promise.all(ports.map((_, n) => several.start(n)));
    return several;
  } catch (error) {
    await several.close();
    throw error;
  }
}
