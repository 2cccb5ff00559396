import { defineConfig } from "vitest/config";
import { LongFirst } from "./tests/support/lane/long-first.ts";
import { asksForDatabases, passedBefore } from "./tests/support/lane/passed-before.ts";

/** Tests of the files themselves: they need no museum, so `npm run check` runs them alone and at once. */
const HOUSE = ["tests/house.test.ts", "tests/core-bundle.test.ts"];

/** Kills, outages, large catalogues: what takes too long for every change. */
const LONG = "tests/{chaos,container,long}/**/*.test.ts";

/** The service as its users start it, for a day, on each runtime. */
const RUNTIMES = "tests/runtimes/*.test.ts";

/** What the README tells to type: in both lanes, so that each runtime is tried in both. */
const SCRIPTS = "tests/runtimes/scripts.test.ts";

/** PostgreSQL and Redis, where none answers. */
const SERVERS = "tests/servers/of-this-run.ts";

/** Milliseconds. What waits gives up by itself, when nothing moves any more (tests/support/programs/progress.ts). */
const LONGEST_WAIT = 60_000;
const LAST_RESORT = 300_000;

/** Commands speak English, whatever language this machine speaks. */
const ENGLISH = { LC_ALL: "C.UTF-8" };

const before = passedBefore();
const passed = Object.keys(before.tests);

/** Two lanes: `npm test` is the short one, `vitest run --mode short`; without a mode everything is tried. */
export default defineConfig(({ mode }) => {
  const short = mode === "short";
  const provide = { lane: short ? "short" : "all" } as const;
  const museum = {
    env: ENGLISH,
    globalSetup: [SERVERS, "tests/support/lane/global-setup.ts"],
    setupFiles: ["src/adapters/catalogues.ts"],
    // a museum of its own for each file: databases are copied, not shared
    pool: "forks" as const,
    // with one more, two cores took as long: the processors are what there is too little of
    maxWorkers: "100%",
    // modules are loaded once for all files of a worker, and are warm
    isolate: false,
    sequence: { groupOrder: 1 },
    testTimeout: LAST_RESORT,
    hookTimeout: LAST_RESORT,
    expect: { poll: { timeout: LONGEST_WAIT } },
  };
  const onOthers = passed.filter(asksForDatabases);
  return {
    test: {
      reporters: ["default", ["./tests/support/lane/closing-line.ts", before]],
      sequence: { sequencer: LongFirst },
      // what postgres.js says to nobody when a server goes away under its own query for types: the program goes on, too
      // (cli/catalogue/lost-connections.ts); anything else is a failure
      onUnhandledError(error) {
        const { code = "", query = "" } = error as { code?: unknown; query?: unknown };
        return !(
          /^(CONNECTION_|ECONNRESET)/.test(String(code)) && String(query).includes("pg_catalog.pg_type")
        );
      },
      projects: [
        {
          test: {
            name: "house",
            include: HOUSE,
            exclude: passed,
            // a bundler reads the whole program, which takes a busy machine longer than the five seconds that are usual
            testTimeout: 30_000,
            // left to Bun, which takes its CommonJS build, it would get a zod without its types
            server: { deps: { inline: [/zod/] } },
          },
        },
        {
          test: {
            name: "museum",
            include: ["tests/**/*.test.ts"],
            exclude: [...HOUSE, RUNTIMES, ...(short ? [LONG] : []), ...passed],
            provide,
            ...museum,
          },
        },
        {
          test: { name: "other databases", include: onOthers, provide: { lane: "rest" }, ...museum },
        },
        {
          test: {
            name: "runtimes",
            include: [short ? SCRIPTS : RUNTIMES],
            provide,
            env: ENGLISH,
            globalSetup: [SERVERS],
            // two services at a time and nothing beside them: how long they take to start and stop is looked at
            maxWorkers: 2,
            sequence: { groupOrder: 2 },
            testTimeout: LAST_RESORT,
            hookTimeout: LAST_RESORT,
            expect: { poll: { timeout: LONGEST_WAIT } },
          },
        },
      ],
    },
  };
});
