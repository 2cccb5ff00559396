/** A batch of rows made into records: those that name each other one after the other, a dry run without a trace. */
import type { Account } from "../accounts/caller.ts";
import type { Fault } from "../problem.ts";
import { type BatchItem, type BatchResult, saveBatch } from "../records/batch.ts";
import { recordsOfRows, rememberMedia, rememberRows, touchImport } from "../records/imports-store.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { findParents, linkScopes, planRow, type RowOptions, type UPSERT_STRATEGIES } from "./items.ts";
import { countAgain, type Job } from "./job.ts";
import type { Mapping } from "./mapping.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";
import { copyOfRow, lacking, type NumberedRow, namesOf, type Sieve, type Ties } from "./ties.ts";

export type ImportOptions = RowOptions & {
  mapping: unknown;
  upsertStrategy: (typeof UPSERT_STRATEGIES)[number];
  /** Column, or XPath, that names media files. */
  mediaSelector?: string;
  encoding?: string;
  delimiter?: string;
  dryRun: boolean;
  /** Asked between batches; true ends the import there. */
  stopped?(): boolean;
};

export type RowOutcome = {
  row: ImportRow;
  mapped: MappedRow;
  result:
    | BatchResult
    | { outcome: "rejected"; faults: readonly Fault[] }
    | { outcome: "skipped"; reason: string };
  /** An earlier row of the file has the same number. */
  again?: boolean;
};

/** What the batches of one import have in common. */
export type Run = {
  mapping: Mapping;
  options: ImportOptions;
  job: Job;
  ties: Ties;
  /** The numbers that the file has given so far. */
  numbers: Sieve;
  /** Lets the projections follow what was written. */
  follow(ids: readonly string[]): Promise<void>;
};

/** `later`: rows that name one that is still to come. With `hold` they are left for then. */
export async function importBatch(
  services: Services,
  caller: Account,
  run: Run,
  rows: readonly NumberedRow[],
  mapped: readonly MappedRow[],
  hold: boolean,
): Promise<{ outcomes: RowOutcome[]; later: NumberedRow[] }> {
  let done = { outcomes: [] as RowOutcome[], later: [] as NumberedRow[] };
  if (run.options.dryRun) {
    await takenBack(services.sql, async (tx) => {
      const before = run.ties.before(rows, mapped);
      if (before.length > 0) {
        const again = before.map(({ row }) => mapRow(run.mapping, run.options.kind, row));
        await importRounds(services, caller, run, { rows: before, mapped: again, hold: false, tx });
      }
      done = await importRounds(services, caller, run, { rows, mapped, hold, tx });
    });
  } else {
    done = await importRounds(services, caller, run, { rows, mapped, hold });
  }
  const later = new Set(done.later);
  const taken = [...rows.keys()].filter((index) => !later.has(rows[index]!));
  run.ties.done(
    taken.map((index) => rows[index]!),
    taken.map((index) => mapped[index]!),
  );
  markRepeated(run, done.outcomes);
  if (run.job.resumed) await countAgain(services.sql, run.job, done.outcomes);
  return { ...done, later: done.later.map(copyOfRow) };
}

/** Marks rows whose number an earlier row of the file has: one of the two is probably a slip of the pen. */
function markRepeated({ options, numbers }: Run, outcomes: readonly RowOutcome[]): void {
  if (options.idnoStrategy === "auto") return;
  for (const outcome of outcomes) {
    const { idno } = outcome.mapped;
    if (idno === undefined || outcome.result.outcome === "rejected") continue;
    if (numbers.add(idno) && outcome.result.outcome !== "created") outcome.again = true;
  }
}

class TakenBack extends Error {}

/** Does the work and then leaves no trace of it. */
async function takenBack(sql: Sql, work: (tx: Tx) => Promise<void>): Promise<void> {
  await sql
    .begin(async (tx) => {
      await work(tx);
      throw new TakenBack();
    })
    .catch((error) => {
      if (!(error instanceof TakenBack)) throw error;
    });
}

type Part = {
  rows: readonly NumberedRow[];
  mapped: readonly MappedRow[];
  /** The transaction of a dry run. */
  tx?: Tx;
};

/** A row may name another of the same batch: it follows in the next round. */
async function importRounds(
  services: Services,
  caller: Account,
  run: Run,
  part: Part & { hold: boolean },
): Promise<{ outcomes: RowOutcome[]; later: NumberedRow[] }> {
  const { options, job, ties } = run;
  const { rows, mapped, hold, tx } = part;
  const sql = tx ?? services.sql;
  const numbers = rows.map(({ number }) => number);
  const known =
    options.idnoStrategy === "auto"
      ? await recordsOfRows(sql, job.fileHash, numbers)
      : new Map<number, string>();
  const results = new Array<RowOutcome["result"]>(rows.length);
  const later: number[] = [];
  let waiting = [...rows.keys()];
  for (;;) {
    const lacks = await lacking(
      sql,
      options.kind,
      waiting.map((index) => mapped[index]!),
    );
    const here = new Map<string, number>();
    if (lacks.size > 0)
      for (const index of waiting) for (const name of namesOf(mapped[index]!, options)) here.set(name, index);
    const next: number[] = [];
    const now: number[] = [];
    for (const index of waiting) {
      const names = lacks.get(mapped[index]!) ?? [];
      if (names.some((name) => (here.get(name) ?? index) !== index)) next.push(index);
      else if (hold && ties.named(names)) later.push(index);
      else now.push(index);
    }
    // those that wait for each other are taken together
    const stuck = now.length === 0 && next.length === waiting.length;
    await saveRows(services, caller, run, { ...part, indexes: stuck ? next : now, known }, results);
    if (stuck || next.length === 0) break;
    waiting = next;
  }
  const held = new Set(later);
  const outcomes = [...rows.keys()]
    .filter((index) => !held.has(index))
    .map((index) => ({ row: rows[index]!.row, mapped: mapped[index]!, result: results[index]! }));
  return { outcomes, later: later.sort((a, b) => a - b).map((index) => rows[index]!) };
}

async function saveRows(
  services: Services,
  caller: Account,
  run: Run,
  part: Part & { indexes: readonly number[]; known: ReadonlyMap<number, string> },
  results: RowOutcome["result"][],
): Promise<void> {
  const { options, job } = run;
  const { rows, mapped, tx: within } = part;
  const items: BatchItem[] = [];
  const places: { index: number; media: readonly string[] }[] = [];
  const parents = await findParents(
    within ?? services.sql,
    options.kind,
    part.indexes.map((index) => mapped[index]!),
  );
  const scopes = options.upsertStrategy === "replace" ? linkScopes(run.mapping) : [];
  for (const index of part.indexes) {
    const { fault } = rows[index]!.row;
    if (fault !== undefined) {
      results[index] = { outcome: "rejected", faults: [{ pointer: "", detail: fault }] };
      continue;
    }
    const planned = planRow(mapped[index]!, options, {
      knownId: part.known.get(rows[index]!.number),
      parents,
      scopes,
    });
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
    within,
    follow: run.follow,
    async together(tx, done, part2) {
      if (options.dryRun) return;
      const written = part2.flatMap((item, at) => {
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
      await touchImport(tx, job.importId);
    },
  });
  saved.forEach((result, at) => {
    results[places[at]!.index] = result;
  });
}
