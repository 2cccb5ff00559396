/** The first start where the system kills processes that exceed a memory limit. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { notTried } from "../support/lane/skipped.ts";
import { SETTINGS } from "./everything.ts";
import { differingRuntimes } from "./runtimes.ts";
import { started } from "./started.ts";

const MEGABYTES = 512;

/** A memory cgroup with this limit; null: only root can make one, and not on every system. */
function limitedGroup(): string | null {
  const name = `svc-tests-${process.pid}`;
  for (const [parent, limit] of [
    ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"],
    ["/sys/fs/cgroup", "memory.max"],
  ] as const) {
    const group = join(parent, name);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    if (existsSync(join(group, limit))) {
      writeFileSync(join(group, limit), String(MEGABYTES * 1024 * 1024));
      return group;
    }
    rmdirSync(group);
  }
  return null;
}

const group = limitedGroup();
if (group === null) notTried("the first start under a limit of memory: no memory cgroup can be made here");

describe.runIf(group !== null)(`with ${MEGABYTES} MB of memory`, () => {
  afterAll(() => rmdirSync(group!));

  test.each(differingRuntimes())("%s starts on an empty directory, and answers", async (name, runtime) => {
    const directory = await mkdtemp(join(tmpdir(), "svc-limited-"));
    const enter = ["/bin/sh", "-c", `echo $$ > ${group}/cgroup.procs && exec "$@"`, "sh"];
    // the default; other tests use less
    const settings = { ...SETTINGS, SVC_DATA_DIR: directory, SVC_DATABASE_BUFFERS_MB: "64" };
    const service = await started([...enter, ...runtime.svcManage("serve")], settings, name);
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    onTestFinished(async () => void (await service.stop()));
    for (const path of ["/health", "/openapi.json", "/v1/search?q=harbour", "/", "/api/docs"])
      expect([path, (await service.ask(path)).status]).toEqual([path, 200]);
  });
});
