/** Runs imports in tests, and returns the catalogue afterwards in a form that can be compared. */

import type { Sql } from "postgres";
import { OPERATOR } from "../../../src/caller.ts";
import { type Reject, type RejectsWriter, reasonOf } from "../../../src/imports/csv/rejects.ts";
import type { ImportOptions, RowOutcome } from "../../../src/imports/options.ts";
import { type ImportSummary, runImport } from "../../../src/imports/run.ts";
import type { Unlinked } from "../../../src/imports/save/deferred-links.ts";
import type { ImportSource } from "../../../src/imports/source.ts";
import type { Fault } from "../../../src/problem.ts";
import type { Services } from "../../../src/services.ts";
import { drainOutbox } from "../../../workers/drain-outbox.ts";
import { allInEnglish, inEnglish } from "../lane/in-english.ts";
import { queryFor, STAFF } from "../search/search-documents.ts";

/** @param size of the pieces that it is read in */
export function textSource(content: string | Uint8Array, name: string, size = 10_000): ImportSource {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    name,
    bytes: bytes.length,
    open: () =>
      new ReadableStream({
        start(controller) {
          // in small pieces, as from a disk
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      }),
  };
}

export type Imported = ImportSummary & {
  outcomes: RowOutcome[];
  /** The outcome of each line: `created`, `rejected: reason`, … */
  lines: Record<number, string>;
  /** Why a line was imported without something that it mentions. */
  without: Record<number, string>;
  /** The rows of these lines. */
  lacking: Unlinked[];
  rejects: string;
  resumed: boolean;
};

/** `language`: of the reader. */
export type Choices = Partial<ImportOptions> & { language?: string };

/** Imports a text: by default objects from CSV, numbered by their column if the mapping has one. */
export async function importText(
  services: Services,
  content: string | Uint8Array | ImportSource,
  mapping: Record<string, unknown>,
  choices: Choices = {},
): Promise<Imported> {
  const isText = typeof content === "string" || content instanceof Uint8Array;
  const name = choices.recordXPath === undefined ? "objects.csv" : "objects.xml";
  const source = isText ? textSource(content, name) : content;
  const numbered = JSON.stringify(mapping).includes("__idno__");
  const outcomes: RowOutcome[] = [];
  const without: Record<number, string> = {};
  const lacking: Unlinked[] = [];
  let rejects = "";
  let writer: RejectsWriter | undefined;
  let resumed = false;
  const reject = (row: Reject, faults: readonly Fault[]) => {
    rejects += (rejects ? "" : writer!.head) + writer!.row(row, faults.map(reasonOf), inEnglish);
  };
  const summary = await runImport(
    services,
    OPERATOR,
    source,
    {
      kind: "object",
      mapping,
      idnoStrategy: numbered ? "column" : "auto",
      upsertStrategy: "skip",
      autoPublish: false,
      dryRun: false,
      ...choices,
    },
    {
      begun(about) {
        writer = about.rejects(choices.language ?? "en");
        resumed = about.resumed;
      },
      batch(done) {
        for (const outcome of done) {
          outcomes.push(outcome);
          if (outcome.result.outcome === "rejected") reject(outcome.row, outcome.result.faults);
        }
      },
      unlinked(rows) {
        lacking.push(...rows);
        for (const { row, faults } of rows) {
          without[row.line] = reasons(faults);
          reject(row, faults);
        }
      },
    },
  );
  if (rejects) rejects += writer!.tail?.() ?? "";
  const lines = Object.fromEntries(outcomes.map((outcome) => [outcome.row.line, told(outcome)]));
  return { ...allInEnglish(summary), outcomes, lines, without, lacking, rejects, resumed };
}

const reasons = (faults: readonly Fault[]): string =>
  faults.map((fault) => inEnglish(reasonOf(fault))).join("; ");

function told({ result }: RowOutcome): string {
  if (result.outcome === "rejected") return `rejected: ${reasons(result.faults)}`;
  return "reason" in result && result.reason === "repeated" ? "skipped again" : result.outcome;
}

/** The catalogue without ids and times: equal when two histories have the same result. */
export async function catalogue(sql: Sql): Promise<Record<string, unknown[]>> {
  const records = await sql`
    select r.record_type, r.idno, r.subtype, r.status, r.collection_status, r.metadata, r.lat, r.lon,
      p.idno as parent, r.start_date, r.reference_number, r.title, r.version, r.published_at is not null as published
    from records r left join records p on p.id = r.parent_id
    where r.deleted_at is null order by r.record_type, r.idno`;
  const relations = await sql`
    select l.relation_type, f.record_type as from_type, f.idno as from_idno, t.record_type as to_type, t.idno as to_idno
    from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id
    order by 1, 2, 3, 4, 5`;
  const media = await sql`
    select r.idno, m.filename, m.position from media_names m join records r on r.id = m.record_id order by 1, 3, 2`;
  const revisions = await sql`
    select r.record_type, r.idno, v.version, v.action, v.before is not null as had_before
    from revisions v join records r on r.id = v.record_id order by 1, 2, 3`;
  const numbers = await sql`select record_type, next_number::int from idno_patterns order by 1`;
  const plain = (rows: Iterable<object>) => [...rows].map((row) => ({ ...row }));
  return {
    records: plain(records),
    relations: plain(relations),
    media: plain(media),
    revisions: plain(revisions),
    numbers: plain(numbers),
  };
}

/** Rows of the search index, and what staff find of them, once nothing waits any more. */
export async function indexed(services: Services): Promise<{ records: number; found: number }> {
  await services.sql`update outbox set due_at = now()`;
  await drainOutbox(services);
  const [row] = await services.sql<{ n: number }[]>`select count(*)::int as n from search_rows_a`;
  const { total } = await services.search.find(queryFor("", { scopes: [STAFF] }));
  return { records: row!.n, found: total };
}

/** The number of rows in every table but those of jobs, and every counter: a dry run must not change them. */
export async function everything(sql: Sql): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('jobs', 'job_files') order by 1`;
  const all: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ${sql(name)}`;
    all[name] = row!.n;
  }
  // those of the search index may skip numbers when a database was not closed
  const sequences = await sql`
    select sequencename, last_value from pg_sequences where sequencename not like 'search%' order by 1`;
  const numbers = await sql`select record_type, next_number from idno_patterns order by 1`;
  return { ...all, sequences: [...sequences], numbers: [...numbers] };
}

const FILLED = [
  ...[
    "outbox",
    "media_names",
    "search_rows_a",
    "search_texts_a",
    "search_ranges_a",
    "relations",
    "import_rows",
    "revisions",
  ],
  ...["records", "imports"],
];
/** Up to this number of records, deleting rows is faster than truncating nine tables and their indexes. */
const FEW = 100;

/** An empty catalogue with the default schema, as after a first start. */
export async function emptied(sql: Sql): Promise<void> {
  const [{ many }] = (await sql`select count(*) > ${FEW} as many from records`) as [{ many: boolean }];
  await sql.begin(async (tx) => {
    if (many) await tx`truncate ${tx(FILLED)} cascade`;
    else for (const table of FILLED) await tx`delete from ${tx(table)}`;
    await tx`update idno_patterns set next_number = 1`;
    // like a reset, because what a process keeps in memory for the search is out of date
    await tx`update search_changes set n = n + 1 where place = 0`;
    await tx`update search_state set generation = generation + 1`;
  });
}
