/**
 * The triple store without a server: graphs stand in a table of the database, and processes of their own hold them in memory
 * and answer. Each follows the table before it answers, so that it sees what any process of the service has written, and
 * fills itself after a crash.
 *
 * Nothing but its end stops a query in such a process. So there are two, started when they are needed: while one is killed
 * and filled anew, the other answers.
 */
import { Problem } from "../../problem.ts";
import type { GraphQuery, Graphs, NamedGraph, Sql } from "../../services.ts";
import { type GraphLimits, LARGEST_ANSWER, timedOut, tooLarge } from "./limits.ts";
import { type Reader, ReaderGone, type Told } from "./reader.ts";
import { readerPool } from "./reader-pool.ts";

const BATCH = 500;

export type EmbeddedGraphs = Graphs & {
  /** Ends its processes. */
  close(): void;
};

export function embeddedGraphs(
  sql: Sql,
  { timeoutSeconds, largest = LARGEST_ANSWER }: GraphLimits,
): EmbeddedGraphs {
  const readers = readerPool((reader) => follow(sql, reader));

  async function answer(reader: Reader, query: GraphQuery): Promise<Told> {
    await follow(sql, reader);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reader.kill();
    }, timeoutSeconds * 1_000);
    try {
      return await reader.ask({ work: "query", query, most: largest });
    } catch (error) {
      throw late ? timedOut(timeoutSeconds) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** What is killed under a query is begun once more; a query that ends its process twice is at fault itself. */
  async function asked(query: GraphQuery, again: boolean): Promise<Told> {
    const reader = await readers.take();
    try {
      return await answer(reader, query);
    } catch (error) {
      if (!(error instanceof ReaderGone)) throw error;
      if (!again)
        throw new Problem("too_large", "The query needs more memory than there is; ask for less of it");
    } finally {
      readers.give(reader);
    }
    return asked(query, false);
  }

  return {
    replace: (graphs) => saveGraphs(sql, graphs),
    idsAfter: async (after, limit) => {
      const rows = await sql<{ id: string }[]>`
        select record_id as id from graphs
        where triples <> '' ${after === null ? sql`` : sql`and record_id > ${after}`}
        order by record_id limit ${limit}`;
      return rows.map(({ id }) => id);
    },
    async query(query) {
      const told = await asked(query, true);
      if (told.ok !== undefined) return told.ok;
      throw told.tooLarge ? tooLarge(largest) : new Problem("malformed", `The query: ${told.refused}`);
    },
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
    // one after the other, so that who has seen a change has seen all before it
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

/** Brings it up to what is in the database now. */
async function follow(sql: Sql, reader: Reader): Promise<void> {
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
    await reader.ask({ work: "replace", graphs: rows.map(({ name, triples }) => ({ name, triples })) });
    const { changed, name } = rows.at(-1)!;
    reader.seen = { change: changed, name };
  }
}
