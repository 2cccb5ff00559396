/**
 * Runs an import: source → rows → batches → records. Each batch is one transaction together with the note of how far
 * the import has come, so that whatever interrupts it, running it again ends with the same catalogue.
 */
import type { Account } from "../accounts/caller.ts";
import {
  countWritten,
  endImport,
  interruptImport,
  type Tally,
  type Written,
} from "../records/imports-store.ts";
import type { Services } from "../services.ts";
import { ahead } from "./ahead.ts";
import { unusedColumns } from "./header.ts";
import { contentHash } from "./identity.ts";
import { openJob } from "./job.ts";
import { type Mapping, parseMapping } from "./mapping.ts";
import { type MappedRow, mapRow } from "./row.ts";
import { type ImportOptions, importBatch, type RowOutcome, type Run } from "./save-rows.ts";
import { demandFit } from "./schema-fit.ts";
import { encodingOf, type ImportSource, openTable } from "./source.ts";
import type { CsvTable, TableRow } from "./table.ts";
import { MOST_KEPT, type NumberedRow, readTies, Sieve } from "./ties.ts";

/** Rows in one transaction: long enough to be quick, short enough that others hardly wait. */
const BATCH = 400;

export type ImportEvents = {
  begun?(about: {
    importId: string;
    resumed: boolean;
    encoding: string;
    delimiter: string;
    header: readonly string[];
    unused: readonly string[];
  }): void | Promise<void>;
  /** After each batch, in the order of the file; rows that name a later one of their own type come after it. */
  batch?(outcomes: readonly RowOutcome[], progress: { rows: number; bytes: number }): void | Promise<void>;
};

export type ImportSummary = Tally & {
  importId: string;
  finished: boolean;
  /** Of an import of several runs, or one that was stopped: what it has written in all of them until now. */
  written?: readonly Written[];
};

export async function runCsvImport(
  services: Services,
  caller: Account,
  source: ImportSource,
  options: ImportOptions,
  events: ImportEvents = {},
): Promise<ImportSummary> {
  const mapping = completeMapping(options);
  const encoding = await encodingOf(source, options);
  const hash = await contentHash(source.open());
  const counted = { bytes: 0 };
  let delimiter = ",";
  const parted = (found: string) => {
    delimiter = found;
  };
  const table = await openTable(source, encoding, options, { counted, parted });
  try {
    await demandFit(services, mapping, table.header, options);
    const ties = await readTies(() => openTable(source, encoding, options), mapping, options);
    const job = await openJob(services, caller, source.name, options, hash);
    await events.begun?.({
      importId: job.importId,
      resumed: job.resumed,
      encoding,
      delimiter,
      header: table.header,
      unused: unusedColumns(mapping, table.header),
    });
    const projection = trailing(services);
    const { follow } = projection;
    const run: Run = { mapping, options, job, ties, numbers: new Sieve(), follow };
    try {
      return await importRows(services, caller, run, table, counted, events);
    } finally {
      await projection.done();
    }
  } finally {
    await table.close();
  }
}

/** The mapping, with the column that `--media-selector` names. */
function completeMapping(options: ImportOptions): Mapping {
  const json = options.mapping;
  if (
    options.mediaSelector === undefined ||
    typeof json !== "object" ||
    json === null ||
    Array.isArray(json)
  ) {
    return parseMapping(json, options.kind);
  }
  const column = options.mediaSelector;
  const own = (json as Record<string, unknown>)[column];
  const all = own === undefined ? ["__media__"] : [...(Array.isArray(own) ? own : [own]), "__media__"];
  return parseMapping({ ...json, [column]: all }, options.kind);
}

/** The projections follow one batch behind, while the next is being saved; never two. */
function trailing(services: Services) {
  let last: Promise<void> = Promise.resolve();
  return {
    async follow(ids: readonly string[]): Promise<void> {
      await last;
      last = services.changed(ids);
    },
    done: (): Promise<void> => last,
  };
}

async function importRows(
  services: Services,
  caller: Account,
  run: Run,
  table: CsvTable,
  counted: { bytes: number },
  events: ImportEvents,
): Promise<ImportSummary> {
  const { options, job } = run;
  const tally: Tally = { rows_done: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };
  const held: NumberedRow[] = [];
  const map = (rows: readonly NumberedRow[]) => rows.map(({ row }) => mapRow(run.mapping, options.kind, row));
  let finished = false;
  // the planner errs while it believes the tables to be empty: told before the second batch, then ever more seldom
  let analyseAt = 1;
  let analysed = 0;
  const take = async (rows: readonly NumberedRow[], mapped: readonly MappedRow[], hold: boolean) => {
    const written = tally.created + tally.updated;
    if (!options.dryRun && written >= analyseAt) {
      await refreshStatistics(services);
      analysed = written;
      analyseAt = Math.max(analyseAt * 5, BATCH);
    }
    const { outcomes, later } = await importBatch(services, caller, run, rows, mapped, hold);
    held.push(...later);
    for (const { result } of outcomes) {
      tally.rows_done += 1;
      tally[result.outcome] += 1;
    }
    await events.batch?.(outcomes, { rows: tally.rows_done, bytes: counted.bytes });
  };
  try {
    let stopped = false;
    for await (const { rows, mapped } of ahead(mappedBatches(table.rows, map))) {
      stopped = options.stopped?.() ?? false;
      if (stopped) break;
      await take(rows, mapped, held.length < MOST_KEPT);
    }
    // rows that waited for a later one; when none gets on, they are taken as they are
    for (let before = Number.POSITIVE_INFINITY; !stopped && held.length > 0; ) {
      const waiting = held.splice(0);
      const hold = waiting.length < before;
      before = waiting.length;
      for (let at = 0; at < waiting.length && !stopped; at += BATCH) {
        stopped = options.stopped?.() ?? false;
        const rows = waiting.slice(at, at + BATCH);
        if (!stopped) await take(rows, map(rows), hold);
      }
    }
    finished = !stopped;
  } finally {
    if (!options.dryRun)
      await (finished
        ? endImport(services.sql, job.importId, "finished", tally)
        : interruptImport(services.sql, job.importId).catch(() => undefined));
  }
  const since = tally.created + tally.updated - analysed;
  if (finished && !options.dryRun && since > Math.max(1_000, analysed / 2)) await refreshStatistics(services);
  if (tally.created + tally.updated > 1_000) await sweepOutbox(services);
  const summary = { ...tally, importId: job.importId, finished };
  if (options.dryRun || (finished && !job.resumed)) return summary;
  return { ...summary, written: await countWritten(services.sql, job.importId) };
}

async function* mappedBatches(
  batches: AsyncIterable<TableRow[]>,
  map: (rows: readonly NumberedRow[]) => MappedRow[],
): AsyncGenerator<{ rows: NumberedRow[]; mapped: MappedRow[] }> {
  for await (const rows of batchesOf(batches)) yield { rows, mapped: map(rows) };
}

async function* batchesOf(batches: AsyncIterable<TableRow[]>): AsyncGenerator<NumberedRow[]> {
  let waiting: NumberedRow[] = [];
  let number = 0;
  for await (const rows of batches) {
    for (const row of rows) {
      number += 1;
      waiting.push({ number, row });
      if (waiting.length === BATCH) {
        yield waiting;
        waiting = [];
      }
    }
  }
  if (waiting.length > 0) yield waiting;
}

/** The planner must know the new sizes; the embedded database has nobody else who would tell it. */
async function refreshStatistics({ sql, database }: Services): Promise<void> {
  await sql`analyze records, relations, revisions, outbox, import_rows, record_search, search_counts, search_terms`;
  if (database !== "external") await sql`checkpoint`;
}

/** What every search by a visitor looks into must not be full of what is done. */
async function sweepOutbox({ sql }: Services): Promise<void> {
  await sql`vacuum outbox`;
}
