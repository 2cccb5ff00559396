/** The clock of the machine jumps: effects on the embedded database, which uses it, the timetable and the tokens. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { claimMail } from "../../src/accounts/mail-queue.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import type { Job } from "../../src/jobs/job.ts";
import { findJob } from "../../src/jobs/store.ts";
import { claimDue } from "../../src/records/outbox.ts";
import { enqueueDueJobs } from "../../workers/due-jobs.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { DUE_JOBS } from "../../workers/timetable.ts";
import type { Timing } from "../../workers/timing.ts";
import { startWork } from "../../workers/work.ts";
import { inLong, oneOrAll } from "../support/lane/lane.ts";
import { namesIn } from "../support/museum/backups.ts";
import { read } from "../support/museum/catalogue.ts";
import { type Museum, openMuseum } from "../support/museum/museum.ts";

const DAY = 86_400_000;
const QUICK: Partial<Timing> = { roundMs: 20, renewMs: 100, beatMs: 50 };

type Health = { checks: Record<string, string>; backup_age_hours: number | null };

describe("after a jump of the clock", () => {
  let museum: Museum;
  let work: { stop(): Promise<void> } | null = null;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true, now: Date.now() });
    // its clock is that of this process
    museum = await openMuseum({ database: "embedded" });
  });
  afterEach(async () => {
    await work?.stop();
    work = null;
    await museum.close();
    vi.useRealTimers();
  });

  const jump = (ms: number) => vi.setSystemTime(Date.now() + ms);
  const job = async (id: string): Promise<Job> => (await findJob(museum.services.sql, id))!;
  const put = async () =>
    (await enqueueJob(museum.services.sql, { kind: "housekeeping", createdBy: null })).job.id;
  const done = (id: string) => expect.poll(async () => (await job(id)).state).toBe("done");
  /** Polls, because health reports are cached for a second. */
  const healthSays = (select: (health: Health) => unknown, expected: unknown) =>
    expect.poll(async () => select((await (await museum.ask("/health")).json()) as Health)).toEqual(expected);
  const timetabled = async () => {
    const rows = await museum.services.sql<{ kind: string; n: number }[]>`
      select kind, count(*)::int as n from jobs where due_at is not null group by kind order by kind`;
    return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
  };
  const look = async () => {
    for (let n = 0; n < 3; n++) await enqueueDueJobs(museum.services, DUE_JOBS);
    await museum.services.sql`update jobs set state = 'done', finished_at = now() where due_at is not null`;
  };

  it.each(
    oneOrAll([
      ["a day back", -DAY],
      ["a year ahead", 365 * DAY],
      ["a day ahead", DAY],
    ] as const),
  )(
    "%s, jobs run, and only once, the worker is seen, and health knows the age of the backup",
    async (_, ms) => {
      const { services } = museum;
      await services.sql`insert into backups (id, file, finished_at) values (gen_random_uuid(), 'x', now())`;
      // the real housekeeping would delete jobs of a year ago
      const housekeeping = { run: async () => ({}), retries: 0, concurrency: 1 };
      work = await startWork(services, { timing: QUICK, kinds: { housekeeping } });
      const before = await put();
      await done(before);
      const waiting = await put();
      jump(ms);
      await done(waiting);
      const after = await put();
      await done(after);
      for (const id of [before, waiting, after]) expect((await job(id)).attempts).toBe(1);
      const age = ms < 0 ? 0 : Math.round(ms / 3_600_000);
      await healthSays(
        ({ checks, backup_age_hours }) => [checks.beat_heartbeat, Math.round(backup_age_hours ?? -1)],
        ["ok", age],
      );
    },
  );

  inLong(it)(
    "the timetable queues each job once for each time, and once more for the times that were skipped",
    async () => {
      await look();
      expect(await timetabled()).toEqual({ backup: 1, dump: 1, housekeeping: 1, "purge-trash": 1 });
      for (const [ms, times] of [
        [DAY, 2],
        [365 * DAY, 3],
        // these times are already done
        [-365 * DAY, 3],
        [-DAY, 3],
        [-DAY, 4],
        [2 * DAY, 4],
      ] as const) {
        jump(ms);
        await look();
        expect([ms, await timetabled()]).toEqual([
          ms,
          { backup: times, dump: times, housekeeping: times, "purge-trash": times },
        ]);
      }
    },
  );

  inLong(it)(
    "back, the job of a killed process is taken over, and others of its kind do not wait for it",
    async () => {
      const { sql } = museum.services;
      const orphan = await put();
      await sql`
      update jobs set state = 'running', attempts = 1, lease = gen_random_uuid(), leased_until = now() + interval '20 seconds'
      where id = ${orphan}`;
      jump(-DAY);
      const next = await put();
      work = await startWork(museum.services, { timing: QUICK });
      await done(next);
      await done(orphan);
      expect(await job(orphan)).toMatchObject({ attempts: 2 });
    },
  );

  inLong(it)("back, records and mails of a killed process wait no longer than others", async () => {
    const { sql } = museum.services;
    await sql`insert into outbox (target, record_id, attempts, due_at)
      values ('search', gen_random_uuid(), 1, now() + interval '10 seconds')`;
    await sql`insert into mail_queue (id, kind, attempts, due_at)
      values (gen_random_uuid(), 'password_reset', 1, now() + interval '10 seconds')`;
    expect([await claimDue(sql, "search", 9), await claimMail(sql)]).toEqual([[], undefined]);
    jump(-DAY);
    expect(await claimDue(sql, "search", 9)).toHaveLength(1);
    expect(await claimMail(sql)).toMatchObject({ attempts: 2 });
    // now they are claimed
    expect([await claimDue(sql, "search", 9), await claimMail(sql)]).toEqual([[], undefined]);
  });

  inLong(it)("back, the heartbeat of a worker that has died since does not count as recent", async () => {
    work = await startWork(museum.services, { timing: QUICK });
    await work.stop();
    work = null;
    await healthSays(({ checks }) => checks.beat_heartbeat, "ok");
    jump(-DAY);
    await healthSays(
      ({ checks }) => checks.beat_heartbeat,
      "the clock was set back, and no worker has been seen since",
    );
  });

  inLong(it)("ahead, tokens expire, and back, they stay valid; a new sign-in always works", async () => {
    const early = await museum.as("admin");
    await read(early("/v1/auth/me"));
    jump(-DAY);
    await read(early("/v1/auth/me"));
    jump(2 * DAY);
    expect((await early("/v1/auth/me")).status).toBe(401);
    await read((await museum.as("admin"))("/v1/auth/me"));
  });
});

inLong(describe)("the time of the backup", () => {
  it("comes while the service runs: the backup is then made, once", async () => {
    const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10);
    vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true, now: new Date(`${tomorrow}T04:29:30Z`) });
    const museum = await openMuseum({ database: "embedded", env: { BACKUP_AT: "04:30" } });
    const { sql, config } = museum.services;
    try {
      await enqueueDueJobs(museum.services, DUE_JOBS);
      await sql`update jobs set state = 'done', finished_at = now()`;
      vi.setSystemTime(new Date(`${tomorrow}T04:29:57Z`));
      const work = await startWork(museum.services, { timing: QUICK, kinds: KIND_WORK });
      const made = () => sql<{ state: string; due_at: string }[]>`
        select state, due_at from jobs where kind = 'backup' and due_at > now() - interval '1 hour'`;
      expect(await made()).toEqual([]);
      await expect
        .poll(made)
        .toEqual([{ state: "done", due_at: expect.stringContaining(`${tomorrow}T04:30:00`) }]);
      await work.stop();
      const stamp = new RegExp(`^db_${tomorrow.replaceAll("-", "")}T0430\\d\\dZ\\.sql\\.gz$`);
      expect((await namesIn(config.backupRoot)).filter((name) => stamp.test(name))).toHaveLength(1);
    } finally {
      await museum.close();
      vi.useRealTimers();
    }
  });
});
