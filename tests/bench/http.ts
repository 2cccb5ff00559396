/**
 * A visitor reads one object through the whole service. Compared with a bare Hono + postgres.js route for the same
 * row, and with the service without authentication and limits; with limits counted in the process, and in Redis.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Hono } from "hono";
import { loadDemoMuseum } from "../../cli/demo/load.ts";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { upstashCounter } from "../../src/adapters/counter/upstash.ts";
import { createApp, emptyApp, openRooms } from "../../src/app.ts";
import { VISITOR } from "../../src/caller.ts";
import type { Api } from "../../src/http/endpoint.ts";
import { browserSafety } from "../../src/http/request/browser.ts";
import { requestLog } from "../../src/http/requests.ts";
import { createLog } from "../../src/log.ts";
import { listen } from "../../src/runtimes/node.ts";
import type { Counter, Services } from "../../src/services.ts";
import { isRedisThere } from "../support/servers/redis-rest.ts";
import { openGround, pace, spread, type Where } from "./ground.ts";

const run = promisify(execFile);
const ROUNDS = 7;
const SECONDS = 2;

async function rate(url: string): Promise<number> {
  const loader = fileURLToPath(new URL("load.ts", import.meta.url));
  const { stdout } = await run(process.execPath, ["--import", "tsx", loader, url, "16", String(SECONDS)]);
  return Number(stdout) / SECONDS;
}

/** A service to which everybody is a visitor without limits. */
function trusting(services: Services): Api {
  const api = emptyApp(services);
  api.app.use(browserSafety(api));
  api.app.use(requestLog(services.log, api.meter));
  api.app.use((c, next) => {
    c.set("caller", VISITOR);
    return next();
  });
  openRooms(api);
  return api;
}

/** Counts in Redis; without Redis, in the process, and then the figure means nothing. */
async function countingInRedis({ log }: Services): Promise<{ counter: Counter; leave(): void }> {
  if (!(await isRedisThere())) return { counter: inProcessCounter(), leave: () => undefined };
  const file = fileURLToPath(new URL("redis-front.ts", import.meta.url));
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const front = spawn(process.execPath, ["--import", "tsx", file], { stdio: [...stdio] });
  const [said] = (await once(front.stdout!, "data")) as [Buffer];
  const { url, token } = JSON.parse(String(said)) as { url: string; token: string };
  const counter = upstashCounter({ url, token, otherwise: inProcessCounter(), log });
  return { counter, leave: () => void front.kill() };
}

export async function benchHttp(where: Where): Promise<void> {
  const ground = await openGround(where);
  const { services } = ground;
  const { counter, leave } = await countingInRedis(services);
  try {
    const ids = await loadDemoMuseum(services);
    const [row] = await services.sql<{ id: string }[]>`
      select id from records where record_type = 'object' and status = 'public' order by id limit 1`;
    const { id } = row!;
    const bare = new Hono();
    bare.get("/v1/objects/:id", async (c) => {
      const [found] = await services.sql`select * from records where id = ${c.req.param("id")}`;
      return c.json(found as object);
    });
    // requests are logged as in production, but not to the terminal
    let lines = 0;
    services.log = createLog({ level: "info", format: "json", write: () => void lines++ });
    const apps = {
      whole: createApp(services).app,
      redis: createApp({ ...services, counter }).app,
      bare,
      trusting: trusting(services).app,
    };
    const names = Object.keys(apps) as (keyof typeof apps)[];
    const listening = await Promise.all(
      names.map((name) => listen(apps[name], { host: "127.0.0.1", port: 0 })),
    );
    const rates: Record<keyof typeof apps, number[]> = { whole: [], redis: [], bare: [], trusting: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [at, name] of names.entries()) {
        const measured = await rate(`http://127.0.0.1:${listening[at]!.port}/v1/objects/${id}`);
        if (round > 0) rates[name].push(measured); // the first is for warming up
      }
    }
    await Promise.all(listening.map((one) => one.stop()));
    const against = (other: keyof typeof apps, one: "whole" | "redis" = "whole") =>
      spread(rates[one].map((rate, round) => rate / rates[other][round]!)).p50.toFixed(2);
    console.log(
      `read one object, ${where}: ${spread(rates.whole).p50.toFixed(0)} requests/s, bare route ${spread(rates.bare).p50.toFixed(0)}, ` +
        `ratio ${against("bare")} (target 0.70), against one without sign-in and limits ${against("trusting")} (target 0.95), ` +
        `with limits in Redis ${against("trusting", "redis")} (target 0.95; ` +
        `${ids.size} records, 16 connections, pace ${pace().toFixed(0)} ms)`,
    );
  } finally {
    leave();
    await ground.close();
  }
}
