/**
 * Runs an import: source → rows → batches → records. Each batch is one transaction together with the note of how far
 * the import has come, so that whatever interrupts it, running it again ends with the same catalogue.
 */
import { type Account, actorId } from "../accounts/caller.ts";
import type { Fault } from "../problem.ts";
import { invalid } from "../problem.ts";
import { type BatchItem, type BatchResult, saveBatch } from "../records/batch.ts";
import { newId } from "../records/ids.ts";
import {
  addProgress,
  beginImport,
  endImport,
  findUnfinished,
  recordsOfRows,
  rememberMedia,
  rememberRows,
  type Tally,
} from "../records/imports-store.ts";
import type { Services } from "../services.ts";
import { readCsv } from "./csv.ts";
import { chooseEncoding, decode, detectEncoding, parseEncodingName } from "./encoding.ts";
import { checkHeader, unusedColumns } from "./header.ts";
import { contentHash, fingerprint } from "./identity.ts";
import { findParents, planRow, type RowOptions, type UPSERT_STRATEGIES } from "./items.ts";
import { type Mapping, parseMapping } from "./mapping.ts";
import { type MappedRow, mapRow } from "./row.ts";
import { type CsvTable, csvTable, type TableRow } from "./table.ts";

/** Rows in one transaction: long enough to be quick, short enough that others hardly wait. */
const BATCH = 400;

export type ImportSource = { name: string; bytes?: number; open(): ReadableStream<Uint8Array> };

export type ImportOptions = RowOptions & {
  mapping: unknown;
  upsertStrategy: (typeof UPSERT_STRATEGIES)[number];
  /** Column that names media files. */
  mediaSelector?: string;
  encoding?: string;
  delimiter?: string;
  dryRun: boolean;
  /** Asked between batches; true ends the import there. */
  stopped?(): boolean;
};

export type RowOutcome = {
  row: TableRow;
  mapped: MappedRow;
  result:
    | BatchResult
    | { outcome: "rejected"; faults: readonly Fault[] }
    | { outcome: "skipped"; reason: string };
};

export type ImportEvents = {
  begun?(about: {
    importId: string;
    resumed: boolean;
    encoding: string;
    header: readonly string[];
    unused: readonly string[];
  }): void | Promise<void>;
  /** After each batch, in the order of the file. */
  batch?(outcomes: readonly RowOutcome[], progress: { rows: number; bytes: number }): void | Promise<void>;
};

export type ImportSummary = Tally & { importId: string; finished: boolean };

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
  const text = decode(counting(source.open(), counted), encoding, { fatal: options.encoding !== undefined });
  const table = await csvTable(readCsv(text, { delimiter: options.delimiter }));
  try {
    const faults = checkHeader(mapping, table.header);
    if (faults.length > 0) throw invalid(faults);
    const job = await openJob(services, caller, source, options, hash);
    await events.begun?.({
      importId: job.importId,
      resumed: job.resumed,
      encoding,
      header: table.header,
      unused: unusedColumns(mapping, table.header),
    });
    return await importRows(services, caller, { table, mapping, options, job, counted, projection: trailing(services) }, events);
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

async function encodingOf(source: ImportSource, options: ImportOptions): Promise<string> {
  const named = options.encoding === undefined ? null : parseEncodingName(options.encoding);
  if (options.encoding !== undefined && named === null) {
    throw invalid([
      {
        pointer: "/encoding",
        detail: `${JSON.stringify(options.encoding.slice(0, 40))} is no encoding known here`,
      },
    ]);
  }
  const found = await detectEncoding(source.open());
  if (found.bytes === 0) throw invalid([{ pointer: "", detail: `${source.name} is empty` }]);
  if (found.binary && named === null) {
    throw invalid([{ pointer: "", detail: found.hint ?? `${source.name} is not text` }]);
  }
  return chooseEncoding(found, named);
}

type Job = { importId: string; resumed: boolean; fileHash: string };

async function openJob(
  services: Services,
  caller: Account,
  source: ImportSource,
  options: ImportOptions,
  hash: string,
): Promise<Job> {
  const { kind, mapping, subtype, idnoStrategy, upsertStrategy, autoPublish, mediaSelector, delimiter } =
    options;
  const fileHash = `${kind}:${hash}`;
  if (options.dryRun) return { importId: newId(), resumed: false, fileHash };
  const settings = { subtype, idnoStrategy, upsertStrategy, autoPublish, mediaSelector, delimiter };
  const print = await fingerprint([hash, kind, mapping, settings]);
  const unfinished = await findUnfinished(services.sql, print);
  if (unfinished) return { importId: unfinished.id, resumed: true, fileHash };
  const importId = newId();
  await beginImport(services.sql, {
    id: importId,
    source: "csv",
    record_type: kind,
    filename: source.name,
    fingerprint: print,
    mapping,
    options: settings,
    actor_id: actorId(caller),
  });
  return { importId, resumed: false, fileHash };
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

type Run = {
  table: CsvTable;
  mapping: Mapping;
  options: ImportOptions;
  job: Job;
  counted: { bytes: number };
  projection: ReturnType<typeof trailing>;
};

async function importRows(
  services: Services,
  caller: Account,
  run: Run,
  events: ImportEvents,
): Promise<ImportSummary> {
  const { options, job } = run;
  const tally: Tally = { rows_done: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };
  const seen = options.dryRun ? new Set<string>() : null;
  let finished = false;
  // the planner errs while it believes the tables to be empty: told after the first batch, then ever more seldom
  let analyseAt = 1;
  try {
    let stopped = false;
    for await (const rows of batchesOf(run.table.rows)) {
      if (options.stopped?.()) {
        stopped = true;
        break;
      }
      const outcomes = await importBatch(services, caller, run, rows, tally.rows_done, seen);
      for (const { result } of outcomes) {
        tally.rows_done += 1;
        tally[result.outcome] += 1;
      }
      await events.batch?.(outcomes, { rows: tally.rows_done, bytes: run.counted.bytes });
      if (!options.dryRun && tally.created + tally.updated >= analyseAt) {
        await refreshStatistics(services);
        analyseAt = Math.max(analyseAt * 5, BATCH);
      }
    }
    finished = !stopped;
  } finally {
    await run.projection.done();
    if (!options.dryRun)
      await endImport(services.sql, job.importId, finished ? "finished" : "failed", tally).catch(
        () => undefined,
      );
  }
  if (finished && !options.dryRun && tally.created + tally.updated > 1_000) await refreshStatistics(services);
  return { ...tally, importId: job.importId, finished };
}

async function importBatch(
  services: Services,
  caller: Account,
  run: Run,
  rows: readonly TableRow[],
  before: number,
  seen: Set<string> | null,
): Promise<RowOutcome[]> {
  const { options, job, mapping } = run;
  const mapped = rows.map((row) => mapRow(mapping, options.kind, row));
  const numbers = rows.map((_, index) => before + index + 1);
  const known =
    options.idnoStrategy === "auto"
      ? await recordsOfRows(services.sql, job.fileHash, numbers)
      : new Map<number, string>();
  const results = new Array<RowOutcome["result"]>(rows.length);
  let waiting = [...rows.keys()];
  // a parent may stand in the same batch: its children follow in the next round
  for (;;) {
    const inFile = new Set(waiting.flatMap((index) => mapped[index]!.idno ?? []));
    const parents = await findParents(
      services.sql,
      options.kind,
      waiting.map((index) => mapped[index]!),
    );
    const later = waiting.filter((index) => {
      const { parent } = mapped[index]!.columns;
      return (
        parent !== undefined && !parents.has(parent) && inFile.has(parent) && parent !== mapped[index]!.idno
      );
    });
    const now = later.length === waiting.length ? waiting : waiting.filter((index) => !later.includes(index));
    await saveRows(services, caller, run, { indexes: now, mapped, numbers, known, parents, seen }, results);
    waiting = now === waiting ? [] : later;
    if (waiting.length === 0) break;
  }
  return rows.map((row, index) => ({ row, mapped: mapped[index]!, result: results[index]! }));
}

async function saveRows(
  services: Services,
  caller: Account,
  run: Run,
  part: {
    indexes: readonly number[];
    mapped: readonly MappedRow[];
    numbers: readonly number[];
    known: ReadonlyMap<number, string>;
    parents: ReadonlyMap<string, string>;
    seen: Set<string> | null;
  },
  results: RowOutcome["result"][],
): Promise<void> {
  const { options, job } = run;
  const items: BatchItem[] = [];
  const places: { index: number; media: readonly string[] }[] = [];
  for (const index of part.indexes) {
    const planned = planRow(part.mapped[index]!, options, {
      knownId: part.known.get(part.numbers[index]!),
      parents: part.parents,
    });
    if ("faults" in planned) results[index] = { outcome: "rejected", faults: planned.faults };
    else if ("skip" in planned) results[index] = { outcome: "skipped", reason: planned.skip };
    else if (repeats(part.seen, planned.item)) {
      results[index] = { outcome: "skipped", reason: "stands in the file already" };
    } else {
      places.push({ index, media: planned.media });
      items.push(planned.item);
    }
  }
  const place = new Map(items.map((item, at) => [item, places[at]!]));
  const saved = await saveBatch(services, caller, options.kind, items, {
    upsert: options.upsertStrategy,
    importId: options.dryRun ? null : job.importId,
    dryRun: options.dryRun,
    follow: run.projection.follow,
    async together(tx, done, part2) {
      if (options.dryRun) return;
      const written = part2.flatMap((item, at) => {
        const result = done[at]!;
        return result.outcome === "rejected" ? [] : [{ item, id: result.id }];
      });
      if (options.idnoStrategy === "auto") {
        await rememberRows(
          tx,
          job.fileHash,
          written.map(({ item, id }) => ({ row: part.numbers[place.get(item)!.index]!, id })),
        );
      }
      await rememberMedia(
        tx,
        job.importId,
        written.map(({ item, id }) => ({ id, names: place.get(item)!.media })),
      );
      await addProgress(tx, job.importId, done);
    },
  });
  saved.forEach((result, at) => {
    results[places[at]!.index] = result;
  });
}

/** A dry run takes each batch back, so it must remember by itself which numbers the file had already. */
function repeats(seen: Set<string> | null, item: BatchItem): boolean {
  if (seen === null || item.draft.idno === undefined) return false;
  if (seen.has(item.draft.idno)) return true;
  seen.add(item.draft.idno);
  return false;
}

async function* batchesOf(batches: AsyncIterable<TableRow[]>): AsyncGenerator<TableRow[]> {
  let waiting: TableRow[] = [];
  for await (const rows of batches) {
    for (const row of rows) {
      waiting.push(row);
      if (waiting.length === BATCH) {
        yield waiting;
        waiting = [];
      }
    }
  }
  if (waiting.length > 0) yield waiting;
}

function counting(
  stream: ReadableStream<Uint8Array>,
  counted: { bytes: number },
): ReadableStream<Uint8Array> {
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        counted.bytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
}

/** The planner must know the new sizes; the embedded database has nobody else who would tell it. */
async function refreshStatistics({ sql }: Services): Promise<void> {
  await sql`analyze records, relations, revisions, outbox, import_rows, record_search, search_counts, search_terms`;
}
