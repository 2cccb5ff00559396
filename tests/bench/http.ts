/** One object, read by a visitor through everything, against a bare Hono + postgres.js route for the same row. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Hono } from "hono";
import { loadDemoMuseum } from "../../cli/demo/load.ts";
import { createApp } from "../../src/app.ts";
import { createLog } from "../../src/log.ts";
import { listen } from "../../src/runtimes/node.ts";
import { openGround, pace, spread, type Where } from "./ground.ts";

const run = promisify(execFile);
const ROUNDS = 5;
const SECONDS = 2;

async function rate(url: string): Promise<number> {
  const loader = fileURLToPath(new URL("load.ts", import.meta.url));
  const { stdout } = await run(process.execPath, ["--import", "tsx", loader, url, "16", String(SECONDS)]);
  return Number(stdout) / SECONDS;
}

export async function benchHttp(where: Where): Promise<void> {
  const ground = await openGround(where);
  const { services } = ground;
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
    // requests are logged as in production, only not to the terminal
    let lines = 0;
    services.log = createLog({ level: "info", format: "json", write: () => void lines++ });
    const whole = createApp(services).app;
    const a = await listen(whole, { host: "127.0.0.1", port: 0 });
    const b = await listen(bare, { host: "127.0.0.1", port: 0 });
    const path = `/v1/objects/${id}`;
    const rates: { whole: number[]; bare: number[]; ratio: number[] } = { whole: [], bare: [], ratio: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      const one = await rate(`http://127.0.0.1:${a.port}${path}`);
      const other = await rate(`http://127.0.0.1:${b.port}${path}`);
      if (round === 0) continue; // warm-up
      rates.whole.push(one);
      rates.bare.push(other);
      rates.ratio.push(one / other);
    }
    await Promise.all([a.stop(), b.stop()]);
    console.log(
      `read one object, ${where}: ${spread(rates.whole).p50.toFixed(0)} requests/s, bare route ${spread(rates.bare).p50.toFixed(0)}, ` +
        `ratio ${spread(rates.ratio).p50.toFixed(2)} (target 0.70; ${ids.size} records, 16 connections, pace ${pace().toFixed(0)} ms)`,
    );
  } finally {
    await ground.close();
  }
}
