/** POST /v1/<plural>/bulk: NDJSON in, NDJSON out, streamed; one result line for each input line (interface §2). */
import { z } from "zod";
import { callerNow } from "../../accounts/on-behalf.ts";
import { joinBytes } from "../../bytes.ts";
import { type Account, actorId, demandAction } from "../../caller.ts";
import { type Api, accountOf, endpoint, FaultShape } from "../../http/endpoint.ts";
import { chunksOf, demandContentType, demandPlain, parseJson } from "../../http/request/body.ts";
import { wordsFor } from "../../http/words.ts";
import { yieldingRunner } from "../../http/yielding.ts";
import { newId } from "../../ids.ts";
import { errorFields } from "../../log.ts";
import { said } from "../../messages/said.ts";
import type { Translate } from "../../messages/translate.ts";
import { type Fault, faultsJson, Problem } from "../../problem.ts";
import type { Services } from "../../services.ts";
import { KINDS, type Kind, kinds } from "../kinds.ts";
import { type Draft, parseDraft } from "../shape.ts";
import { refreshStatistics, vacuumAfter } from "../write/table-maintenance.ts";
import { saveBatch } from "./batch.ts";
import { answerStream } from "./bulk-answer.ts";
import { beginImport, continueImport, endImport, saveProgress, type Tally } from "./imports-store.ts";
import type { BatchResult, Upsert } from "./item.ts";

/** Bytes of one line; a longer one is refused and the next is read. */
const LONGEST_LINE = 1024 * 1024;
/** Lines that are saved together; fewer if they have this many bytes. */
const BATCH = 200;
const BATCH_BYTES = 2 * LONGEST_LINE;

const UpsertQuery = z.strictObject({
  upsert: z.enum(["skip", "merge", "replace"]).optional().openapi({
    description: "What to do if idno or id already exists; by default such a line is rejected",
  }),
});

const BulkResult = z
  .object({
    line: z.int(),
    outcome: z.enum(["created", "updated", "unchanged", "skipped", "rejected"]),
    id: z.string().optional(),
    idno: z.string().optional(),
    errors: z
      .array(FaultShape)
      .optional()
      .openapi({ description: "All faults of the line, each with its place" }),
  })
  .openapi("BulkResult");

export function bulkRoutes(api: Api): void {
  for (const kind of KINDS) {
    const { plural, singular, many } = kinds[kind];
    endpoint(api, {
      method: "post",
      path: `/v1/${plural}/bulk`,
      tag: plural,
      summary: `Write many ${many}`,
      description: `One ${singular} per line, as for POST /v1/${plural}. A bad line never stops the others. Results are sent while lines are read: a client that reads none until it has sent everything should send at most 100,000 lines at once. The header X-Import-Id has the id of this edit, for the history and for undoing it (svc-manage import-undo). If the caller loses the permission, the remaining lines are not read; lines with a result are written.`,
      access: { action: "create", kind },
      query: UpsertQuery,
      body: { schema: z.string(), types: ["application/x-ndjson", "application/jsonl"], streamed: true },
      produces: ["application/x-ndjson"],
      answers: { 200: { description: "One result per line, in the same order", schema: BulkResult } },
      async handle({ c, caller, query }) {
        demandContentType(c.req.header("Content-Type"), ["application/x-ndjson", "application/jsonl"]);
        demandPlain(c.req.raw);
        if (!c.req.raw.body) throw new Problem("malformed", said("problem.bulk.empty"));
        const upsert = query.upsert ?? "refuse";
        const importId = newId();
        const reader = { isGone: false };
        const results = bulk(api.services, accountOf(caller), kind, c.req.raw.body, {
          upsert,
          importId,
          reader,
          t: wordsFor(c),
        });
        const stopsReading = () => {
          reader.isGone = true;
        };
        return new Response(answerStream(results, stopsReading), {
          headers: {
            "Content-Type": "application/x-ndjson",
            "Cache-Control": "no-store",
            "X-Import-Id": importId,
          },
        });
      },
    });
  }
}

async function* bulk(
  services: Services,
  caller: Account,
  kind: Kind,
  body: ReadableStream<Uint8Array>,
  options: { upsert: Upsert; importId: string; reader: { isGone: boolean }; t: Translate },
): AsyncGenerator<string> {
  const { upsert, importId, reader, t } = options;
  await beginImport(services.sql, {
    id: importId,
    source: "bulk",
    record_type: kind,
    options: { upsert },
    actor_id: actorId(caller),
  });
  const tally: Tally = { rows_done: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };
  let state: "finished" | "failed" = "failed";
  let answered = 0;
  let left = false;
  try {
    for await (const lines of batchesOf(linesOf(body))) {
      // the client may send all its lines before it reads a result
      left ||= reader.isGone;
      if (left) continue;
      const now = await callerNow(services.sql, caller);
      demandAction(now, "create", kind);
      yield* await saveLines(services, now, kind, lines, options, tally);
      await saveProgress(services.sql, { importId, run: 1 }, tally);
      await refreshStatistics(services);
      answered = lines.at(-1)!.number;
    }
    await vacuumAfter(services.sql, "outbox", tally.created + tally.updated);
    if (left) throw new Problem("too_large", said("problem.bulk.unread"));
    state = "finished";
  } catch (error) {
    // answered lines are written; the last line of the answer says why the stream ends
    const problem = error instanceof Problem ? error : new Problem("internal", said("problem.bulk.stopped"));
    if (problem.code === "internal") services.log.error("bulk write stopped", errorFields(error));
    yield resultLine(answered + 1, "rejected", {
      errors: faultsJson(t, [{ pointer: "", detail: problem.told }]),
    });
  } finally {
    // even if the client is gone
    await endImport(services.sql, { importId, run: 1 }, state, tally).catch((error) => {
      services.log.error("the end of a bulk write could not be recorded", errorFields(error));
    });
  }
}

function resultLine(line: number, outcome: string, more: Record<string, unknown>): string {
  return `${JSON.stringify({ line, outcome, ...more })}\n`;
}

async function saveLines(
  services: Services,
  caller: Account,
  kind: Kind,
  lines: readonly Line[],
  options: { upsert: Upsert; importId: string; t: Translate },
  tally: Tally,
): Promise<string[]> {
  const drafts: Draft[] = [];
  const parsed: ({ at: number } | { faults: Fault[] })[] = [];
  const yielding = yieldingRunner();
  for (const line of lines) {
    const read = await yielding(() => parseLine(kind, line));
    parsed.push("draft" in read ? { at: drafts.push(read.draft) - 1 } : read);
  }
  const saved = await saveBatch(
    services,
    caller,
    kind,
    drafts.map((draft) => ({ draft })),
    { ...options, writeAlso: (tx) => continueImport(tx, { importId: options.importId, run: 1 }) },
  );
  return lines.map((line, index) => {
    const read = parsed[index]!;
    const result: BatchResult = "at" in read ? saved[read.at]! : { outcome: "rejected", faults: read.faults };
    tally.rows_done += 1;
    tally[result.outcome] += 1;
    const shown =
      result.outcome === "rejected"
        ? { errors: faultsJson(options.t, result.faults) }
        : { id: result.id, idno: result.idno };
    return resultLine(line.number, result.outcome, shown);
  });
}

function parseLine(kind: Kind, line: Line): { draft: Draft } | { faults: Fault[] } {
  if (line.bytes === null)
    return { faults: [{ pointer: "", detail: said("fault.line.too_long", { most: LONGEST_LINE }) }] };
  try {
    return parseDraft(kind, withoutNull(parseJson(line.bytes)));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const detail = said("fault.line.unreadable", { fault: error.told });
    return { faults: error.errors.length > 0 ? [...error.errors] : [{ pointer: "", detail }] };
  }
}

/** As in a PATCH, null empties a field; a missing field stays as it is. */
function withoutNull(body: unknown): unknown {
  const metadata = (body as { metadata_?: unknown } | null)?.metadata_;
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return body;
  const fields = Object.entries(metadata).map(([name, entries]) => [name, entries === null ? [] : entries]);
  return { ...(body as object), metadata_: Object.fromEntries(fields) };
}

/** `bytes` is null if the line was too long. */
type Line = { number: number; bytes: Uint8Array | null };

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const line = (): Line | null => {
    number += 1;
    const bytes = size > LONGEST_LINE ? null : joinBytes(parts);
    parts = [];
    size = 0;
    return bytes !== null && isBlank(bytes) ? null : { number, bytes };
  };
  for await (const chunk of chunksOf(body)) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end));
      const read = line();
      if (read) yield read;
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  if (size > 0) {
    const read = line();
    if (read) yield read;
  }

  function keep(part: Uint8Array): void {
    size += part.byteLength;
    if (size > LONGEST_LINE) parts = [];
    else if (part.byteLength > 0) parts.push(part.slice());
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}

async function* batchesOf(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let size = 0;
  for await (const line of lines) {
    batch.push(line);
    size += line.bytes?.byteLength ?? 0;
    if (batch.length === BATCH || size >= BATCH_BYTES) {
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
