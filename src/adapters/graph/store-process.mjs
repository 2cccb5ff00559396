/**
 * The process that holds an embedded triple store: Oxigraph as WebAssembly, which knows no time limit, so that only the end
 * of its process stops a query. JavaScript, since it is started without anything that reads TypeScript.
 *
 * Each message is answered by one: `{ ok }`, or `{ refused }` with what is wrong in the query, or `{ tooLarge: true }`, or
 * before it ends `{ broken: true }`. With `more` beside `ok` there is more of the answer, which is asked for with `{ work: "more" }`.
 */
import { createRequire } from "node:module";
import process from "node:process";
import { Worker } from "node:worker_threads";

// a query leaves no time to learn that the service is gone
new Worker(new URL("store-watch.mjs", import.meta.url), { workerData: process.ppid }).unref();

// as Node finds it, on Deno too, which would look for npm packages by rules of its own in a process that is forked
const { namedNode, Store } = createRequire(import.meta.url)("oxigraph");

let store = new Store();
let names = new Set();
/** Of the last answer, what was not sent yet. */
let rest = "";

/** Characters of an answer that are sent at once. */
const PART = 1 << 20;

function nextPart() {
  // two halves of one character stay together
  const end = /[\ud800-\udbff]/.test(rest[PART - 1] ?? "") ? PART - 1 : PART;
  const ok = rest.slice(0, end);
  rest = rest.slice(end);
  return { ok, more: rest !== "" };
}

const WORK = {
  /** Everything goes. */
  clear() {
    store = new Store();
    names = new Set();
  },
  /** Each graph in the place of the one that had its name. */
  replace({ graphs }) {
    const outdated = graphs.filter(({ name }) => names.has(name));
    if (outdated.length > 0)
      store.update(outdated.map(({ name }) => `DROP SILENT GRAPH <${name}>`).join(";"));
    // all in one go takes half the time; ends of lines within literals are escaped
    const quads = graphs.map(({ name, triples }) => triples.replaceAll(" .\n", ` <${name}> .\n`)).join("");
    store.load(quads, { format: "application/n-quads", no_transaction: true });
    for (const { name, triples } of graphs) {
      if (triples === "") names.delete(name);
      else names.add(name);
    }
  },
  query({ query, most }) {
    const { text, type, defaultGraphs, namedGraphs, union } = query;
    let answer;
    try {
      answer = store.query(text, {
        results_format: type,
        ...(defaultGraphs.length + namedGraphs.length > 0
          ? { default_graph: defaultGraphs.map(namedNode), named_graphs: namedGraphs.map(namedNode) }
          : { use_default_graph_as_union: union }),
      });
    } catch (error) {
      // out of memory, or nested too deep: what it holds cannot be trusted any more
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
  const told = WORK[message.work](message) ?? { ok: "" };
  process.send(told, () => told.broken && process.exit(1));
});
process.on("disconnect", () => process.exit(0));
