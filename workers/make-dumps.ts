/** The job that writes the files under /dumps/. The new files replace the old ones when all are complete. */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createGzip } from "node:zlib";
import {
  type DumpFile,
  keyOf,
  publishDumps,
  publishedDumps,
  removeUnfinished,
} from "../src/dumps/published.ts";
import { forgetWithdrawals, isAnythingWithdrawn, withdrawalsSoFar } from "../src/dumps/withdrawals.ts";
import { said } from "../src/messages/said.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { at, type DueJob } from "./due-jobs.ts";
import { DUMPS, type DumpContents } from "./dump-contents.ts";
import type { JobInput } from "./job-kind.ts";

const dueAt = (pattern: string): DueJob["lastDue"] => {
  const lastDue = at(pattern);
  return (config, now) => (config.dumps.enabled ? lastDue(config, now) : null);
};

export const dumpDue: Omit<DueJob, "kind"> = { lastDue: dueAt("17 4 * * *") };

/** The longest pause, in seconds, between two sets of files while the museum keeps withdrawing records. */
const LONGEST_PAUSE = 50 * 60;

/**
 * Due when something in the files is no longer public: they are not served until new ones are made. The pause is ten times as
 * long as making them takes, but less than an hour.
 */
export const dumpDueAfterWithdrawal: Omit<DueJob, "kind"> = {
  lastDue: dueAt("7-57/10 * * * *"),
  async isNeeded({ sql, dumps }) {
    const set = await publishedDumps(dumps);
    if (set === null || !(await isAnythingWithdrawn(sql))) return false;
    const age = (Date.now() - Date.parse(set.made_at)) / 1_000;
    return age >= Math.min(10 * set.seconds, LONGEST_PAUSE);
  },
};

export async function makeDumps({ services, report }: JobInput): Promise<Record<string, unknown>> {
  const { sql, dumps, config } = services;
  if (!config.dumps.enabled) throw new Refusal(said("problem.dump.turned_off"));
  await removeUnfinished(dumps);
  const now = new Date().toISOString();
  const made_at = `${now.slice(0, 19)}Z`;
  const begun = performance.now();
  const withdrawn = await withdrawalsSoFar(sql);
  // with milliseconds, so that no set overwrites one that is served
  const folder = now.replaceAll(/[-:.]/g, "");
  const files: DumpFile[] = [];
  let done = 0;
  for (const contents of DUMPS) {
    const file = await writeDump(services, folder, contents, async (records) => {
      done += records;
      await report({ done });
    });
    if (file.records > 0) files.push(file);
    else await dumps.remove(keyOf(folder, file.name));
  }
  const seconds = Math.ceil((performance.now() - begun) / 1_000);
  await publishDumps(dumps, { folder, made_at, seconds, files });
  await forgetWithdrawals(sql, withdrawn);
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function writeDump(
  services: Services,
  folder: string,
  { name, format, pieces }: DumpContents,
  onRecords: (count: number) => Promise<void>,
): Promise<DumpFile> {
  let records = 0;
  async function* texts() {
    for await (const piece of pieces(services)) {
      records += piece.records;
      await onRecords(piece.records);
      yield piece.text;
    }
  }
  const hash = createHash("sha256");
  const gzip = createGzip();
  async function* hashed() {
    for await (const chunk of gzip) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const packing = pipeline(texts, gzip);
  // `put` throws the error too; without this, it would also be an unhandled rejection
  packing.catch(() => undefined);
  const content = Readable.toWeb(Readable.from(hashed())) as NodeReadableStream<Uint8Array>;
  const { bytes } = await services.dumps.put(keyOf(folder, name), content as ReadableStream<Uint8Array>);
  await packing;
  return { name, format, records, bytes, sha256: hash.digest("hex") };
}
