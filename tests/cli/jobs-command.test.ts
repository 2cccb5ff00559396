/** svc-manage jobs and svc-manage work, as an operator uses them. */
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import { findJob } from "../../src/jobs/store.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, onceFor } from "../support/museum/museum.ts";
import { officeHere } from "../support/programs/command.ts";

describe.each(databases)("svc-manage with the %s database", async (database) => {
  const once = onceFor(database);
  const office = await officeHere(database);
  beforeEach(() => office.look(({ sql }) => sql`delete from jobs`));

  const put = () =>
    office.look(async ({ sql }) => (await enqueueJob(sql, { kind: "housekeeping", createdBy: null })).job.id);
  const stateOf = (id: string) => office.look(async ({ sql }) => (await findJob(sql, id))!.state);

  once("jobs lists jobs and shows one", async () => {
    expect(await office.run("jobs")).toEqual({ code: 0, out: "There are no jobs yet", err: "" });
    const id = await put();
    const listed = await office.run("jobs", "list", "--state", "queued");
    expect(listed.out).toMatch(new RegExp(`^${id}  \\S{16}  queued     housekeeping$`));
    const shown = await office.run("jobs", "show", id);
    expect(shown.out).toMatch(/^state {5}queued$/m);
  });

  once("jobs cancels a job and queues it again", async () => {
    const id = await put();
    expect((await office.run("jobs", "cancel", id)).out).toMatch(/^state {5}cancelled$/m);
    expect(await stateOf(id)).toBe("cancelled");
    expect((await office.run("jobs", "retry", id)).out).toMatch(/^state {5}queued$/m);
    expect(await stateOf(id)).toBe("queued");
  });

  once("jobs gives programs the same as the API", async () => {
    const id = await put();
    const { out } = await office.run("jobs", "--json", "--kind", "housekeeping");
    expect(JSON.parse(out)).toMatchObject([{ job_id: id, status: "queued", total: null }]);
    expect(JSON.parse((await office.run("jobs", "show", id, "--json")).out)).toMatchObject({ job_id: id });
  });

  once("jobs refuses an unknown job, and an action that its state does not allow", async () => {
    const unknown = await office.run("jobs", "show", newId());
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("There is no job")]);
    const id = await put();
    const refused = await office.run("jobs", "retry", id);
    expect([refused.code, refused.err]).toEqual([
      1,
      "The job is queued: only a failed or cancelled job can be retried",
    ]);
    expect(await office.run("jobs", "list", id)).toMatchObject({ code: 2, out: "" });
  });

  if (database === "embedded")
    it("work leaves the embedded database to the service", async () => {
      const refused = await office.run("work");
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("There is no DATABASE_URL")]);
    });

  if (database === "external")
    inLong(it)("work runs jobs until it is told to stop", async () => {
      const id = await put();
      const worker = office.begin("work");
      await worker.said(/"message":"working"/);
      await office.until(worker, async (sql) => (await findJob(sql, id))?.state === "done");
      const [beat] = await office.look(({ sql }) => sql`select 1 from heartbeats where name = 'worker'`);
      expect(beat).toBeDefined();
      const before = performance.now();
      await worker.kill("SIGTERM");
      expect([await worker.ended, performance.now() - before < 10_000]).toEqual([0, true]);
    });
});

describe("svc-manage jobs", async () => {
  const office = await officeHere();

  it.each([
    ["an unknown action", ["cancle"], 'did you mean "cancel"?'],
    ["an unknown kind", ["--kind", "housekeping"], 'did you mean "housekeeping"?'],
    ["an unknown state", ["--state", "dnoe"], 'did you mean "done"?'],
    ["a missing id", ["cancel"], "needs the id of a job"],
    ["an invalid id", ["retry", "the-last"], "needs the id of a job"],
  ])("refuses %s", async (_what, args, sentence) => {
    const refused = await office.run("jobs", ...args);
    expect(refused.err).toContain(sentence);
    expect([refused.code, refused.out]).toEqual([2, ""]);
  });
});
