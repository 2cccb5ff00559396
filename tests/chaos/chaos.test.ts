/** A short run of `npm run chaos` on each database; docs/reliability.md explains its purpose. */
import { expect, inject, it } from "vitest";
import { runChaos } from "./chaos.ts";
import { FAULTS } from "./faults.ts";
import type { Where } from "./site.ts";

const places: Where[] = inject("external") ? ["embedded", "external"] : ["embedded"];

// at the same time: after some faults, the health of a service stays bad for a minute
it.concurrent.for(places)(
  "a museum whose parts fail one after the other (%s) loses nothing that it acknowledged, stores nothing that it refused, and hides what is hidden",
  async (where, { onTestFailed }) => {
    const lines: string[] = [];
    onTestFailed(() => console.log(lines.join("\n")));
    const { wrong, requests, faults } = await runChaos({
      where,
      minutes: 0.3,
      rate: 15,
      faults: Object.keys(FAULTS).filter((name) => !name.includes("longer")),
      everySeconds: 2,
      records: 0,
      say: (line) => lines.push(line),
    });
    expect(wrong).toEqual([]);
    // on a busy machine a single request may take all the time
    expect(requests).toBeGreaterThan(50);
    expect(faults.size).toBeGreaterThan(0);
  },
);
