/** Operations that export the catalogue, and the one that imports an export into an empty catalogue. */
import { z } from "zod";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { headerLine, readExport } from "../exports/format.ts";
import { load } from "../exports/load.ts";
import { type Reading, withReading } from "../exports/read.ts";
import { withRecordLines } from "../exports/record-lines.ts";
import { publicQuads } from "../formats/rdf/public-quads.ts";
import { chunksOf } from "../http/request/body.ts";
import { said } from "../messages/said.ts";
import { KINDS, PUBLIC_KINDS } from "../records/kinds.ts";
import { backlog, isAnyUnderWay } from "../records/outbox.ts";
import { makeSortKeys } from "../records/write/sort-keys.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { Nothing, operation, type Talk } from "./operation.ts";

/** Records per batch of linked data. Other requests are answered between batches. */
const BATCH = 100;

const Everything = z.strictObject({ history: z.boolean() });
const OfKind = z.strictObject({ kind: z.enum(KINDS) });
const Public = z.strictObject({ kind: z.enum(PUBLIC_KINDS).nullable() });

/** Milliseconds between two checks of what the worker still has to index. */
const LOOK_MS = 200;

/** The next piece of a file. `count`: its rows or records. `total`: about how many the whole file has. */
export type Piece = { text: string; count: number; total?: number };
/** Sent once everything is stored. `left`: how many of the `total` changes are not yet projected. */
export type Indexing = { left: number; total: number };

export const exportOperations = {
  export: operation(Everything, (services, { history }, { emit }: Talk<Piece>) =>
    withReading(services, history, async (reading) => {
      await emit({ text: `${headerLine(history, new Date())}\n`, count: 0 });
      await emitLines(reading, emit);
    }),
  ),
  "export-records": operation(OfKind, (services, { kind }, { emit }: Talk<Piece>) =>
    withRecordLines(services, kind, (reading) => emitLines(reading, emit)),
  ),
  "export-rdf": operation(Public, async (services, { kind: only }, { emit }: Talk<Piece>) => {
    for (const kind of only ? [only] : PUBLIC_KINDS)
      for await (const { records, text } of publicQuads(services, kind, BATCH))
        await emit({ text, count: records });
  }),
  /** The content is the whole file, not compressed. All or nothing. */
  "import-all": operation(Nothing, async (services, _, { content, emit, signal }: Talk<Indexing>) => {
    const { header, rows } = await readExport(chunksOf(content));
    const loaded = await load(services, header, rows).catch(explain);
    const total = await backlog(services.sql);
    await emit({ left: total, total });
    await makeSortKeys(services.sql);
    await indexAll(services, signal, (left) => emit({ left, total }));
    return loaded;
  }),
};

async function emitLines({ total, pages }: Reading, emit: Talk<Piece>["emit"]): Promise<void> {
  for await (const page of pages) await emit({ text: `${page.join("\n")}\n`, count: page.length, total });
}

/** After an interruption, the service indexes the rest. */
async function indexAll(
  services: Services,
  signal: AbortSignal,
  report: (left: number) => Promise<void>,
): Promise<void> {
  const { sql } = services;
  // only for display, so errors are ignored
  const look = () =>
    void backlog(sql)
      .then(report, () => undefined)
      .catch(() => undefined);
  for (;;) {
    await drainOutbox(services, () => signal.aborted, look);
    // wait for the changes that the worker is projecting
    if (signal.aborted || !(await isAnyUnderWay(sql))) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Explains SQLSTATE 22 and 23: the database refuses the data although the checksum is right, so the file is not from an export. */
function explain(error: unknown): never {
  const { code = "", message = code } = error as { code?: string; message?: string };
  if (/^2[23]/.test(code)) throw new Refusal(said("cli.load.database_refuses", { reason: message }));
  throw error;
}
