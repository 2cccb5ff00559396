/** The staff pages of the whole service, used by one person: lists, the editor, saving; and work on many records. */
import { createApp } from "../../src/app.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import type { Museum } from "../support/museum/museum.ts";
import { type StaffBrowser, staffBrowser } from "../support/museum/staff-browser.ts";
import { type Ground, ms, openGround, pace, spread, type Where } from "./ground.ts";
import { importInto } from "./import.ts";

const TIMES = 100;
const WARMING = 10;

/** `BENCH_RECORDS`: use fewer records. */
export async function benchAdmin(where: Where): Promise<void> {
  const ground = await openGround(where);
  try {
    const count = process.env.BENCH_RECORDS ? Number(process.env.BENCH_RECORDS) : undefined;
    const { rows } = await importInto(ground, "skip", count);
    await drainOutbox(ground.services);
    const museum = { services: ground.services, api: createApp(ground.services) } as Museum;
    const curator = await staffBrowser(museum, "admin");
    console.log(
      `\nstaff interface, ${where} database, ${rows} records, one person (ms; pace ${pace().toFixed(0)} ms)`,
    );
    await measurePages(ground, curator);
    await measureMany(curator);
  } finally {
    await ground.close();
  }
}

async function measurePages({ services: { sql } }: Ground, curator: StaffBrowser): Promise<void> {
  const ids = await sql<{ id: string }[]>`
    select id from records where record_type = 'object' order by md5(id::text) limit ${TIMES + WARMING}`;
  const page = async (path: string) => {
    const answer = await curator.get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
  };
  const measure = async (name: string, work: (turn: number) => Promise<unknown>) => {
    const times: number[] = [];
    for (let turn = 0; turn < TIMES + WARMING; turn++) {
      const begun = performance.now();
      await work(turn);
      if (turn >= WARMING) times.push(performance.now() - begun);
    }
    const { p50, p95 } = spread(times);
    console.log(`  ${name.padEnd(26)} p50 ${ms(p50)}  p95 ${ms(p95)}`);
  };
  const at = (turn: number) => `/admin/objects/${ids[turn % ids.length]!.id}`;
  await measure("list", () => page("/admin/objects"));
  await measure("list by title, page n", (turn) =>
    page(`/admin/objects?sort=title&dir=asc&page=${turn + 1}`),
  );
  await measure("list by part of a name", (turn) => page(`/admin/objects?q=B-${turn}`));
  await measure("list of drafts", () => page("/admin/objects?status=draft"));
  await measure("editor", (turn) => page(at(turn)));
  await measure("editor within a list", (turn) => page(`${at(turn)}?in=sort%3Dtitle%26dir%3Dasc`));
  const versions = new Map<string, string>();
  for (const { id } of ids) {
    const text = await page(`/admin/objects/${id}`);
    versions.set(`/admin/objects/${id}`, /name="version" value="(\d+)"/.exec(text)![1]!);
  }
  await measure("save", async (turn) => {
    const form = {
      version: versions.get(at(turn))!,
      idno: `SAVED-${turn}`,
      object_type: "other",
      status: "draft",
    };
    const more = { collection_status: "active", "metadata_/title/0/value": `Saved ${turn}` };
    const saved = await curator.send(at(turn), { ...form, ...more });
    if (saved.status !== 303) throw new Error(`save: ${saved.status} ${(await saved.text()).slice(0, 300)}`);
  });
}

/** Each once, completely. */
async function measureMany(curator: StaffBrowser): Promise<void> {
  const once = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const done = await work();
    console.log(`  ${name.padEnd(26)} ${ms(performance.now() - begun)}`);
    return done;
  };
  const address = await once("choosing all", async () => {
    const sent = await curator.send("/admin/objects/bulk", { scope: "found", back: "sort=idno&dir=asc" });
    return sent.headers.get("Location")!;
  });
  await curator.send(address, { what: "add", field: "material", "metadata_/material/0/value": "paper" });
  await once("preview", () => curator.text(address));
  const bytes = await once(
    "CSV of all",
    async () => (await curator.text("/admin/objects/export?format=csv")).length,
  );
  console.log(`  ${"".padEnd(26)} ${(bytes / 1e6).toFixed(1)} MB`);
}
