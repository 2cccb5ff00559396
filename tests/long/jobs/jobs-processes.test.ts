/** Jobs whose processes are stopped or killed, or work side by side. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enqueueJob } from "../../../src/jobs/enqueue.ts";
import type { JobKind } from "../../../src/jobs/kinds.ts";
import type { Services, Sql } from "../../../src/services.ts";
import { quickest } from "../../support/museum/museum.ts";
import { type Office, openOffice } from "../../support/programs/command.ts";
import { type Program, run } from "../../support/programs/processes.ts";

type Execution = { n: number; pid: number };

describe.each([quickest])("jobs in the %s database", (database) => {
  let office: Office;
  const programs: Program[] = [];
  beforeEach(async () => {
    office = await openOffice(database);
    await office.look(({ sql }) => sql`create table executions (n int, pid int)`);
  });
  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.kill("SIGKILL")));
    await office.close();
  });

  const worker = async () => {
    const program = run("job-program.ts", JSON.stringify(office.settings));
    programs.push(program);
    await program.said(/^working$/);
    return program;
  };
  const put = ({ sql }: Services, kind: string, params: Record<string, unknown>) =>
    enqueueJob(sql, { kind: kind as JobKind, createdBy: null, params });
  const jobsOf = (sql: Sql) =>
    sql<{ state: string; attempts: number; done: number }[]>`select state, attempts, done from jobs`;
  const executions = (sql: Sql) => sql<Execution[]>`select n, pid from executions`;

  it("that are killed halfway are begun again by the next process, once their lease has ended", async () => {
    await office.look((services) => put(services, "slow", { n: 1, stepMs: 30 }));
    const first = await worker();
    await office.until(first, async (sql) => ((await jobsOf(sql))[0]?.done ?? 0) > 0);
    await first.kill("SIGKILL");
    await office.look(async ({ sql }) => {
      expect(await jobsOf(sql)).toMatchObject([{ state: "running", attempts: 1 }]);
    });
    const second = await worker();
    await office.until(second, async (sql) => (await jobsOf(sql))[0]?.state === "done");
    await second.kill("SIGTERM");
    await office.look(async ({ sql }) => {
      expect(await jobsOf(sql)).toMatchObject([{ state: "done", attempts: 2, done: 60 }]);
      const pids = (await executions(sql)).map(({ pid }) => pid);
      expect(pids).toEqual([first.child.pid, second.child.pid]);
    });
  });

  it("are returned at once by a process that is told to stop, which ends well", async () => {
    await office.look((services) => put(services, "slow", { n: 1 }));
    const program = await worker();
    await office.until(program, async (sql) => ((await jobsOf(sql))[0]?.done ?? 0) > 0);
    const before = performance.now();
    await program.kill("SIGTERM");
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(await program.ended).toBe(0);
    await office.look(async ({ sql }) => {
      expect(await jobsOf(sql)).toMatchObject([{ state: "queued", attempts: 0 }]);
    });
  });

  if (database === "external")
    it("are shared by two processes, and each is run once", async () => {
      const many = 200;
      await office.look(async (services) => {
        for (let n = 0; n < many; n++) await put(services, "count", { n });
      });
      const [one, other] = await Promise.all([worker(), worker()]);
      const begun = performance.now();
      await office.until(one, async (sql) => (await jobsOf(sql)).every(({ state }) => state === "done"));
      console.log(`${many} jobs, two processes: ${Math.round(performance.now() - begun)} ms`);
      await Promise.all([one.kill("SIGTERM"), other.kill("SIGTERM")]);
      await office.look(async ({ sql }) => {
        const ran = await executions(sql);
        expect(ran.map(({ n }) => n).sort((a, b) => a - b)).toEqual(
          Array.from({ length: many }, (_, n) => n),
        );
        expect(new Set(ran.map(({ pid }) => pid))).toEqual(new Set([one.child.pid, other.child.pid]));
        expect((await jobsOf(sql)).every(({ attempts }) => attempts === 1)).toBe(true);
      });
    });

  if (database === "external")
    it("are shared by two processes even if one is killed, and none is lost", async () => {
      const many = 200;
      await office.look(async (services) => {
        for (let n = 0; n < many; n++) await put(services, "count", { n });
        await services.sql`update jobs set params = params || '{"retries": 3}'`;
      });
      const [one, other] = await Promise.all([worker(), worker()]);
      await office.until(one, async (sql) => (await executions(sql)).length > 20);
      await other.kill("SIGKILL");
      await office.until(one, async (sql) =>
        (await jobsOf(sql)).every(({ state }) => state === "done" || state === "failed"),
      );
      await office.look(async ({ sql }) => {
        // `count` is not retried: the jobs of the killed process, at most its four places, have failed
        const failed = (await jobsOf(sql)).filter(({ state }) => state === "failed");
        expect(failed.length).toBeLessThanOrEqual(4);
        const ran = (await executions(sql)).map(({ n }) => n);
        expect(new Set(ran).size).toBe(ran.length);
        expect(ran.length).toBeGreaterThanOrEqual(many - failed.length);
      });
    });
});
