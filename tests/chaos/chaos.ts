/** One run: an installation, people who use it, faults, and the comparison at the end. */
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config/read.ts";
import { createLog } from "../../src/log.ts";
import type { Services } from "../../src/services.ts";
import { records } from "../bench/ground.ts";
import { environment } from "../runtimes/started.ts";
import { takeCopy } from "../support/programs/copied.ts";
import { checkCatalogue } from "./check-catalogue.ts";
import { checkPublic } from "./check-public.ts";
import { breakThings } from "./faults.ts";
import { Ledger } from "./ledger.ts";
import { openSite, PASSWORD, type Site, type Where } from "./site.ts";
import { Editor, endOfJob, importLists, sendList } from "./staff.ts";
import { Traffic } from "./traffic.ts";
import { harvest, harvestOnce, readRecords, search, viewImages } from "./visitors.ts";

export type Plan = {
  where: Where;
  minutes: number;
  /** Requests a second. */
  rate: number;
  faults: readonly string[];
  everySeconds: number;
  /** How many records to import first. The run then measures memory, with the triple store off as by default. */
  records: number;
  say(line: string): void;
};

export type Result = { wrong: readonly string[]; requests: number; faults: ReadonlyMap<string, number> };

/** Megabytes: enough for the database of an hour's work, and quick to fill. */
const DISK = { embedded: 1_200, external: 600 };

export async function runChaos(plan: Plan): Promise<Result> {
  const { where, minutes, records: wanted, say } = plan;
  const site = await openSite(where, wanted > 0 ? null : DISK[where]);
  try {
    const traffic = new Traffic(
      site.instances.map(({ url }) => url),
      plan.rate,
    );
    const ledger = new Ledger();
    const json = { email: "admin@example.org", password: PASSWORD };
    traffic.token = (await traffic.visitor("/v1/auth/login", { json }))!.json.access_token;
    if (wanted > 0) await importRecords(traffic, wanted, say);
    const memory = async () => (await Promise.all(site.instances.map((one) => one.memory()))).join("; ");
    say(`${where}: begins; ${await memory()} resident`);

    const ends = performance.now() + minutes * 60_000;
    const isOver = () => performance.now() > ends;
    const work = [
      ...Array.from({ length: 4 }, () => new Editor(traffic, ledger).work()),
      importLists(traffic, ledger, 15),
      ...Array.from({ length: 3 }, () => readRecords(traffic, ledger)),
      search(traffic, ledger),
      viewImages(traffic, ledger),
      harvest(traffic, ledger),
    ];
    const breaking = breakThings(site, plan.faults, plan.everySeconds, isOver, say);
    for (let minute = 1; !isOver(); minute++) {
      await setTimeout(Math.min(60_000, Math.max(0, ends - performance.now()) + 1));
      if (minute % 5 === 0)
        say(`  minute ${minute}: ${traffic.requests} requests; ${await memory()} resident`);
    }
    const faults = await breaking;
    await isWell(site, traffic);
    traffic.over = true;
    await Promise.all(work);
    say(
      `${where}: ${minutes} minutes, ${traffic.requests} requests (${countsInWords(traffic.statuses)}); ${await memory()} resident`,
    );
    say(
      `  faults: ${countsInWords(faults) || "none"}${site.disk || wanted > 0 ? "" : " (no disk to fill: only root can)"}`,
    );

    traffic.hurry();
    await compareAll(site, traffic, ledger, say);
    for (const { endedAlone } of site.instances)
      if (endedAlone > 0 && !faults.has("the disk full"))
        traffic.wrong.add(`ended by itself ${endedAlone} times`);
    const codes = await Promise.all(site.instances.map((instance) => instance.stop()));
    for (const code of codes)
      if (code !== 0) traffic.wrong.add(`it was told to stop, and ended with ${code}`);
    const wrong = [...traffic.wrong];
    const list = (lines: readonly string[]) => `${lines.length}\n    ${lines.slice(0, 30).join("\n    ")}`;
    say(`  wrong: ${wrong.length === 0 ? "nothing" : list(wrong)}`);
    const all = wrong.join();
    const errors = site.instances
      .flatMap((instance) => instance.errors)
      .filter((line) => all.includes(JSON.parse(line).request_id));
    if (errors.length > 0) say(`  errors in the log: ${list(errors)}`);
    return { wrong, requests: traffic.requests, faults };
  } finally {
    await site.close();
  }
}

const countsInWords = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([what, times]) => `${what} ${times}×`).join(", ");

async function importRecords(traffic: Traffic, wanted: number, say: Plan["say"]): Promise<void> {
  const { path, mapping, rows } = await records(wanted);
  const begun = performance.now();
  const job = await sendList(traffic, await text(createReadStream(path)), mapping);
  await endOfJob(traffic, job!, () => false);
  say(`  ${rows} records imported over HTTP in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

/** After the last fault, everything must recover by itself. */
async function isWell(site: Site, traffic: Traffic): Promise<void> {
  const begun = performance.now();
  for (const { url } of site.instances) {
    for (;;) {
      const answer = await fetch(`${url}/health`).catch(() => null);
      if (answer?.status === 200) break;
      if (performance.now() - begun > 120_000) {
        traffic.wrong.add(`not well two minutes after the last fault: ${await answer?.text()}`);
        return;
      }
      await setTimeout(500);
    }
  }
}

async function compareAll(site: Site, traffic: Traffic, ledger: Ledger, say: Plan["say"]): Promise<void> {
  const deadline = performance.now() + 120_000;
  const isLate = () => performance.now() > deadline;
  for (const { job } of ledger.imports) if (job) await endOfJob(traffic, job, isLate);
  const isDrained = async ({ sql }: Services) => {
    const [left] = await sql<{ n: number }[]>`
      select (select count(*) from outbox)::int
        + (select count(*) from jobs where state in ('queued', 'running') and run_after <= now())::int
        + (select count(*) from object_media where status = 'pending' and deleted_at is null and prepare_after <= now())::int as n`;
    return left!.n === 0;
  };
  while (!(await look(site, isDrained)) && !isLate()) await setTimeout(500);
  // harvests can see it once its second is over and no earlier change is in progress
  const drained = new Date().toISOString();
  while (ledger.from <= drained && !isLate()) {
    await setTimeout(1_000);
    await harvestOnce(traffic, ledger);
  }
  await look(site, async ({ sql, files }) => {
    await checkCatalogue(sql, files, ledger, traffic.wrong);
    const compared = await checkPublic(sql, traffic, ledger, site.settings.TRIPLESTORE_ENABLED === "true");
    say(
      `  compared: ${ledger.entries.length} records by version, ${ledger.imports.length} imports, ${compared}`,
    );
  });
  for (const command of ["search-verify", "media-verify"]) {
    const { code, said } = await site.command(command);
    if (code !== 0) traffic.wrong.add(`${command} ended with ${code}: ${said.slice(-500)}`);
  }
}

/** Looks into the database while the service runs; into a copy of the embedded one. */
async function look<T>({ where, settings }: Site, at: (services: Services) => Promise<T>): Promise<T> {
  const copy = where === "embedded" ? await takeCopy(settings.SVC_DATA_DIR!) : null;
  const read = readConfig(environment({ ...settings, ...(copy && { SVC_DATA_DIR: copy }) }));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const silent = createLog({ level: "error", format: "json", write: () => undefined });
  const { services, close } = await compose(read.config, "client", silent);
  try {
    return await at(services);
  } finally {
    await close();
    if (copy) await rm(copy, { recursive: true, force: true });
  }
}
