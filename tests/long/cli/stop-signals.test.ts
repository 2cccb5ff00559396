import { readdir, rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { environment } from "../../runtimes/started.ts";
import { begin } from "../../support/programs/processes.ts";
import { scratchDirectory } from "../../support/servers/databases.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await scratchDirectory();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = (command: string, variables: Record<string, string> = {}) =>
  begin(
    [process.execPath, "cli/svc-manage.mjs", command],
    environment({ SVC_DATA_DIR: dataDir, LOG_LEVEL: "debug", ...variables }),
  );

const museumsIn = async (directory: string) =>
  (await readdir(directory)).filter((name) => name.startsWith("svc-demo-"));

test("a demo that is told to stop while its museum is loaded leaves nothing behind", async () => {
  const demo = start("demo", { TMPDIR: dataDir });
  await demo.said(/database migrated/);
  expect(await museumsIn(dataDir)).toHaveLength(1);
  demo.child.kill("SIGINT");
  expect(await demo.ended).toBe(0);
  expect(demo.lines.join("\n")).not.toContain('"ready"');
  expect(await museumsIn(dataDir)).toEqual([]);
});

test("a service that is told to stop just when it is ready ends well", async () => {
  const service = start("serve");
  service.child.stderr!.on("data", (text) => {
    if (String(text).includes('"ready"')) service.child.kill("SIGTERM");
  });
  expect(await service.ended).toBe(0);
  expect(service.lines.join("\n")).toContain('"message":"stopping"');
});

test("a service that is told to stop right after an answer has logged the request, in its place", async () => {
  const service = start("serve");
  const { url } = JSON.parse(await service.said(/"ready"/)) as { url: string };
  await (await fetch(`${url}/robots.txt`)).text();
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  const logged = service.err.flatMap((line) => /"message":"(request|stopping)"/.exec(line)?.[1] ?? []);
  expect(logged).toEqual(["request", "stopping"]);
});

test("a service that is told to stop while it starts ends at once, and can start again", async () => {
  const service = start("serve");
  // a line from its first start
  await service.said(/database migrated/);
  const before = performance.now();
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(service.lines.join("\n")).not.toContain('"ready"');
  const again = start("serve");
  await again.said(/"ready"/);
  again.child.kill("SIGINT");
  expect(await again.ended).toBe(0);
});
