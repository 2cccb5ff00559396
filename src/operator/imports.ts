/** Operations on imports. They queue jobs and read the results of these jobs. */
import { z } from "zod";
import { OPERATOR } from "../caller.ts";
import { newId, UUID } from "../ids.ts";
import { ON_COMMAND_LINE } from "../imports/mapping/fault-places.ts";
import type { ImportNotices, ImportOutcome } from "../imports/report/outcome.ts";
import { readOptions } from "../imports/request.ts";
import { checkImport } from "../imports/run.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "../imports/save/items.ts";
import type { UndoSummary } from "../imports/undo/undo.ts";
import { uploaded } from "../imports/upload.ts";
import { enqueueJob } from "../jobs/enqueue.ts";
import {
  dropJobFiles,
  type JobFileName,
  readJobFile,
  readJobText,
  writeJobFile,
  writeJobText,
} from "../jobs/files.ts";
import type { Job } from "../jobs/job.ts";
import { openAsNamed } from "../jobs/named-file.ts";
import type { WhereFile } from "../jobs/store.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { findImport, listImports } from "../records/batch/imports-list.ts";
import { KINDS } from "../records/kinds.ts";
import type { Services, Sql } from "../services.ts";
import { operation, type Talk } from "./operation.ts";

/** Seconds for which a job is reserved for the command that runs it itself. Other workers do not take it. */
const RESERVED = 60;

const text = z.string().max(100_000).optional();
const whole = z.string().regex(/^-?\d{1,30}$/);

/** `here`: the command runs the job itself, because no service runs or the database is external. */
const Import = z.strictObject({
  filename: z.string().min(1).max(1_000),
  bytes: z.int().min(0),
  type: z.enum(KINDS),
  mapping: z.string(),
  dry_run: z.boolean(),
  subtype: text,
  idno_strategy: z.enum(IDNO_STRATEGIES).optional(),
  upsert_strategy: z.enum(UPSERT_STRATEGIES),
  auto_publish: z.boolean(),
  media_selector: text,
  encoding: text,
  delimiter: text,
  sheet: text,
  header_row: z.int().min(1).optional(),
  record_xpath: text,
  format: z.enum(["lido"]).optional(),
  language: z.string().max(20),
  here: z.boolean(),
  /** The file as the command found it; null if the command sends its content. */
  file: z
    .strictObject({
      path: z.string().max(10_000),
      identity: z.strictObject({ device: whole, inode: whole, size: whole, modified: whole }),
    })
    .nullable(),
});
export type ImportInput = z.input<typeof Import>;

const OfJob = z.strictObject({ id: z.string().regex(UUID) });
const Undo = OfJob.extend({ dry_run: z.boolean(), here: z.boolean() });

export const importOperations = {
  imports: operation(z.strictObject({ limit: z.int().min(1).max(10_000) }), ({ sql }, { limit }) =>
    listImports(sql, limit),
  ),
  /** Null if this process cannot read the file, so that the command must send its content. */
  import: operation(Import, (services, input, { content }) =>
    input.file === null ? importSent(services, input, content) : importNamed(services, input, input.file),
  ),
  "import-notices": operation(OfJob, ({ sql }, { id }) => leftBy<ImportNotices>(sql, id, "notices")),
  /** Null if the import ended before its first row. `json`: the report or preview of a finished import. */
  "import-outcome": operation(OfJob, async ({ sql }, { id }) => {
    const outcome = await leftBy<ImportOutcome>(sql, id, "outcome");
    const read = (name: JobFileName) => leftBy<Record<string, unknown>>(sql, id, name);
    return outcome && { outcome, json: (await read("preview")) ?? (await read("report")) };
  }),
  /** The text of the rejects file, in pieces. */
  "import-rejects": operation(OfJob, async ({ sql }, { id }, { emit }: Talk<string>) => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    for await (const piece of readJobFile(sql, id, "rejects"))
      await emit(decoder.decode(piece, { stream: true }));
  }),
  "import-undo": operation(Undo, async ({ sql }, { id, dry_run, here }) => {
    const found = await findImport(sql, id);
    if (!found) throw new Problem("not_found", said("problem.import.not_found", { id }));
    const params = { import_id: id, record_type: found.record_type, dry_run, on_behalf: null };
    const request = { kind: "import-undo", params, createdBy: null } as const;
    // without the unique key if the command runs the job itself: a job under way is then from a command that was killed
    const uniqueKey = `import-undo ${id}${dry_run ? " dry" : ""}`;
    const { job } = await enqueueJob(sql, {
      ...request,
      ...(here ? { reserved: RESERVED } : { uniqueKey }),
    });
    return job;
  }),
  "undo-outcome": operation(OfJob, ({ sql }, { id }) => leftBy<UndoSummary>(sql, id, "outcome")),
};

type ImportCommand = z.output<typeof Import>;

async function importSent(
  services: Services,
  input: ImportCommand,
  content: ReadableStream<Uint8Array>,
): Promise<Job> {
  const { sql } = services;
  const id = newId();
  try {
    const file = await writeJobFile(sql, id, "input");
    for await (const piece of content) await file.write(piece);
    const bytes = await file.end();
    return await queueImport(
      services,
      id,
      { ...input, bytes },
      uploaded(sql, id, input.filename, bytes).open,
    );
  } catch (error) {
    await dropJobFiles(sql, id).catch(() => undefined);
    throw error;
  }
}

async function importNamed(
  services: Services,
  input: ImportCommand,
  { path, identity }: NonNullable<ImportCommand["file"]>,
): Promise<Job | null> {
  const file = await openAsNamed(services, path, identity);
  if (!file) return null;
  const { place } = services.namedFiles!;
  const id = newId();
  try {
    return await queueImport(services, id, input, file.stream, { path, place, identity });
  } finally {
    await file.close();
  }
}

/** Refuses at once what the job would refuse at its beginning. */
async function queueImport(
  services: Services,
  id: string,
  { filename, bytes, mapping, file: _, here, language, ...form }: ImportCommand,
  open: () => ReadableStream<Uint8Array>,
  namedFile?: WhereFile,
): Promise<Job> {
  const options = await readOptions(services, OPERATOR, form, mapping);
  await checkImport(services, OPERATOR, { name: filename, bytes, open }, options, ON_COMMAND_LINE);
  await writeJobText(services.sql, id, "mapping", mapping);
  const params = { filename, bytes, ...form, on_behalf: null, language };
  const reserved = here ? RESERVED : 0;
  const request = { id, kind: "import", params, createdBy: null, namedFile, reserved } as const;
  return (await enqueueJob(services.sql, request)).job;
}

async function leftBy<T>(sql: Sql, id: string, name: JobFileName): Promise<T | null> {
  const json = await readJobText(sql, id, name);
  return json === "" ? null : JSON.parse(json);
}
