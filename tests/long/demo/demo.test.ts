/** `svc-manage demo`, from its start until it is open, and how it fills its museum. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { loadDemoMuseum } from "../../../cli/demo/load.ts";
import { loadDemoMedia } from "../../../cli/demo/media.ts";
import { backlog } from "../../../src/records/outbox.ts";
import { environment, freePort } from "../../runtimes/started.ts";
import { openMuseum, quickest } from "../../support/museum/museum.ts";
import { begin } from "../../support/programs/processes.ts";

test("who opens the demo while it is filled sees how far it is, and its addresses are said when they answer", async () => {
  const directory = await mkdtemp(join(tmpdir(), "svc-demo-test-"));
  // the last one runs first
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const demo = begin(
    [process.execPath, "cli/svc-manage.mjs", "demo"],
    environment({ PORT: port, TMPDIR: directory }),
  );
  onTestFinished(() => demo.kill("SIGINT"));
  const shown: number[] = [];
  let isOpen = false;
  const open = demo.said(/The demo museum is open at/).then(() => {
    isOpen = true;
  });
  while (!isOpen && demo.child.exitCode === null) {
    const page = await fetch(base, { headers: { Accept: "text/html" } }).catch(() => null);
    const text = (await page?.text()) ?? "";
    const percent = /being filled: (\d+)% so far/.exec(text)?.[1];
    if (percent !== undefined) {
      expect([page!.status, page!.headers.get("Refresh")]).toEqual([503, "5"]);
      shown.push(Number(percent));
    }
    await setTimeout(100);
  }
  await open;
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  expect(new Set(shown).size).toBeGreaterThan(3);
  const said = demo.lines.join("\n");
  expect(said).not.toMatch(/FIRST RUN|DEFAULT_ADMIN/);
  expect(said.match(/sign in +(\S+) \/ (\S+)/)?.slice(1)).toEqual([
    "curator@example.org",
    "harbour-lights-1887",
  ]);
  for (const [, address] of said.matchAll(/(?:museum is open at|search|API|SPARQL) +(http:\S+)/g))
    expect([(await fetch(address!)).status, address]).toEqual([200, address]);
});

test("each record of the demo museum is projected once with the records, and its objects once with their media", async () => {
  const { services, close } = await openMuseum({ database: quickest });
  onTestFinished(() => close());
  let projected: string[] = [];
  const counted = {
    ...services,
    changed(ids: readonly string[]) {
      projected.push(...ids);
      return services.changed(ids);
    },
  };
  const parts: number[] = [];
  const ids = await loadDemoMuseum(counted, (part) => parts.push(part));
  expect(projected.toSorted()).toEqual([...ids.values()].toSorted());
  projected = [];
  await loadDemoMedia(counted, ids, (part) => parts.push(part));
  const owners = await services.sql<{ object_id: string }[]>`select distinct object_id from object_media`;
  expect(projected.toSorted()).toEqual(owners.map((row) => row.object_id).toSorted());
  expect(await backlog(services.sql)).toBe(0);
  const second = parts.lastIndexOf(0);
  for (const half of [parts.slice(0, second), parts.slice(second)]) {
    expect(half).toEqual(half.toSorted((a, b) => a - b));
    expect([half[0], half.at(-1)! < 1, half.length > 5]).toEqual([0, true, true]);
  }
});
