/**
 * The process of an embedded triple store: Oxigraph as WebAssembly. It has no time limits, so a query can only be stopped by
 * ending the process. Written in JavaScript because it is started without a TypeScript loader.
 *
 * Each message gets one answer: `{ ok }`, `{ refused }` with what is wrong with the query, `{ unfit, bytes }` with the
 * graphs that were left out and the memory of this process, `{ tooLarge: true }`, or `{ broken: true }` before the process
 * ends. `more` beside `ok`: ask for the rest of the answer with `{ work: "more" }`.
 */
import { createRequire } from "node:module";
import process from "node:process";
import { Worker } from "node:worker_threads";

// a running query blocks this thread, so another thread watches whether the service is gone
new Worker(new URL("store-watch.mjs", import.meta.url), { workerData: process.ppid }).unref();

// Deno would look for npm packages in another way in a forked process
const { namedNode, Store } = createRequire(import.meta.url)("oxigraph");

let store = new Store();
let names = new Set();
/** The part of the last answer that has not been sent. */
let rest = "";

/** Characters in one part of an answer. */
const PART = 1 << 20;

function nextPart() {
  // never cut a surrogate pair in two
  const end = /[\ud800-\udbff]/.test(rest[PART - 1] ?? "") ? PART - 1 : PART;
  const ok = rest.slice(0, end);
  rest = rest.slice(end);
  return { ok, more: rest !== "" };
}

function drop(graphs) {
  if (graphs.length > 0) store.update(graphs.map(({ name }) => `DROP SILENT GRAPH <${name}>`).join(";"));
}

function load(graphs) {
  // literals contain no line breaks, since N-Triples escapes them
  const quads = graphs.map(({ name, triples }) => triples.replaceAll(" .\n", ` <${name}> .\n`)).join("");
  store.load(quads, { format: "application/n-quads", no_transaction: true });
}

const WORK = {
  /** Deletes everything. */
  clear() {
    store = new Store();
    names = new Set();
  },
  /** Replaces the graphs with these names. One that cannot be read is left out. */
  replace({ graphs }) {
    drop(graphs.filter(({ name }) => names.has(name)));
    const unfit = [];
    try {
      // one load for all takes half the time
      load(graphs);
    } catch {
      drop(graphs);
      for (const graph of graphs) {
        try {
          load([graph]);
        } catch (error) {
          if (error instanceof WebAssembly.RuntimeError) throw error;
          drop([graph]);
          unfit.push({ name: graph.name, reason: error.message });
        }
      }
    }
    for (const { name, triples } of graphs) {
      if (triples === "") names.delete(name);
      else names.add(name);
    }
    return { unfit, bytes: process.memoryUsage().rss };
  },
  query({ query, most }) {
    const { text, base, type, defaultGraphs, namedGraphs, union } = query;
    let answer;
    try {
      answer = store.query(text, {
        base_iri: base,
        results_format: type,
        ...(defaultGraphs.length + namedGraphs.length > 0
          ? { default_graph: defaultGraphs.map(namedNode), named_graphs: namedGraphs.map(namedNode) }
          : { use_default_graph_as_union: union }),
      });
    } catch (error) {
      // out of memory, or nested too deeply: the content of the store cannot be trusted any more
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return { broken: true };
      return { refused: String(error.message) };
    }
    if (answer.length > most) return { tooLarge: true };
    rest = answer;
    return nextPart();
  },
  more: nextPart,
};

process.on("message", (message) => {
  const reply = WORK[message.work](message) ?? { ok: "" };
  process.send(reply, () => reply.broken && process.exit(1));
});
process.on("disconnect", () => process.exit(0));
