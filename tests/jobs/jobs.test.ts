import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import type { Job } from "../../src/jobs/job.ts";
import type { JobKind } from "../../src/jobs/kinds.ts";
import { claimJob } from "../../src/jobs/queue.ts";
import { findJob, forgetJobs } from "../../src/jobs/store.ts";
import { said, toldFrom, toldText } from "../../src/messages/said.ts";
import { Problem } from "../../src/problem.ts";
import type { JobInput, JobKindWork } from "../../workers/job-kind.ts";
import { type JobLoop, startJobLoop } from "../../workers/job-loop.ts";
import type { Timing } from "../../workers/timing.ts";
import { TIMING } from "../../workers/timing.ts";
import { faults, type Page, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { withResolvers } from "../support/with-resolvers.ts";

type JobJson = Omit<Job, "id" | "revision"> & { job_id: string; status: string; title: string };

const QUICK: Timing = {
  ...TIMING,
  roundMs: 20,
  leaseSeconds: 5,
  renewMs: 50,
  retrySeconds: 0.02,
  shutdownMs: 2_000,
};

/** A kind of job that runs this function. */
function doing(run: (input: JobInput) => Promise<unknown>, more: Partial<JobKindWork> = {}): JobKindWork {
  const work = async (input: JobInput) => ({ answer: (await run(input)) ?? null });
  return { run: work, retries: 0, concurrency: 1, ...more };
}

/** Reports a step every few milliseconds until it is stopped. */
async function endless({ report }: JobInput): Promise<void> {
  for (let done = 1; ; done++) {
    await setTimeout(5);
    await report({ done });
  }
}

describe.each(databases)("jobs on the %s database", async (database) => {
  const loops: JobLoop[] = [];
  const museum = await museumHere({ database });
  const admin = await museum.as("admin");
  beforeEach(() => museum.services.sql`delete from jobs`);
  afterEach(async () => {
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  });

  const put = async (
    kind: string,
    more: { uniqueKey?: string; createdBy?: string; params?: object } = {},
  ) => {
    const request = { kind: kind as JobKind, createdBy: null, ...more };
    return enqueueJob(museum.services.sql, request as Parameters<typeof enqueueJob>[1]);
  };
  const work = (kinds: Record<string, JobKindWork>, pace: Partial<Timing> = {}) => {
    const loop = startJobLoop(museum.services, kinds, { ...QUICK, ...pace }, async () => undefined);
    loops.push(loop);
    return loop;
  };
  const jobOf = async (id: string) => (await findJob(museum.services.sql, id))!;
  /** The job once this is true of it. */
  const once = async (id: string, like: (job: Job) => boolean): Promise<Job> => {
    await expect.poll(async () => like(await jobOf(id)), { timeout: 15_000, interval: 20 }).toBe(true);
    return jobOf(id);
  };
  const inState = (id: string, state: string) => once(id, (job) => job.state === state);

  it("are claimed one by one, also where the database believes that there is only one", async () => {
    await put("housekeeping");
    await museum.services.sql`vacuum analyze jobs`;
    for (let n = 0; n < 3; n++) await put("housekeeping");
    const claimed = await museum.services.sql.begin(async (tx) => {
      const kinds = [{ kind: "housekeeping", concurrency: 3 }];
      return claimJob(tx, { lease: newId(), seconds: 5, kinds, own: [] });
    });
    const running = await museum.services.sql`select id from jobs where state = 'running'`;
    expect(running).toEqual([{ id: claimed?.id }]);
  });

  describe("a job", () => {
    it("waits, runs once, and reports its progress and its result", async () => {
      const { job } = await put("list-pictures", { params: { wing: "north" } });
      expect(job).toMatchObject({ state: "queued", done: 0, total: null, attempts: 0 });
      let ran = 0;
      const { promise: released, resolve: go } = withResolvers();
      const list = doing(async ({ params, report }) => {
        ran += 1;
        await report({ done: 1, total: 3, message: "The first room" });
        await released;
        await report({ done: 3 });
        return params.wing;
      });
      work({ "list-pictures": list });
      const running = await once(job.id, ({ done }) => done === 1);
      expect(running).toMatchObject({ state: "running", total: 3, messages: [{ text: "The first room" }] });
      expect(running.messages[0]!.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
      go();
      expect(await inState(job.id, "done")).toMatchObject({
        done: 3,
        total: 3,
        attempts: 1,
        result: { answer: "north" },
        reason: null,
      });
      expect(ran).toBe(1);
    });

    it("is not queued twice for the same thing until the first is over", async () => {
      const [one, other] = await Promise.all([
        put("index", { uniqueKey: "index objects" }),
        put("index", { uniqueKey: "index objects" }),
      ]);
      expect([one.fresh, other.fresh].sort()).toEqual([false, true]);
      expect(one.job.id).toBe(other.job.id);
      expect((await put("index", { uniqueKey: "index places" })).fresh).toBe(true);
      work({ index: doing(async () => null) });
      await inState(one.job.id, "done");
      expect((await put("index", { uniqueKey: "index objects" })).fresh).toBe(true);
    });

    it("exists if and only if the transaction that queued it is committed", async () => {
      const { sql } = museum.services;
      let id = "";
      const refused = sql.begin(async (tx) => {
        ({
          job: { id },
        } = await enqueueJob(tx, { kind: "housekeeping", createdBy: null }));
        throw new Error("changed our mind");
      });
      await expect(refused).rejects.toThrow("changed our mind");
      expect(await findJob(sql, id)).toBeUndefined();
    });

    it("that fails is retried, each time after twice as long, and then given up with a reason", async () => {
      const { sql } = museum.services;
      const { job } = await put("print");
      const wait = async () => {
        const [row] = await sql<{ s: number }[]>`
          select extract(epoch from run_after - clock_timestamp())::float8 as s from jobs where id = ${job.id}`;
        return row!.s;
      };
      const print = doing(
        async () => {
          throw Object.assign(new Error("select secret from ledger"), { code: "ENOSPC" });
        },
        { retries: 2 },
      );
      work({ print }, { retrySeconds: 100 });
      for (const [attempts, seconds] of [
        [1, 100],
        [2, 200],
      ] as const) {
        const put_off = await once(job.id, (now) => now.attempts === attempts && now.state === "queued");
        expect(put_off.reason).toContain('"ENOSPC"');
        const left = await wait();
        expect(left).toBeGreaterThan(seconds - 20);
        expect(left).toBeLessThanOrEqual(seconds);
        await sql`update jobs set run_after = now() where id = ${job.id}`;
      }
      const failed = await inState(job.id, "failed");
      expect(failed.attempts).toBe(3);
      expect(failed.reason).not.toContain("secret");
      expect(museum.log.join("\n")).toContain("select secret from ledger");
    });

    it("that cannot be done as requested is not retried", async () => {
      const { job } = await put("print");
      const print = doing(
        () => Promise.reject(new Problem("invalid", said("problem.import.not_found", { id: "1" }))),
        {
          retries: 9,
        },
      );
      work({ print });
      expect(await inState(job.id, "failed")).toMatchObject({
        attempts: 1,
        reason: toldText(said("problem.import.not_found", { id: "1" })),
      });
      // a warning: no operator can mend it
      const line = museum.log.find((each) => each.includes(job.id) && each.includes("job failed"))!;
      expect(JSON.parse(line)).toMatchObject({ level: "warn" });
    });

    it("keeps its last twenty messages, and shortens long ones", async () => {
      const { job } = await put("talk");
      const talk = doing(async ({ report }) => {
        for (let n = 1; n <= 30; n++) await report({ message: `${n} ${"x".repeat(900)}` });
      });
      work({ talk });
      const { messages } = await inState(job.id, "done");
      expect(messages.map(({ text }) => Number(String(text).split(" ")[0]))).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 11),
      );
      expect(Math.max(...messages.map(({ text }) => String(text).length))).toBe(500);
    });

    it("whose result cannot be stored has failed", async () => {
      const { job } = await put("boast");
      work({ boast: doing(async () => "x".repeat(100_000)) });
      expect((await inState(job.id, "failed")).result).toBeNull();
    });
  });

  describe("a cancelled job", () => {
    const cancel = (id: string, ask = admin) => ask(`/v1/jobs/${id}/cancel`, { method: "POST" });

    it("never starts if it was waiting", async () => {
      const { job } = await put("walk");
      expect(await read<JobJson>(cancel(job.id))).toMatchObject({ state: "cancelled", attempts: 0 });
      let ran = false;
      work({
        walk: doing(async () => {
          ran = true;
        }),
        rest: doing(async () => null),
      });
      // once a later job is done, it would have started
      await inState((await put("rest")).job.id, "done");
      expect(ran).toBe(false);
      expect((await read<JobJson>(cancel(job.id))).state).toBe("cancelled");
    });

    it("stops at its next step if it was running", async () => {
      const { job } = await put("walk");
      let stopReason: unknown;
      const walk = doing(async (input) => {
        await endless(input).catch((error) => {
          stopReason = error;
          throw error;
        });
      });
      work({ walk });
      await once(job.id, ({ done }) => done > 0);
      const answer = await read<JobJson>(cancel(job.id), 202);
      expect(answer).toMatchObject({ state: "running", cancel_requested: true });
      expect(await inState(job.id, "cancelled")).toMatchObject({ attempts: 1, reason: null });
      expect(String(stopReason)).toContain("it was cancelled");
    });

    it("stops even if it reports nothing", async () => {
      const { job } = await put("sleep");
      const sleep = doing(({ signal }) => setTimeout(60_000, undefined, { signal }));
      work({ sleep });
      await inState(job.id, "running");
      await read(cancel(job.id), 202);
      await inState(job.id, "cancelled");
    });

    it("that is already done stays so, and the answer says it", async () => {
      const { job } = await put("walk");
      work({ walk: doing(async () => null) });
      await inState(job.id, "done");
      const { detail } = await read<{ detail: string }>(cancel(job.id), 409);
      expect(detail).toContain("already done");
    });
  });

  describe("a retried job", () => {
    const retry = (id: string) => admin(`/v1/jobs/${id}/retry`, { method: "POST" });

    it("has all its attempts again", async () => {
      const { job } = await put("print");
      let paper = false;
      const print = doing(async () => {
        if (!paper) throw new Error("no paper");
      });
      work({ print });
      await inState(job.id, "failed");
      paper = true;
      const answer = await retry(job.id);
      expect(answer.headers.get("Location")).toBe(`/v1/jobs/${job.id}`);
      expect(await read<JobJson>(answer, 202)).toMatchObject({ status: "queued", attempts: 0, reason: null });
      expect(await inState(job.id, "done")).toMatchObject({ attempts: 1 });
      await read(retry(job.id), 409);
    });

    it("is refused if another one for the same thing is already waiting", async () => {
      const { job } = await put("print", { uniqueKey: "the poster" });
      await read(admin(`/v1/jobs/${job.id}/cancel`, { method: "POST" }));
      await put("print", { uniqueKey: "the poster" });
      const { detail } = await read<{ detail: string }>(retry(job.id), 409);
      expect(detail).toContain("already waiting or running");
    });
  });

  describe("with several workers", () => {
    it("a worker that lost its lease stops, and changes nothing", async () => {
      const { sql } = museum.services;
      const { job } = await put("walk");
      let stopReason: unknown;
      const walk = doing((input) =>
        endless(input).catch((error) => {
          stopReason = error;
        }),
      );
      work({ walk });
      await once(job.id, ({ done }) => done > 0);
      const theirs = newId();
      await sql`
        update jobs set lease = ${theirs}, leased_until = now() + interval '1 minute', done = 1000, attempts = 2
        where id = ${job.id}`;
      await expect.poll(() => String(stopReason)).toContain("its lease was lost");
      await loops.pop()!.stop();
      const [row] = await sql`select state, done, attempts, lease from jobs where id = ${job.id}`;
      expect(row).toMatchObject({ state: "running", done: 1000, attempts: 2, lease: theirs });
    });

    it("no more jobs of a kind run than allowed, while other kinds go on", async () => {
      let now = 0;
      let most = 0;
      let visits = 0;
      const kinds = {
        restore: doing(
          async () => {
            now += 1;
            most = Math.max(most, now);
            await setTimeout(20);
            now -= 1;
          },
          { concurrency: 2 },
        ),
        visit: doing(async () => void visits++, { concurrency: 5 }),
      };
      for (let n = 0; n < 12; n++) await put("restore");
      for (let n = 0; n < 12; n++) await put("visit");
      for (let n = 0; n < 3; n++) work(kinds, { slots: 4 });
      await expect.poll(() => museum.services.sql`select 1 from jobs where state <> 'done'`).toHaveLength(0);
      expect([most, visits]).toEqual([2, 12]);
    });

    it("a worker that stops returns its jobs at once, and that does not count as a failure", async () => {
      const { job } = await put("walk");
      const first = work({ walk: doing(endless) });
      await once(job.id, ({ done }) => done > 0);
      await first.stop();
      expect(await jobOf(job.id)).toMatchObject({ state: "queued", attempts: 0 });
      work({ walk: doing(async () => "there") });
      expect(await inState(job.id, "done")).toMatchObject({ attempts: 1, result: { answer: "there" } });
    });

    it("a worker that stops keeps a job that does not stop, so that no other runs it as well", async () => {
      const { job } = await put("walk");
      const { promise: stubborn, resolve: leave } = withResolvers();
      const first = work({ walk: doing(() => stubborn) }, { shutdownMs: 50 });
      await inState(job.id, "running");
      await first.stop();
      expect(await jobOf(job.id)).toMatchObject({ state: "running" });
      expect(museum.log.at(-1)).toContain("job does not stop");
      leave();
      await inState(job.id, "done");
    });

    it("a job whose processes die again and again is given up", async () => {
      const { sql } = museum.services;
      const { job } = await put("walk");
      await sql`
        update jobs set state = 'running', attempts = 3, lease = ${newId()}, leased_until = now() - interval '1 second'
        where id = ${job.id}`;
      let ran = false;
      const walk = doing(
        async () => {
          ran = true;
        },
        { retries: 2 },
      );
      work({ walk });
      const { reason } = await inState(job.id, "failed");
      expect([ran, toldFrom(reason!)]).toEqual([false, said("job.died", { attempt: "3" })]);
    });

    it("a job that was to be cancelled when its process died does not start again", async () => {
      const { sql } = museum.services;
      const { job } = await put("walk");
      await sql`
        update jobs set state = 'running', attempts = 1, lease = ${newId()}, cancel_requested = true,
          leased_until = now() - interval '1 second'
        where id = ${job.id}`;
      let ran = false;
      const walk = doing(
        async () => {
          ran = true;
        },
        { retries: 2 },
      );
      work({ walk });
      await inState(job.id, "cancelled");
      expect(ran).toBe(false);
    });

    it("a worker leaves alone a kind that it does not know", async () => {
      const { job } = await put("from a later version");
      work({ walk: doing(async () => null) });
      await inState((await put("walk")).job.id, "done");
      expect((await jobOf(job.id)).state).toBe("queued");
    });

    it("a run that is silent for too long is ended and retried", async () => {
      const { job } = await put("stare");
      let times = 0;
      const stare = doing(
        async ({ signal }) => {
          times += 1;
          if (times === 1) await setTimeout(60_000, undefined, { signal });
        },
        { retries: 1, longestSilenceMs: 60 },
      );
      work({ stare });
      expect(await inState(job.id, "done")).toMatchObject({ attempts: 2 });
    });
  });

  describe("jobs at /v1/jobs", () => {
    it("are listed newest first, and filtered by kind and state", async () => {
      const one = (await put("housekeeping")).job.id;
      const other = (await put("purge-trash")).job.id;
      const list = (query = "") => read<Page<JobJson>>(admin(`/v1/jobs${query}`));
      const all = await list();
      expect([all.total, all.page, all.page_size]).toEqual([2, 1, 50]);
      expect(all.items.map(({ job_id }) => job_id)).toEqual([other, one]);
      expect((await list("?kind=housekeeping")).items.map(({ job_id }) => job_id)).toEqual([one]);
      expect((await list("?state=running")).total).toBe(0);
      expect((await list("?page_size=1&page=2")).items.map(({ job_id }) => job_id)).toEqual([one]);
      expect(await faults(admin("/v1/jobs?kind=houskeeping&state=busy&page_size=1000"))).toEqual([
        "query:page_size",
        "query:kind",
        "query:state",
      ]);
    });

    it("have the agreed members", async () => {
      const { job } = await put("housekeeping");
      const shown = await read<JobJson>(admin(`/v1/jobs/${job.id}`));
      expect(Object.keys(shown).slice(0, 8)).toEqual([
        ...["job_id", "kind", "title", "state", "status", "total", "done", "created_at"],
      ]);
      expect(shown).toMatchObject({
        job_id: job.id,
        kind: "housekeeping",
        state: "queued",
        status: "queued",
      });
      expect(shown.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
      expect(await faults(admin("/v1/jobs/seven"))).toEqual(["path:id"]);
      await read(admin(`/v1/jobs/${newId()}`), 404);
    });

    it("are cancelled and retried by whoever requested them, and by whoever runs the service", async () => {
      const editor = await museum.as("editor");
      const { id } = await read<{ id: string }>(editor("/v1/auth/me"));
      const own = (await put("housekeeping", { createdBy: id })).job.id;
      const others = (await put("purge-trash")).job.id;
      await read(editor(`/v1/jobs/${others}`));
      for (const action of ["cancel", "retry"]) {
        const { detail } = await read<{ detail: string }>(
          editor(`/v1/jobs/${others}/${action}`, { method: "POST" }),
          403,
        );
        expect(detail).toContain("settings:manage");
      }
      expect((await jobOf(others)).state).toBe("queued");
      await read(editor(`/v1/jobs/${own}/cancel`, { method: "POST" }));
      await read(editor(`/v1/jobs/${own}/retry`, { method: "POST" }), 202);
      await read(admin(`/v1/jobs/${others}/cancel`, { method: "POST" }));
    });
  });

  it("finished jobs are deleted after two weeks, failed ones after three months, others never", async () => {
    const { sql } = museum.services;
    const aged = async (state: string, days: number) => {
      const { job } = await put("walk");
      const over = !["queued", "running"].includes(state);
      await sql`
        update jobs set state = ${state}, created_at = now() - make_interval(days => ${days}),
          lease = ${state === "running" ? newId() : null}, leased_until = ${state === "running" ? sql`now()` : null},
          finished_at = ${over ? sql`now() - make_interval(days => ${days})` : null}
        where id = ${job.id}`;
      return job.id;
    };
    const gone = [await aged("done", 15), await aged("cancelled", 15), await aged("failed", 91)];
    const kept = [
      await aged("done", 13),
      await aged("failed", 89),
      await aged("queued", 400),
      await aged("running", 400),
    ];
    expect(await forgetJobs(sql)).toBe(gone.length);
    const left = await sql<{ id: string }[]>`select id from jobs`;
    expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
  });
});
