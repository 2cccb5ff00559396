/** What goes wrong in machine rooms, one fault at a time, each of them temporary. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import type { Cable } from "../support/servers/cable.ts";
import { onServer } from "../support/servers/server.ts";
import type { Instance, Site, Store } from "./site.ts";

/** Milliseconds, with the start of the service after it. */
const LONGEST_FAULT = 90_000;

/** Causes the fault, waits, and ends it; null when that is not possible at this site. */
type Fault = (site: Site) => Promise<void> | null;

const seconds = (least: number, most: number) => setTimeout((least + Math.random() * (most - least)) * 1_000);
const anyOf = ({ instances }: Site): Instance => instances[Math.floor(Math.random() * instances.length)]!;

export const FAULTS: Record<string, Fault> = {
  "the service killed": async (site) => {
    const instance = anyOf(site);
    await instance.kill();
    await seconds(0, 2);
    await instance.start();
  },
  "the service stopped": (site) => pause(anyOf(site), 0.5, 5),
  // another process takes over its jobs, and then it continues
  "the service stopped for longer than a lease": (site) => pause(anyOf(site), 35, 45),
  "database connections ended": ({ database }) =>
    database === null
      ? null
      : onServer(
          (sql) => sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = ${database} and application_name = 'svc'`,
        ),
  "the database away": ({ cable }) =>
    cable &&
    (async () => {
      cable.cut();
      await seconds(0.5, 5);
      cable.mend();
    })(),
  "the database silent": ({ cable }) => cable && silence(cable, 12),
  "the database slow": ({ cable }) =>
    cable &&
    (async () => {
      cable.slow(20 + Math.random() * 100);
      await seconds(3, 8);
      cable.slow(0);
    })(),
  "the disk full": ({ disk }) => (disk === null ? null : fill(disk)),
  "Redis silent": ({ redis }) =>
    redis &&
    (async () => {
      redis.silent = true;
      await seconds(2, 8);
      redis.silent = false;
    })(),
  "the triple store silent": ({ triples }) => triples && silence(triples.cable, 8),
  "the triple store killed": ({ triples }) => triples && killAndStart(triples),
  "the object store silent": ({ objects }) => objects && silence(objects.cable, 8),
  "the object store killed": ({ objects }) => objects && killAndStart(objects),
};

async function silence(cable: Cable, most: number): Promise<void> {
  cable.silence();
  await seconds(1, most);
  cable.mend();
  cable.hangUp();
}

async function killAndStart(store: Store): Promise<void> {
  await store.kill();
  await seconds(0.5, 5);
  await store.start();
}

async function pause(instance: Instance, least: number, most: number): Promise<void> {
  instance.signal("SIGSTOP");
  await seconds(least, most);
  instance.signal("SIGCONT");
}

async function fill(disk: string): Promise<void> {
  const path = join(disk, "filling");
  const zeros = Buffer.alloc(1 << 20);
  const endless = Readable.from(
    (function* () {
      for (;;) yield zeros;
    })(),
  );
  await pipeline(endless, createWriteStream(path)).catch((error) => {
    if (error.code !== "ENOSPC") throw error;
  });
  await seconds(2, 8);
  await rm(path);
}

/** Causes one fault after the other, in any order, until it is over; answers how often each occurred. */
export async function breakThings(
  site: Site,
  names: readonly string[],
  everySeconds: number,
  over: () => boolean,
  say: (line: string) => void,
): Promise<Map<string, number>> {
  const done = new Map<string, number>();
  let round: string[] = [];
  while (!over()) {
    for (let left = everySeconds; left > 0 && !over(); left--) await setTimeout(1_000);
    if (over()) break;
    // each once before any of them is repeated
    if (round.length === 0) round = names.toSorted(() => Math.random() - 0.5);
    const name = round.pop();
    if (name === undefined) continue;
    const fault = FAULTS[name]!(site);
    if (fault === null) continue;
    const late = globalThis.setTimeout(() => {
      const faults = site.instances.map(({ notStarted }) => notStarted);
      say(`  "${name}" is not over after ${LONGEST_FAULT / 1_000} s: ${faults.join("; ")}`);
    }, LONGEST_FAULT);
    await fault.finally(() => clearTimeout(late));
    done.set(name, (done.get(name) ?? 0) + 1);
  }
  return done;
}
