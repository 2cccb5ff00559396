/**
 * Rebuilding the search index: during searches and edits, and when killed, cancelled or failing; comparing it with
 * the records.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { cancelJob, findJob, retryJob } from "../../src/jobs/store.ts";
import type { SearchGenerations } from "../../src/ports/search-index.ts";
import { compareIndex } from "../../src/search/compare.ts";
import { enqueueReindex } from "../../src/search/enqueue-reindex.ts";
import { rebuildSearch } from "../../src/search/rebuild.ts";
import type { Services, Sql } from "../../src/services.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { startJobLoop } from "../../workers/job-loop.ts";
import { TIMING } from "../../workers/timing.ts";
import { inLong, isShort, oneOrAll } from "../support/lane/lane.ts";
import { createObject, english, type Page, read } from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, quickest } from "../support/museum/museum.ts";
import { type Office, openOffice } from "../support/programs/command.ts";
import { type Program, run } from "../support/programs/processes.ts";

type JobJson = { job_id: string; kind: string; state: string; status: string; total: number; done: number };
type Found = Page<{ id: string }>;

/** Called at each step of a build. If it throws, so does the step. */
type Step = (step: string) => Promise<unknown>;

/**
 * The services with a hook: `at` is called before and after each step of a build, which uses several batches.
 */
function withHooks(services: Services, at: Step): Services {
  const { generations } = services.search;
  const withHook =
    <A extends unknown[], T>(name: string, work: (...args: A) => Promise<T>) =>
    async (...args: A) => {
      await at(`before ${name}`);
      const answer = await work(...args);
      await at(`after ${name}`);
      return answer;
    };
  const watching: SearchGenerations = {
    ...generations,
    batchSize: 40,
    begin: withHook("begin", generations.begin),
    put: withHook("put", generations.put),
    swap: withHook("swap", generations.swap),
  };
  return { ...services, search: { ...services.search, generations: watching } };
}

const rebuild = (services: Services, jobId: string) =>
  rebuildSearch(services, { jobId, report: async () => undefined });

/** A job that looks as if it runs, without a worker. */
async function begunJob({ sql }: Services): Promise<string> {
  const { id } = await enqueueReindex(sql, null, null);
  await sql`update jobs set state = 'running', started_at = now(), lease = ${newId()},
    leased_until = now() + interval '1 hour' where id = ${id}`;
  return id;
}

const endJob = ({ sql }: Services, id: string) =>
  sql`update jobs set state = 'done', lease = null, leased_until = null, finished_at = now() where id = ${id}`;

/** Copies of an object: only the record itself and its mark. */
async function multiply(sql: Sql, times: number): Promise<void> {
  await sql`
    with copies as (
      insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title, published_at)
      select gen_random_uuid(), record_type, 'COPY-' || n, subtype, status, collection_status, metadata, title, sort_title,
        published_at
      from (select * from records where record_type = 'object' and status = 'public' limit 1) r, generate_series(1, ${times}) n
      returning id)
    insert into outbox (target, record_id) select 'search', id from copies`;
}

describe.each(databases)("a rebuild of the search index, with the %s database", async (database) => {
  const late: Promise<void>[] = [];
  /** Words that no other test uses. */
  let words = 0;
  const uniqueWord = (word: string) => `${word}${"abcdefghijklmnopqrstuvwxyz"[words++]}x`;
  const museum = await museumHere({ database, demo: true });
  const services = museum.services;
  const staff = await museum.as("superuser");
  beforeAll(async () => {
    await drainOutbox(services);
  });

  const found = (ask: Ask, query: string) => read<Found>(ask(`/v1/search?${query}`));
  const ids = async (ask: Ask, query: string) => (await found(ask, query)).items.map(({ id }) => id);
  const expectIndexAgrees = async () => {
    await drainOutbox(services);
    expect(await compareIndex(services, null)).toMatchObject({ differences: [], waiting: 0 });
  };
  const leftovers = async () => {
    const [row] = await services.sql<{ builds: number; changes: number; indexes: number }[]>`
      select (select count(*)::int from search_rebuild) as builds,
        (select count(*)::int from search_rebuild_changes) as changes,
        (select count(*)::int from pg_class where relname ~ '^search_rows_[ab]_(words|terms)$'
          and 'gin_pending_list_limit=256' = any(reloptions)) as indexes`;
    return { ...row!, building: await services.search.generations.isBuilding() };
  };
  /** Both places have their indexes, which insert in small portions. */
  const CLEAN = { builds: 0, changes: 0, indexes: 4, building: false };
  /** Builds an index; `at` does something at each step. */
  async function build(at: Step) {
    const id = await begunJob(services);
    const result = await rebuild(withHooks(services, at), id);
    await endJob(services, id);
    return result;
  }

  inLong(it)("is complete, and so are all answers while it runs", async () => {
    const { total } = await found(museum.ask, "page_size=1");
    const { total: ships } = await found(museum.ask, "q=harbour");
    expect([total > 20, ships > 0]).toEqual([true, true]);
    const steps: string[] = [];
    let over = false;
    const asking = (async () => {
      const totals = new Set<number>();
      for (let size = 1; !over; size = (size % 90) + 1)
        totals.add((await found(museum.ask, `page_size=${size}`)).total);
      return [...totals];
    })();
    const { records } = await build(async (step) => {
      steps.push(step);
      expect((await found(museum.ask, `page_size=${steps.length}`)).total).toBe(total);
      expect((await found(museum.ask, `q=harbour&page_size=${steps.length}`)).total).toBe(ships);
    });
    over = true;
    expect(await asking).toEqual([total]);
    expect(steps.filter((step) => step === "after put").length).toBeGreaterThan(2);
    expect([...new Set(steps)]).toEqual(
      ["begin", "put", "swap"].flatMap((step) => [`before ${step}`, `after ${step}`]),
    );
    const [all] = await services.sql<{ n: number }[]>`
      select count(*)::int as n from records where deleted_at is null`;
    expect(records).toBe(all!.n);
    expect(await leftovers()).toEqual(CLEAN);
    await expectIndexAgrees();
  });

  it("leaves no rows of the old index", async () => {
    const sizes = async () => {
      const [row] = await services.sql<{ a: number; b: number }[]>`
        select (select count(*)::int from search_rows_a) as a, (select count(*)::int from search_rows_b) as b`;
      return [row!.a, row!.b].sort((one, other) => one - other);
    };
    const [none, all] = await sizes();
    await build(async () => undefined);
    expect([none, await sizes()]).toEqual([0, [0, all]]);
  });

  it.each(oneOrAll(["after begin", "before put", "after put", "after swap"]))(
    "includes records that are created, changed, hidden and deleted %s",
    async (when) => {
      const [zeppelin, balloon] = [uniqueWord("zeppelin"), uniqueWord("balloon")];
      const changed = await createObject(staff, `${zeppelin} above the pier`, { status: "public" });
      const hidden = await createObject(staff, `${zeppelin} in the fog`, { status: "public" });
      const deleted = await createObject(staff, `${zeppelin} on a stamp`, { status: "public" });
      let made = "";
      let wrote = false;
      await build(async (step) => {
        if (step !== when || wrote) return;
        wrote = true;
        // after the swap, writers wait for the end of the build
        const writing = (async () => {
          ({ id: made } = await createObject(staff, `${zeppelin} hangar`, { status: "public" }));
          const metadata_ = { title: english(`${balloon} above the pier`) };
          await read(staff(`/v1/objects/${changed.id}`, { method: "PATCH", json: { metadata_ } }));
          await read(staff(`/v1/objects/${deleted.id}`, { method: "DELETE" }), 204);
          await read(staff(`/v1/objects/${hidden.id}/status`, { json: { status: "draft" } }));
          expect(await ids(museum.ask, `q=${zeppelin}`)).toEqual([made]);
          expect(await ids(staff, `q=${balloon}`)).toContain(changed.id);
        })();
        if (when === "after swap") late.push(writing);
        else await writing;
      });
      await Promise.all(late.splice(0));
      expect(await ids(museum.ask, `q=${zeppelin}`)).toEqual([made]);
      expect((await ids(staff, `q=${zeppelin}`)).sort()).toEqual([made, hidden.id].sort());
      expect(await ids(museum.ask, `q=${balloon}`)).toEqual([changed.id]);
      expect(await leftovers()).toEqual(CLEAN);
      await expectIndexAgrees();
    },
  );

  inLong(it)(
    "never shows visitors a hidden record, and always lets writers find what they have written",
    async () => {
      const titles = Array.from({ length: 12 }, (_, n) => `Lighthouse keeper number ${n}`);
      const objects = await Promise.all(
        titles.map((title) => createObject(staff, title, { status: "public" })),
      );
      const faults: string[] = [];
      let over = false;
      let turns = 0;
      const writing = Promise.all(
        objects.map(async ({ id }, n) => {
          while (!over) {
            const status = turns++ % 2 === 0 ? "internal" : "public";
            await read(staff(`/v1/objects/${id}/status`, { json: { status } }));
            const { total } = await found(museum.ask, `q=%22keeper+number+${n}%22`);
            if (total !== (status === "public" ? 1 : 0)) faults.push(`${n} ${status}: ${total}`);
          }
        }),
      );
      for (let round = 0; round < 4; round++) await build(async () => undefined);
      over = true;
      await writing;
      expect([faults, turns > 24]).toEqual([[], true]);
      expect(await leftovers()).toEqual(CLEAN);
      await expectIndexAgrees();
    },
  );

  it.each(oneOrAll(["before begin", "after begin", "before swap", "after swap", "before put", "after put"]))(
    "continues after an interruption %s, including what was written in the meantime",
    async (when) => {
      const anchor = uniqueWord("anchor");
      const before = await createObject(staff, `${anchor} before`, { status: "public" });
      const id = await begunJob(services);
      const breaking = withHooks(services, async (step) => {
        if (step === when) throw new Error("the power is gone");
      });
      await expect(rebuild(breaking, id)).rejects.toThrow("the power is gone");
      expect((await leftovers()).builds).toBe(1);
      // like a job that waits for its next run
      await services.sql`update jobs set state = 'failed', lease = null, leased_until = null, finished_at = now() where id = ${id}`;
      const after = await createObject(staff, `${anchor} after`, { status: "public" });
      await read(staff(`/v1/objects/${before.id}`, { method: "DELETE" }), 204);
      await services.sql`update jobs set state = 'running', lease = ${newId()}, leased_until = now() + interval '1 hour',
        finished_at = null where id = ${id}`;
      await rebuild(services, id);
      await endJob(services, id);
      expect(await ids(museum.ask, `q=${anchor}`)).toEqual([after.id]);
      expect(await leftovers()).toEqual(CLEAN);
      await expectIndexAgrees();
    },
  );

  inLong(it)("repairs a damaged index, after search-verify has found its faults", async () => {
    const [one, two, three, four] = await Promise.all(
      ["Mast one", "Mast two", "Mast three", "Mast four"].map((title) =>
        createObject(staff, title, { status: "public" }),
      ),
    );
    const { sql, search } = services;
    const stranger = newId();
    await search.remove([one!.id]);
    for (const table of ["search_rows_a", "search_rows_b"]) {
      await sql`update ${sql(table)} set status = 'd' where id = ${two!.id}`;
      await sql`update ${sql(table)} set words = words[2:] where id = ${three!.id}`;
      await sql`update ${sql(table)} set id = ${stranger} where id = ${four!.id}`;
    }
    const { differences, waiting } = await compareIndex(services, null);
    expect(new Map(differences.map(({ id, fault }) => [id, fault]))).toEqual(
      new Map([
        [one!.id, "missing"],
        [two!.id, "status"],
        [three!.id, "content"],
        [four!.id, "missing"],
        [stranger, "superfluous"],
      ]),
    );
    expect(waiting).toBe(0);
    expect((await compareIndex(services, "place")).differences).toEqual([]);
    await build(async () => undefined);
    await expectIndexAgrees();
  });

  it("gives up when another run has taken it over", async () => {
    const id = await begunJob(services);
    let taken = false;
    const slow = withHooks(services, async (step) => {
      if (step !== "before put" || taken) return;
      taken = true;
      await rebuild(services, id);
    });
    await expect(rebuild(slow, id)).rejects.toThrow("taken over by another run");
    await endJob(services, id);
    expect(await leftovers()).toEqual(CLEAN);
    await expectIndexAgrees();
  });

  inLong(it)("ends without effect when the catalogue is emptied, and the next one works", async () => {
    const id = await begunJob(services);
    const emptied = withHooks(services, async (step) => {
      if (step === "before swap") await services.sql`truncate search_rebuild, search_rebuild_changes`;
    });
    await rebuild(emptied, id);
    await endJob(services, id);
    await expectIndexAgrees();
    await build(async () => undefined);
    await expectIndexAgrees();
  });

  describe("as a job", () => {
    beforeEach(() => services.sql`delete from jobs`);

    const working = async <T>(work: (at: Services) => Promise<T>, at: Step = async () => undefined) => {
      const loop = startJobLoop(
        withHooks(services, at),
        { reindex: KIND_WORK.reindex },
        { ...TIMING, roundMs: 20, retrySeconds: 0 },
        async () => undefined,
      );
      try {
        return await work(services);
      } finally {
        await loop.stop();
      }
    };
    const ended = async (id: string) => {
      let job = (await findJob(services.sql, id))!;
      await expect
        .poll(
          async () => {
            job = (await findJob(services.sql, id))!;
            return job.state;
          },
          { interval: 20 },
        )
        .toMatch(/done|failed|cancelled/);
      return job;
    };
    const ask = (path = "") => read<JobJson>(staff(`/v1/search/reindex${path}`, { method: "POST" }), 202);

    it("is requested over HTTP, shows its progress, and is shared by all who request it", async () => {
      const answer = await staff("/v1/search/reindex", { method: "POST" });
      const job = await read<JobJson>(answer.clone(), 202);
      expect(answer.headers.get("Location")).toBe(`/v1/jobs/${job.job_id}`);
      expect(job).toMatchObject({
        kind: "reindex",
        state: "queued",
        status: "queued",
        total: null,
        done: 0,
      });
      expect((await ask()).job_id).toBe(job.job_id);
      expect((await ask("/object")).job_id).toBe(job.job_id);
      const done = await working(() => ended(job.job_id));
      expect(done).toMatchObject({ state: "done", done: done.total, result: { records: done.total } });
      expect((await ask()).job_id).not.toBe(job.job_id);
      await expectIndexAgrees();
    });

    inLong(it)("can be limited to a record type; each type has its own job", async () => {
      const places = await ask("/place");
      const objects = await ask("/object");
      expect(objects.job_id).not.toBe(places.job_id);
      expect((await ask("/object")).job_id).toBe(objects.job_id);
      const [one, other] = await working(async () => [
        await ended(places.job_id),
        await ended(objects.job_id),
      ]);
      const of = async (kind: string) => {
        const [row] = await services.sql<{ n: number }[]>`
          select count(*)::int as n from records where record_type = ${kind} and deleted_at is null`;
        return row!.n;
      };
      expect([one!.done, other!.done]).toEqual([await of("place"), await of("object")]);
      await expectIndexAgrees();
    });

    it("is refused without the permission, and for unknown types", async () => {
      const post = { method: "POST" };
      await read(museum.ask("/v1/search/reindex", post), 401);
      await read((await museum.as("editor"))("/v1/search/reindex", post), 403);
      const { status } = await staff("/v1/search/reindex/nothing", post);
      expect([404, 422]).toContain(status);
      const [row] = await services.sql<
        { n: number }[]
      >`select count(*)::int as n from jobs where kind = 'reindex'`;
      expect(row!.n).toBe(0);
    });

    inLong(it)(
      "can be cancelled while it runs, leaves nothing behind, and starts from the beginning when retried",
      async () => {
        const { job_id } = await ask();
        const job = await working(
          () => ended(job_id),
          async (step) => step === "after begin" && cancelJob(services.sql, job_id),
        );
        expect([job.state, await leftovers()]).toEqual(["cancelled", CLEAN]);
        await expectIndexAgrees();
        await retryJob(services.sql, job_id);
        expect((await working(() => ended(job_id))).state).toBe("done");
        await expectIndexAgrees();
      },
    );

    it("can be cancelled while it waits for its next run, and leaves nothing behind", async () => {
      const { job_id } = await ask();
      await services.sql`update jobs set state = 'running', started_at = now(), lease = ${newId()},
        leased_until = now() + interval '1 hour' where id = ${job_id}`;
      const breaking = withHooks(services, async (step) => {
        if (step === "before put") throw new Error("the power is gone");
      });
      await expect(rebuild(breaking, job_id)).rejects.toThrow();
      await services.sql`update jobs set state = 'queued', lease = null, leased_until = null,
        run_after = now() + interval '1 hour' where id = ${job_id}`;
      const cancelled = await staff(`/v1/jobs/${job_id}/cancel`, { method: "POST" });
      expect(cancelled.status).toBe(202);
      expect((await working(() => ended(job_id))).state).toBe("cancelled");
      expect(await leftovers()).toEqual(CLEAN);
    });

    inLong(it)(
      "is retried when the index is unavailable, and leaves nothing behind when it finally fails",
      async () => {
        const { job_id } = await ask();
        let away = 2;
        const job = await working(
          () => ended(job_id),
          async (step) => {
            if (step === "before swap" && away-- > 0) throw new Error("connection refused");
          },
        );
        expect(job).toMatchObject({ state: "done", attempts: 3 });
        await expectIndexAgrees();
        const { job_id: hopeless } = await ask();
        await services.sql`update jobs set attempts = 10 where id = ${hopeless}`;
        const failed = await working(
          () => ended(hopeless),
          async (step) => {
            if (step === "before swap") throw new Error("connection refused");
          },
        );
        expect([failed.state, await leftovers()]).toEqual(["failed", CLEAN]);
        await expectIndexAgrees();
      },
    );
  });
});

describe.each([quickest])("svc-manage, with the %s database", (database) => {
  let office: Office;
  const programs: Program[] = [];
  beforeAll(async () => {
    office = await openOffice(database);
    await office.look(async (services) => {
      const { loadDemoMuseum } = await import("../../cli/demo/load.ts");
      await loadDemoMuseum(services);
      await multiply(services.sql, isShort ? 100 : 2_100);
      await drainOutbox(services);
    });
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.kill("SIGKILL")));
    await office.close();
  });

  const runSlowly = (ms: number) => {
    const program = run("reindex-program.ts", JSON.stringify(office.settings), String(ms));
    programs.push(program);
    return program;
  };

  inLong(it)(
    "reindex rebuilds the index when no service runs, and search-verify then finds no fault",
    async () => {
      const made = await office.run("reindex");
      expect([made.code, made.out]).toEqual([
        0,
        expect.stringMatching(/^[\d,]{3,5} records are in the search index$/),
      ]);
      const verified = await office.run("search-verify", "--json");
      expect([verified.code, JSON.parse(verified.out)]).toEqual([
        0,
        {
          records: Number(made.out.split(" ")[0]!.replace(",", "")),
          differences: [],
          differing: 0,
          waiting: 0,
        },
      ]);
    },
  );

  inLong(it)("reindex continues after its process was killed", async () => {
    const { id } = await office.look(({ sql }) => enqueueReindex(sql, null, null));
    for (const some of [500, 1_500]) {
      const program = runSlowly(400);
      await office.until(program, async (sql) => {
        const [build] = await sql<{ done: number }[]>`select done from search_rebuild`;
        return (build?.done ?? 0) >= some;
      });
      await program.kill("SIGKILL");
    }
    const last = runSlowly(0);
    await office.until(last, async (sql) => (await findJob(sql, id))?.state === "done");
    await last.kill("SIGTERM");
    const left = last.lines
      .filter((line) => line.startsWith("put"))
      .reduce((sum, line) => sum + Number(line.slice("put ".length)), 0);
    expect([left > 0, left < 1_000]).toEqual([true, true]);
    expect((await office.run("search-verify")).code).toBe(0);
  });

  inLong(it)(
    "search-verify names the faults and ends with 1; reindex of that type then repairs them through the running service",
    async () => {
      const id = await office.look(async ({ sql, search }) => {
        const [row] = await sql<{ id: string }[]>`select id from records where record_type = 'place' limit 1`;
        await search.remove([row!.id]);
        return row!.id;
      });
      const found = await office.run("search-verify", "--type", "place");
      expect([found.code, found.out]).toEqual([
        1,
        expect.stringContaining(`place ${id} is not in the index`),
      ]);
      await office.serve();
      const mended = await office.run("reindex", "--type", "place", "--json");
      expect([mended.code, JSON.parse(mended.out)]).toMatchObject([0, { state: "done", kind: "reindex" }]);
      expect((await office.run("search-verify")).code).toBe(0);
    },
  );

  it("reindex and search-verify refuse an unknown type", async () => {
    const refused = await office.run("reindex", "--type", "objekt");
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('did you mean "object"?')]);
    expect((await office.run("search-verify", "--type", "objekt")).code).toBe(2);
  });
});
