import { mkdirSync, writeFileSync } from "node:fs";
import { it } from "vitest";
import { loadForGraphs } from "../src/linked-data/load.ts";
import { graphOf } from "../src/linked-data/map.ts";
import { turtle } from "../src/linked-data/turtle.ts";
import { openMuseum, quickest } from "./support/museum.ts";

it("shows", async () => {
  const museum = await openMuseum({ demo: true, database: quickest });
  const { around, records } = await loadForGraphs(museum.services.sql, "https://museum.example", [
    ...museum.demo.values(),
  ]);
  const keys = new Map([...museum.demo].map(([k, v]) => [v, k]));
  mkdirSync("/tmp/mine/rdf/demo", { recursive: true });
  let n = 0;
  for (const record of records) {
    const graph = graphOf(around, record);
    n += graph.triples.length;
    writeFileSync(`/tmp/mine/rdf/demo/${keys.get(record.row.id)}.ttl`, turtle(graph));
  }
  console.log(records.length, n / records.length);
  await museum.close();
}, 120_000);
