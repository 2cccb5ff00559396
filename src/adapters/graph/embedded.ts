/**
 * The triple store without a server: graphs are stored in a table of the database, and separate processes load them
 * into memory and answer queries. Each process reads new rows of the table before it answers, so it sees all writes,
 * and recovers after a crash.
 *
 * A query can only be stopped by killing its process. So there are two processes as soon as a query is slow: while one is
 * busy, or killed and loaded again, the other answers. A client with a slow query does not get the other one for some minutes. A query goes on when its client leaves; otherwise a client could keep
 * both processes loading by leaving again and again.
 */
import { freemem } from "node:os";
import process from "node:process";
import { messageOf } from "../../log.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { GraphQuery, Graphs, NamedGraph, Sql, UnfitGraph } from "../../services.ts";
import { answerOf } from "./answer.ts";
import {
  clientGone,
  type GraphLimits,
  LARGEST_ANSWER,
  othersWait,
  timedOut,
  tooComplex,
  tooLarge,
} from "./limits.ts";
import { type Reader, ReaderGone, type ReaderReply } from "./reader.ts";
import { readerPool } from "./reader-pool.ts";

const BATCH = 500;
/** Milliseconds for loading a million triples. A query waits this long, plus the longest time of another query. */
const LOADING_MS = 20_000;

/** A query whose answer begins with `reply`. `why`: turns an error into the reason why the process was ended, if it was. */
type Begun = { reader: Reader; reply: ReaderReply; why(error: unknown): unknown };

type EmbeddedLimits = GraphLimits & { freeMemory?: () => number };

/** Bytes, within the limits of a container. Some runtimes only know those of the machine. */
const availableMemory = (): number => process.availableMemory?.() ?? freemem();

export type EmbeddedGraphs = Graphs & {
  /** Ends its processes. */
  close(): void;
};

/** @param noteUnfit is told of a stored graph that cannot be loaded, such as one of an earlier version of this program */
export function embeddedGraphs(
  sql: Sql,
  { timeoutSeconds, largest = LARGEST_ANSWER, freeMemory = availableMemory }: EmbeddedLimits,
  noteUnfit: (graph: UnfitGraph) => Promise<void>,
): EmbeddedGraphs {
  const follow = (reader: Reader) => followTable(sql, reader, noteUnfit);
  const patienceMs = timeoutSeconds * 1_000 + LOADING_MS;
  const readers = readerPool(follow, { patienceMs, freeMemory });

  /** Starts a query. If its process is killed meanwhile, the query is started once more; after a second time, it is refused. */
  async function begin(query: GraphQuery, until: AbortSignal, again = true): Promise<Begun> {
    let stopped: Problem | null = null;
    const onStop = (ms: number) => {
      stopped = othersWait(ms);
    };
    const reader = await readers.take({ client: query.client, stopped: onStop }, until);
    const late = setTimeout(() => {
      stopped = timedOut(timeoutSeconds);
      reader.kill();
    }, timeoutSeconds * 1_000);
    const why = (error: unknown) => stopped ?? error;
    try {
      await follow(reader);
      return { reader, why, reply: await reader.ask({ work: "query", query, most: largest }) };
    } catch (error) {
      readers.give(reader);
      if (stopped !== null || !(error instanceof ReaderGone)) throw why(error);
      if (!again) throw tooComplex();
    } finally {
      clearTimeout(late);
    }
    return begin(query, until, false);
  }

  async function* parts(query: GraphQuery, until: AbortSignal): AsyncGenerator<Uint8Array> {
    if (until.aborted) throw clientGone();
    const encoder = new TextEncoder();
    const { reader, why, ...begun } = await begin(query, until);
    let { reply } = begun;
    try {
      if (reply.broken) throw tooComplex();
      if (reply.tooLarge) throw tooLarge(largest);
      if (reply.ok === undefined)
        throw new Problem("malformed", said("problem.sparql.syntax", { reason: String(reply.refused) }));
      for (; reply.more; reply = await reader.ask({ work: "more" })) yield encoder.encode(reply.ok);
    } catch (error) {
      throw why(error);
    } finally {
      readers.give(reader);
    }
    yield encoder.encode(reply.ok);
  }

  return {
    async replace(graphs) {
      const unfit = await unfitAmong(graphs);
      const names = new Set(unfit.map(({ name }) => name));
      await saveGraphs(
        sql,
        graphs.map((graph) => (names.has(graph.name) ? { name: graph.name, triples: "" } : graph)),
      );
      return unfit;
    },
    idsAfter: async (after, limit) => {
      const rows = await sql<{ id: string }[]>`
        select record_id as id from graphs
        where triples <> '' ${after === null ? sql`` : sql`and record_id > ${after}`}
        order by record_id limit ${limit}`;
      return rows.map(({ id }) => id);
    },
    query: (query, until) => answerOf(parts(query, until), timeoutSeconds),
    async ping() {
      await sql`select 1 from graphs limit 1`;
      readers.demand();
    },
    close: readers.close,
  };
}

async function saveGraphs(sql: Sql, graphs: readonly NamedGraph[]): Promise<void> {
  const rows = graphs.map(({ name, triples }) => ({
    name,
    triples,
    id: name.slice(name.lastIndexOf(":") + 1),
  }));
  await sql.begin(async (tx) => {
    // one writer at a time, so that a process that has read a change has read all earlier ones
    await tx`select pg_advisory_xact_lock(hashtext('graphs'))`;
    await tx`
      insert into graphs as g (name, record_id, triples, changed)
      select x.name, x.id, x.triples, nextval('graphs_changed')
      from json_to_recordset(${tx.json(rows)}::json) as x(name text, id uuid, triples text)
      where x.triples <> '' or exists (select 1 from graphs o where o.name = x.name)
      on conflict (name) do update set triples = excluded.triples, changed = excluded.changed
        where g.triples <> excluded.triples`;
  });
}

/** Reads each graph as the processes will, so that the writer of an unfit one learns of it. */
async function unfitAmong(graphs: readonly NamedGraph[]): Promise<UnfitGraph[]> {
  const { Store } = await import("oxigraph");
  return graphs.flatMap(({ name, triples }) => {
    try {
      new Store().load(triples, { format: "application/n-triples", no_transaction: true });
      return [];
    } catch (error) {
      return [{ name, reason: messageOf(error) }];
    }
  });
}

/** Loads the changes since the last time from the database. */
async function followTable(
  sql: Sql,
  reader: Reader,
  noteUnfit: (graph: UnfitGraph) => Promise<void>,
): Promise<void> {
  if (reader.seen.change > 0) {
    const [last] = await sql`select 1 from graphs where name = ${reader.seen.name}`;
    if (!last) {
      // the table was emptied
      await reader.ask({ work: "clear" });
      reader.seen = { change: 0, name: "" };
    }
  }
  for (;;) {
    const rows = await sql<{ name: string; triples: string; changed: number }[]>`
      select name, triples, changed::float8 from graphs where changed > ${reader.seen.change}
      order by changed limit ${BATCH}`;
    if (rows.length === 0) return;
    const graphs = rows.map(({ name, triples }) => ({ name, triples }));
    const { unfit = [], bytes = 0 } = await reader.ask({ work: "replace", graphs });
    reader.bytes = bytes;
    for (const graph of unfit) await noteUnfit(graph);
    const { changed, name } = rows.at(-1)!;
    reader.seen = { change: changed, name };
  }
}
