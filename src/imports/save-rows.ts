/** Saves a batch of rows as records; a dry run rolls it back. */
import type { Account } from "../caller.ts";
import { saveBatch } from "../records/batch.ts";
import type { BatchItem } from "../records/batch-item.ts";
import { recordsOfRows, rememberMedia, rememberRows, touchImport } from "../records/imports-store.ts";
import type { Services, Sql, Tx } from "../services.ts";
import type { BloomFilter } from "./bloom-filter.ts";
import type { DeferredLinks } from "./deferred-links.ts";
import { linkScopes, planRow } from "./items.ts";
import { countAgain, type Job } from "./job.ts";
import { findByKeys, inRounds, keyNames } from "./keys.ts";
import type { Mapping } from "./mapping.ts";
import type { ImportOptions, RowOutcome } from "./options.ts";
import { type MappedRow, mapRow } from "./row.ts";
import type { NumberedRow, RowReferences } from "./row-references.ts";
import { yieldingRunner } from "./yielding.ts";

/** What the batches of one import have in common. */
export type Run = {
  mapping: Mapping;
  /** Fields by whose values rows find their records. */
  keys: readonly string[];
  options: ImportOptions;
  job: Job;
  references: RowReferences;
  /** The numbers that the file has given so far. */
  numbers: BloomFilter;
  deferred: DeferredLinks;
  /** The account, with its current permissions; throws 403 if they no longer suffice. */
  caller(): Promise<Account>;
  /** Updates the projections of these records. */
  follow(ids: readonly string[]): Promise<void>;
};

export async function importBatch(
  services: Services,
  run: Run,
  rows: readonly NumberedRow[],
  mapped: readonly MappedRow[],
): Promise<RowOutcome[]> {
  const caller = await run.caller();
  let outcomes: RowOutcome[] = [];
  if (run.options.dryRun) {
    await rolledBack(services.sql, async (tx) => {
      const before = run.references.before(rows, mapped);
      if (before.length > 0) {
        const yielding = yieldingRunner();
        const again: MappedRow[] = [];
        for (const { row } of before)
          again.push(await yielding(() => mapRow(run.mapping, run.options.kind, row)));
        await saveRows(services, caller, run, { rows: before, mapped: again, tx });
      }
      outcomes = await saveRows(services, caller, run, { rows, mapped, tx });
    });
  } else {
    await run.options.prepare?.();
    outcomes = await saveRows(services, caller, run, { rows, mapped });
  }
  run.references.done(rows, mapped);
  markRepeated(run, outcomes);
  if (run.job.resumed) await countAgain(services.sql, run.job, outcomes);
  return outcomes;
}

/** Marks rows with the number or key of an earlier row: one of the two is probably a typing mistake. */
function markRepeated({ options, numbers, keys }: Run, outcomes: readonly RowOutcome[]): void {
  if (options.upsertStrategy === "link") return;
  for (const outcome of outcomes) {
    const { idno } = outcome.mapped;
    const number = options.idnoStrategy === "auto" ? undefined : idno;
    const names = number === undefined ? keyNames(outcome.mapped, keys, options) : [number];
    if (outcome.result.outcome === "rejected") continue;
    const isKnown = names.map((name) => numbers.add(name)).includes(true);
    if (isKnown && outcome.result.outcome !== "created") outcome.again = true;
  }
}

class RolledBack extends Error {}

/** Does the work in a transaction and rolls it back. */
async function rolledBack(sql: Sql, work: (tx: Tx) => Promise<void>): Promise<void> {
  await sql
    .begin(async (tx) => {
      await work(tx);
      throw new RolledBack();
    })
    .catch((error) => {
      if (!(error instanceof RolledBack)) throw error;
    });
}

type Part = {
  rows: readonly NumberedRow[];
  mapped: readonly MappedRow[];
  /** The transaction of a dry run. */
  tx?: Tx;
};

async function saveRows(services: Services, caller: Account, run: Run, part: Part): Promise<RowOutcome[]> {
  const outcomes = new Array<RowOutcome>(part.rows.length);
  for (const turn of inRounds(part.mapped, run.keys, run.options)) {
    const rows = turn.map((index) => part.rows[index]!);
    const mapped = turn.map((index) => part.mapped[index]!);
    const saved = await saveTurn(services, caller, run, { ...part, rows, mapped });
    turn.forEach((index, place) => {
      outcomes[index] = saved[place]!;
    });
  }
  return outcomes;
}

async function saveTurn(services: Services, caller: Account, run: Run, part: Part): Promise<RowOutcome[]> {
  const { options, job } = run;
  const { rows, mapped, tx: within } = part;
  const known =
    options.idnoStrategy === "auto"
      ? await recordsOfRows(
          within ?? services.sql,
          job.fileHash,
          rows.map(({ number }) => number),
        )
      : new Map<number, string>();
  const keyed = await findByKeys(services, within ?? services.sql, run.keys, mapped, options);
  const results = new Array<RowOutcome["result"]>(rows.length);
  const items: BatchItem[] = [];
  const places: { index: number; media: readonly string[] }[] = [];
  const scopes = options.upsertStrategy === "replace" ? linkScopes(run.mapping) : undefined;
  for (const [index, { number, row }] of rows.entries()) {
    if (row.fault !== undefined) {
      results[index] = { outcome: "rejected", faults: [{ pointer: "", detail: row.fault }] };
      continue;
    }
    const { fileHas } = run.references;
    const knownId = known.get(number) ?? keyed[index]!.id;
    const unclear = known.has(number) ? undefined : keyed[index]!.fault;
    const planned = planRow(mapped[index]!, options, { knownId, unclear, fileHas, scopes });
    if ("faults" in planned) results[index] = { outcome: "rejected", faults: planned.faults };
    else if ("skip" in planned) results[index] = { outcome: "skipped", reason: planned.skip };
    else {
      places.push({ index, media: planned.media });
      items.push(planned.item);
    }
  }
  const place = new Map(items.map((item, at) => [item, places[at]!]));
  const saved = await saveBatch(services, caller, options.kind, items, {
    upsert: options.upsertStrategy,
    importId: options.dryRun ? null : job.importId,
    given: run.deferred.given,
    within,
    follow: run.follow,
    async together(tx, done, some) {
      if (options.dryRun) return;
      const written = some.flatMap((item, at) => {
        const result = done[at]!;
        return result.outcome === "rejected" || result.outcome === "skipped" ? [] : [{ item, id: result.id }];
      });
      if (options.idnoStrategy === "auto") {
        await rememberRows(
          tx,
          job.fileHash,
          written.map(({ item, id }) => ({ row: rows[place.get(item)!.index]!.number, id })),
        );
      }
      await rememberMedia(
        tx,
        job.importId,
        written.map(({ item, id }) => ({ id, names: place.get(item)!.media })),
      );
      await touchImport(tx, job);
    },
  });
  saved.forEach((result, at) => {
    results[places[at]!.index] = result;
  });
  return rows.map(({ row }, index) => ({ row, mapped: mapped[index]!, result: results[index]! }));
}
