import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { listJobs } from "../../src/jobs/store.ts";
import { at, type DueJob, enqueueDueJobs } from "../../workers/due-jobs.ts";
import { givingWay } from "../../workers/giving-way.ts";
import { DUE_JOBS } from "../../workers/timetable.ts";
import { startWork } from "../../workers/work.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { withResolvers } from "../support/with-resolvers.ts";

const NIGHTLY: readonly DueJob[] = [{ kind: "housekeeping", lastDue: at("37 2 * * *") }];

describe.each(databases)("the timetable, on the %s database", async (database) => {
  const museum = await museumHere({ database });
  beforeEach(async () => {
    const { sql } = museum.services;
    await sql`delete from jobs`;
    await sql`delete from outbox`;
  });

  const put = (time: string, jobs = NIGHTLY) => enqueueDueJobs(museum.services, jobs, new Date(time));
  const due = async () => {
    const rows = await museum.services.sql<{ due_at: string }[]>`select due_at from jobs order by due_at`;
    return rows.map(({ due_at }) => due_at.slice(0, 16));
  };
  /** Pretends that the queued jobs have been done. */
  const doAll = () => museum.services.sql`
    update jobs set state = 'done', finished_at = now() where state = 'queued'`;

  it("queues a job once for each time, however many processes look, and however often", async () => {
    await Promise.all(Array.from({ length: 8 }, () => put("2026-03-01T02:37:00Z")));
    await put("2026-03-01T02:38:00Z");
    expect(await due()).toEqual(["2026-03-01T02:37"]);
    await doAll();
    await Promise.all(Array.from({ length: 8 }, () => put("2026-03-01T23:59:00Z")));
    expect(await due()).toEqual(["2026-03-01T02:37"]);
    await put("2026-03-02T02:37:00Z");
    expect(await due()).toEqual(["2026-03-01T02:37", "2026-03-02T02:37"]);
  });

  it("makes up once for missed times, but waits until the start is over", async () => {
    await put("2026-03-01T02:37:00Z");
    await doAll();
    await put("2026-03-09T11:00:00Z");
    expect(await due()).toEqual(["2026-03-01T02:37", "2026-03-09T02:37"]);
    const [job] = await listJobs(museum.services.sql, { state: "queued" }, { limit: 1, offset: 0 });
    expect(job!.run_after > job!.created_at).toBe(true);
  });

  it("does not queue a job while the previous one is not done", async () => {
    await put("2026-03-01T02:37:00Z");
    await put("2026-03-02T02:37:00Z");
    expect(await due()).toEqual(["2026-03-01T02:37"]);
    await doAll();
    await put("2026-03-02T02:38:00Z");
    expect(await due()).toEqual(["2026-03-01T02:37", "2026-03-02T02:37"]);
  });

  it("does nothing twice when the clock is set back, and continues when it is right again", async () => {
    for (const time of ["2026-03-01T03:00:00Z", "2026-02-27T12:00:00Z", "2026-03-01T03:00:00Z"]) {
      await put(time);
      await doAll();
    }
    await put("2026-03-02T03:00:00Z");
    expect(await due()).toEqual(["2026-02-27T02:37", "2026-03-01T02:37", "2026-03-02T02:37"]);
  });

  it("uses the museum's time zone, also when clocks change", async () => {
    const { services } = museum;
    const berlin = { ...services, config: { ...services.config, timeZone: "Europe/Berlin" } };
    for (const begin of [Date.UTC(2026, 2, 28), Date.UTC(2026, 9, 24)]) {
      for (let hour = 0; hour < 72; hour++) {
        await enqueueDueJobs(berlin, NIGHTLY, new Date(begin + hour * 3_600_000));
        await doAll();
      }
    }
    const days = (await due()).map((time) => time.slice(0, 10));
    expect(days).toEqual([
      ...["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30"],
      ...["2026-10-23", "2026-10-24", "2026-10-25", "2026-10-26"],
    ]);
  });

  it("empties the trash, does housekeeping, and makes a backup and the dumps every night, also after a kill", async () => {
    await put("2026-03-01T12:00:00Z", DUE_JOBS);
    const jobs = await listJobs(museum.services.sql, {}, { limit: 9, offset: 0 });
    expect(jobs.map(({ kind }) => kind).sort()).toEqual(["backup", "dump", "housekeeping", "purge-trash"]);
    await museum.services.sql`update jobs set run_after = now()`;
    // an embedded database has one process, so a start finds only jobs of dead ones
    if (database === "embedded")
      await museum.services.sql`
        update jobs set state = 'running', attempts = 1, lease = gen_random_uuid(), leased_until = now() + interval '5 minutes'
        where kind = 'housekeeping'`;
    const isBusy = vi.fn(() => false);
    const work = await startWork(museum.services, { timing: { roundMs: 20 }, isBusy });
    const left = () =>
      museum.services.sql`select 1 from jobs where due_at < '2026-03-02' and state <> 'done'`;
    await expect.poll(left).toHaveLength(0);
    await work.stop();
    expect(isBusy).toHaveBeenCalled();
  });

  describe("its heartbeat", () => {
    const QUICK = { roundMs: 20, beatMs: 40, longestSilenceMs: 100, hangsAfterMs: 100, patienceMs: 300 };
    const beaten = async () => {
      const [row] = await museum.services.sql<
        { at: string }[]
      >`select at from heartbeats where name = 'worker'`;
      return row!.at;
    };
    const beats = async () => {
      const before = await beaten();
      await expect.poll(beaten).not.toBe(before);
    };
    const hangs = async () => {
      await expect.poll(() => museum.log.some((line) => line.includes("the worker hangs"))).toBe(true);
      const before = await beaten();
      await setTimeout(300);
      expect(await beaten()).toBe(before);
      museum.log.length = 0;
    };

    inLong(it)("continues while jobs are done, and stops while a job hangs", async () => {
      museum.log.length = 0;
      let leave: () => void = () => undefined;
      const stuck = new Promise<Record<string, never>>((resolve) => {
        leave = () => resolve({});
      });
      const housekeeping = { run: () => stuck, retries: 0, concurrency: 1 };
      const work = await startWork(museum.services, { timing: QUICK, kinds: { housekeeping } });
      await beats();
      await put("2026-03-01T02:37:00Z");
      await museum.services.sql`update jobs set run_after = now()`;
      await hangs();
      leave();
      await beats();
      await work.stop();
    });

    inLong(it)("stops while a line of the timetable hangs", async () => {
      museum.log.length = 0;
      const { services } = museum;
      const { promise: stuck, resolve: leave } = withResolvers();
      const search = { ...services.search, put: () => stuck, remove: () => stuck };
      const work = await startWork({ ...services, search }, { timing: QUICK, kinds: {} });
      await beats();
      await services.sql`insert into outbox (target, record_id) values ('search', gen_random_uuid())`;
      await hangs();
      leave();
      await beats();
      await work.stop();
    });

    it("does not delay stopping the service when something hangs", async () => {
      const { services } = museum;
      const { promise: stuck, resolve: leave } = withResolvers();
      const search = { ...services.search, put: () => stuck, remove: () => stuck };
      await services.sql`insert into outbox (target, record_id) values ('search', gen_random_uuid())`;
      const work = await startWork(
        { ...services, search },
        { timing: { ...QUICK, shutdownMs: 200 }, kinds: {} },
      );
      const stopping = performance.now();
      await work.stop();
      expect(performance.now() - stopping).toBeLessThan(2_000);
      leave();
    });

    it("stops while the database is not answering", async () => {
      const { services } = museum;
      let away: Promise<void> | null = null;
      let back: () => void = () => undefined;
      // every query of the worker waits, as on a connection that has gone silent
      const sql = new Proxy(services.sql, {
        apply: (target, self, args) => {
          const query = Reflect.apply(target, self, args);
          const waiting = away;
          // a fragment of another statement is never sent on its own
          if (waiting && typeof query.handle === "function") {
            const send = query.handle.bind(query);
            query.handle = () => waiting.then(send);
          }
          return query;
        },
      });
      const work = await startWork({ ...services, sql }, { timing: QUICK, kinds: {} });
      await beats();
      away = new Promise((resolve) => {
        back = resolve;
      });
      await setTimeout(100);
      const before = await beaten();
      await setTimeout(300);
      expect(await beaten()).toBe(before);
      away = null;
      back();
      await beats();
      await work.stop();
    });
  });
});

it("gives way to requests between two steps, but not for ever", async () => {
  const isBusy = vi.fn(() => true);
  await givingWay(isBusy)();
  expect(isBusy).toHaveBeenCalled();
});
