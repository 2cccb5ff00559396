/**
 * A complete harvest over HTTP from a separate service, page after page, compared with a bare read of the same
 * records.
 */
import { readFileSync } from "node:fs";
import { runtimeName } from "../../src/runtimes/serve.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { type Started, started } from "../runtimes/started.ts";
import { type Ground, openGround, pace, type Where } from "./ground.ts";
import { importInto } from "./import.ts";

export async function benchOai(where: Where): Promise<void> {
  const ground = await openGround(where);
  let service: Started | undefined;
  try {
    await importInto(ground);
    await drainOutbox(ground.services);
    const bare = await bareRead(ground);
    await ground.leave();
    service = await started(
      [process.execPath, "cli/svc-manage.mjs", "serve"],
      { SVC_DATA_DIR: ground.dataDir, ...(ground.databaseUrl ? { DATABASE_URL: ground.databaseUrl } : {}) },
      runtimeName(),
    );
    console.log(`\nOAI-PMH, ${where} database, ${bare.records} records, pace ${pace().toFixed(0)} ms`);
    console.log(`bare SQL, 100 a page: ${rate(bare)} records/s`);
    for (const [prefix, encoding] of [
      ["oai_dc", "identity"],
      ["oai_dc", "gzip"],
      ["lido", "identity"],
    ] as const) {
      const before = resident(service);
      const harvest = await harvested(service.url, prefix, encoding);
      const times = (harvest.seconds / harvest.records / (bare.seconds / bare.records)).toFixed(1);
      console.log(
        `${prefix}, ${encoding}: ${rate(harvest)} records/s, ${times} × the bare read; ` +
          `resident ${before} MB before, ${resident(service)} MB after`,
      );
    }
  } finally {
    await service?.stop();
    await ground.close();
  }
}

type Taken = { records: number; seconds: number };

const rate = ({ records, seconds }: Taken): string => Math.round(records / seconds).toString();

/** Dates and records by id, as JSON. */
async function bareRead({ services: { sql } }: Ground): Promise<Taken> {
  const begun = performance.now();
  let records = 0;
  for (let after: string | null = null; ; ) {
    const rows: { id: string }[] = await sql<{ id: string }[]>`
      select r.id, r.metadata, d.datestamp from public_dates d join records r on r.id = d.record_id
      where ${after === null ? sql`true` : sql`d.record_id > ${after}`} order by d.record_id limit 100`;
    records += JSON.parse(JSON.stringify(rows)).length;
    if (rows.length < 100) return { records, seconds: (performance.now() - begun) / 1_000 };
    after = rows.at(-1)!.id;
  }
}

async function harvested(url: string, prefix: string, encoding: string): Promise<Taken> {
  const begun = performance.now();
  let records = 0;
  for (let query = `metadataPrefix=${prefix}`; query !== ""; ) {
    const answer = await fetch(`${url}/oai?verb=ListRecords&${query}`, {
      headers: { "Accept-Encoding": encoding },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text.slice(0, 300));
    records += text.split("<record>").length - 1;
    const token = /<resumptionToken[^>]*>([^<]+)</.exec(text)?.[1];
    query = token === undefined ? "" : `resumptionToken=${token}`;
  }
  return { records, seconds: (performance.now() - begun) / 1_000 };
}

/** Megabytes of its memory. */
function resident({ child }: Started): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
