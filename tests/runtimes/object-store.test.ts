/** Media in an object store, on runtimes with different HTTP clients. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../servers/object-store.ts";
import { isSeaweedfsHere, openSeaweedfs, SEAWEEDFS_MISSING } from "../servers/seaweedfs.ts";
import { notTried } from "../support/lane/skipped.ts";
import { begin } from "../support/programs/processes.ts";
import { ROOT } from "../support/sources.ts";
import { differingRuntimes } from "./runtimes.ts";

const isHere = isSeaweedfsHere();
if (!isHere) notTried(SEAWEEDFS_MISSING);

const PROGRAM = `${ROOT}tests/support/programs/object-store-program.ts`;

describe.runIf(isHere)("media in an object store", () => {
  let store: ObjectStore;
  beforeAll(async () => {
    store = await openSeaweedfs();
  });
  afterAll(() => store?.close());

  it.each(differingRuntimes())("stores and serves media on %s", async (name, { program, svcManage }) => {
    const flags = svcManage().slice(1, -1);
    const command = [program, ...flags, ...(name.startsWith("Node") ? ["--import", "tsx"] : []), PROGRAM];
    const { PATH, HOME } = process.env;
    const run = begin([...command, JSON.stringify(store.bucket)], { PATH, HOME });
    expect(await run.ended, run.lines.join("\n")).toBe(0);
    expect(run.out).toEqual([
      "took 20000003",
      "gave 20000003",
      "gave a part of 20 of 20000003",
      "broken off: the line broke null",
      "cut while sending: 503 null",
      "cut while reading: true",
      "silent while reading: The object store has stopped sending",
      "silent: 503",
      "listed smoke/a.tif 20000003",
      "removed: null",
    ]);
    expect(run.err).toEqual([]);
  });
});
