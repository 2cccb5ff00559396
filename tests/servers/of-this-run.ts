/**
 * PostgreSQL and Redis for a whole run: those at TEST_DATABASE_URL and TEST_REDIS_URL, or else servers that the run starts
 * and ends itself, if their programs are on this machine.
 */
import type { TestProject } from "vitest/node";
import { isRedisThere, redisUrl } from "../support/servers/redis-rest.ts";
import { databaseServer, isServerThere } from "../support/servers/server.ts";
import { openOwnServer, serverPrograms } from "./postgresql.ts";
import { isRedisInstalled, openRedis } from "./redis.ts";

/** Sets both variables for every process of this run. Answers what ends the servers that it has started. */
export async function startServersOfThisRun(): Promise<() => Promise<void>> {
  const started: { close(): Promise<void> }[] = [];
  const programs = serverPrograms();
  if (!(await isServerThere()) && programs !== null) {
    // many connections of many services, and no crash of the machine to survive
    const server = await openOwnServer(programs, { max_connections: "300", fsync: "off" });
    console.log(`No PostgreSQL answers at ${new URL(databaseServer()).host}: this run has its own`);
    process.env.TEST_DATABASE_URL = server.url;
    started.push(server);
  }
  if (!(await isRedisThere()) && isRedisInstalled()) {
    const redis = await openRedis();
    console.log(`No Redis answers at ${new URL(redisUrl()).host}: this run has its own`);
    process.env.TEST_REDIS_URL = redis.url;
    started.push(redis);
  }
  return async () => {
    for (const server of started) await server.close();
  };
}

/** For Vitest: they end after the teardown of every project, which may still need them. */
export default async function setup({ vitest }: TestProject): Promise<void> {
  vitest.onClose(await startServersOfThisRun());
}
