/** A program that logs as a service does. What it does is its argument; what it sees, it prints on standard output. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { startReader } from "../../../src/adapters/graph/reader.ts";
import { standardErrorLines } from "../../../src/adapters/standard-error.ts";
import { createLog } from "../../../src/log.ts";

const write = standardErrorLines();
const log = createLog({ level: "info", format: "json", write });
const [, , what, file] = process.argv;
const print = (seen: unknown) => console.log(JSON.stringify(seen));
const linesIn = () => readFileSync(file!, "utf8").split("\n").length - 1;

/** Requests of 40 MB altogether, with other lines between them. */
const MANY = 150_000;
const PATH = `/v1/objects/${"x".repeat(200)}`;

if (what === "file") {
  log.request({ n: 1 });
  log.request({ n: 2 });
  const waiting = linesIn();
  write("FIRST RUN");
  const first = linesIn();
  log.request({ n: 3 });
  log.error("a fault", { n: 4 });
  const fault = linesIn();
  log.request({ n: 5 });
  while (linesIn() === fault) await setTimeout(5);
  const later = linesIn();
  log.request({ n: 6, path: "x".repeat(70_000) });
  print({ waiting, first, fault, later, large: linesIn() });
  log.request({ n: 7 });
} else if (what === "broken") {
  process.on("uncaughtException", (error) => {
    log.error("unexpected fault, stopping", { error: error.message });
    process.exit(1);
  });
  log.request({ n: 1 });
  setImmediate(() => {
    throw new Error("a fault nobody expected");
  });
} else {
  // its process must not change how we write
  startReader().kill();
  const before = process.memoryUsage().rss;
  for (let n = 1; n <= MANY; n++) {
    if (n % 100 === 0) log.warn("a warning", { n, path: PATH });
    else log.request({ n, path: PATH });
    // as a service, which also does other things
    if (n % 1000 === 0) await setTimeout(1);
  }
  print({ lines: MANY, grown: process.memoryUsage().rss - before });
  while (what === "stopped" && write("somebody reads again") === false) await setTimeout(5);
  log.error("the end");
}
